/**
 * The oracle for dtm50: a naive solver over (position, clock), which shares nothing with the product but the plain
 * rules. The value with c plies on the clock is the best of the moves. Quiet ones lead to values with c + 1, zeroing
 * ones to values with 0. With 100 plies on the clock a position is drawn unless it is mate. So no iteration is
 * needed. Clocks are done from 100 down to 0, and positions that captures and pawns lead to before those that they
 * come from.
 *
 * Boards with an en-passant right have values with clock 0 alone: the last move was one of a pawn.
 */
import {
  type ChessBoard,
  inCheck,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';
import { materialOf, menOf, type OraclePlacements, placementsOf, strongerFirst } from './placements.js';

/** Won in n: n + 1; lost in n: -(n + 1); 0: drawn. */
export type ClockCode = number;

const RULE = 100;
/** Edges are numbers of positions; those of solved positions, SOLVED + their code. */
const SOLVED = -100_000;

/** Positions whose pawns have gone as far, and their values with one number of plies on the clock. */
export interface ClockLayer {
  readonly clock: number;
  /** By number of the board; boards with an en-passant right come last, and have a code where the clock is 0. */
  readonly codes: Int16Array;
  readonly withRight: number;
  board(number: number): ChessBoard;
}

interface Ending {
  readonly placements: OraclePlacements;
  /** Codes with clock 0, by address. */
  readonly codes: Int16Array;
  /** The same of boards with an en-passant right, by 8 * address + file. */
  readonly rights: Map<number, ClockCode>;
}

/** How many ranks the pawns have gone: every move of a pawn adds to it. */
function advance({ squares }: ChessBoard): number {
  let ranks = 0;
  for (let square = 0; square < 64; square++) {
    if (squares[square] === PAWN) ranks += square >> 3;
    if (squares[square] === -PAWN) ranks += 7 - (square >> 3);
  }
  return ranks;
}

/** Positions whose pawns have gone as far. */
interface Alike {
  readonly addresses: number[];
  readonly rights: ChessBoard[];
}

/** The boards with an en-passant right that double steps lead to, each once. */
function withRights(placements: OraclePlacements, addresses: readonly number[]): ChessBoard[] {
  const found = new Map<number, ChessBoard>();
  if (!placements.men.includes(PAWN) || !placements.men.includes(-PAWN)) return [];
  for (const address of addresses) {
    const board = placements.boardAt(address);
    for (const step of legalMoves(board)) {
      const after = play(board, step);
      if (after.passant === undefined) continue;
      const [own, image] = placements.orbit(after);
      const file = after.passant & 7;
      found.set(Math.min(8 * own + file, 8 * image + 7 - file), after);
    }
  }
  return [...found.values()];
}

/**
 * Solves an ending of at most four men, and those that captures and promotions lead to.
 * @param see is shown all layers of the ending itself.
 * @param known codes with clock 0 of other endings, in place of their solution here.
 */
export function solveDtm50(
  name: string,
  see: (layer: ClockLayer) => void,
  known: ((board: ChessBoard) => ClockCode) | null = null,
): void {
  const solved = new Map<number, Ending>();
  const men = [...name].map((letter, i) => {
    const man = LETTERS.indexOf(letter);
    return i >= name.lastIndexOf('K') ? -man : man;
  });
  const asked = materialOf(Int8Array.from({ length: 64 }, (_, square) => men[square] ?? 0));

  function endingOf({ squares }: ChessBoard): Ending {
    const material = materialOf(squares);
    let ending = solved.get(material);
    if (ending === undefined) {
      const placements = placementsOf(menOf(squares));
      ending = { placements, codes: new Int16Array(placements.size), rights: new Map() };
      solved.set(material, ending);
      solveEnding(ending, codeAfter, material === asked ? see : () => {});
    }
    return ending;
  }

  function codeAfter(of: ChessBoard): ClockCode {
    const board = strongerFirst(of);
    if (known !== null && materialOf(board.squares) !== asked) return known(board);
    const { placements, codes, rights } = endingOf(board);
    const address = placements.addressOf(board);
    return board.passant === undefined ? codes[address] : rights.get(8 * address + (board.passant & 7))!;
  }

  endingOf({ squares: Int8Array.from({ length: 64 }, (_, square) => men[square] ?? 0), side: 0 });
}

function solveEnding(
  ending: Ending,
  codeAfter: (board: ChessBoard) => ClockCode,
  see: (layer: ClockLayer) => void,
): void {
  const { placements, codes, rights } = ending;
  const addresses = placements.representatives();
  const byAdvance = new Map<number, Alike>();
  const alikeTo = (board: ChessBoard): Alike => {
    const ranks = advance(board);
    if (!byAdvance.has(ranks)) byAdvance.set(ranks, { addresses: [], rights: [] });
    return byAdvance.get(ranks)!;
  };
  for (const address of addresses) alikeTo(placements.boardAt(address)).addresses.push(address);
  for (const board of withRights(placements, addresses)) alikeTo(board).rights.push(board);
  const numbers = new Int32Array(placements.size);
  for (const [, alike] of [...byAdvance].sort(([a], [b]) => b - a)) {
    solveAlike({ placements, numbers, ...alike }, codeAfter, see, (board, code) => {
      const orbit = placements.orbit(board);
      if (board.passant === undefined) for (const address of orbit) codes[address] = code;
      else {
        const file = board.passant & 7;
        rights.set(8 * orbit[0] + file, code).set(8 * orbit[1] + 7 - file, code);
      }
    });
  }
}

/** Solves positions that quiet moves lead among, when all are solved that other moves lead to. */
function solveAlike(
  { placements, numbers, addresses, rights }: Alike & Pick<Ending, 'placements'> & { numbers: Int32Array },
  codeAfter: (board: ChessBoard) => ClockCode,
  see: (layer: ClockLayer) => void,
  settle: (board: ChessBoard, code: ClockCode) => void,
): void {
  const plain = addresses.length;
  const count = plain + rights.length;
  const withRight = rights.length;
  const board = (i: number) => (i < plain ? placements.boardAt(addresses[i]) : rights[i - plain]);
  for (let i = 0; i < plain; i++) {
    for (const address of placements.orbit(board(i))) numbers[address] = i;
  }
  const firstEdge = new Uint32Array(count + 1);
  const mated = new Uint8Array(count);
  let edges = new Int32Array(1 << 12);
  let edge = 0;
  for (let i = 0; i < count; i++) {
    const before = board(i);
    const steps = legalMoves(before);
    if (steps.length === 0 && inCheck(before.squares, before.side)) mated[i] = 1;
    for (const step of steps) {
      const after = play(before, step);
      const zeroes = isCapture(before, step) || Math.abs(before.squares[step.from]) === PAWN;
      if (edge === edges.length) {
        const longer = new Int32Array(2 * edge);
        longer.set(edges);
        edges = longer;
      }
      edges[edge++] = zeroes ? SOLVED + codeAfter(after) : numbers[placements.addressOf(after)];
    }
    firstEdge[i + 1] = edge;
  }
  let codes = Int16Array.from(mated, (isMated) => (isMated ? -1 : 0));
  see({ clock: RULE, board, codes, withRight });
  for (let clock = RULE - 1; clock >= 0; clock--) {
    const next = codes;
    codes = new Int16Array(count);
    const end = clock === 0 ? count : plain;
    for (let i = 0; i < end; i++) {
      if (firstEdge[i] === firstEdge[i + 1]) codes[i] = mated[i] ? -1 : 0;
      else codes[i] = best(edges, firstEdge[i], firstEdge[i + 1], next);
    }
    see({ clock, board, codes, withRight });
  }
  for (let i = 0; i < count; i++) settle(board(i), codes[i]);
}

/** The code of the best move: the shortest win, else a draw, else the longest loss. */
function best(edges: Int32Array, from: number, to: number, next: Int16Array): ClockCode {
  let win = 0;
  let draws = false;
  let longest = 0;
  for (let e = from; e < to; e++) {
    const edge = edges[e];
    const code = edge < 0 ? edge - SOLVED : next[edge];
    // A position lost in n there has the code -(n + 1), and makes a win in n + 1 here, with the code n + 2.
    if (code < 0 && (win === 0 || 1 - code < win)) win = 1 - code;
    else if (code === 0) draws = true;
    else if (code > longest) longest = code;
  }
  if (win > 0) return win;
  return draws ? 0 : -(longest + 1);
}
