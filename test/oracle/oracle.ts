/**
 * The oracle: a naive solver that shares nothing with the product but the plain rules. It holds in memory all positions of an
 * ending and of the endings that captures and promotions lead to. It finds successors by forward moves only, and passes over
 * the undecided positions again and again until nothing changes. Boards with an en-passant right are positions of their own.
 * Those that a double step of a legal board leads to are solved.
 *
 * dtm: plies to mate. dtc: plies until mate or a capture or promotion by either side after which the same side still wins. The
 * position after it has depth 0.
 *
 * dtz: plies until mate or a capture or move of a pawn by either side. The same side still wins after it, with the
 * 50-move rule. If that side can no longer win under the rule, the position after the move has depth 100. A value of
 * more than 100 plies is no win under the rule, for the counter is full after a capture or pawn move. See Koistinen
 * 2001, "What should the result be". Syzygy's tables call these wins cursed. The winner takes the least over winning
 * moves, the loser the most over all moves.
 */
import {
  type ChessBoard,
  type CoordinateMove,
  inCheck,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';
import { materialOf, menOf, type OraclePlacements, placementsOf, strongerFirst } from './placements.js';

export type OracleMetric = 'dtm' | 'dtc' | 'wdl';

/** Value for the side to move: 1 won, 0 drawn, -1 lost; plies by the metric, 0 for draws and for wdl. */
export interface OracleValue {
  /** Without the 50-move rule. */
  readonly wdl: -1 | 0 | 1;
  readonly plies: number;
  /** Whether, for dtz alone, the 50-move rule makes it a draw (a cursed win, a blessed loss). */
  readonly cursed: boolean;
}

export interface Oracle {
  /** Distinct legal positions up to symmetry, both sides to move together. */
  readonly positions: number;
  /** The value of a legal board of the ending or of one that captures and promotions lead to. */
  value(board: ChessBoard): OracleValue;
  /** All positions of the ending, one board of each; those with an en-passant right last. */
  boards(): IterableIterator<ChessBoard>;
}

/** Won in n: n + 1; lost in n: -(n + 1); 0: drawn or not yet known. */
type Code = number;

interface Ending {
  readonly placements: OraclePlacements;
  /** Codes by address; all symmetric boards have their code. Behind them the boards with an en-passant right. */
  readonly codes: Int16Array;
  /** Places in `codes` of boards with an en-passant right, by 8 * address + file of the right. */
  readonly rights: ReadonlyMap<number, number>;
  /** The representatives, and one board of each place for a right. */
  readonly addresses: readonly number[];
  readonly withRight: readonly ChessBoard[];
}

function placeOf({ placements, rights }: Ending, board: ChessBoard): number {
  const address = placements.addressOf(board);
  return board.passant === undefined ? address : rights.get(8 * address + (board.passant & 7))!;
}

/** The boards with an en-passant right that double steps of the representatives lead to. */
function findRights(placements: OraclePlacements, addresses: readonly number[]) {
  const rights = new Map<number, number>();
  const withRight: ChessBoard[] = [];
  const { men } = placements;
  if (!men.includes(PAWN) || !men.includes(-PAWN)) return { rights, withRight };
  for (const address of addresses) {
    const board = placements.boardAt(address);
    for (const step of legalMoves(board)) {
      if (Math.abs(board.squares[step.from]) !== PAWN || Math.abs(step.to - step.from) !== 16) continue;
      const after = play(board, step);
      if (after.passant === undefined) continue;
      const file = after.passant & 7;
      const [own, image] = placements.orbit(after);
      rights.set(8 * own + file, placements.size + withRight.length);
      rights.set(8 * image + 7 - file, placements.size + withRight.length);
      withRight.push(after);
    }
  }
  return { rights, withRight };
}

/** How many ranks the pawns have gone. Every move of a pawn adds to it, so the endings of few men are solved in its order. */
function advance({ squares }: ChessBoard): number {
  let ranks = 0;
  for (let square = 0; square < 64; square++) {
    if (squares[square] === PAWN) ranks += square >> 3;
    if (squares[square] === -PAWN) ranks += 7 - (square >> 3);
  }
  return ranks;
}

/** Edges are places of successors in `codes`; of successors that are solved already, SOLVED + their code. */
const SOLVED = -100_000;

interface Graph {
  /** Edges of position i: targets[firstEdge[i]..firstEdge[i + 1]). */
  readonly firstEdge: Uint32Array;
  readonly targets: Int32Array;
}

/** The graph of the positions: `targetsOf` gives the targets of a position. */
function graphOf(positions: number, targetsOf: (position: number) => number[]): Graph {
  const firstEdge = new Uint32Array(positions + 1);
  let targets = new Int32Array(1 << 10);
  let count = 0;
  for (let i = 0; i < positions; i++) {
    for (const target of targetsOf(i)) {
      if (count === targets.length) {
        const longer = new Int32Array(2 * count);
        longer.set(targets);
        targets = longer;
      }
      targets[count++] = target;
    }
    firstEdge[i + 1] = count;
  }
  return { firstEdge, targets: targets.subarray(0, count) };
}

/** Calls `settle` for all positions won or lost in exactly `plies` plies. True if there were any. */
function pass(
  plies: number,
  { firstEdge, targets }: Graph,
  places: ArrayLike<number>,
  codes: Int16Array,
  settle: (position: number, code: Code) => void,
): boolean {
  let any = false;
  for (let i = 0; i < places.length; i++) {
    if (codes[places[i]] !== 0 || firstEdge[i] === firstEdge[i + 1]) continue;
    let wins = false;
    let loses = true;
    for (let edge = firstEdge[i]; edge < firstEdge[i + 1]; edge++) {
      const target = targets[edge];
      const code = target < 0 ? target - SOLVED : codes[target];
      if (code === -plies) {
        wins = true;
        break;
      }
      // Codes of this very pass (plies + 1 in absolute value) count as not yet known.
      if (code <= 0 || code > plies) loses = false;
    }
    if (wins) settle(i, plies + 1);
    else if (loses) settle(i, -(plies + 1));
    any ||= wins || loses;
  }
  return any;
}

/** The largest depth of a solved successor. */
function longestSolved(targets: Int32Array): number {
  let longest = 0;
  for (const target of targets) if (target < 0) longest = Math.max(longest, Math.abs(target - SOLVED));
  return longest;
}

function isPawnMove(board: ChessBoard, step: CoordinateMove): boolean {
  return Math.abs(board.squares[step.from]) === PAWN;
}

/** Positions of an ending whose pawns have gone as far: places in `codes`. Solves them when all that follow are solved. */
function solveAlike(ending: Ending, places: readonly number[], codeAfter: CodeAfter): void {
  const { placements, codes, withRight } = ending;
  const boardOf = (place: number) =>
    place < placements.size ? placements.boardAt(place) : withRight[place - placements.size];
  const graph = graphOf(places.length, (i) => {
    const board = boardOf(places[i]);
    const steps = legalMoves(board);
    if (steps.length === 0 && inCheck(board.squares, board.side)) settle(i, -1);
    return steps.map((step) => {
      const after = play(board, step);
      const isSolved = isPawnMove(board, step) || isCapture(board, step);
      return isSolved ? SOLVED + codeAfter(board, step, after) : placements.addressOf(after);
    });
  });
  function settle(i: number, code: Code): void {
    if (places[i] >= placements.size) codes[places[i]] = code;
    else for (const image of placements.orbit(boardOf(places[i]))) codes[image] = code;
  }
  const longest = longestSolved(graph.targets);
  for (let plies = 1; pass(plies, graph, places, codes, settle) || plies <= longest; plies++);
}

/** The code with which a solved successor enters the values of the positions before it. */
type CodeAfter = (board: ChessBoard, step: CoordinateMove, after: ChessBoard) => Code;

function solveEnding(men: readonly number[], codeAfter: CodeAfter, known: (ending: Ending) => void): void {
  const placements = placementsOf(men);
  const addresses = placements.representatives();
  const { rights, withRight } = findRights(placements, addresses);
  const codes = new Int16Array(placements.size + withRight.length);
  const ending = { placements, addresses, rights, withRight, codes };
  known(ending);
  const byAdvance = new Map<number, number[]>();
  const file = (board: ChessBoard, place: number) => {
    const ranks = advance(board);
    if (!byAdvance.has(ranks)) byAdvance.set(ranks, []);
    byAdvance.get(ranks)!.push(place);
  };
  for (const address of addresses) file(placements.boardAt(address), address);
  for (const [i, board] of withRight.entries()) file(board, placements.size + i);
  for (const [, places] of [...byAdvance].sort(([a], [b]) => b - a)) solveAlike(ending, places, codeAfter);
}

/** A board with the men of an ending such as "KQKR". Throws an error for a name that is no ending, stronger side first. */
function someBoard(ending: string): ChessBoard {
  const match = /^(K[QRBNP]*)(K[QRBNP]*)$/.exec(ending);
  if (!match) throw new Error(`${ending} is no ending`);
  const squares = new Int8Array(64);
  [...match[1]].forEach((letter, i) => {
    squares[i] = LETTERS.indexOf(letter);
  });
  [...match[2]].forEach((letter, i) => {
    squares[32 + i] = -LETTERS.indexOf(letter);
  });
  const board: ChessBoard = { squares, side: 0 };
  if (strongerFirst(board) !== board) throw new Error(`${ending}: the stronger side is to be named first`);
  return board;
}

const small = new Map<string, Oracle>();

/** As {@link solveOracle}; endings of three men are solved once for all test files of a process. */
export function knownOracle(name: string, metric: OracleMetric | 'dtz'): Oracle {
  const key = `${name} ${metric}`;
  const known = small.get(key);
  if (known !== undefined) return known;
  const solved = solveOracle(name, metric);
  if (name.length === 3) small.set(key, solved);
  return solved;
}

/**
 * Solves an ending of two kings and up to two other men, such as "KQKR" (the first side is white). Solves all endings that
 * captures and promotions lead to, too. Needs seconds for 3 men, and about a minute and a gigabyte for 4 without pawns. KPKP
 * with all that follows it needs about 20 minutes. The 50-move rule lets a win have `rule` plies.
 */
export function solveOracle(name: string, metric: OracleMetric | 'dtz', rule = 100): Oracle {
  const solved = new Map<number, Ending>();

  function endingOf({ squares }: ChessBoard): Ending {
    const material = materialOf(squares);
    const found = solved.get(material);
    if (found) return found;
    solveEnding(menOf(squares), codeAfter, (ending) => solved.set(material, ending));
    return solved.get(material)!;
  }

  function codeOf(of: ChessBoard): Code {
    const board = strongerFirst(of);
    const ending = endingOf(board);
    return ending.codes[placeOf(ending, board)];
  }

  function codeAfter(board: ChessBoard, step: CoordinateMove, after: ChessBoard): Code {
    const code = codeOf(after);
    const staysInEnding = !isCapture(board, step) && step.promotion === undefined;
    if (metric === 'dtm' || (metric !== 'dtz' && staysInEnding)) return code;
    return Math.sign(code) * (metric === 'dtz' && Math.abs(code) - 1 > rule ? rule + 1 : 1);
  }

  const asked = endingOf(someBoard(name));
  return {
    positions: asked.addresses.length + asked.withRight.length,
    value(board) {
      const code = codeOf(board);
      const wdl = code === 0 ? 0 : code > 0 ? 1 : -1;
      const plies = wdl === 0 || metric === 'wdl' ? 0 : Math.abs(code) - 1;
      return { wdl, plies, cursed: metric === 'dtz' && plies > rule };
    },
    *boards() {
      for (const address of asked.addresses) yield asked.placements.boardAt(address);
      yield* asked.withRight;
    },
  };
}
