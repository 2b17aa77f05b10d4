/**
 * Statistics of finished tables: how many positions are won, drawn and lost, at which ply. An ending is one slice or the
 * slices of a class, whose counts are added up; memory is independent of their sizes.
 */

import type { Colour, Ending, Game } from '../game/game.js';
import { stipulations } from '../game/stipulation.js';
import { decodeValue, type Metric, RULE_PLIES } from '../game/value.js';
import { sideOf, type View, viewsOf } from '../game/views.js';
import type { Table } from '../tables/table.js';
import {
  addCounts,
  type CodeCounts,
  type CountOptions,
  countSide,
  type Extreme,
  type LongKind,
  longKinds,
  newCounts,
} from './counts.js';

/** *Orbits* count canonical positions; *placements* count boards, like men being interchangeable. */
export interface Tally {
  readonly placements: number;
  readonly orbits: number;
}

/** The longest win of a side. */
export interface Longest {
  readonly plies: number;
  /** The first position in index order that takes so long. */
  readonly fen: string;
}

/**
 * Statistics of the positions with one side to move. Keys of the ByPly objects ascend; under `wdl` they are empty. Under
 * `dtz` alone, wins that the 50-move rule makes draws are counted apart from the others, as cursed wins. In the ByPly objects they are the
 * wins of more than 100 plies.
 */
export interface SideStats {
  readonly legal: Tally;
  readonly whiteWins: Tally;
  readonly whiteCursedWins?: Tally;
  readonly draws: Tally;
  readonly blackCursedWins?: Tally;
  readonly blackWins: Tally;
  /** Without legal moves: those in which the mover has lost, and those that are drawn. */
  readonly mates: Tally;
  readonly stalemates: Tally;
  readonly whiteWinsByPly: Readonly<Record<string, Tally>>;
  readonly blackWinsByPly: Readonly<Record<string, Tally>>;
  readonly longestWhiteWin: Longest | null;
  readonly longestBlackWin: Longest | null;
  /** Under `dtz` only. */
  readonly longestWhiteCursedWin?: Longest | null;
  readonly longestBlackCursedWin?: Longest | null;
}

/** By side to move. */
export interface TableStats {
  readonly white: SideStats;
  readonly black: SideStats;
}

/**
 * Counts of the boards of an ending with the first of the game's colours to move. In chess that is White. White has the
 * queen in "KQK"; "KKQ" stands for the boards in which Black has it.
 */
export interface ClassTally {
  readonly class: string;
  readonly total: number;
  readonly wins: number;
  /** Under `dtz` only, as blessed losses are; there they are not among the wins and losses. */
  readonly cursedWins?: number;
  readonly blessedLosses?: number;
  readonly losses: number;
  readonly draws: number;
  /** Null where there are none, and under `wdl`. */
  readonly maxWinPlies: number | null;
  readonly maxLossPlies: number | null;
  /** Under `dtz` only. */
  readonly maxCursedWinPlies?: number | null;
  readonly maxBlessedLossPlies?: number | null;
}

export interface Common {
  readonly game: Game;
  readonly metric: Metric;
  readonly report: CountOptions['report'];
}

