/** Names of steps and runs: what is written is what is read, and nothing that a solve writes is foreign. */
import { expect, test } from 'vitest';
import type { Store } from '../../../operators/storage/store.js';
import {
  compareSteps,
  partName,
  runObject,
  type SliceStep,
  stepAt,
  stepFolder,
  tableRun,
  type WorkRun,
  workObject,
} from '../../../pipeline/game/slice-objects.js';
import { strategies } from '../../../pipeline/game/strategy.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { withoutUnmoves } from '../../support/forward-only.js';
import { sweep } from '../../support/long.js';
import { EAGER } from '../../support/pace.js';
import { solveByRanks } from '../../support/ranks.js';

/** In the order in which they are done. */
const STEPS: SliceStep[] = [
  { name: 'plan' },
  { name: 'enumerate' },
  { name: 'convert' },
  { name: 'moves' },
  { name: 'edges' },
  { name: 'expand', ply: 1 },
  { name: 'ask', ply: 1 },
  { name: 'answer', ply: 1 },
  { name: 'round', ply: 1 },
  { name: 'last', ply: 2 },
  { name: 'commit', ply: 1, to: 3 },
  { name: 'expand', ply: 123456 },
  { name: 'finish' },
  { name: 'verify' },
];

test.each(STEPS.filter(({ name }) => name !== 'plan'))(
  'the name of a part of $name is read as it was written',
  (step) => {
    const found = workObject(partName(stepFolder(step), 70000));
    expect(found).toEqual({ is: 'part', step, partition: 70000 });
  },
);

test.each(STEPS.filter(({ name }) => name !== 'finish' && name !== 'verify'))(
  'the name of the joined manifest of $name is read as it was written',
  ({ to: _, ...step }) => {
    expect(workObject(stepAt('', step).manifest.slice(1))).toEqual({ is: 'joined', step });
  },
);

test('steps are put in the order in which they are done', () => {
  expect(STEPS.toReversed().sort(compareSteps)).toEqual(STEPS);
});

test.each<WorkRun>(['mates', 'conversion-sets', 'frontier-12', 'counts-3-1-20'])(
  'the name of the run %s is read as it was written, whatever the attempt is called',
  (run) => {
    const parts = { from: 0, to: 462 };
    for (const attempt of ['', '-0123abcd', '-12345678', '-12345678-2'])
      expect(workObject(runObject(run, parts, attempt))).toEqual({ is: 'run', run, parts, attempt });
  },
);

test.each([
  ...[
    'mine.json',
    'round-3.json',
    'round-00003-00004.json',
    'rounds.json',
    'enumerate-00001.json',
    'commit-00001.json',
  ],
  ...['rounds-00001/00000.json', 'round-00003/1.json', 'round-00003/00000/00000.json', 'toString.json'],
  ...['mine-0-1.arrow', 'mates-0.arrow', 'frontier-0-8.arrow', 'mates-0-8.txt', 'values-0-0-8.arrow'],
])('%s is the name of no object of a step', (name) => {
  expect(workObject(name)).toBeNull();
  expect(tableRun('requests-0-0-8.arrow')).toBeNull();
});

const games = { chess, 'chess by forward moves': withoutUnmoves(chess) };

const ways = Object.entries(games).flatMap(([what, game]) =>
  strategies.map((strategy) => ({ what, game, strategy })),
);
// The first two write all objects of games with unmoves; the others have edges, too.
test.each(sweep(ways.slice(0, 2), ways.slice(2)))(
  'every object that ranks write as they solve $what under $strategy is known by its name',
  async ({ game, strategy }) => {
    const ending = 'KNNK';
    const written: string[] = [];
    const noting = (store: Store): Store => ({
      ...store,
      create(name) {
        written.push(name);
        return store.create(name);
      },
      putIfAbsent(name, bytes) {
        written.push(name);
        return store.putIfAbsent(name, bytes);
      },
    });
    await solveByRanks(game, [ending], { ranks: 2, metric: 'dtm', strategy, pace: EAGER, seenBy: noting });
    const folder = `chess/dtm/${ending}/`;
    const work = `${folder}steps/${strategy}/`;
    const names = written.filter((name) => name.startsWith(folder));
    const runs = names.filter((name) => name.endsWith('.arrow'));
    expect(runs.length).toBeGreaterThan(10);
    const foreign = names.filter((name) =>
      name.startsWith(work)
        ? workObject(name.slice(work.length)) === null
        : tableRun(name.slice(folder.length)) === null && !name.endsWith('.json'),
    );
    expect(foreign).toEqual([]);
  },
);
