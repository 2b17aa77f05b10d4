/**
 * How the positions of an ending turn out, result by result and ply by ply: one pass over its tables. Memory is independent of their sizes.
 */
import type { Colour, Ending, Game } from '../game/game.js';
import { decodeValue, type Metric, type Value, type Wdl } from '../game/value.js';
import { sideOf, type View, viewsOf } from '../game/views.js';
import type { Table } from '../tables/table.js';
import { resultsOf } from './codes.js';
import {
  addCounts,
  type CodeCounts,
  type CountOptions,
  countSide,
  type LongKind,
  longKinds,
  newCounts,
} from './counts.js';

/** *Orbits* count canonical positions; *placements* count boards, like men being interchangeable. */
export interface Tally {
  readonly placements: number;
  readonly orbits: number;
}

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

/** Also counts the positions without legal moves: those in which the mover has lost, and those that are drawn. */
export interface CountedOutcomes extends SideOutcomes {
  readonly lostNow: Tally;
  readonly drawnNow: Tally;
}

export interface Common {
  readonly game: Game;
  readonly metric: Metric;
  readonly report: CountOptions['report'];
}

/** Which tables are counted. */
export interface EndingStatsOptions extends Common {
  readonly ending: Ending;
  /** Finds the table of a slice of the ending. */
  readonly open: (slice: string) => Promise<Table>;
}

/** By side to move, the one that begins the game first. */
export function endingOutcomes(options: EndingStatsOptions): Promise<readonly SideOutcomes[]> {
  const { game, ending, open } = options;
  return countOutcomes(options, viewsOf(game, ending), open, false);
}

/**
 * The same of the boards that are `views` of tables. @param terminals whether positions without legal moves are counted, which needs the rules;
 * their counts are 0 otherwise, or unknown.
 */
export async function countOutcomes(
  common: Common,
  views: readonly View[],
  open: (slice: string) => Promise<Table>,
  terminals: boolean,
): Promise<readonly CountedOutcomes[]> {
  const { game, metric } = common;
  const counted = await countViews(common, views, open, terminals);
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
    const pair = ([placements, orbits]: readonly [number, number]): Tally => ({ placements, orbits });
    return {
      side,
      legal,
      results,
      longestWin: longest('win'),
      longestCursedWin: longest('cursed win'),
      longestLoss: longest('loss'),
      longestBlessedLoss: longest('blessed loss'),
      lostNow: pair(counts.lostNow),
      drawnNow: pair(counts.drawnNow),
    };
  });
}

/** Counts one colour to move. `flipped`: in which view the positions lie that take longest. */
interface ColourCounts {
  readonly counts: CodeCounts;
  readonly flipped: Record<LongKind, boolean>;
}

type ByColour = Readonly<Record<Colour, ColourCounts>>;

/** Counts the codes of the boards that are `views` of tables, by the colour to move. */
async function countViews(
  { metric, report, game }: Common,
  views: readonly View[],
  open: (slice: string) => Promise<Table>,
  terminals: boolean,
): Promise<ByColour> {
  const nothing = (): ColourCounts => ({
    counts: newCounts(16),
    flipped: { win: false, 'cursed win': false, loss: false, 'blessed loss': false },
  });
  const sums = { white: nothing(), black: nothing() };
  // Where a slice is seen both ways, its views follow each other.
  let last: { slice: string; sides: readonly CodeCounts[] } | undefined;
  for (const { slice, flipped } of views) {
    if (last?.slice !== slice) {
      const table = await open(slice);
      const options = { metric, report, terminals };
      last = { slice, sides: [await countSide(table, 0, options), await countSide(table, 1, options)] };
    }
    for (const colour of game.colours) {
      const sum = sums[colour];
      const more = last.sides[sideOf(game, colour, flipped)];
      addCounts(sum.counts, more);
      for (const kind of longKinds) {
        if (sum.counts.longest[kind] === more.longest[kind]) sum.flipped[kind] = flipped;
      }
    }
  }
  return sums;
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
