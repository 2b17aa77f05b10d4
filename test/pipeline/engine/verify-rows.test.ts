/** Verification by rows finds what verification by keys finds: nothing in right tables, and every single wrong value. */

import { beforeAll, describe, expect, it } from 'vitest';
import { cutEvenly } from '../../../operators/core/interval.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { describeMismatch, joinVerified } from '../../../pipeline/engine/crew/verify-slice.js';
import {
  bySideAndPart,
  type SidePart,
  verifiedParts,
} from '../../../pipeline/engine/verify/verified-parts.js';
import { verify } from '../../../pipeline/engine/verify/verify.js';
import { verifyByRows } from '../../../pipeline/engine/verify/verify-rows.js';
import type { RowRanks, Side } from '../../../pipeline/game/game.js';
import type { DerivedPart } from '../../../pipeline/game/step-manifests.js';
import { brokenIn, type Metric, type ValueColumn } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { ALL_BOARDS, allPairs } from '../../../pipeline/games/chess/geometry.js';
import { spaceOf } from '../../../pipeline/games/chess/index-space.js';
import { needDependencies, needTable, type Table } from '../../../pipeline/tables/table.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { MiB, putSolved } from '../../support/solving.js';
import { type SideColumns, tableOfColumns, verifyContext } from '../../support/verifying.js';
import { randomNumbers } from '../games/chess/kernel-rows.js';

const MEMORY = 32 * MiB;

interface Solved {
  readonly columns: SideColumns;
  readonly table: Table;
  readonly tables: readonly Table[];
}

/** Endings that are in several cases are solved once. */
const solvedBefore = new Map<string, Promise<Solved>>();

/** Tests that change values put them back. */
function solved(name: string, metric: Metric): Promise<Solved> {
  const key = `${name} ${metric}`;
  const found = solvedBefore.get(key) ?? solveNow(name, metric);
  solvedBefore.set(key, found);
  return found;
}

async function solveNow(name: string, metric: Metric): Promise<Solved> {
  const store = memoryStore();
  await putSolved(store, chess, [name], { metric });
  const stored = await needTable(store, chess, metric, name);
  const { slice, manifest } = stored;
  const columns = [0, 1].map(() =>
    manifest.valueType === 'i8' ? new Int8Array(slice.size) : new Int16Array(slice.size),
  ) as [ValueColumn, ValueColumn];
  for (const side of [0, 1] as const) {
    for await (const batch of stored.values(side, 0, slice.parts)) {
      const codes = batch.columns[0] as ValueColumn;
      columns[side].set(codes.subarray(0, batch.length), batch.major * slice.width + batch.first);
    }
  }
  const tables = await needDependencies(store, chess, metric, slice);
  return { columns, table: tableOfColumns(slice, columns, manifest), tables };
}

/** The values in 16 bits, as of a table that holds longer wins. */
function widened({ columns, table, tables }: Solved, plies: number): Solved {
  const wide = columns.map((codes) =>
    Int16Array.from(codes, (code) => (code === brokenIn(codes) ? -32768 : code)),
  ) as [ValueColumn, ValueColumn];
  return {
    columns: wide,
    table: tableOfColumns(table.slice, wide, { valueType: 'i16', longestWin: [plies, plies] }),
    tables,
  };
}

/** Without kernels by rows. */
function byKeys(metric: Metric, ending: Solved, part?: number, memory?: number): Promise<DerivedPart> {
  const { rowMoves: _, ...slice } = ending.table.slice;
  return verify({ ...contextOf(metric, ending, part, memory), slice }, ending.table);
}

/** @param part the only one that is verified; all are without. */
function contextOf(metric: Metric, { table, tables }: Solved, part?: number, memory = MEMORY) {
  const limits = part === undefined ? { memory } : { memory, parts: { from: part, to: part + 1 } };
  return verifyContext(metric, table, tables, limits);
}