/** Which table is counted. */
export interface StatsOptions extends Common {
  readonly table: Table;
  /** The ending was asked for with its sides exchanged: side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
}

/** Which tables are counted. */
export interface EndingStatsOptions extends Common {
  readonly ending: Ending;
  /** Finds the table of a slice of the ending. */
  readonly open: (slice: string) => Promise<Table>;
}

/** Statistics of one table. */
export async function tableStats(options: StatsOptions): Promise<TableStats> {
  const { table, flipped } = options;
  const views = [{ slice: table.slice.name, flipped }];
  return describe(options, await countViews(options, views, async () => table, true));
}

/** Statistics of an ending, in the colours of its name. */
export async function endingStats(
  options: EndingStatsOptions,
): Promise<TableStats & { classes: ClassTally[] }> {
  const { game, ending, open, metric } = options;
  const counted = await countViews(options, viewsOf(game, ending), open, true);
  return { ...describe(options, counted), classes: tallies(game, ending, counted, metric) };
}

/** The ending, and where its sides differ the one with its sides exchanged. */
export async function classTallies(options: EndingStatsOptions): Promise<ClassTally[]> {
  const { game, ending, open, metric } = options;
  return tallies(game, ending, await countViews(options, viewsOf(game, ending), open, false), metric);
}

/** Counts one colour to move. `flipped`: in which view the positions lie that take longest. */
export interface ColourCounts {
  readonly counts: CodeCounts;
  readonly flipped: Record<LongKind, boolean>;
}

export type ByColour = Readonly<Record<Colour, ColourCounts>>;

/** Counts the codes of the boards that are `views` of tables, by the colour to move. */
export async function countViews(
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

/** Placements and orbits of the codes [from, to]. */
function sumOf({ zero, placements, orbits }: CodeCounts, from: number, to: number): Tally {
  const sum = { placements: 0, orbits: 0 };
  for (let code = from; code <= to; code++) {
    sum.placements += placements[code + zero];
    sum.orbits += orbits[code + zero];
  }
  return sum;
}

/** The plies up to which a win counts as one; null: all do. */
function ruleOf(metric: Metric): number | null {
  return stipulations[metric].rule50 === 'cursed' ? RULE_PLIES : null;
}

function tallies(game: Game, ending: Ending, counted: ByColour, metric: Metric): ClassTally[] {
  const tally = (name: string, colour: Colour): ClassTally => {
    const { counts } = counted[colour];
    const { most, least } = counts;
    const of = (from: number, to: number) => sumOf(counts, from, to).placements;
    const rule = ruleOf(metric);
    const lastWin = Math.min(most, rule ?? most);
    const lastLoss = Math.max(least, rule === null ? least : -rule - 1);
    const longest = (kind: LongKind) =>
      stipulations[metric].plies ? pliesOf(counts.longest[kind], metric) : null;
    return {
      class: name,
      total: of(least, most),
      wins: of(1, lastWin),
      ...(rule !== null && { cursedWins: of(rule + 1, most), blessedLosses: of(least, -rule - 2) }),
      losses: of(lastLoss, -1),
      draws: of(0, 0),
      maxWinPlies: longest('win'),
      maxLossPlies: longest('loss'),
      ...(rule !== null && {
        maxCursedWinPlies: longest('cursed win'),
        maxBlessedLossPlies: longest('blessed loss'),
      }),
    };
  };
  const { name, exchanged } = ending;
  const [first, second] = game.colours;
  // With the colours exchanged, the second is the first, and has what the second has in the name.
  return name === exchanged ? [tally(name, first)] : [tally(name, first), tally(exchanged, second)];
}

function describe(common: Common, counted: ByColour): TableStats {
  return {
    white: describeSide(common, counted.white, true),
    black: describeSide(common, counted.black, false),
  };
}

function describeSide({ game, metric }: Common, counted: ColourCounts, white: boolean): SideStats {
  const { counts, flipped } = counted;
  const { most, least } = counts;
  const byPly = (codeOf: (ply: number) => number, first: number, last: number): Record<string, Tally> => {
    const plies: Record<string, Tally> = {};
    if (!stipulations[metric].plies) return plies;
    for (let ply = first; ply <= last; ply++) {
      const tallied = sumOf(counts, codeOf(ply), codeOf(ply));
      if (tallied.orbits > 0) plies[ply] = tallied;
    }
    return plies;
  };
  const longest = (kind: LongKind): Longest | null => {
    const { at } = counts.longest[kind];
    const plies = pliesOf(counts.longest[kind], metric);
    return plies === null || at === null ? null : { plies, fen: game.format(game.board(at, flipped[kind])) };
  };

  const rule = ruleOf(metric);
  const moverWins = {
    all: sumOf(counts, 1, Math.min(most, rule ?? most)),
    cursed: rule === null ? null : sumOf(counts, rule + 1, most),
    byPly: byPly((ply) => ply, 1, most),
    longest: longest('win'),
    longestCursed: longest('cursed win'),
  };
  const moverLoses = {
    all: sumOf(counts, Math.max(least, rule === null ? least : -rule - 1), -1),
    cursed: rule === null ? null : sumOf(counts, least, -rule - 2),
    byPly: byPly((ply) => -ply - 1, 0, -least - 1),
    longest: longest('loss'),
    longestCursed: longest('blessed loss'),
  };
  const [whites, blacks] = white ? [moverWins, moverLoses] : [moverLoses, moverWins];
  const pair = ([placements, orbits]: [number, number]): Tally => ({ placements, orbits });
  return {
    legal: sumOf(counts, least, most),
    whiteWins: whites.all,
    ...(whites.cursed !== null && { whiteCursedWins: whites.cursed }),
    draws: sumOf(counts, 0, 0),
    ...(blacks.cursed !== null && { blackCursedWins: blacks.cursed }),
    blackWins: blacks.all,
    mates: pair(counts.lostNow),
    stalemates: pair(counts.drawnNow),
    whiteWinsByPly: whites.byPly,
    blackWinsByPly: blacks.byPly,
    longestWhiteWin: whites.longest,
    longestBlackWin: blacks.longest,
    ...(rule !== null && {
      longestWhiteCursedWin: whites.longestCursed,
      longestBlackCursedWin: blacks.longestCursed,
    }),
  };
}

/** The plies of the longest; null if there is none, and under `wdl`. */
function pliesOf({ code, at }: Extreme, metric: Metric): number | null {
  return at === null ? null : decodeValue(code, metric).plies;
}
