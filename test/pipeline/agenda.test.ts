/**
 * Here belong tests of concepts of the pipeline above phases: plans, estimates, manifests, metrics.
 *
 * Who does which slice, and when: simulated.
 */
import { expect, test } from 'vitest';
import { type Assignment, newAgenda } from '../../pipeline/engine/agenda.js';
import type { Game } from '../../pipeline/game/game.js';
import { type PlannedSlice, planSlices } from '../../pipeline/game/plan.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';

const MiB = 2 ** 20;
const WIDTH = 2 ** 18;

/** A game that knows of its slices only how many parts they have. */
function gameOf(parts: Readonly<Record<string, number>>): Game {
  const slice = (name: string) => {
    const count = parts[name];
    return { name, parts: count, width: WIDTH, size: count * WIDTH, partSize: () => WIDTH };
  };
  return { slice } as unknown as Game;
}

const independent = (names: readonly string[]): PlannedSlice[] =>
  names.map((slice) => ({ slice, dependencies: [], wave: 1 }));

/** Everything that may be begun now. */
function begin(agenda: ReturnType<typeof newAgenda>): string[] {
  const begun: string[] = [];
  for (let next = agenda.next(); next !== null; next = agenda.next()) begun.push(nameOf(next));
  return begun;
}

const nameOf = ({ slice, alone }: Assignment) => (alone ? slice : `${slice} by all`);

test('small slices are done at once, and a large one by all when they are finished', () => {
  const agenda = newAgenda(gameOf({ a: 1, b: 1, c: 1, big: 80 }), independent(['big', 'a', 'b', 'c']), 2, {
    memory: 1024 * MiB,
  });
  expect(begin(agenda)).toEqual(['a', 'b']);
  agenda.finish('b');
  expect(begin(agenda)).toEqual(['c']);
  agenda.finish('a');
  expect(begin(agenda)).toEqual([]);
  agenda.finish('c');
  expect(begin(agenda)).toEqual(['big by all']);
  agenda.finish('big');
  expect(begin(agenda)).toEqual([]);
});

test('large slices are done at once where there is work and memory for all', () => {
  const parts = { a: 8, b: 8, c: 8, threefold: 24, more: 25 };
  // Labels of eight parts: 2 sides x 8 x 2^18 bytes and as many bits, 4.5 MiB; fourfold for each of two, 36 MiB.
  const begun = (names: string[], memory: number) =>
    begin(newAgenda(gameOf(parts), independent(names), 2, { memory }));
  expect(begun(['a', 'b', 'c'], 36 * MiB)).toEqual(['a', 'b']);
  expect(begun(['a', 'b', 'c'], 36 * MiB - 1)).toEqual(['a by all']);
  expect(begun(['a'], 36 * MiB)).toEqual(['a by all']);
  expect(begun(['threefold', 'a'], 1024 * MiB)).toEqual(['threefold', 'a']);
  expect(begun(['more', 'a'], 1024 * MiB)).toEqual(['a']);
});

test('a slice waits for those it depends on, and those before it in its wave go first', () => {
  const plan: PlannedSlice[] = [
    { slice: 'a', dependencies: [], wave: 1 },
    { slice: 'ab', dependencies: ['a'], wave: 2 },
    { slice: 'c', dependencies: [], wave: 1 },
  ];
  const agenda = newAgenda(gameOf({ a: 1, ab: 1, c: 1 }), plan, 3, { memory: MiB });
  expect(begin(agenda)).toEqual(['a', 'c']);
  agenda.finish('c');
  expect(begin(agenda)).toEqual([]);
  agenda.finish('a');
  expect(begin(agenda)).toEqual(['ab']);
});

test.each([1, 2, 3, 8])('checkers up to five pieces by %i workers, whoever finishes first', (workers) => {
  const game = checkers as unknown as Game;
  const plan = planSlices(
    game,
    game.endingsUpTo(5).flatMap(({ slices }) => slices),
  );
  const dependencies = new Map(plan.map((planned) => [planned.slice, planned.dependencies]));
  const agenda = newAgenda(game, plan, workers, { memory: 128 * MiB });
  const atWork: Assignment[] = [];
  const done = new Set<string>();
  let seed = workers;
  let byAll = 0;
  for (;;) {
    for (let next = agenda.next(); next !== null; next = agenda.next()) {
      expect(dependencies.get(next.slice)!.every((slice) => done.has(slice))).toBe(true);
      atWork.push(next);
      if (!next.alone) byAll++;
    }
    if (atWork.length === 0) break;
    expect(atWork.length).toBeLessThanOrEqual(workers);
    if (atWork.some(({ alone }) => !alone)) expect(atWork).toHaveLength(1);
    seed = (seed * 48271) % 0x7fffffff;
    const [{ slice }] = atWork.splice(seed % atWork.length, 1) as [Assignment];
    done.add(slice);
    agenda.finish(slice);
  }
  expect(done.size).toBe(plan.length);
  expect(byAll).toBeLessThan(workers === 1 ? 1 : 60);
});
