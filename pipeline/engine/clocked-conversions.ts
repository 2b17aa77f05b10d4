/**
 * The best conversion of every position of a side under dtm50. A capture or a move of a pawn sets the clock to 0, so
 * it is worth one number whatever the clock was before.
 *
 * Positions with a right to capture en passant have the clock 0, for a double step was the last move. Their moves of other men do not
 * zero it: they lead to another slice, at clock 1.
 */
import { newOnce } from '../../operators/core/once.js';
import { createPool } from '../../operators/distribute/pool.js';
import type { Side, Slice } from '../game/game.js';
import { backUp, preference } from '../game/value.js';
import { type OpenClocks, openClocks } from '../tables/clock-runs.js';
import { KeyBest } from './best-moves.js';
import type { Context } from './context.js';
import { conversionRanks, type RankSource } from './successor-ranks.js';

const METRIC = 'dtm50';

/**
 * Raises `best`, by index, to `preference` of the best conversion of each position of a side; 0 stays where there is none.
 * @param memory bytes for the requests. Beside them one part of a dependency is held.
 * @returns how many conversions there are.
 */
export async function raiseByConversions(
  context: Context<Slice>,
  memory: number,
  side: Side,
  best: Uint16Array,
): Promise<number> {
  if (context.slice.dependencies.length === 0) return 0;
  const ranks = new KeyBest(context, conversionRanks(context.slice, ranksThere(context)), 0, 'conversions');
  await ranks.raise(side, 0, best, createPool(memory, { shared: false }));
  return ranks.made;
}

/** The ranks of moves to the dependencies. */
function ranksThere({ slice, tables, tableStore }: Context<Slice>): RankSource<Uint16Array> {
  const once = newOnce<number, OpenClocks>();
  return {
    indices: tables.map((table) => table.slice),
    async read(number, side, part, _scale, ranks) {
      const table = tables[number];
      const zeroes = slice.dependencies[number].restarts.includes('dtz');
      const clocks = zeroes ? null : await once(number, () => openClocks(tableStore, table));
      for await (const batch of (clocks?.numbers ?? table.values)(side, part, part + 1)) {
        const [column] = batch.columns;
        for (let i = 0; i < batch.length; i++) {
          const code = clocks === null ? column[i] : clocks.ladders.codeAt(column[i], 1);
          ranks[batch.first + i] = preference(backUp(code, METRIC, false));
        }
      }
      return true;
    },
  };
}
