/**
 * Statistics of finished tables: how many positions are won, drawn and lost, at which ply. An ending is one slice or the
 * slices of a class, whose counts are added up (outcomes.ts).
 */
import type { Ending, Game } from '../game/game.js';
import { stipulations } from '../game/stipulation.js';
import type { Metric, Wdl } from '../game/value.js';
import { viewsOf } from '../game/views.js';
import type { Table } from '../tables/table.js';
import {
  type Common,
  type CountedOutcomes,
  countOutcomes,
  type EndingStatsOptions,
  type LongestPosition,
  type Tally,
} from './outcomes.js';

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

/** Which table is counted. */
export interface StatsOptions extends Common {
  readonly table: Table;
  /** The ending was asked for with its sides exchanged: side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
}

/** Statistics of one table. */
export async function tableStats(options: StatsOptions): Promise<TableStats> {
  const { game, table, flipped } = options;
  const views = [{ slice: table.slice.name, flipped }];
  return describe(game, options.metric, await countOutcomes(options, views, async () => table, true));
}

/** Statistics of an ending, in the colours of its name. */
export async function endingStats(
  options: EndingStatsOptions,
): Promise<TableStats & { classes: ClassTally[] }> {
  const { game, ending, open, metric } = options;
  const counted = await countOutcomes(options, viewsOf(game, ending), open, true);
  return { ...describe(game, metric, counted), classes: tallies(ending, counted, metric) };
}

/** The ending, and where its sides differ the one with its sides exchanged. */
export async function classTallies(options: EndingStatsOptions): Promise<ClassTally[]> {
  const { game, ending, open, metric } = options;
  return tallies(ending, await countOutcomes(options, viewsOf(game, ending), open, false), metric);
}

const hasCursed = (metric: Metric) => stipulations[metric].rule50 === 'cursed';

function tallies(ending: Ending, counted: readonly CountedOutcomes[], metric: Metric): ClassTally[] {
  const tally = (
    name: string,
    { legal, results, longestWin, longestLoss, longestCursedWin, longestBlessedLoss }: CountedOutcomes,
  ): ClassTally => {
    const of = (wdl: Wdl) => results.get(wdl)!.placements;
    const pliesOf = (longest: LongestPosition | null) => longest?.value.plies ?? null;
    return {
      class: name,
      total: legal.placements,
      wins: of('win'),
      ...(hasCursed(metric) && { cursedWins: of('cursed win'), blessedLosses: of('blessed loss') }),
      losses: of('loss'),
      draws: of('draw'),
      maxWinPlies: pliesOf(longestWin),
      maxLossPlies: pliesOf(longestLoss),
      ...(hasCursed(metric) && {
        maxCursedWinPlies: pliesOf(longestCursedWin),
        maxBlessedLossPlies: pliesOf(longestBlessedLoss),
      }),
    };
  };
  const { name, exchanged } = ending;
  const [first, second] = counted;
  // With the colours exchanged, the second is the first, and has what the second has in the name.
  return name === exchanged ? [tally(name, first)] : [tally(name, first), tally(exchanged, second)];
}

function describe(game: Game, metric: Metric, counted: readonly CountedOutcomes[]): TableStats {
  const [white, black] = (['white', 'black'] as const).map((colour) =>
    describeSide(game, metric, counted.find(({ side }) => side === colour)!),
  );
  return { white, black };
}

function describeSide(game: Game, metric: Metric, counted: CountedOutcomes): SideStats {
  const { side, legal, results } = counted;
  const tallyOf = (wdl: Wdl): Tally => {
    const { placements, orbits } = results.get(wdl)!;
    return { placements, orbits };
  };
  const longestOf = (longest: LongestPosition | null): Longest | null =>
    longest === null ? null : { plies: longest.value.plies!, fen: game.format(longest.board) };
  const moverWins = {
    all: tallyOf('win'),
    cursed: hasCursed(metric) ? tallyOf('cursed win') : null,
    byPly: byPlyOf(results, ['win', 'cursed win']),
    longest: longestOf(counted.longestWin),
    longestCursed: longestOf(counted.longestCursedWin),
  };
  const moverLoses = {
    all: tallyOf('loss'),
    cursed: hasCursed(metric) ? tallyOf('blessed loss') : null,
    byPly: byPlyOf(results, ['loss', 'blessed loss']),
    longest: longestOf(counted.longestLoss),
    longestCursed: longestOf(counted.longestBlessedLoss),
  };
  const [whites, blacks] = side === 'white' ? [moverWins, moverLoses] : [moverLoses, moverWins];
  return {
    legal,
    whiteWins: whites.all,
    ...(whites.cursed !== null && { whiteCursedWins: whites.cursed }),
    draws: tallyOf('draw'),
    ...(blacks.cursed !== null && { blackCursedWins: blacks.cursed }),
    blackWins: blacks.all,
    mates: counted.lostNow,
    stalemates: counted.drawnNow,
    whiteWinsByPly: whites.byPly,
    blackWinsByPly: blacks.byPly,
    longestWhiteWin: whites.longest,
    longestBlackWin: blacks.longest,
    ...(hasCursed(metric) && {
      longestWhiteCursedWin: whites.longestCursed,
      longestBlackCursedWin: blacks.longestCursed,
    }),
  };
}

/** The plies of some results, ascending: cursed wins take more than others. */
function byPlyOf(results: CountedOutcomes['results'], words: readonly Wdl[]): Record<string, Tally> {
  return Object.fromEntries(words.flatMap((wdl) => results.get(wdl)?.byPly ?? []));
}
