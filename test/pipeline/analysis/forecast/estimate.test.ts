/** The cost model: samples against whole slices, forecasts against counts, and the fit of its constants as its inverse. */

import { expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { MEASURED, RESIDENT, ROW_BYTES, VERIFIED } from '../../../../pipeline/analysis/forecast/constants.js';
import {
  type Assumptions,
  deal,
  type EstimateOptions,
  estimate,
  type SliceEstimate,
  sumOf,
} from '../../../../pipeline/analysis/forecast/estimate.js';
import { sweepNsOf } from '../../../../pipeline/analysis/forecast/phases.js';
import {
  DEFAULT_SAMPLE,
  type SliceSample,
  sampleOfPlan,
  sampleSlice,
} from '../../../../pipeline/analysis/forecast/sample.js';
import {
  type EstimatedWork,
  forecastRounds,
  knownRounds,
  usualDecided,
  workOf,
} from '../../../../pipeline/analysis/forecast/work.js';
import { type CutSlice, cutSlices, partitionsThatPay } from '../../../../pipeline/engine/crew/cut.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { type CalibrationRun, calibrate } from '../../../bench/calibrate.js';
import { byKeys } from '../../../support/by-keys.js';
import { withoutUnmoves } from '../../../support/forward-only.js';
import { ifShort, LONG, LONGEST, sweep } from '../../../support/long.js';
import { EAGER } from '../../../support/pace.js';
import { solveByRanks } from '../../../support/ranks.js';
import { budgetOf, MiB, solveChess, solveGame } from '../../../support/solving.js';

const options: EstimateOptions = {
  metric: 'dtm',
  verify: true,
  assumptions: { decided: 0.5, rounds: 100 },
  machines: { count: 4, workers: 1, bandwidth: 1e8, phaseSeconds: 0 },
};

const whole = { blocks: 1e6, blockRows: 4096, seed: 1 };
const closeTo = (value: number, to: number, share: number) =>
  expect(Math.abs(value / to - 1), `${value} for ${to}`).toBeLessThan(share);

test('the slices of a large plan share the positions of the sample', () => {
  expect(sampleOfPlan([400, 3e6, 1.5e9])).toEqual(DEFAULT_SAMPLE);
  // Twenty million are shared by the hundred that are not small.
  const sizes = [...Array<number>(300).fill(100), ...Array<number>(100).fill(1e7)];
  const shared = sampleOfPlan(sizes);
  const looked = sizes.reduce((sum, size) => sum + Math.min(size, shared.blocks * shared.blockRows), 0);
  expect(looked).toBeGreaterThan(1.5e7);
  expect(looked).toBeLessThanOrEqual(2e7);
  // A block is never shorter than a row.
  expect(sampleOfPlan(Array<number>(1e5).fill(1e7)).blockRows).toBe(64);
});

test('a tenth of a sample gives nearly the same forecast', () => {
  for (const slice of [chess.slice('KRKN'), checkers.slice('1111')]) {
    const [most, few] = [sampleSlice(slice), sampleSlice(slice, { ...DEFAULT_SAMPLE, blockRows: 192 })];
    for (const side of [0, 1] as const) {
      closeTo(few.sides[side].legal, most.sides[side].legal, 0.05);
      closeTo(few.sides[side].moves, most.sides[side].moves, 0.05);
      closeTo(few.sides[side].unmoves, most.sides[side].unmoves, 0.05);
    }
  }
});

test.skipIf(!LONG)(`a sample of a slice gives the forecast of the whole slice${ifShort}`, () => {
  const slice = chess.slice('KRKN');
  const [sampled, all] = [sampleSlice(slice), sampleSlice(slice, whole)];
  for (const side of [0, 1] as const) {
    expect(all.sides[side].sampled).toBe(slice.size);
    expect(sampled.sides[side].sampled).toBeLessThan(slice.size);
    for (const count of ['legal', 'moves', 'unmoves', 'unmovesBeyond', 'conversions'] as const)
      closeTo(sampled.sides[side][count], all.sides[side][count], 0.05);
  }
  expect(sampleSlice(slice)).toEqual(sampled);
  expect(sampleSlice(slice, { blocks: 256, blockRows: 2048, seed: 2 })).not.toEqual(sampled);
});

test('unmoves within a part are counted apart where the game can tell them', () => {
  const few = { blocks: 16, blockRows: 2048, seed: 1 };
  const slice = chess.slice('KBNKN');
  for (const side of sampleSlice(slice, few).sides) {
    expect(side.unmovesBeyond).toBeGreaterThan(side.unmoves / 5);
    expect(side.unmovesBeyond).toBeLessThan((side.unmoves * 2) / 3);
  }
  const { local: _, ...undivided } = slice;
  for (const side of sampleSlice(undivided, few).sides) expect(side.unmovesBeyond).toBe(side.unmoves);
});

/** Counts of a solve, and the forecast when share and rounds are given. */
async function forecastAndCounted(game: Game, ending: string) {
  const { summaries } = await solveGame(game, [ending]);
  const { positions, wins, losses, requests, rounds, counters } = summaries.at(-1)!.table;
  const sum = (pair: readonly number[]) => pair[0] + pair[1];
  const assumptions = { decided: (sum(wins) + sum(losses)) / sum(positions), rounds };
  const cuts = cutSlices(game, [ending], { memory: 64 * MiB, partitions: 1, wholeBelow: 0 });
  const all = cuts.map(({ slice }) => sampleSlice(game.slice(slice), whole));
  const { work, phases } = estimate(cuts, all, { ...options, verify: false, assumptions }).slices.at(-1)!;
  return { work, phases, positions: sum(positions), requests, counters };
}

test.each<[string, Game]>([
  ['KRK', byKeys(chess as Game)],
  ['KQK', byKeys(chess as Game)],
  ...(LONGEST ? [['KBBK', byKeys(chess as Game)] as [string, Game]] : []),
])(
  '%s by keys: positions are exact, requests within a twentieth, bytes written within a third',
  async (ending, game) => {
    const { work, phases, positions, requests, counters } = await forecastAndCounted(game, ending);
    expect(work.byRows).toBe(false);
    expect(work.positions).toBe(positions);
    closeTo(work.requests, requests, 1 / 20);
    expect(work.mostRequests).toBeGreaterThanOrEqual(requests);
    // Nothing but sent requests is sorted: the dependencies of these endings are drawn.
    closeTo(work.sent, counters.rowsSorted, 1 / 20);
    closeTo(sumOf(phases).bytesWritten, counters.bytesWritten, 1 / 3);
  },
);

/**
 * The number of positions in a set of a row is assumed, so requests may be twice the forecast, or half. Endings of three men
 * have far fuller sets, of requests and of frontiers. Bytes written are forecast too high by at most a half, or two thirds.
 */
test.each([
  ...sweep<[string, number, number]>(
    [],
    [
      ['KBNK', 2, 1 / 2],
      ['KQKN', 2, 1 / 2],
      ['KRKN', 2, 1 / 2],
    ],
  ),
  ['KRK', 3, 2 / 3],
  ['KQK', 4, 2 / 3],
])('%s by rows: positions are exact, requests within %i times', async (ending, times, share) => {
  const { work, phases, positions, requests, counters } = await forecastAndCounted(chess as Game, ending);
  const within = (value: number, of: number) => {
    expect(value, `${value} for ${of}`).toBeLessThan(times * of);
    expect(value, `${value} for ${of}`).toBeGreaterThan(of / times);
  };
  expect(work.byRows).toBe(true);
  expect(work.positions).toBe(positions);
  within(work.requests, requests);
  // Conversions are sorted, too, unless the dependencies of the ending are drawn.
  if (!['KQKN', 'KRKN'].includes(ending)) within(work.sent, counters.rowsSorted);
  expect(work.mostRequests).toBeGreaterThanOrEqual(requests);
  closeTo(sumOf(phases).bytesWritten, counters.bytesWritten, share);
});

test('KRK without unmoves: the forecast of edges written and read is near the counted number', async () => {
  const game = withoutUnmoves(chess as Game);
  const { summaries } = await solveGame(game, ['KRK'], { budget: budgetOf(MiB) });
  const { positions, wins, losses, rounds, counters } = summaries.at(-1)!.table;
  const sum = (pair: readonly number[]) => pair[0] + pair[1];
  const assumptions = { decided: (sum(wins) + sum(losses)) / sum(positions), rounds };
  const cuts = cutSlices(game, ['KRK'], { memory: MiB, partitions: 1, wholeBelow: 0 });
  const all = cuts.map(({ slice }) => sampleSlice(game.slice(slice), whole));
  const { work, workBytes, phases } = estimate(cuts, all, {
    ...options,
    verify: false,
    assumptions,
  }).slices.at(-1)!;
  expect(phases.map(({ phase }) => phase)).toEqual(['start', 'edges', 'rounds', 'finish']);
  expect(work.edges).toBe(work.moves);
  expect(phases[1].bytesWritten - phases[1].scratch).toBe(8 * work.moves);
  expect(workBytes).toBeGreaterThan(8 * work.moves);
  closeTo(sumOf(phases).bytesWritten, counters.bytesWritten, 1 / 3);
  closeTo(sumOf(phases).bytesRead, counters.bytesRead, 1 / 3);
});

/** Operations of ranks on the store, without looks in vain, whose number depends on the clock. */
async function countRanks(ending: string, ranks: number) {
  const counted = { puts: 0, gets: 0, deletes: 0, bytesWritten: 0 };
  const store = memoryStore();
  await solveChess(
    chess.slice(ending).dependencies.map(({ slice }) => slice),
    { store, verify: true },
  );
  const seenBy = (seen: Store): Store => ({
    ...seen,
    async size(name) {
      const size = await seen.size(name);
      if (size !== null) counted.gets++;
      return size;
    },
    async read(name, offset, into) {
      counted.gets++;
      await seen.read(name, offset, into);
    },
    async create(name) {
      counted.puts++;
      const sink = await seen.create(name);
      return {
        ...sink,
        async write(chunks) {
          for (const chunk of chunks) counted.bytesWritten += chunk.length;
          await sink.write(chunks);
        },
      };
    },
    async putIfAbsent(name, bytes) {
      counted.puts++;
      return seen.putIfAbsent(name, bytes);
    },
    async delete(name) {
      counted.deletes++;
      await seen.delete(name);
    },
  });
  // The labels of so small a slice are handed over as soon as a barrier of object storage has taken its time.
  const solving = { ranks, seenBy, memory: 64 * MiB, pace: EAGER };
  const { summaries } = await solveByRanks(chess, [ending], solving, store);
  return { counted, table: summaries.at(-1)!.table };
}

test.skipIf(!LONG).each(LONGEST ? [4, 2] : [4])(
  `KBBK by %i ranks: the forecast of operations and bytes is near the counted numbers${ifShort}`,
  async (ranks) => {
    const { counted, table } = await countRanks('KBBK', ranks);
    const sum = (pair: readonly number[]) => pair[0] + pair[1];
    const { rounds, positions, wins, losses } = table;
    const cuts = cutSlices(chess as Game, ['KBBK'], { memory: 64 * MiB, partitions: ranks, wholeBelow: 0 });
    const { phases } = estimate(
      cuts,
      cuts.map(({ slice }) => sampleSlice(chess.slice(slice))),
      {
        ...options,
        assumptions: { decided: (sum(wins) + sum(losses)) / sum(positions), rounds },
        machines: { ...options.machines, count: ranks },
      },
    ).slices.at(-1)!;
    const total = sumOf(phases);
    expect(phases[1].barriers).toBeGreaterThanOrEqual(3);
    expect(phases[1].aloneSeconds).toBeGreaterThan(0);
    closeTo(total.puts, counted.puts, 1 / 2);
    closeTo(total.gets, counted.gets, 1 / 2);
    closeTo(total.deletes, counted.deletes, 1 / 2);
    closeTo(total.bytesWritten, counted.bytesWritten, 1 / 2);
  },
);

const LARGE = 'KBNKN';
const cutsOf = (memory: number, partitions: number) =>
  cutSlices(chess, [LARGE], { memory, partitions, wholeBelow: 64 * MiB });
const samples: SliceSample[] = cutsOf(64 * MiB, 1).map(({ slice }) =>
  sampleSlice(chess.slice(slice), { blocks: 16, blockRows: 2048, seed: 1 }),
);
const largest = (cuts: readonly CutSlice[], changes: Partial<EstimateOptions> = {}): SliceEstimate =>
  estimate(cuts, samples, { ...options, ...changes }).slices.at(-1)!;

test('slices of all sizes can be cut into partitions of at least a part, each within the memory of a task', () => {
  const cuts = cutSlices(chess, ['KRBKNN', 'KQRBKNN'], {
    memory: MiB,
    partitions: 10_000,
    wholeBelow: 64 * MiB,
  });
  for (const { slice, partitions, parts, memory, labelBytes } of cuts) {
    expect(partitions, slice).toBeLessThanOrEqual(parts);
    expect(partitions > 1, slice).toBe(labelBytes >= 64 * MiB);
    expect(memory, slice).toBeGreaterThanOrEqual(Math.max(MiB, labelBytes / parts / 2));
  }
});

test('slices that fit the memory are forecast as solved there, others by requests', () => {
  const explained = (memory: number) => {
    const cut = cutSlices(checkers, ['2200'], { memory, partitions: 1, wholeBelow: 64 * MiB });
    const sampled = cut.map(({ slice }) =>
      sampleSlice(checkers.slice(slice), { blocks: 16, blockRows: 2048, seed: 1 }),
    );
    const changes = { metric: 'dtw', machines: { ...options.machines, count: 1 } } as const;
    return estimate(cut, sampled, { ...options, ...changes }).slices.at(-1)!;
  };
  const [inMemory, byRequests] = [explained(64 * MiB), explained(MiB)];
  expect(inMemory.phases.map(({ phase }) => phase)).toEqual(['resident', 'verify']);
  expect(byRequests.phases.map(({ phase }) => phase)).toEqual(['start', 'rounds', 'finish', 'verify']);
  expect(inMemory.workBytes).toBe(0);
  const cpu = (slice: SliceEstimate) => sumOf(slice.phases).cpuSeconds;
  closeTo(
    cpu(inMemory),
    (2 * checkers.slice('2200').size * (RESIDENT.solveNs + RESIDENT.verifyNs)) / 1e9,
    1e-9,
  );
  expect(cpu(inMemory)).toBeLessThan(cpu(byRequests));
});

test('more positions, moves or rounds never cost less', () => {
  // Memory enough for the requests of a round: more rounds would else spill less.
  const cost = (partitions: number, assumptions: Assumptions) =>
    sumOf(largest(cutsOf(1024 * MiB, partitions), { assumptions }).phases);
  for (const [less, more] of [
    [cost(16, { decided: 0.2, rounds: 100 }), cost(16, { decided: 0.9, rounds: 100 })],
    // Alone: the more rounds share the requests, the more of them one partition does for all, and sends nothing.
    [cost(1, { decided: 0.5, rounds: 50 }), cost(1, { decided: 0.5, rounds: 200 })],
  ] as const) {
    for (const what of ['cpuSeconds', 'bytesRead', 'bytesWritten', 'gets', 'puts', 'wallSeconds'] as const)
      expect(more[what], what).toBeGreaterThanOrEqual(less[what]);
  }
});

test('more ranks shorten the wall; more partitions add operations', () => {
  const at = (partitions: number, count: number) =>
    sumOf(largest(cutsOf(64 * MiB, partitions), { machines: { ...options.machines, count } }).phases);
  expect(at(16, 16).wallSeconds).toBeLessThan(at(16, 1).wallSeconds);
  expect(at(16, 16).cpuSeconds).toBe(at(16, 1).cpuSeconds);
  // Bundles have twice the runs, which are shorter: some are read by fewer operations.
  expect(at(32, 16).gets).toBeGreaterThan(1.3 * at(16, 16).gets);
  expect(at(32, 16).puts).toBeGreaterThan(1.3 * at(16, 16).puts);
});

test('a slice gets as many partitions as are worth it, at most one a rank', () => {
  const { size } = chess.slice('KBNKN');
  const few = partitionsThatPay(size, 1000);
  expect(few).toBeGreaterThan(1);
  expect(few).toBeLessThan(1000);
  expect(partitionsThatPay(100 * size, 1000)).toBeGreaterThan(few);
  expect(partitionsThatPay(100, 1000)).toBe(1);
  const cut = (ranks: number, partitions?: number) =>
    cutSlices(chess, ['KBNKN'], { memory: 64 * MiB, ranks, partitions, wholeBelow: 64 * MiB }).map(
      (each) => each.partitions,
    );
  expect(cut(4)).toEqual([...Array(7).fill(1), 4].slice(-cut(4).length));
  expect(cut(1000).at(-1)).toBe(few);
  expect(cut(4, 8).at(-1)).toBe(8);
});

test('small slices are dealt to ranks, large ones are done by all ranks one after the other', () => {
  const slice = (name: string, partitions: number, dependencies: string[] = []) =>
    ({ slice: name, partitions, dependencies, wave: 1 + dependencies.length }) as unknown as CutSlice;
  const plan = [slice('a', 1), slice('b', 1), slice('c', 1, ['a']), slice('large', 2, ['c'])];
  expect(deal(plan, [2, 3, 4, 5], 2)).toEqual([
    { begin: 0, end: 2 },
    { begin: 0, end: 3 },
    { begin: 2, end: 6 },
    { begin: 6, end: 11 },
  ]);
  expect(deal(plan, [2, 3, 4, 5], 1).at(-1)!.end).toBe(14);
});

test('a solved slice costs nothing, and its rounds enter the forecast of slices that convert to it', () => {
  const cuts = cutsOf(64 * MiB, 4);
  const rounds = new Map(cuts.slice(0, -1).map(({ slice }) => [slice, slice === 'KBNK' ? 67 : 2]));
  const known = { ...options, assumptions: { decided: 0.5, rounds: undefined } };
  const { slices, total } = estimate(cuts, samples, { ...known, solved: rounds });
  const own = slices.at(-1)!;
  expect(slices.slice(0, -1).every(({ phases }) => phases.length === 0)).toBe(true);
  expect(total.wallSeconds).toBeCloseTo(sumOf(own.phases).wallSeconds + MEASURED.processSeconds, 6);
  const [least, most] = own.work.roundsRange;
  expect(least).toBeLessThan(own.work.rounds);
  expect(own.work.rounds).toBeGreaterThan(67);
  expect(most).toBeGreaterThan(own.work.rounds);
  const unknown = estimate(cuts, samples, known).slices.at(-1)!.work.roundsRange;
  expect(unknown[1] / unknown[0]).toBeGreaterThan(most / least);
});

test('the range of rounds holds the longest endings that are known, and what they cost is said', () => {
  // Likely rounds of KRBKNN with its dependencies solved, and of KRNKNN under DTM; and the true ones.
  const sides = samples[0].sides;
  const alike = {
    sides: [
      { ...sides[0], legal: 4e9 },
      { ...sides[0], legal: 4e9 },
    ] as const,
  };
  const byZeroing = forecastRounds(alike, 'dtz', { most: 23, solved: true });
  expect(byZeroing.rounds).toBe(52);
  expect(byZeroing.most).toBeGreaterThanOrEqual(446);
  const byMate = forecastRounds(alike, 'dtm', { most: 55, solved: true });
  expect(byMate.rounds).toBeLessThan(120);
  expect(byMate.most).toBeGreaterThanOrEqual(524);

  const cuts = cutsOf(64 * MiB, 1);
  const total = (longest: boolean) =>
    estimate(cuts, samples, { ...options, assumptions: { decided: 0.5, rounds: undefined, longest } }).total;
  expect(total(true).cpuSeconds).toBeGreaterThan(total(false).cpuSeconds);
});

/** Rounds under DTM, as solved. */
test.each([
  ['KRK', 1, 32],
  ['KQKR', 32, 71],
  ['KQQKN', 42, 43],
  ['KBBKR', 38, 46],
])('%s: the number of rounds is within the forecast range', (ending, most, rounds) => {
  const sample = sampleSlice(chess.slice(ending), { blocks: 32, blockRows: 2048, seed: 1 });
  const forecast = forecastRounds(sample, 'dtm', { most, solved: true });
  expect(forecast.least).toBeLessThanOrEqual(rounds);
  expect(forecast.most).toBeGreaterThanOrEqual(rounds);
});

test('a whole slice moves fewer bytes in more memory, and a cut one writes the requests between partitions', () => {
  const little = sumOf(largest(cutsOf(16 * MiB, 1)).phases);
  const much = sumOf(largest(cutsOf(1024 * MiB, 1)).phases);
  expect(much.bytesWritten).toBeLessThan(little.bytesWritten / 2);
  const { phases, work } = largest(cutsOf(1024 * MiB, 4));
  expect(work.sent).toBeLessThan(work.requests / 2);
  expect(phases[1].bytesWritten).toBeGreaterThan((ROW_BYTES.sets.request * work.sent) / 2);
});

test('fitting the constants to made-up runs gives the constants that they were made with', () => {
  const assumptions = { decided: 0.4, rounds: 150 };
  const run = (cut: CutSlice): CalibrationRun => {
    const { phases, work } = largest([...cutsOf(cut.memory, 1).slice(0, -1), cut], {
      verify: false,
      assumptions,
    });
    const { bytesRead, bytesWritten } = sumOf(phases);
    const finish = phases[2];
    return {
      slice: LARGE,
      positions: work.positions,
      wins: work.decided,
      losses: 0,
      rounds: work.rounds,
      requests: work.requests,
      bytesRead,
      bytesWritten,
      rowsSpilled: spilledRows(cut, work),
      phases: [
        { phase: 'enumerate', cpuMs: (MEASURED.enumerateNs * work.indices) / 1e6 },
        { phase: 'convert', cpuMs: (MEASURED.convertNs * work.conversions) / 1e6 },
        // All bytes are put down to the rounds, as the fit does.
        {
          phase: 'rounds',
          cpuMs:
            (MEASURED.requestNs * work.requests +
              sweepNsOf(work) +
              MEASURED.byteNs * (bytesRead + bytesWritten)) /
            1e6,
        },
        { phase: 'finish', cpuMs: finish.cpuSeconds * 1000 },
      ],
    };
  };
  const [littleCut, muchCut] = [cutsOf(64 * MiB, 1).at(-1)!, cutsOf(1024 * MiB, 1).at(-1)!];
  const { ns: verifyNs, readBytes: verifyReadBytes } = VERIFIED.byRows;
  const sampled = workOf(samples.at(-1)!, assumptions.decided, knownRounds(assumptions.rounds));
  const moves = sampled.moves + sampled.conversions;
  const found = calibrate({
    machine: MEASURED.machine,
    tiny: { ...run(littleCut), phases: [{ phase: 'enumerate', cpuMs: 1000 * MEASURED.processSeconds }] },
    little: run(littleCut),
    littleCut,
    much: run(muchCut),
    work: sampled,
    verified: { cpuSeconds: (verifyNs * moves) / 1e9, bytesRead: verifyReadBytes * moves },
  });
  expect(found).toEqual({ ...MEASURED, verifyNs, verifyReadBytes });

  /** Requests beyond the pool of a large round. */
  function spilledRows({ memory }: CutSlice, { sent, rounds }: EstimatedWork): number {
    const large = (MEASURED.peak * sent) / rounds;
    // Sets of 12 bytes.
    const room = (memory * 0.18) / 12;
    return large <= room ? 0 : sent * (1 - room / large);
  }
});

test('helpmates take rounds that hardly grow, have solutions everywhere, and cost more for their numbers', () => {
  const game = chess.sided!;
  const cuts = cutSlices(game, game.ending('KRNvKQ').slices, {
    metric: 'help',
    memory: 64 * MiB,
    partitions: 1,
    wholeBelow: 0,
  });
  const each = cuts.map(({ slice }) =>
    sampleSlice(game.slice(slice), { blocks: 16, blockRows: 1024, seed: 1 }),
  );
  const assumptions = { decided: usualDecided('help'), rounds: undefined };
  expect(assumptions.decided).toBe(1);
  const { slices, total } = estimate(cuts, each, {
    ...options,
    metric: 'help',
    assumptions,
    machines: { ...options.machines, count: 1 },
  });
  // 16 rounds, 23 CPU seconds and 4 GiB written when it was solved.
  const { work, phases } = slices.at(-1)!;
  expect(work.roundsRange[0]).toBeLessThan(16);
  expect(work.roundsRange[1]).toBeGreaterThan(16);
  closeTo(total.cpuSeconds, 23, 1 / 4);
  closeTo(sumOf(phases).bytesWritten, 4 * 2 ** 30, 1 / 3);
});

test('a chain of forecasts does not multiply, and no slice takes more rounds than it has positions', () => {
  const slices = checkers.endingsUpTo(4).flatMap((ending) => ending.slices);
  const cuts = cutSlices(checkers, slices, {
    memory: 64 * MiB,
    ranks: 1,
    partitions: undefined,
    wholeBelow: MiB,
  });
  const sampling = { blocks: 4, blockRows: 256, seed: 1 };
  const each = cuts.map(({ slice }) => sampleSlice(checkers.slice(slice), sampling));
  const forecast = estimate(cuts, each, {
    ...options,
    metric: 'dtw',
    assumptions: { decided: 0.5, rounds: undefined },
  });
  const forecastWork = forecast.slices.map(({ work }) => work);
  expect(forecastWork.filter(({ rounds, positions }) => rounds > Math.max(1, positions))).toEqual([]);
  // The longest win of four pieces takes 109 plies.
  const most = Math.max(...forecastWork.map(({ rounds }) => rounds));
  expect(most).toBeGreaterThan(109 / 2);
  expect(most).toBeLessThan(2 * 109);
});
