/** Endings that are several slices, in a game that is not chess: statistics, plans, summaries, and their words. */
import { beforeAll, expect, test } from 'vitest';
import { needTables } from '../../../jobs/asked/tables.js';
import { askEndings, metricOf, sliceOf, slicesOf } from '../../../jobs/cli/options.js';
import { byClass, MANY_SLICES } from '../../../jobs/ui/classes.js';
import { documentText } from '../../../jobs/ui/document.js';
import { planText } from '../../../jobs/ui/plan-text.js';
import { endingsInWords, summaryJson, summaryTable } from '../../../jobs/ui/solve-summary.js';
import * as documents from '../../../jobs/ui/stats-document.js';
import { verdict } from '../../../jobs/ui/verdict.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { exportColumns } from '../../../pipeline/analysis/columns.js';
import { classTallies, endingStats } from '../../../pipeline/analysis/stats.js';
import { cutSlices } from '../../../pipeline/engine/crew/cut.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { type SliceSummary, solve } from '../../../pipeline/engine/crew/solve.js';
import { describeMismatch, verifySlices } from '../../../pipeline/engine/crew/verify-slice.js';
import type { Game } from '../../../pipeline/game/game.js';
import { planSlices, waveSizes } from '../../../pipeline/game/plan.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { classGame, classGraphs } from '../../support/class-game.js';
import { naiveValues } from '../../support/graph-game.js';
import { budgetOf, MiB } from '../../support/solving.js';

const game = classGame as Game;
const SLICES = classGraphs.map(({ name }) => name);
const engineFor = (store: Store) => inlineEngine(game, store, newScratch(memoryStore(), 'scratch'));

async function solveAll(metric: 'dtw' | 'wdl'): Promise<{ store: Store; summaries: SliceSummary[] }> {
  const store = memoryStore();
  const summaries = await solve({
    game,
    slices: slicesOf(game.endingsUpTo(3)),
    metric,
    strategy: 'count',
    verify: true,
    store,
    budget: budgetOf(8 * MiB),
    engine: engineFor(store),
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 1000 },
  });
  return { store, summaries };
}

let solved: Awaited<ReturnType<typeof solveAll>>;
beforeAll(async () => {
  solved = await solveAll('dtw');
});

const valuesOf = new Map(classGraphs.map((graph) => [graph.name, naiveValues(graph, 'dtw')]));

/** The values of one side of a slice by the naive solver. */
function naive(slice: string, side: 0 | 1): number[] {
  return valuesOf.get(slice)![side].filter((code) => code !== null);
}

/** Values that are to be counted, of boards with Black to move. */
const BLACK_TO_MOVE: Record<string, number[]> = {
  21: [...naive('21.0', 0), ...naive('21.1', 0)],
  12: [...naive('21.0', 1), ...naive('21.1', 1)],
  11: [...naive('11.10', 0), ...naive('11.10', 1), ...naive('11.00', 0)],
};

function expectedTally(name: string) {
  const codes = BLACK_TO_MOVE[name];
  const wins = codes.filter((code) => code > 0);
  const losses = codes.filter((code) => code < 0);
  return {
    class: name,
    total: codes.length,
    wins: wins.length,
    losses: losses.length,
    draws: codes.length - wins.length - losses.length,
    maxWinPlies: Math.max(...wins),
    maxLossPlies: Math.max(...losses.map((code) => -code - 1)),
  };
}

const common = (store: Store, metric: 'dtw' | 'wdl' = 'dtw') => ({
  game,
  metric,
  open: (slice: string) => needTable(store, game, metric, slice),
  report: async () => {},
});

test('counts of classes, with the first colour to move, are those of a naive solver', async () => {
  const options = common(solved.store);
  const tallies = async (name: string) => classTallies({ ...options, ending: game.ending(name) });
  expect(await tallies('21')).toEqual([expectedTally('21'), expectedTally('12')]);
  expect(await tallies('12')).toEqual([expectedTally('12'), expectedTally('21')]);
  expect(await tallies('11')).toEqual([expectedTally('11')]);
  expect((await tallies('11.01')).map(({ class: name, total }) => [name, total])).toEqual([
    ['11.01', naive('11.10', 1).length],
    ['11.10', naive('11.10', 0).length],
  ]);
  for (const name of ['21', '11']) expect(expectedTally(name).draws).toBeGreaterThan(0);
});

test('under wdl there are no plies', async () => {
  const { store } = await solveAll('wdl');
  const [tally] = await classTallies({ ...common(store, 'wdl'), ending: game.ending('21') });
  expect(tally).toEqual({ ...expectedTally('21'), maxWinPlies: null, maxLossPlies: null });
});

