/**
 * Answers on positions and endings, for the server, the static export and the page that reads it. They are made of the prober's
 * results, of manifests and of statistics. Runs in browsers, so it imports types of schemas only.
 */

import { UserError } from '../../operators/core/errors.js';
import type { LongestPosition, SideOutcomes, Tally } from '../../pipeline/analysis/outcomes.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { TableManifest } from '../../pipeline/game/manifest.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { type Metric, RULE_PLIES, type Wdl } from '../../pipeline/game/value.js';
import { sideOf, viewsOf } from '../../pipeline/game/views.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import type { LineAnswer, PositionAnswer, ProbedLine, SolutionsAnswer } from '../positions/shapes.js';
import { endingLine, endingSolutions, probedAnswer, writingOf } from '../solved/ending-answer.js';
import { type Answers, answerJson, type Solved } from '../solved/solved.js';
import type { EndingAnswer, HistogramAnswer, PlayedSide } from './api-answers.js';

/** What `probe --json` prints, with the name of the game or graph, and the diagram. */
export function servedAnswer<Position>(
  name: string,
  solved: Pick<Solved<Position>, 'diagram' | 'format' | 'names' | 'players'>,
  position: Position,
  answers: Answers,
): PositionAnswer {
  return { game: name, ...answerJson(solved, position, answers), diagram: solved.diagram(position) };
}

/** What `probe --line --json` prints, with the name of the game or graph. Throws UserError for solutions of a problem. */
export function servedLine(name: string, json: ProbedLine): LineAnswer {
  if ('line' in json) return { game: name, ...json };
  throw new UserError(`metric ${json.metric} holds solutions, and no main line`);
}

/** The same of solutions of a problem. Throws UserError for lines of best play. */
export function servedSolutions(name: string, json: ProbedLine): SolutionsAnswer {
  if ('lines' in json) return { game: name, ...json };
  throw new UserError(`metric ${json.metric} holds no solutions: ask for its main line`);
}

/** Throws errors of the prober. */
export async function positionAnswer(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
): Promise<PositionAnswer> {
  return servedAnswer(game.name, writingOf(game), board, [await probedAnswer(game, prober, board)]);
}

/** Throws errors of the prober, and UserError under `wdl`, which holds no distances. */
export async function mainLineAnswer(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
): Promise<LineAnswer> {
  return { game: game.name, ...(await endingLine(game, prober, board)).json };
}

/** Throws errors of the prober, and UserError under metrics without numbers. @param game by whose names the tables go. */
export async function solutionsAnswer(
  game: Game,
  prober: Prober<unknown>,
  board: unknown,
  limit: number,
): Promise<SolutionsAnswer> {
  return { game: game.name, ...(await endingSolutions(game, prober, board, limit)).json };
}

/** A table of a slice, and whether it was verified. */
export interface KnownTable {
  readonly manifest: TableManifest;
  readonly verified: boolean;
}

/** Whether the 50-move rule may make a draw of a win or a loss of the ending: then its tables must be scanned for those. */
export function hasCursed(metric: Metric, ending: Ending, tables: ReadonlyMap<string, KnownTable>): boolean {
  // The longest loss may be a ply longer than the longest win.
  const isLong = (plies: number | null) => plies !== null && plies >= RULE_PLIES;
  return (
    stipulations[metric].rule50 === 'cursed' &&
    ending.slices.some((slice) => tables.get(slice)!.manifest.longestWin.some(isLong))
  );
}

/**
 * @param tables those of all slices of the ending, by the names of the slices.
 * @param scanned counts of their values where there are cursed wins, which manifests count among the wins; else null.
 */
