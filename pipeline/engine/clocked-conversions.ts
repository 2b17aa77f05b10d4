/**
 * The best conversion of every position of a side under dtm50. A capture or a move of a pawn sets the clock to 0, so
 * it is worth one number whatever the clock was before. Conversions become requests (position there | asker),
 * collected by the part that they ask about. When their memory is full, the tables answer them, as in verification
 * (pipeline/engine/verify.ts).
 *
 * Positions with a right to capture en passant have the clock 0, for a double step was the last move. Their moves of other men do not
 * zero it: they lead to another slice, at clock 1.
 */
import type { Counters } from '../../operators/core/counters.js';
import { newOnce } from '../../operators/core/once.js';
import { createPool } from '../../operators/distribute/pool.js';
import { joinByMajor } from '../../operators/join-by-major.js';
import { newRows } from '../../operators/runs/rows.js';
import type { RowSource } from '../../operators/runs/types.js';
import type { Store } from '../../operators/storage/store.js';
import { newCensus } from '../game/fill-census.js';
import type { Emission, Side, Slice, SliceIndex } from '../game/game.js';
import { dependencyMajors } from '../game/majors.js';
import { backUp, preference, type ValueColumn } from '../game/value.js';
import { type OpenClocks, openClocks } from '../tables/clock-runs.js';
import { codeAt } from '../tables/ladders.js';
import type { Table } from '../tables/table.js';
import { ranksOfCodes } from './successor-ranks.js';

const METRIC = 'dtm50';
const BATCH_INDICES = 1 << 12;

export interface ConversionOptions {
  readonly slice: Slice;
  /** Those of the dependencies, in their order. */
  readonly tables: readonly Table<SliceIndex>[];
  /** Has the tables. */
  readonly store: Store;
  /** Bytes for the requests. */
  readonly memory: number;
  readonly counters: Counters;
}

/**
 * Raises `best`, by index, to `preference` of the best conversion of each position of a side; 0 stays where there is none.
 * Returns how many conversions there are.
 */
export async function raiseByConversions(
  options: ConversionOptions,
  side: Side,
  best: Uint16Array,
): Promise<number> {
  const { slice, tables, memory, counters } = options;
  if (slice.dependencies.length === 0) return 0;
  const majors = dependencyMajors(slice, 0);
  const bias = Uint32Array.from(majors);
  const widest = Math.max(...tables.map(({ slice: there }) => there.partSize(0)));
  const loader = newLoader(options, majors, new Uint16Array(widest));
  const pool = createPool(memory, { shared: false });
  const asked = { requests: 0 };
  await joinByMajor(
    conversionsOf(slice, side, bias.subarray(0, 2 * tables.length), asked),
    loader,
    (_major, keys, askers, found) => {
      const ranks = found as Uint16Array;
      for (let i = 0; i < askers.length; i++) {
        const rank = ranks[keys[i]];
        if (rank > best[askers[i]]) best[askers[i]] = rank;
      }
    },
    { majors: majors.at(-1)!, pool, counters },
  );
  return asked.requests;
}

/** All conversions of a side: the payload is the asker's index. */
async function* conversionsOf(
  slice: Slice,
  side: Side,
  bias: Uint32Array,
  asked: { requests: number },
): RowSource {
  const census = newCensus(BATCH_INDICES);
  const keys = new Uint32Array(BATCH_INDICES);
  const rows = newRows(Math.max(1 << 13, 2 * slice.maxMoves), 1);
  const [askers] = rows.payload;
  const out: Emission = { length: 0, major: rows.major, minor: rows.minor, source: askers };
  for (let part = 0; part < slice.parts; part++) {
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += BATCH_INDICES) {
      const length = Math.min(BATCH_INDICES, size - first);
      slice.census(side, part, first, length, census);
      let count = 0;
      for (let i = 0; i < length; i++) if (census.conversions[i] !== 0) keys[count++] = first + i;
      for (let from = 0; from < count; ) {
        out.length = 0;
        from = slice.conversions(side, part, keys, from, count, bias, out);
        for (let i = 0; i < out.length; i++) askers[i] = part * slice.width + keys[askers[i]];
        asked.requests += out.length;
        rows.length = out.length;
        if (rows.length > 0) yield rows;
      }
    }
  }
}

/** Loads the ranks of moves to a part of a dependency, by key. */
function newLoader(
  { slice, tables, store }: ConversionOptions,
  majors: readonly number[],
  ranks: Uint16Array,
) {
  const once = newOnce<number, OpenClocks>();
  const rankOfCodes = {
    i8: ranksOfCodes('i8', METRIC, false, preference),
    i16: ranksOfCodes('i16', METRIC, false, preference),
  };
  return async (major: number): Promise<Uint16Array> => {
    const first = majors.findLastIndex((from) => from <= major);
    const number = first >> 1;
    const side = (first & 1) as Side;
    const part = major - majors[first];
    const table = tables[number];
    if (slice.dependencies[number].restarts.includes('dtz')) {
      const rankOfCode = rankOfCodes[table.manifest.valueType];
      for await (const { first: at, length, columns } of table.values(side, part, part + 1)) {
        const codes = columns[0] as ValueColumn;
        for (let i = 0; i < length; i++) ranks[at + i] = rankOfCode[codes[i] & (rankOfCode.length - 1)];
      }
      return ranks;
    }
    const { ladders, numbers } = await once(number, () => openClocks(store, table.manifest));
    for await (const { first: at, length, columns } of numbers(side, part, part + 1)) {
      for (let i = 0; i < length; i++)
        ranks[at + i] = preference(backUp(codeAt(ladders, columns[0][i], 1), METRIC, false));
    }
    return ranks;
  };
}
