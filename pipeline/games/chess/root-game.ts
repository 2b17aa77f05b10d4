/**
 * A view of chess for the tables of one root (root.ts): `locate` finds the slice that has a position, however many men it has. That is a
 * slice of the root, or of an ending at which solving stopped.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Address, Game, Side } from '../../game/game.js';
import type { Metric } from '../../game/stipulation.js';
import { UntabledError } from '../../game/untabled.js';
import { chess, locateIn, shapeOfBoard } from './chess.js';
import { illegality, parseManyMen } from './fen.js';
import { readRoot } from './root.js';
import { forbids } from './root-never.js';
import { type Bound, EXCHANGED, lookedUpSlice, nameOfShape, rootIn, spaceOfShape } from './root-slices.js';
import { type Source, type Structures, structuresOf } from './root-structures.js';
import { type ChessBoard, exchangeColours, LETTERS, PAWN, squareOf } from './rules.js';
import { exchanged, type Naming, nameOf, namingFor } from './shape.js';

export interface RootGame extends Game<ChessBoard> {
  /** The name of the root. */
  readonly root: string;
  /** Which metrics its tables may have. */
  readonly naming: Naming;
  /** Letters of the pieces that pawns become. */
  readonly promotions: string;
  /** The side that does not make all of its moves; null: both do. */
  readonly restricted: Side | null;
  /** Whether a promotion, or another move, is one that the root forbids. It counts as a loss. `moves` leaves such moves out. */
  isForbidden(board: ChessBoard, uci: string): boolean;
  /** Whether a slice of the root has the position. */
  holds(board: ChessBoard): boolean;
  /** Whether the position has two values, because unknown positions can be reached from it. */
  isBounded(board: ChessBoard): boolean;
}

/** The metrics whose slices have names of a kind. */
export function metricsOf(naming: Naming): [Metric, ...Metric[]] {
  return chess.metrics.filter((metric) => namingFor(metric) === naming) as [Metric, ...Metric[]];
}

/** @param bound which of two tables is read where a position has two values. @throws UserError if `root` is not the name of a root. */
export function rootGame(root: string, bound: Bound): RootGame {
  const read = readRoot(root);
  if (read === null)
    throw new UserError(`${JSON.stringify(root)} is not the name of a root, such as KPKP_d4d5`);
  const structures = structuresOf(read);
  const base = read.naming === 'sided' ? chess.sided! : chess;
  const isForbidden = (board: ChessBoard, uci: string) => {
    const becomes = uci[4]?.toUpperCase() ?? '';
    return !read.promotions.includes(becomes) || isNever(structures, board, uci);
  };
  const isAssumed = (board: ChessBoard) => [null, 'unknown'].includes(spotOf(structures, board));
  return {
    ...base,
    root,
    sided: undefined,
    metrics: metricsOf(read.naming),
    naming: read.naming,
    promotions: read.promotions,
    restricted: read.never?.side ?? null,
    isForbidden,
    moves: (board) => base.moves(board).filter(({ uci }) => !isForbidden(board, uci)),
    parse: parseManyMen,
    // Values of the unknown are assumed, also where a capture mates.
    terminal: (board) => (isAssumed(board) ? 'open' : base.terminal(board)),
    holds: (board) => spotOf(structures, board) === 'solved',
    isBounded: (board) => structures.isBounded(shapeOfBoard(board)),
    locate: (board) => locateFrom(base, root, structures, bound, board),
  };
}

/**
 * The view for the positions of an ending of a root: all of its positions by one of their values ("ROOT.lo"), or those of one slice, perhaps with
 * the colours exchanged. Null if the name is of no root.
 */
export function viewOfEnding(name: string): RootGame | null {
  const isExchanged = name.endsWith(EXCHANGED);
  const bare = isExchanged ? name.slice(0, -EXCHANGED.length) : name;
  const root = rootIn(bare);
  if (root === null) return null;
  const game = rootGame(root, bare.endsWith('.lo') ? 'lo' : 'hi');
  return isExchanged ? { ...game, locate: (board) => game.locate(exchangeColours(board)) } : game;
}

/** Whether the restriction of the root forbids a move. */
function isNever(structures: Structures, board: ChessBoard, uci: string): boolean {
  const { never } = structures.root;
  if (never === null || never.side !== board.side) return false;
  const reached = structures.shapes.get(nameOf(shapeOfBoard(board)));
  const pawns = pawnsOf(board).join();
  const number = reached?.structures.findIndex((each) => each.join() === pawns) ?? -1;
  if (number < 0) return false;
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)].map(squareOf);
  const man = Math.abs(board.squares[from]);
  const captures = board.squares[to] !== 0 || (man === PAWN && to === board.passant);
  return forbids(reached!.forbidden![number], { man: LETTERS[man], from, to, captures });
}

/** How the value of a board is found; null if the board cannot be reached from the root. */
function spotOf(structures: Structures, board: ChessBoard): Source | null {
  const shape = shapeOfBoard(board);
  const reached = structures.shapes.get(nameOf(shape));
  if (reached === undefined) return null;
  const source = structures.sourceOf(shape);
  if (source === 'ending' || source === 'unknown') return source;
  const squares = pawnsOf(board).join();
  return reached.structures.some((each) => each.join() === squares) ? source : null;
}

/** The squares of the pawns, in the order in which structures list them (root-structures.ts). */
function pawnsOf({ squares, side, passant }: ChessBoard): number[] {
  const taken = passant === undefined ? -1 : passant + (side === 0 ? -8 : 8);
  const white: number[] = [];
  const black: number[] = [];
  for (let square = 0; square < squares.length; square++) {
    if (square === taken) continue;
    if (squares[square] === PAWN) white.push(square);
    else if (squares[square] === -PAWN) black.push(square);
  }
  return [...(taken < 0 ? [] : [taken]), ...white, ...black];
}

function locateFrom(
  base: Game<ChessBoard>,
  root: string,
  structures: Structures,
  bound: Bound,
  board: ChessBoard,
): Address {
  const wrong = illegality(board);
  if (wrong) throw new UserError(`illegal position: ${wrong}`);
  const spot = spotOf(structures, board);
  if (spot === 'ending') return base.locate(board);
  if (spot === 'solved') {
    const shape = shapeOfBoard(board);
    const name = nameOfShape(root, structures, shape, bound);
    return locateIn(spaceOfShape({ structures, shape }, name), board);
  }
  if (spot === 'files') {
    const shape = shapeOfBoard(board);
    const { slice, flipped } = lookedUpSlice(root, shape);
    const space = spaceOfShape({ structures, shape: flipped ? exchanged(shape) : shape }, slice);
    return locateIn(space, flipped ? exchangeColours(board) : board);
  }
  // A promotion that the root forbids leads to a shape that cannot be reached.
  const assumed = spot === 'unknown' ? bound : 'no';
  if (assumed === 'no' && structures.root.promotions.length === 4)
    throw new UntabledError(`the position cannot be reached from ${root}`);
  return { slice: assumedSlice(root, structures, assumed), side: board.side, part: 0, key: 0 };
}

/** The name of an assumed slice of the root. Those with the same assumption all have the same values, so any of them will do. */
function assumedSlice(root: string, structures: Structures, assumed: Bound | 'no'): string {
  const [{ shape }] = [...structures.shapes.values()].filter(
    ({ shape }) => structures.sourceOf(shape) === 'solved',
  );
  return `${nameOfShape(root, structures, shape, assumed === 'no' ? 'hi' : assumed)}~${assumed}`;
}