export function endingAnswer(
  game: Game,
  metric: Metric,
  ending: Ending,
  tables: ReadonlyMap<string, KnownTable>,
  scanned: HistogramAnswer | null,
): EndingAnswer {
  const known = ending.slices.map((slice) => tables.get(slice)!);
  const views = viewsOf(game, ending).map(({ slice, flipped }) => ({ ...tables.get(slice)!, flipped }));
  const summed = (of: (manifest: TableManifest) => readonly [number, number]): [number, number] =>
    both(game.colours, (colour) =>
      views.reduce((sum, { manifest, flipped }) => sum + of(manifest)[sideOf(game, colour, flipped)], 0),
    );
  const longest = both(game.colours, (colour) => {
    const plies = views.map(({ manifest, flipped }) => manifest.longestWin[sideOf(game, colour, flipped)]);
    return plies.reduce((most, each) => (each === null ? most : Math.max(most ?? 0, each)), null);
  });
  const positions = summed((manifest) => manifest.positions);
  const wins = summed((manifest) => manifest.wins);
  const losses = summed((manifest) => manifest.losses);
  const undecided = less(less(positions, wins), losses);
  const common = {
    ending: ending.name,
    slices: [...ending.slices],
    pieces: ending.pieces,
    positions: positions[0] + positions[1],
  };
  const verified = known.every(({ verified }) => verified);
  // Of a problem it does not matter which side is mated.
  if (stipulations[metric].numbers)
    return { ...common, solvable: less(positions, undecided), unsolvable: undecided, longest, verified };
  const cursed = scanned !== null && 'longestCursed' in scanned ? scanned.sides : null;
  const counted = (of: keyof Omit<PlayedSide, 'draws'>): [number, number] =>
    cursed === null ? [0, 0] : both(cursed, (side) => side[of].reduce((sum, [, n]) => sum + n, 0));
  const most = (of: 'wins' | 'cursedWins'): [number | null, number | null] =>
    cursed === null ? [null, null] : both(cursed, (side) => side[of].at(-1)?.[0] ?? null);
  const cursedWins = counted('cursedWins');
  const blessedLosses = counted('blessedLosses');
  return {
    ...common,
    wins: less(wins, cursedWins),
    draws: undecided,
    losses: less(losses, blessedLosses),
    cursedWins,
    blessedLosses,
    longestWin: cursed === null ? longest : most('wins'),
    longestCursedWin: most('cursedWins'),
    verified,
  };
}

const both = <T, R>([first, second]: readonly [T, T], of: (item: T) => R): [R, R] => [of(first), of(second)];
const less = (from: readonly [number, number], what: readonly [number, number]): [number, number] => [
  from[0] - what[0],
  from[1] - what[1],
];

/** @param outcomes counts of `endingOutcomes` (pipeline/analysis) over the tables of the ending. */
export function histogramAnswer(
  game: Game,
  metric: Metric,
  ending: Ending,
  outcomes: readonly SideOutcomes[],
): HistogramAnswer {
  const sides = outcomes as [SideOutcomes, SideOutcomes];
  const positions = (of: (side: SideOutcomes) => LongestPosition | null) =>
    both(sides, (side) => {
      const longest = of(side);
      return longest === null ? null : game.format(longest.board);
    });
  if (stipulations[metric].numbers)
    return {
      ending: ending.name,
      sides: both(sides, (side) => ({
        solvable: [...countsOf(side, 'win'), ...countsOf(side, 'loss')].sort(([a], [b]) => a - b),
        unsolvable: drawsOf(side),
      })),
      longest: positions(({ longestWin, longestLoss }) => longestWin ?? longestLoss),
    };
  return {
    ending: ending.name,
    sides: both(sides, (side) => ({
      wins: countsOf(side, 'win'),
      losses: countsOf(side, 'loss'),
      cursedWins: countsOf(side, 'cursed win'),
      blessedLosses: countsOf(side, 'blessed loss'),
      draws: drawsOf(side),
    })),
    longest: positions(({ longestWin }) => longestWin),
    longestCursed: positions(({ longestCursedWin }) => longestCursedWin),
  };
}

const countsOf = ({ results }: SideOutcomes, word: Wdl): [number, number][] =>
  (results.get(word)?.byPly ?? []).map(([plies, { orbits }]: readonly [number, Tally]) => [plies, orbits]);
const drawsOf = ({ results }: SideOutcomes): number => results.get('draw')?.orbits ?? 0;
