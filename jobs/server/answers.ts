/**
 * Answers on positions and endings, for the server, the static export and the page that reads it. They are made of the prober's
 * results, of manifests and of statistics. Runs in browsers, so it imports types of api-answers.ts only.
 */
import type { SideOutcomes } from '../../pipeline/analysis/outcomes.js';
import type { Tally } from '../../pipeline/analysis/stats.js';
import type { Colour, Ending, Game } from '../../pipeline/contract/game.js';
import { sideOf, viewsOf } from '../../pipeline/contract/views.js';
import type { TableManifest } from '../../pipeline/formats/manifest.js';
import type { Wdl } from '../../pipeline/formats/value.js';
import { type MainLine, mainLine } from '../../pipeline/probe/main-line.js';
import type { Probed, ProbedMove, Prober } from '../../pipeline/probe/prober.js';
import type {
  EndingAnswer,
  HistogramAnswer,
  MainLineAnswer,
  MoveAnswer,
  PositionAnswer,
} from './api-answers.js';

/** Throws errors of the prober. */
export async function positionAnswer<Board>(
  game: Game<Board>,
  prober: Prober<Board>,
  board: Board,
): Promise<PositionAnswer> {
  return described(game, prober, board, await prober.probe(board));
}

/** Throws errors of the prober, and UserError under `wdl`, which holds no distances. */
export async function mainLineAnswer<Board>(
  game: Game<Board>,
  prober: Prober<Board>,
  board: Board,
): Promise<MainLineAnswer> {
  const { start, steps, ruleDrawsAt }: MainLine<Board> = await mainLine(game, prober, board);
  return {
    position: described(game, prober, board, start),
    moves: steps.map((step) => moveAnswer(game, step)),
    ruleDrawsAt,
  };
}

function described<Board>(
  game: Game<Board>,
  { metric }: Prober<Board>,
  board: Board,
  { wdl, plies, precise, moves }: Probed<Board>,
): PositionAnswer {
  return {
    game: game.name,
    metric,
    position: game.format(board),
    slice: game.locate(board).slice,
    mover: game.mover(board),
    terminal: game.terminal(board),
    wdl,
    plies,
    ...(precise === false && { precise }),
    diagram: game.diagram(board),
    moves: moves.map((move) => moveAnswer(game, move)),
  };
}

function moveAnswer<Board>(
  game: Game<Board>,
  { uci, san, board, wdl, plies, precise, conversion }: ProbedMove<Board>,
): MoveAnswer {
  const position = game.format(board);
  return { uci, san, position, wdl, plies, ...(precise === false && { precise }), conversion };
}

/** A table of a slice, and whether it was verified. */
export interface KnownTable {
  readonly manifest: TableManifest;
  readonly verified: boolean;
}

/** @param tables those of all slices of the ending, by the names of the slices. */
export function endingAnswer(
  game: Game,
  ending: Ending,
  tables: ReadonlyMap<string, KnownTable>,
): EndingAnswer {
  const known = ending.slices.map((slice) => tables.get(slice)!);
  const views = viewsOf(game, ending).map(({ slice, flipped }) => ({ ...tables.get(slice)!, flipped }));
  const summed = (colour: Colour, of: (manifest: TableManifest) => readonly [number, number]): number =>
    views.reduce((sum, { manifest, flipped }) => sum + of(manifest)[sideOf(game, colour, flipped)], 0);
  const longest = (colour: Colour): number | null => {
    const plies = views.map(({ manifest, flipped }) => manifest.longestWin[sideOf(game, colour, flipped)]);
    return plies.reduce((most, each) => (each === null ? most : Math.max(most ?? 0, each)), null);
  };
  const bySide = <T>(of: (colour: Colour) => T): [T, T] => [of(game.colours[0]), of(game.colours[1])];
  const positions = bySide((colour) => summed(colour, (manifest) => manifest.positions));
  const wins = bySide((colour) => summed(colour, (manifest) => manifest.wins));
  const losses = bySide((colour) => summed(colour, (manifest) => manifest.losses));
  return {
    ending: ending.name,
    slices: [...ending.slices],
    pieces: ending.pieces,
    positions: positions[0] + positions[1],
    wins,
    draws: [positions[0] - wins[0] - losses[0], positions[1] - wins[1] - losses[1]],
    losses,
    longestWin: bySide(longest),
    verified: known.every(({ verified }) => verified),
  };
}

/** @param outcomes counts of `endingOutcomes` (pipeline/analysis) over the tables of the ending. */
export function histogramAnswer(
  game: Game,
  ending: Ending,
  outcomes: readonly SideOutcomes[],
): HistogramAnswer {
  const [first, second] = outcomes as [SideOutcomes, SideOutcomes];
  const longest = ({ longestWin }: SideOutcomes) =>
    longestWin === null ? null : game.format(longestWin.board);
  return {
    ending: ending.name,
    sides: [sideHistogram(first), sideHistogram(second)],
    longest: [longest(first), longest(second)],
  };
}

/** Cursed wins, which take more plies, are among the wins, and blessed losses among the losses. */
function sideHistogram({ results }: SideOutcomes): HistogramAnswer['sides'][0] {
  const counted = (...words: Wdl[]): [number, number][] =>
    words
      .flatMap((word) => results.get(word)?.byPly ?? [])
      .map(([plies, { orbits }]: readonly [number, Tally]) => [plies, orbits]);
  return {
    wins: counted('win', 'cursed win'),
    losses: counted('loss', 'blessed loss'),
    draws: results.get('draw')?.orbits ?? 0,
  };
}