function byRows(metric: Metric, ending: Solved, part?: number, memory = MEMORY) {
  const { table } = ending;
  const context = contextOf(metric, ending, part, memory);
  return verifyByRows(context, table, table.slice.rowMoves!, sideParts(ending, part));
}

/** A part, or all, of both sides. */
function sideParts({ table: { slice } }: Solved, part?: number): SidePart[] {
  if (part === undefined) return verifiedParts(slice, { from: 0, to: slice.parts });
  return [
    { side: 0, part },
    { side: 1, part },
  ];
}

interface Change {
  readonly side: Side;
  readonly index: number;
  readonly code: number;
}

/** Of slices with pawns these are pairs like any. */
const isDiagonal = (name: string, index: number) =>
  allPairs.boards[Math.floor(index / spaceOf(name).placements)] !== ALL_BOARDS;

/** Kinds of changes: name, positions to change, and the new code. */
function kindsOf(broken: number): [string, (code: number) => boolean, (code: number) => number][] {
  const legal = (code: number) => code !== broken;
  return [
    ['a win becomes a draw', (code) => code > 0, () => 0],
    ['a win takes a ply more', (code) => code > 0, (code) => code + 1],
    ['a win takes two plies less', (code) => code > 2, (code) => code - 2],
    ['a loss becomes a draw', (code) => legal(code) && code < 0, () => 0],
    ['a loss takes two plies more', (code) => legal(code) && code < 0, (code) => code - 2],
    ['a draw becomes a win', (code) => code === 0, () => 5],
    ['a draw becomes a loss', (code) => code === 0, () => -1],
    ['a broken index becomes a draw', (code) => !legal(code), () => 0],
    ['a broken index becomes a win', (code) => !legal(code), () => 1],
    ['a broken index becomes a loss', (code) => !legal(code), () => -1],
    ['a position becomes broken', legal, () => broken],
    ['a position is won beyond all bounds', legal, () => 126 + (broken < -128 ? 400 : 1)],
  ];
}

/** Changes of each kind, half of them with both kings on the diagonal, as far as the table has such positions. */
function* changesOf({ columns, table }: Solved, each: number): Generator<Change & { kind: string }> {
  const { name, size } = table.slice;
  const random = randomNumbers(7);
  for (const [kind, applies, change] of kindsOf(brokenIn(columns[0]))) {
    for (let i = 0; i < each; i++) {
      for (let tries = 0; tries < 200_000; tries++) {
        const side = (random() & 1) as Side;
        const index = random() % size;
        const code = columns[side][index];
        if (!applies(code) || isDiagonal(name, index) !== (i % 2 === 0)) continue;
        yield { kind, side, index, code: change(code) };
        break;
      }
    }
  }
}

/** Runs with a value changed. */
async function changed<T>(
  { columns }: Solved,
  { side, index, code }: Change,
  run: () => Promise<T>,
): Promise<T> {
  const right = columns[side][index];
  columns[side][index] = code;
  try {
    return await run();
  } finally {
    columns[side][index] = right;
  }
}

/** An ending of many parts; with three men there is one part. */
type Case = [name: string, metric: Metric, plies: number, each: number];
const SHORT: Case[] = [
  ['KRK', 'dtc', 300, 2],
  ['KRK', 'dtz', 0, 2],
  ['KNPK.7', 'dtz', 0, 2],
];
const MORE: Case[] = [
  ['KRK', 'dtm', 200, 4],
  ['KQKR', 'dtm', 0, LONGEST ? 17 : 2],
  ['KRKN', 'dtc', 300, 2],
  ['KRPK.7', 'dtm', 0, 2],
  ['KPK.2', 'dtz', 300, 2],
  ['KBKP.7', 'wdl', 0, 2],
];
/** Each metric, and each width of values, is with another ending above, too. */
const MOST: Case[] = [
  ['KRK', 'wdl', 0, 4],
  ['KQKR', 'dtm', 200, 4],
  ['KRKN', 'dtz', 0, 4],
  ['KQKR', 'wdl', 0, 4],
  ['KRPK.2', 'dtz', 300, 2],
  ['KNKP.2', 'dtc', 0, 2],
];
const cases = LONGEST ? [...MORE, ...MOST] : LONG ? MORE : SHORT;

