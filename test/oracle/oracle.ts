/**
 * The oracle: a naive solver that shares nothing with the product but the plain rules. It holds all positions of an
 * ending and of the endings that captures lead to in memory, finds successors by forward moves only, and passes over the
 * undecided positions again and again until nothing changes.
 *
 * dtm: plies to mate. dtc: plies until mate or a capture by either side after which the same side still wins; the
 * position after it has depth 0. The winner takes the least over winning moves, the loser the most over all moves.
 */
import { illegality } from '../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  inCheck,
  LETTERS,
  legalMoves,
  play,
  type Step,
} from '../../pipeline/games/chess/rules.js';

export type Metric = 'dtm' | 'dtc' | 'wdl';

/** For the side to move: 1 won, 0 drawn, -1 lost; plies by the metric, 0 for draws and for wdl. */
export interface OracleValue {
  readonly wdl: -1 | 0 | 1;
  readonly plies: number;
}

export interface Oracle {
  /** Distinct legal positions up to symmetry, both sides to move together. */
  readonly positions: number;
  /** The value of a legal board of the ending or of one that captures lead to. */
  value(board: ChessBoard): OracleValue;
  /** All positions of the ending, one board of each. */
  boards(): IterableIterator<ChessBoard>;
}

/** Won in n: n + 1; lost in n: -(n + 1); 0: drawn or not yet known. */
type Code = number;

/** The men of a board in a fixed order: white king, black king, the others by their numbers. */
function menOf(squares: Int8Array): number[] {
  const others = Array.from(squares).filter((man) => man !== 0 && man !== 1 && man !== -1);
  return [1, -1, ...others.sort((a, b) => a - b)];
}

function mirrored(symmetry: number, square: number): number {
  let file = square & 7;
  let rank = square >> 3;
  if (symmetry & 1) file = 7 - file;
  if (symmetry & 2) rank = 7 - rank;
  return symmetry & 4 ? file * 8 + rank : rank * 8 + file;
}

const MIRRORED = Array.from({ length: 8 }, (_, symmetry) =>
  Array.from({ length: 64 }, (_, square) => mirrored(symmetry, square)),
);
/** By square of the white king: the symmetries that bring it to the lowest square it can reach. */
const BEST = Array.from({ length: 64 }, (_, square) => {
  const least = Math.min(...MIRRORED.map((map) => map[square]));
  return MIRRORED.filter((map) => map[square] === least);
});

/** One number for a board and all that are symmetric to it: the least of the numbers that list the men's squares. */
function keyOf(men: readonly number[], board: ChessBoard): number {
  const { squares } = board;
  const slots: number[] = [];
  const places: number[] = [];
  for (let square = 0; square < 64; square++) {
    if (squares[square] === 0) continue;
    slots.push(men.indexOf(squares[square]));
    places.push(square);
  }
  let least = Infinity;
  for (const map of BEST[squares.indexOf(1)]) {
    const placed = new Array<number>(men.length).fill(-1);
    for (let i = 0; i < slots.length; i++) {
      let slot = slots[i];
      // Like men take the slots of their kind in ascending order of their squares.
      let moved = map[places[i]];
      for (; placed[slot] >= 0; slot++) {
        if (placed[slot] < moved) continue;
        const next = placed[slot];
        placed[slot] = moved;
        moved = next;
      }
      placed[slot] = moved;
    }
    let key: number = board.side;
    for (let slot = 0; slot < men.length; slot++) key = key * 64 + placed[slot];
    if (key < least) least = key;
  }
  return least;
}

function boardOf(men: readonly number[], key: number): ChessBoard {
  const squares = new Int8Array(64);
  for (let slot = men.length - 1; slot >= 0; slot--) {
    squares[key % 64] = men[slot];
    key = Math.floor(key / 64);
  }
  return { squares, side: key === 0 ? 0 : 1 };
}

/** Every legal position of the men once, numbered; by its key. */
function enumerate(men: readonly number[]): Map<number, number> {
  const numbers = new Map<number, number>();
  const squares = new Int8Array(64);
  const visit = (slot: number): void => {
    if (slot === men.length) {
      for (const side of [0, 1] as const) {
        const board = { squares, side };
        if (illegality(board) !== null) continue;
        const key = keyOf(men, board);
        if (!numbers.has(key)) numbers.set(key, numbers.size);
      }
      return;
    }
    for (let square = 0; square < 64; square++) {
      if (squares[square] !== 0) continue;
      if (slot === 0 && !BEST[square].includes(MIRRORED[0])) continue;
      squares[square] = men[slot];
      visit(slot + 1);
      squares[square] = 0;
    }
  };
  visit(0);
  return numbers;
}

