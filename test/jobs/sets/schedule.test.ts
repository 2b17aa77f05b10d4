/** The order of the steps of a set, the space that they take, and which tables are freed. */
import { expect, test } from 'vitest';
import { SET_STEPS, type SetStep } from '../../../jobs/progress/set-records.js';
import { SetPace } from '../../../jobs/sets/pace.js';
import { diskNeeds, SetSchedule } from '../../../jobs/sets/schedule.js';
import { type Unit, unitsOf } from '../../../jobs/sets/units.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { filedEndings } from '../../../pipeline/games/chess/syzygy/endings.js';

const game = chess as Game;

function setOf(...names: string[]) {
  const units = unitsOf(
    game,
    filedEndings(
      game,
      names.map((name) => game.ending(name)),
    ),
  );
  const steps = new Map<Unit, readonly SetStep[]>(
    units.map((unit) => [unit, unit.filed === null ? ['solve'] : SET_STEPS]),
  );
  return { game, units, steps, standing: new Set<string>() };
}

/** Does all steps: each worker takes the next as soon as it can. Of those at work the first that was begun ends first. */
function doAll(schedule: SetSchedule, workers: number) {
  const done: string[] = [];
  const freed: string[] = [];
  const atWork: Unit[] = [];
  let most = 0;
  for (;;) {
    for (let next = schedule.next(); next !== null; next = schedule.next()) {
      atWork.push(next.unit);
      done.push(`${next.step} ${next.unit.name}`);
      most = Math.max(most, schedule.kept + schedule.scratch);
      expect(atWork.length).toBeLessThanOrEqual(workers);
    }
    const unit = atWork.shift();
    if (unit === undefined) return { done, freed, most };
    freed.push(...schedule.finish(unit));
  }
}

test('units have the slices of their ending, ordered by men and size', () => {
  const { units } = setOf('KPKP');
  expect(units.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['KK', 'KQvK', 'KPvK', 'KQvKP', 'KPvKP']),
  );
  expect(units[0].name).toBe('KK');
  const pawns = units.find(({ name }) => name === 'KPvKP')!;
  expect(pawns.slices.some((slice) => slice.includes('ep'))).toBe(true);
  for (const [i, unit] of units.entries()) {
    for (const other of unit.before) expect(other.men).toBeLessThanOrEqual(unit.men);
    if (i > 0) expect(units[i - 1].men).toBeLessThanOrEqual(unit.men);
  }
});

test.each([1, 2, 3])('%i workers do each step once, after those that it needs', (workers) => {
  const set = setOf('KPKP', 'KBNK');
  const { done, freed } = doAll(new SetSchedule({ ...set, workers, frees: true }), workers);
  const all = set.units.flatMap((unit) => set.steps.get(unit)!.map((step) => `${step} ${unit.name}`));
  expect([...done].sort()).toEqual([...all].sort());
  const place = new Map(done.map((step, i) => [step, i]));
  for (const unit of set.units) {
    for (const other of unit.before)
      expect(place.get(`solve ${other.name}`)).toBeLessThan(place.get(`solve ${unit.name}`)!);
    for (const other of unit.filed === null ? [] : unit.reached())
      if (other.filed !== null)
        expect(place.get(`write ${other.name}`)).toBeLessThan(place.get(`verify ${unit.name}`)!);
  }
  expect([...freed].sort()).toEqual(set.units.flatMap(({ slices }) => slices).sort());
  // What was begun is finished before another ending is begun.
  if (workers === 1) expect(done.slice(-3)).toEqual(['solve KPvKP', 'write KPvKP', 'verify KPvKP']);
});

test('while one ending is written, the next is solved', () => {
  const schedule = new SetSchedule({ ...setOf('KQK', 'KRK'), workers: 2, frees: true });
  const kings = schedule.next()!;
  expect(kings).toMatchObject({ step: 'solve', isSole: true });
  expect(schedule.next()).toBe(null);
  schedule.finish(kings.unit);
  const [first, second] = [schedule.next()!, schedule.next()!];
  expect([first.unit.name, second.unit.name, first.isSole]).toEqual(['KQvK', 'KRvK', false]);
  schedule.finish(first.unit);
  expect(schedule.next()).toMatchObject({ step: 'write', unit: { name: 'KQvK' } });
});

test('the schedule takes at most the allowed space', () => {
  const set = { ...setOf('KQKR', 'KBNK'), frees: true };
  const { most: alone, at } = diskNeeds(set);
  const roomy = doAll(new SetSchedule({ ...set, workers: 3 }), 3);
  expect(roomy.most).toBeGreaterThan(alone);
  const disk = alone + 1;
  const tight = doAll(new SetSchedule({ ...set, workers: 3, disk }), 3);
  expect(tight.most).toBeLessThanOrEqual(disk);
  expect([...tight.done].sort()).toEqual([...roomy.done].sort());
  expect(() => doAll(new SetSchedule({ ...set, workers: 3, disk: alone - 1 }), 3)).toThrow(
    `are needed at ${at}`,
  );
  const kept = diskNeeds({ ...set, frees: false });
  expect(kept.most).toBeGreaterThan(alone);
});

test('the estimate of time left follows the measured steps', () => {
  const { units } = setOf('KQKR');
  const last = units.at(-1)!;
  const pace = new SetPace();
  const before = pace.of([{ unit: last, step: 'write' }], 1);
  pace.add(last, 'write', 100 * before);
  expect(pace.of([{ unit: last, step: 'write' }], 1)).toBeGreaterThan(2 * before);
  const two = [last, last].map((unit) => ({ unit, step: 'solve' as const }));
  expect(pace.of(two, 2)).toBeCloseTo(pace.of(two, 1) / 2);
});