test('the statistics of a class are in its colours and have no words of chess', async () => {
  for (const name of ['12', '11']) {
    const ending = game.ending(name);
    const { black, white, classes } = await endingStats({ ...common(solved.store), ending });
    expect(classes[0]).toEqual(expectedTally(name));
    expect(black).toMatchObject({
      blackWins: { placements: classes[0].wins },
      whiteWins: { placements: classes[0].losses },
    });
    // In symmetric slices, White to move is Black to move with the colours exchanged.
    if (name === '11') expect(white.legal).toEqual(legalEleven);
    const { plies, fen } = black.longestBlackWin!;
    const [slice, side, index, flipped] = fen.split(' ') as [string, '0' | '1', string, string];
    expect(flipped).toBe(String(side === '1'));
    expect(valuesOf.get(slice)![Number(side)][Number(index)]).toBe(plies);

    const text = documentText(documents.endingStats({ name }, 'dtw', { black, white }, game));
    expect(text).toMatch(/^ +black to move +orbits +share +white to move/m);
    expect(text).toContain(`Longest black win, black to move: ${plies} plies\n`);
    expect(text).toMatch(/^over, lost +\d/m);
    expect(text).not.toMatch(/mate/);
  }
});

/** White to move in 11: side 1 of all slices, and side 0 of those that are seen both ways. */
const boardsOfEleven = naive('11.10', 0).length + naive('11.10', 1).length + naive('11.00', 1).length;
const legalEleven = { placements: boardsOfEleven, orbits: boardsOfEleven };

test('many classes are a table with sums by the number of pieces', () => {
  const classes = ['11', '21', '12'].map(expectedTally);
  const pieces = new Map([
    ['11', 2],
    ['21', 3],
    ['12', 3],
  ]);
  const lines = documentText(documents.classStats(game, 'dtw', classes, pieces)).split('\n');
  expect(lines[0]).toBe('graph, dtw: boards with black to move');
  const firsts = lines.slice(4, -1).map((line) => line.split(/ {2,}/)[0]);
  expect(firsts).toEqual(['11', 'all of 2 pieces', '21', '12', 'all of 3 pieces', 'all']);
  const [all] = lines.slice(-2);
  const sum = (['total', 'wins', 'draws', 'losses'] as const).map((figure) =>
    classes.reduce((total, tally) => total + tally[figure], 0).toLocaleString('en-US'),
  );
  expect(all.split(/ {2,}/).slice(1, 5)).toEqual(sum);
  expect(all.split(/ {2,}/)[5]).toBe(String(Math.max(...classes.map(({ maxWinPlies }) => maxWinPlies))));
});

test('an ending that is not solved is one line that names the command', async () => {
  const store = memoryStore();
  await expect(needTables(store, game, 'dtw', SLICES, '--pieces 3')).rejects.toThrow(
    /^4 of 4 slices are not solved for dtw in memory:?.*, 11\.00 among them: run "mergemate solve graph --pieces 3 --metric dtw" first$/,
  );
  await needTables(solved.store, game, 'dtw', SLICES, '--pieces 3');
});

test('options name endings, slices and metrics', () => {
  expect(slicesOf(askEndings(game, ['12', '21.0'], 2))).toEqual(['21.0', '21.1', '11.10', '11.00']);
  expect(askEndings(game, ['11'], 3).map(({ name }) => name)).toEqual(['11', '21']);
  expect(() => askEndings(game, [], 1)).toThrow('graph has no endings of at most 1 pieces');
  expect(() => sliceOf(game, '21')).toThrow('21 is 2 slices: name one of them, such as 21.1');
  expect(metricOf(game, undefined)).toBe('dtw');
  expect(() => metricOf(game, 'dtm')).toThrow('metric: graph has no "dtm" (it has: dtw, wdl, dtc)');
});

test('a slice is in the wave after the last of its dependencies', () => {
  const plan = planSlices(game, ['21.1', '11.10']);
  expect(plan.map(({ slice, wave }) => [slice, wave])).toEqual([
    ['11.00', 1],
    ['21.0', 2],
    ['21.1', 3],
    ['11.10', 2],
  ]);
  expect(waveSizes(plan)).toEqual([1, 2, 1]);
  const cuts = cutSlices(game, ['21.1', '11.10'], { memory: MiB, partitions: undefined, wholeBelow: 1e9 });
  expect(cuts[1]).toMatchObject({ slice: '21.0', dependencies: ['11.00'], wave: 2 });
  expect(planText(game, cuts)).toMatch(/^4 slices in 3 waves, at most 2 in one \(wave 2\);/m);
  const many = Array.from({ length: 10 }, () => cuts).flat();
  expect(many.length).toBeGreaterThan(MANY_SLICES);
  const text = planText(game, many);
  expect(text).toMatch(/^21 +20 .* in one step each +1\.0 MiB +2-3$/m);
  expect(text).toContain('Slices by wave:');
});