/** Solved endings by their men. */
type Solved = Map<string, { men: number[]; numbers: Map<number, number>; codes: Int16Array }>;

/** Edges are numbers of successors; of successors by capture, which are solved, CAPTURE + their code. */
const CAPTURE = -100_000;

function solve(men: number[], byMate: boolean, solved: Solved): void {
  const name = men.join();
  if (solved.has(name)) return;
  const numbers = enumerate(men);
  const codes = new Int16Array(numbers.size);
  solved.set(name, { men, numbers, codes });
  const firstEdge = new Uint32Array(numbers.size + 1);
  let edges = new Int32Array(1 << 20);
  let count = 0;
  const captureCode = (after: ChessBoard): Code => {
    const left = menOf(after.squares);
    solve(left, byMate, solved);
    const ending = solved.get(left.join())!;
    const code = ending.codes[ending.numbers.get(keyOf(left, after))!];
    return byMate ? code : Math.sign(code);
  };
  const edgeOf = (board: ChessBoard, step: Step): number => {
    const after = play(board, step);
    if (board.squares[step.to] !== 0) return CAPTURE + captureCode(after);
    return numbers.get(keyOf(men, after))!;
  };
  let position = 0;
  for (const key of numbers.keys()) {
    const board = boardOf(men, key);
    for (const step of legalMoves(board)) {
      if (count === edges.length) {
        const longer = new Int32Array(2 * count);
        longer.set(edges);
        edges = longer;
      }
      edges[count++] = edgeOf(board, step);
    }
    firstEdge[++position] = count;
    if (firstEdge[position] === firstEdge[position - 1] && inCheck(board.squares, board.side)) {
      codes[position - 1] = -1;
    }
  }
  const longest = longestCapture(edges, count);
  for (let plies = 1; decide(plies, codes, firstEdge, edges) || plies <= longest; plies++);
}

/** The largest depth that a capture leads to. */
function longestCapture(edges: Int32Array, count: number): number {
  let longest = 0;
  for (let i = 0; i < count; i++) {
    if (edges[i] < 0) longest = Math.max(longest, Math.abs(edges[i] - CAPTURE));
  }
  return longest;
}

/** One pass: decides the positions won or lost in exactly `plies`. True if there were any. */
function decide(plies: number, codes: Int16Array, firstEdge: Uint32Array, edges: Int32Array): boolean {
  let any = false;
  for (let position = 0; position < codes.length; position++) {
    if (codes[position] !== 0 || firstEdge[position] === firstEdge[position + 1]) continue;
    let wins = false;
    let loses = true;
    for (let i = firstEdge[position]; i < firstEdge[position + 1]; i++) {
      const edge = edges[i];
      const code = edge < 0 ? edge - CAPTURE : codes[edge];
      // Codes of this very pass (plies + 1 in absolute value) count as not yet known.
      if (code === -plies) {
        wins = true;
        break;
      }
      if (code <= 0 || code > plies) loses = false;
    }
    if (wins) codes[position] = plies + 1;
    else if (loses) codes[position] = -(plies + 1);
    any ||= wins || loses;
  }
  return any;
}

/**
 * Solves an ending of two kings and up to two other men, such as "KQKR" (the first side is white), and all endings that
 * captures lead to. Needs seconds for 3 men and about a minute and a gigabyte for 4.
 */
export function solveOracle(ending: string, metric: Metric): Oracle {
  const match = /^(K[QRBN]*)(K[QRBN]*)$/.exec(ending);
  if (!match) throw new Error(`${ending} is no ending`);
  const board = new Int8Array(64);
  [...match[1]].forEach((letter, i) => {
    board[i] = LETTERS.indexOf(letter);
  });
  [...match[2]].forEach((letter, i) => {
    board[32 + i] = -LETTERS.indexOf(letter);
  });
  const men = menOf(board);
  const solved: Solved = new Map();
  solve(men, metric === 'dtm', solved);
  const { numbers } = solved.get(men.join())!;
  return {
    positions: numbers.size,
    value(of: ChessBoard): OracleValue {
      const found = menOf(of.squares);
      const its = solved.get(found.join())!;
      const code = its.codes[its.numbers.get(keyOf(found, of))!];
      const wdl = code === 0 ? 0 : code > 0 ? 1 : -1;
      return { wdl, plies: wdl === 0 || metric === 'wdl' ? 0 : Math.abs(code) - 1 };
    },
    *boards() {
      for (const key of numbers.keys()) yield boardOf(men, key);
    },
  };
}