describe.each(cases)('%s, %s, widened to %d plies', (name, metric, plies, each) => {
  const number = cases.findIndex((one) => one[0] === name && one[1] === metric && one[2] === plies);
  let ending: Solved;
  beforeAll(async () => {
    const stored = await solved(name, metric);
    ending = plies > 0 ? widened(stored, plies) : stored;
  }, 120_000);

  it('finds nothing in a right table, in little memory or much', async () => {
    const { positions, wrong } = await byKeys(metric, ending);
    expect(wrong).toBe(0);
    for (const memory of [2 * MiB, MEMORY]) {
      const found = await byRows(metric, ending, undefined, memory);
      expect(found).toEqual({ positions, doubted: [] });
    }
  }, 60_000);

  // Positions of the same side do not lead to it, so nothing else can be wrong in its part.
  it('finds every single wrong value', async () => {
    const { width } = ending.table.slice;
    let tried = 0;
    for (const change of changesOf(ending, each)) {
      if (metric === 'wdl' && /pl(y|ies)|bounds/.test(change.kind)) continue;
      const part = Math.floor(change.index / width);
      const { doubted } = await changed(ending, change, () => byRows(metric, ending, part));
      expect(
        doubted.map(({ side, part }) => ({ side, part })),
        JSON.stringify(change),
      ).toContainEqual({
        side: change.side,
        part,
      });
      tried++;
    }
    expect(tried).toBeGreaterThan(metric === 'wdl' ? 6 * each : 10 * each);
  }, 240_000);

  it('gives the result of verification by keys', async () => {
    const say = ({ mismatches, wrong }: DerivedPart) => [
      wrong,
      ...mismatches.map((mismatch) => describeMismatch(chess, metric, mismatch)),
    ];
    const { table } = ending;
    const changes = [...changesOf(ending, 1)];
    // Each ending has some of the kinds, and together they have all.
    for (const change of changes.filter((_, i) => LONGEST || i % 4 === number % 4)) {
      const part = Math.floor(change.index / table.slice.width);
      await changed(ending, change, async () => {
        const rows = await verify(contextOf(metric, ending, part), table, sideParts(ending, part));
        expect(say(rows)).toEqual(say(await byKeys(metric, ending, part)));
      });
    }
  }, 240_000);
});

/** KRK has a part of two stretches, KQKR some of sixteen. */
describe.skipIf(!LONG).each(['KRK', 'KQKR'])(`%s, dtm, in stretches of several sizes${ifShort}`, (name) => {
  /** By rows there is then room for ever larger stretches, and by keys for ever larger pieces. */
  const memories = (width: number) =>
    (LONGEST ? [0, 1 / 8, 1 / 4, 1 / 2, 1] : [0, 1 / 4]).map((share) => 1.4 * width * (1 + share));

  it('finds what is found in much memory, by rows and by keys', { timeout: 240_000 }, async () => {
    const ending = await solved(name, 'dtm');
    const { slice } = ending.table;
    const changes = [...changesOf(ending, 1)].filter((_, i) => (LONGEST ? i % 6 === 0 : i === 0));
    for (const change of [undefined, ...changes]) {
      const part = change === undefined ? 0 : Math.floor(change.index / slice.width);
      const found = async (memory?: number) => [
        await byRows('dtm', ending, part, memory),
        await byKeys('dtm', ending, part, memory),
      ];
      const compare = async () => {
        const whole = await found();
        for (const memory of memories(slice.partSize(0)))
          expect(await found(memory), `${memory} bytes`).toEqual(whole);
      };
      await (change === undefined ? compare() : changed(ending, change, compare));
    }
  });
});

