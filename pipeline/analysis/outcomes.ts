/** How the positions of an ending turn out, result by result and ply by ply: one pass over its tables. */
import type { Colour } from '../game/game.js';
import { decodeValue, type Value, type Wdl } from '../game/value.js';
import { viewsOf } from '../game/views.js';
import { resultsOf } from './codes.js';
import type { LongKind } from './counts.js';
import { countViews, type EndingStatsOptions, type Tally } from './stats.js';

export interface ResultTally extends Tally {
  /** Ascending; none for draws and under `wdl`. */
  readonly byPly: readonly (readonly [plies: number, tally: Tally])[];
}

/** The first, in the order of the index, of the positions that take longest. */
export interface LongestPosition {
  readonly value: Value;
  readonly board: unknown;
}

/** Counts positions with one side to move; results are those of this side. */
export interface SideOutcomes {
  readonly side: Colour;
  readonly legal: Tally;
  /** All results that positions can have under the metric, the best first. */
  readonly results: ReadonlyMap<Wdl, ResultTally>;
  /** Null where there is none, and under `wdl`. Cursed wins and blessed losses are apart: `dtz` alone has them. */
  readonly longestWin: LongestPosition | null;
  readonly longestCursedWin: LongestPosition | null;
  readonly longestLoss: LongestPosition | null;
  readonly longestBlessedLoss: LongestPosition | null;
}

/** By side to move, the one that begins the game first. Memory is independent of the sizes of the tables. */
export async function endingOutcomes(options: EndingStatsOptions): Promise<readonly SideOutcomes[]> {
  const { game, ending, open, metric } = options;
  const counted = await countViews(options, viewsOf(game, ending), open, false);
  return game.colours.map((side) => {
    const { counts, flipped } = counted[side];
    const { most, least, zero, placements, orbits } = counts;
    const results = new Map(resultsOf(metric).map((word) => [word, newResult()]));
    const legal = newTally();
    // From mate outwards, so that plies ascend.
    const codes = [...range(0, most), ...range(1, -least).map((n) => -n)];
    for (const code of codes) {
      const tally = { placements: placements[code + zero], orbits: orbits[code + zero] };
      if (tally.orbits === 0) continue;
      const { wdl, plies } = decodeValue(code, metric);
      const result = results.get(wdl)!;
      for (const sum of [result, legal]) add(sum, tally);
      if (plies !== null) result.byPly.push([plies, tally]);
    }
    const longest = (kind: LongKind): LongestPosition | null => {
      const { code, at } = counts.longest[kind];
      const value = decodeValue(code, metric);
      return at === null || value.plies === null ? null : { value, board: game.board(at, flipped[kind]) };
    };
    return {
      side,
      legal,
      results,
      longestWin: longest('win'),
      longestCursedWin: longest('cursed win'),
      longestLoss: longest('loss'),
      longestBlessedLoss: longest('blessed loss'),
    };
  });
}

function newTally() {
  return { placements: 0, orbits: 0 };
}

function newResult() {
  return { ...newTally(), byPly: [] as [number, Tally][] };
}

function add(sum: { placements: number; orbits: number }, { placements, orbits }: Tally): void {
  sum.placements += placements;
  sum.orbits += orbits;
}

/** from, …, to; nothing if that is less. */
function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
