/** Solving by steps gives the table that a solve in one process gives, whoever does which step when and how often. */
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { TableManifest } from '../../pipeline/manifest.js';
import { planSlices } from '../../pipeline/plan.js';
import type { PartitionPhase } from '../../pipeline/steps/names.js';
import type { Metric } from '../../pipeline/value.js';
import { randomFrom } from '../support/graph-game.js';
import { LONG } from '../support/long.js';
import { solveChess } from '../support/solving.js';
import { attemptTask, solveBySteps } from '../support/stepping.js';

/** A store with the tables that an ending converts to, and the table that it should get. */
async function prepared(slice: string, metric: Metric): Promise<{ store: Store; wanted: TableManifest }> {
  const below = planSlices(chess, [slice]).map((planned) => planned.slice);
  const { store } = await solveChess(
    below.filter((name) => name !== slice),
    { metric },
  );
  const { summaries } = await solveChess([slice], { metric });
  return { store, wanted: summaries.find((summary) => summary.slice === slice)!.table };
}

const facts = ({ digests, positions, wins, losses, longestWin, rounds, requests }: TableManifest) => ({
  digests,
  positions,
  wins,
  losses,
  longestWin,
  rounds,
  requests,
});

const endings: [string, Metric][] = LONG
  ? [
      ['KRKN', 'dtc'],
      ['KBNK', 'dtm'],
    ]
  : [['KRKN', 'dtc']];
describe.each(endings)('%s %s', (slice, metric) => {
  let store: Store;
  let wanted: TableManifest;
  beforeAll(async () => {
    ({ store, wanted } = await prepared(slice, metric));
  });
  const copy = async (): Promise<Store> => {
    const into = memoryStore();
    for (const name of await store.list('')) {
      const bytes = new Uint8Array((await store.size(name))!);
      await store.read(name, 0, bytes);
      await into.putIfAbsent(name, bytes);
    }
    return into;
  };

  test('one partition a part, verified, nothing left over', { timeout: 240_000 }, async () => {
    const store = await copy();
    const partitions = chess.slice(slice).parts;
    const before = await store.list('');
    const table = await solveBySteps({ store, metric, slice }, { partitions, verify: true });
    expect(facts(table)).toEqual(facts(wanted));
    const left = (await store.list('')).filter((name) => !before.includes(name));
    const values = table.values.flat().map((run) => run.name);
    const prefix = `chess/${metric}/${slice}`;
    // The record was replaced when the verification was added to it.
    const others = ['record-2.json', 'table.json', 'verified.json'].map((name) => `${prefix}/${name}`);
    expect(left).toEqual([...values, ...others].sort());
  });

  test('tasks in any order, several times, at the same time, late; rounds planned ahead', {
    timeout: 240_000,
  }, async () => {
    const store = await copy();
    const work = { store, metric, slice, game: chess };
    const random = randomFrom(7);
    const outcomes: string[] = [];
    let late: { phase: PartitionPhase; task: number } | undefined;
    const phase = async (phase: PartitionPhase, tasks: readonly number[]): Promise<void> => {
      const order = tasks.map((task) => ({ task, at: random(1000) })).sort((a, b) => a.at - b.at);
      const twice = tasks.filter(() => random(3) === 0);
      const attempts = [...order.map(({ task }) => task), ...twice];
      outcomes.push(...(await Promise.all(attempts.map((task) => attemptTask(work, phase, task)))));
      // Somebody who slept through the phase after it.
      if (late !== undefined) outcomes.push(await attemptTask(work, late.phase, late.task));
      late = { phase, task: tasks[0]! };
    };
    const table = await solveBySteps({ store, metric, slice }, { partitions: 2, lookAhead: 4, phase });
    expect(facts(table).digests).toEqual(wanted.digests);
    expect(outcomes.filter((outcome) => outcome === 'found').length).toBeGreaterThan(10);
    // Attempts that came second have left nothing.
    const values = table.values.flat().map((run) => run.name);
    expect((await store.list(`chess/${metric}/${slice}/values`)).sort()).toEqual(values.sort());
  });
});