describe('kernels by rows that are wrong themselves', () => {
  /** Verifies a right table by rows that `change`. */
  async function verified(change: (rows: RowRanks) => Partial<RowRanks>): Promise<DerivedPart> {
    const { table, tables } = await solved('KRK', 'dtz');
    const rowMoves = table.slice.rowMoves!;
    const open = (bytes: number) => {
      const rows = rowMoves.open(bytes);
      return { ...rows, ...change(rows) };
    };
    const slice = { ...table.slice, rowMoves: { ...rowMoves, open } };
    return verify(verifyContext('dtz', { ...table, slice }, tables, { memory: MEMORY }), { ...table, slice });
  }

  it('are said to disagree with single moves, where values seem to be on no scale', async () => {
    const { parts } = chess.slice('KRK');
    const found = await verified(({ rankCodes }) => ({
      rankCodes: (...args) => rankCodes(...args) && false,
    }));
    expect(found).toMatchObject({ wrong: 0, mismatches: [], doubtful: 2 * parts });
  });

  it('are a fault of the program, where values on a scale seem to be wrong', async () => {
    const found = verified(({ countWrong }) => ({
      countWrong: (...args) => ({ ...countWrong(...args), wrong: 1 }),
    }));
    await expect(found).rejects.toThrow('KRK: part 0 is wrong by rows, and right by single moves');
  });
});

describe('partitions', () => {
  it('verify every part of each side once', () => {
    for (const name of ['KQKR', 'KRKN', 'KQQKN', 'KQRKR', 'KRPKR']) {
      const slice = chess.slice(name);
      for (const count of [1, 2, 3, 7, 16]) {
        const all = cutEvenly(slice.parts, count).flatMap((parts) => verifiedParts(slice, parts));
        const expected = verifiedParts({ ...slice, rowMoves: undefined } as never, {
          from: 0,
          to: slice.parts,
        });
        expect(all.sort(bySideAndPart), `${name} by ${count}`).toEqual(expected);
      }
    }
  });

  // By intervals of part numbers: 3.92, 3.50 and 6.44 times.
  it.each([
    ['KQQKN', 4, 2.4],
    ['KQRKR', 4, 1.35],
    ['KQRKR', 16, 1.7],
  ] as const)('%s by %d read all parts at most %f times', (name, count, most) => {
    const slice = chess.slice(name);
    const rows = slice.rowMoves!.open(1024);
    const biases = new Array(2 * slice.dependencies.length).fill(0);
    try {
      let read = 0;
      for (const parts of cutEvenly(slice.parts, count)) {
        const behind = verifiedParts(slice, parts).flatMap(
          ({ side, part }) => rows.behind(side, part, (1 - side) * slice.parts, biases).own,
        );
        read += new Set(behind).size;
      }
      expect(read / (2 * slice.parts)).toBeLessThanOrEqual(most);
    } finally {
      rows.close();
    }
  });

  it.skipIf(!LONG)(
    `find together what one finds, with wrong values of both sides${ifShort}`,
    async () => {
      const ending = await solved('KQKR', 'dtm');
      const { slice } = ending.table;
      const right = ending.columns.map((codes) => codes.slice());
      for (const side of [0, 1] as const) {
        for (let index = 5000; index < slice.size; index += Math.floor(slice.size / 7)) {
          ending.columns[side][index] = ending.columns[side][index] === 77 ? 75 : 77;
        }
      }
      const say = (parts: { from: number; to: number }) =>
        verify(verifyContext('dtm', ending.table, ending.tables, { memory: MEMORY, parts }), ending.table);
      const alone = await say({ from: 0, to: slice.parts });
      const found: DerivedPart[] = [];
      for (const parts of cutEvenly(slice.parts, 3)) found.push(await say(parts));
      const together = joinVerified(found);
      expect(alone.wrong).toBeGreaterThan(14);
      expect(together).toMatchObject({
        positions: alone.positions,
        requests: alone.requests,
        wrong: alone.wrong,
      });
      expect(together.mismatches.slice(0, alone.mismatches.length)).toEqual(alone.mismatches);
      for (const side of [0, 1] as const) ending.columns[side].set(right[side]);
    },
    120_000,
  );
});
