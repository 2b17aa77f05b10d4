/**
 * Who does which slice, and when: simulated.
 */
import { expect, test } from 'vitest';
import { type Assignment, Schedule, scheduleOfWorkers } from '../../../pipeline/engine/crew/schedule.js';
import { PHASE_MEMORY } from '../../../pipeline/engine/memory/phase-memory.js';
import { clockedBytes } from '../../../pipeline/engine/phases/clocked.js';
import type { Game } from '../../../pipeline/game/game.js';
import { type PlannedSlice, planSlices } from '../../../pipeline/game/plan.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';

const MiB = 2 ** 20;
const WIDTH = 2 ** 18;

/** A game that knows of its slices only how many parts they have. */
function gameOf(parts: Readonly<Record<string, number>>): Game {
  const slice = (name: string) => {
    const count = parts[name];
    return { name, parts: count, width: WIDTH, size: count * WIDTH, partSize: () => WIDTH, dependencies: [] };
  };
  return { slice } as unknown as Game;
}

const planned = (slice: string, dependencies: readonly string[] = []): PlannedSlice => ({
  slice,
  dependencies,
  wave: 1 + dependencies.length,
});
const [a, b, c, big, ab] = [planned('a'), planned('b'), planned('c'), planned('big'), planned('ab', ['a'])];

/** Everything that may be begun now. */
function begin(schedule: Schedule): string[] {
  const begun: string[] = [];
  for (let next = schedule.next(); next !== null; next = schedule.next()) begun.push(nameOf(next));
  return begun;
}

const nameOf = ({ slice: { slice }, alone }: Assignment) => (alone ? slice : `${slice} by all`);

test('small slices are done side by side, and a large one by all members after them', () => {
  const schedule = scheduleOfWorkers(gameOf({ a: 1, b: 1, c: 1, big: 80 }), [big, a, b, c], 2, {
    memory: 1024 * MiB,
    metric: 'dtm',
    strategy: 'count',
  });
  expect(begin(schedule)).toEqual(['a', 'b']);
  schedule.finish(b);
  expect(begin(schedule)).toEqual(['c']);
  schedule.finish(a);
  expect(begin(schedule)).toEqual([]);
  schedule.finish(c);
  expect(begin(schedule)).toEqual(['big by all']);
  schedule.finish(big);
  expect(begin(schedule)).toEqual([]);
});

test('large slices are done side by side where there is work and memory for all', () => {
  const parts = { a: 8, b: 8, c: 8, threefold: 24, more: 25 };
  // Labels of eight parts: 2 sides x 8 x 2^18 bytes and as many bits, 4.5 MiB; fourfold for each of two, 36 MiB.
  const begun = (names: string[], memory: number) =>
    begin(
      scheduleOfWorkers(
        gameOf(parts),
        names.map((name) => planned(name)),
        2,
        { memory, metric: 'dtm', strategy: 'count' },
      ),
    );
  expect(begun(['a', 'b', 'c'], 36 * MiB)).toEqual(['a', 'b']);
  expect(begun(['a', 'b', 'c'], 36 * MiB - 1)).toEqual(['a by all']);
  expect(begun(['a'], 36 * MiB)).toEqual(['a by all']);
  expect(begun(['threefold', 'a'], 1024 * MiB)).toEqual(['threefold', 'a']);
  expect(begun(['more', 'a'], 1024 * MiB)).toEqual(['a']);
});

test('a slice waits for its dependencies and for earlier slices of its wave', () => {
  const schedule = scheduleOfWorkers(gameOf({ a: 1, ab: 1, c: 1 }), [a, ab, c], 3, {
    memory: MiB,
    metric: 'dtm',
    strategy: 'count',
  });
  expect(begin(schedule)).toEqual(['a', 'c']);
  schedule.finish(c);
  expect(begin(schedule)).toEqual([]);
  schedule.finish(a);
  expect(begin(schedule)).toEqual(['ab']);
});

test('a slice that can only be solved in memory gets the memory of all members where the share of one is too small', () => {
  const parts = { a: 1, b: 1, big: 4 };
  const memory = 2 * Math.ceil((clockedBytes({ size: WIDTH }) * 2) / PHASE_MEMORY.clocked.slice);
  const schedule = scheduleOfWorkers(gameOf(parts), [big, a, b], 2, {
    memory,
    metric: 'dtm50',
    strategy: 'count',
  });
  expect(begin(schedule)).toEqual(['a', 'b']);
  schedule.finish(a);
  schedule.finish(b);
  expect(begin(schedule)).toEqual(['big by all']);
});

test('only a slice whose losses are counted is done in the memory of one worker', () => {
  const { slice } = gameOf({ big: 80 });
  const game = { slice: (name: string) => ({ ...slice(name), resident: { bytes: MiB } }) } as unknown as Game;
  const options = { memory: 64 * MiB, metric: 'dtw' } as const;
  const begun = (strategy: 'count' | 'lookup') =>
    begin(scheduleOfWorkers(game, [big], 2, { ...options, strategy }));
  expect(begun('count')).toEqual(['big']);
  expect(begun('lookup')).toEqual(['big by all']);
});

test('a rank skips slices that others have claimed, and joins them in the next slice that all do', () => {
  const schedule = new Schedule(
    [a, b, ab, big, c],
    1,
    () =>
      ({ slice }) =>
        slice !== 'big' && slice !== 'c',
  );
  expect(begin(schedule)).toEqual(['a']);
  schedule.leave(a);
  expect(begin(schedule)).toEqual(['b']);
  schedule.finish(b);
  // Others are at work on a; ab needs it.
  expect(begin(schedule)).toEqual(['big by all']);
  schedule.finish(a);
  schedule.finish(big);
  expect([begin(schedule), schedule.begun]).toEqual([['ab'], 4]);
  schedule.finish(ab);
  expect([begin(schedule), schedule.missing]).toEqual([['c by all'], c]);
  schedule.finish(c);
  expect(schedule.missing).toBeUndefined();
});

test.each([1, 2, 3, 8])('checkers up to five pieces by %i workers, whoever finishes first', (workers) => {
  const game = checkers as unknown as Game;
  const plan = planSlices(
    game,
    game.endingsUpTo(5).flatMap(({ slices }) => slices),
  );
  const dependencies = new Map(plan.map((planned) => [planned.slice, planned.dependencies]));
  const schedule = scheduleOfWorkers(game, plan, workers, {
    memory: 128 * MiB,
    metric: 'dtw',
    strategy: 'count',
  });
  const atWork: Assignment[] = [];
  const done = new Set<string>();
  let seed = workers;
  let byAll = 0;
  for (;;) {
    for (let next = schedule.next(); next !== null; next = schedule.next()) {
      expect(dependencies.get(next.slice.slice)!.every((slice) => done.has(slice))).toBe(true);
      atWork.push(next);
      if (!next.alone) byAll++;
    }
    if (atWork.length === 0) break;
    expect(atWork.length).toBeLessThanOrEqual(workers);
    if (atWork.some(({ alone }) => !alone)) expect(atWork).toHaveLength(1);
    seed = (seed * 48271) % 0x7fffffff;
    const [{ slice }] = atWork.splice(seed % atWork.length, 1) as [Assignment];
    done.add(slice.slice);
    schedule.finish(slice);
  }
  expect(done.size).toBe(plan.length);
  expect(byAll).toBeLessThan(workers === 1 ? 1 : 60);
});
