/**
 * The best conversion of every position of a side under dtm50. A capture or a move of a pawn sets the clock to 0, so
 * it is worth one number whatever the clock was before. Conversions become requests (position there | asker),
 * collected by the part that they ask about. When their memory is full, the tables answer them, as in verification
 * (pipeline/engine/verify/verify.ts).
 *
 * Positions with a right to capture en passant have the clock 0, for a double step was the last move. Their moves of other men do not
 * zero it: they lead to another slice, at clock 1.
 */
import { newOnce } from '../../../operators/core/once.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { joinByMajor } from '../../../operators/join-by-major.js';
import { newRows } from '../../../operators/runs/rows.js';
import type { RowSource } from '../../../operators/runs/types.js';
import { zeroes } from '../../game/clocked.js';
import { CENSUS_ROWS, censusOf } from '../../game/fill-census.js';
import type { Emission, Side, Slice } from '../../game/game.js';
import { dependencyMajors } from '../../game/majors.js';
import { backUp, preference } from '../../game/value.js';
import { type OpenClocks, openClocks } from '../../tables/clock-runs.js';
import type { Context } from '../memory/context.js';

/**
 * Raises `best`, by index, to `preference` of the best conversion of each position of a side; 0 stays where there is none.
 * @param memory bytes for the requests.
 * @returns how many conversions there are.
 */
export async function raiseByConversions(
  context: Context<Slice>,
  memory: number,
  side: Side,
  best: Uint16Array,
): Promise<number> {
  const { slice, counters } = context;
  if (slice.dependencies.length === 0) return 0;
  const majors = dependencyMajors(slice, 0);
  const asked = { requests: 0 };
  await joinByMajor(
    conversionsOf(slice, side, majors, asked),
    ranksOfParts(context, majors),
    (_major, keys, askers, found) => {
      const ranks = found as Uint16Array;
      for (let i = 0; i < askers.length; i++) {
        const rank = ranks[keys[i]];
        if (rank > best[askers[i]]) best[askers[i]] = rank;
      }
    },
    { majors: majors.at(-1)!, pool: createPool(memory, { shared: false }), counters },
  );
  return asked.requests;
}

/** All conversions of a side: the payload is the asker's index. */
async function* conversionsOf(
  slice: Slice,
  side: Side,
  majors: readonly number[],
  asked: { requests: number },
): RowSource {
  const bias = Uint32Array.from(majors.slice(0, -1));
  const keys = new Uint32Array(CENSUS_ROWS);
  const rows = newRows(Math.max(1 << 13, 2 * slice.maxMoves), 1);
  const [askers] = rows.payload;
  const out: Emission = { length: 0, major: rows.major, minor: rows.minor, source: askers };
  for (const { part, first, length, census } of censusOf(slice, side)) {
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

/** Reads the ranks of moves to a part of a dependency, by key. */
function ranksOfParts({ slice, metric, tables, tableStore }: Context<Slice>, majors: readonly number[]) {
  const once = newOnce<number, OpenClocks>();
  const ranks = new Uint16Array(Math.max(...tables.map(({ slice: there }) => there.partSize(0))));
  return async (major: number): Promise<Uint16Array> => {
    const first = majors.findLastIndex((from) => from <= major);
    const side = (first & 1) as Side;
    const table = tables[first >> 1];
    const isZeroing = zeroes(slice.dependencies[first >> 1]);
    const clocks = isZeroing ? null : await once(first >> 1, () => openClocks(tableStore, table));
    const part = major - majors[first];
    for await (const batch of (clocks?.numbers ?? table).values(side, part, part + 1)) {
      const [column] = batch.columns;
      for (let i = 0; i < batch.length; i++) {
        const code = clocks === null ? column[i] : clocks.ladders.codeAt(column[i], 1);
        ranks[batch.first + i] = preference(backUp(code, metric, false));
      }
    }
    return ranks;
  };
}