test('slices are summed up in their classes', () => {
  const { summaries } = solved;
  const run = { wallMs: 1234, cpuMs: 2345 };
  const text = summaryTable(game, [game.ending('21')], summaries, run);
  const rows = text.split('\n').slice(2, -1);
  expect(rows.map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['11', '2'],
    ['21', '2'],
    ['all', '4'],
  ]);
  const positions = summaries.reduce((sum, { table }) => sum + table.positions[0] + table.positions[1], 0);
  expect(rows[2]).toContain(` ${positions.toLocaleString('en-US')} `);
  expect(rows[2]).toMatch(/ 1\.2 s +2\.3 s /);
  expect(summaryTable(game, [game.ending('21.0')], summaries, run)).toMatch(/^21\.0 /m);
  expect(byClass(game, summaries).map(({ name }) => name)).toEqual(['11', '21']);

  const words = endingsInWords(game, [game.ending('12'), game.ending('11')], summaries, 'dtw');
  const share = (name: string) => {
    const { wins, total } = expectedTally(name);
    return `${((100 * wins) / total).toFixed(2)} %`;
  };
  expect(words).toContain(`12, positions up to symmetry: black to move wins ${share('12')}, `);
  expect(words).toContain(`11, positions up to symmetry: black to move wins ${share('11')}, `);
  expect(words).toMatch(/; white to move wins .*; longest win \d+ plies\n/);
  const json = summaryJson(summaries[0], game) as Record<string, { positions: number }>;
  expect(json.black.positions).toBe(summaries[0].table.positions[0]);
});

test('exports begin with the side that begins the game', async () => {
  const table = await needTable(solved.store, game, 'dtw', '21.0');
  const sides: string[] = [];
  const fens: string[] = [];
  const asked = {
    game,
    table,
    metric: 'dtw',
    flipped: true,
    position: true,
    weight: false,
    rows: 1 << 10,
  } as const;
  for await (const { mover, index, position } of exportColumns(asked)) {
    sides.push(mover);
    const { bytes, ends } = position!;
    const text = (i: number) => Buffer.from(bytes.subarray(ends[i], ends[i + 1])).toString();
    fens.push(...Array.from(index, (_, i) => text(i)));
  }
  expect(sides).toEqual([...sides].sort());
  expect(fens[0]).toMatch(/^21\.0 1 \d+ true$/);
  expect(fens.length).toBe(naive('21.0', 0).length + naive('21.0', 1).length);
});

test('several slices are verified together', async () => {
  const reported: string[] = [];
  const { store } = solved;
  const verified = await verifySlices({
    game,
    slices: SLICES,
    metric: 'dtw',
    store,
    budget: budgetOf(8 * MiB),
    engine: engineFor(store),
    progress: (event) => {
      if (event.type === 'slice') reported.push(`${event.slice} ${event.number}/${event.of}`);
    },
  });
  const positions = SLICES.flatMap((slice) => [...naive(slice, 0), ...naive(slice, 1)]).length;
  expect(verified).toMatchObject({ positions, wrong: 0, mismatches: [] });
  expect(reported).toEqual(['11.00 1/4', '11.10 2/4', '21.0 3/4', '21.1 4/4']);
  const where = { slice: '21.0', side: 0, part: 0, key: 5 } as const;
  expect(describeMismatch(game, 'dtw', { ...where, stored: 3, derived: 0 })).toBe(
    '21.0, black to move, index 5 (21.0 0 5 false): table says win in 3, moves give draw',
  );
});

test('verdicts are worded for the players of the game', () => {
  const chess = { metrics: ['dtm', 'dtc', 'wdl'] as const };
  expect(verdict({ wdl: 'win', plies: 23 }, 'dtw', 'black', game)).toBe('Black to move: wins in 23 plies');
  expect(verdict({ wdl: 'loss', plies: 0 }, 'dtw', 'white', game)).toBe('White to move: has lost');
  expect(verdict({ wdl: 'loss', plies: 0 }, 'dtc', 'black', game)).toBe('Black to move: has lost');
  expect(verdict({ wdl: 'loss', plies: 1 }, 'dtc', 'black', game)).not.toContain('mate');
  expect(verdict({ wdl: 'loss', plies: 0 }, 'dtm', 'black', chess)).toBe('Black to move: is mated');
  expect(verdict({ wdl: 'win', plies: 3 }, 'dtm', 'white', chess)).toBe(
    'White to move: wins in 3 plies (mate in 2)',
  );
  expect(verdict({ wdl: 'cursed win', plies: 112 }, 'dtz', 'white', chess)).toBe(
    'White to move: cursed win in 112 plies (mate or zeroing move in 56): a draw by the 50-move rule',
  );
  expect(verdict({ wdl: 'blessed loss', plies: 101 }, 'dtz', 'black', chess)).toBe(
    'Black to move: blessed loss in 101 plies (mate or zeroing move in 51): a draw by the 50-move rule',
  );
  expect(verdict({ wdl: 'loss', plies: 100 }, 'dtz', 'black', chess)).toContain(
    'Black to move: loses in 100',
  );
});
