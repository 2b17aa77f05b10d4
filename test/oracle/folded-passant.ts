/**
 * What published tables of helpmates (osick/helpmate-tablebase) count otherwise than the rules. They have no positions with a right to capture
 * en passant: a double step leads to the position without the right, with the least of its value and that of the capture. So a double step that
 * would mate but for the capture counts as a mate.
 *
 * The positions that this changes are found without their tables: first those after such a double step, which count as mates, then ply by ply
 * the positions from which moves lead there. Each is one ply further away, with the solutions of its moves added up, beside those by the rules
 * if these are as short.
 */
import {
  eachMove,
  eachRight,
  fenOf,
  forward,
  isInCheck,
  maps,
  nameOf,
  PAWN,
  type ProblemBoard,
  type ProblemValue,
  raysOfMan,
} from './problems.js';

/** A position, one of each pair of mirror images, that has no right to capture en passant. */
export interface Changed {
  readonly fen: string;
  readonly side: 0 | 1;
  /** Null: no solution. */
  readonly byTheRules: ProblemValue | null;
  readonly published: ProblemValue;
}

/** A position from which more solutions begin than by the rules. */
interface Gained {
  readonly board: ProblemBoard;
  gain: number;
}

const MOST = 255;
const LETTERS = ' KQRBNP';
const PIECES = 'QRBN';

/** @param name of an ending with one pawn of Black, as "KBPvKP". @param ruled the value by the rules of a position of the ending or of one that promotions of White lead to. */
export async function* changedByFolding(
  name: string,
  ruled: (fen: string) => Promise<ProblemValue | null>,
): AsyncGenerator<Changed> {
  const names = withPromotions(name);
  let last = [...names].flatMap((each) => [...falseMates(each)].map((board) => ({ board, gain: 1 })));
  /** Positions that have fewer plies than by the rules. */
  const nearer = new Set<string>();
  for (let ply = 0; last.length > 0; ply++) {
    const before = new Map<string, Gained>();
    for (const { board, gain } of last) {
      const fen = fenOf(board);
      if (nearer.has(fen)) continue;
      const byTheRules = await ruled(fen);
      const plies = byTheRules?.plies ?? Number.POSITIVE_INFINITY;
      const known = plies === ply ? byTheRules!.number : 0;
      if (plies < ply || known === MOST) continue;
      if (plies > ply) nearer.add(fen);
      const number = Math.min(MOST, known + gain);
      if (board.passant < 0 && nameOf(board.squares) === name)
        yield { fen, side: board.side, byTheRules, published: { plies: ply, number } };
      eachBefore(board, names, (position) => {
        const one = canonical(position);
        const key = fenOf(one);
        const found = before.get(key);
        if (found === undefined) before.set(key, { board: one, gain: number - known });
        else found.gain = Math.min(MOST, found.gain + number - known);
      });
    }
    last = [...before.values()];
  }
}

/** The ending, and those that White's promotions lead to in which both sides have a pawn. */
function withPromotions(name: string): Set<string> {
  const found = new Set([name]);
  for (const each of found) {
    const [white, black] = each.split('v');
    if (white.split('P').length < 3) continue;
    for (const piece of PIECES) found.add(`${inOrder(white.replace('P', piece))}v${black}`);
  }
  return found;
}

const inOrder = (men: string) => [...men].sort((a, b) => LETTERS.indexOf(a) - LETTERS.indexOf(b)).join('');

/** Positions, one of each pair of mirror images, in which Black is mated but for a capture en passant that is legal. */
function* falseMates(name: string): Generator<ProblemBoard> {
  const [white, black] = name.split('v');
  const others = [...black.slice(1).replace('P', '')].map((letter) => -LETTERS.indexOf(letter));
  const men = [
    1,
    -1,
    ...[...white.slice(1).replace('P', '')].map((letter) => LETTERS.indexOf(letter)),
    ...others,
  ];
  const squares = new Int8Array(64);
  function* put(i: number, least: number, passant: number): Generator<ProblemBoard> {
    if (i < men.length) {
      const [first, end] = Math.abs(men[i]) === PAWN ? [8, 56] : [0, 64];
      for (let at = men[i] === men[i - 1] ? Math.max(first, least) : first; at < end; at++) {
        // The double step crossed two squares.
        if (squares[at] !== 0 || at === passant || at === passant - 8) continue;
        squares[at] = men[i];
        yield* put(i + 1, at + 1, passant);
        squares[at] = 0;
      }
      return;
    }
    if (!isInCheck(squares, 1) || isInCheck(squares, 0)) return;
    const board = { squares, side: 1, passant } as const;
    let captures = 0;
    let isMate = true;
    eachMove(board, (_, __, ___, to) => {
      if (squares[to] === -PAWN && to === passant) captures++;
      else isMate = false;
      return isMate;
    });
    if (!isMate || captures === 0) return;
    // The double step was legal.
    squares[passant + 8] = 0;
    squares[passant - 8] = PAWN;
    const wasLegal = !isInCheck(squares, 1);
    squares[passant - 8] = 0;
    squares[passant + 8] = PAWN;
    if (wasLegal) yield { squares: squares.slice(), side: 1, passant };
  }
  for (let file = 0; file < 4; file++) {
    squares[24 + file] = PAWN;
    for (const beside of [file - 1, file + 1]) {
      if (beside < 0) continue;
      squares[24 + beside] = -PAWN;
      yield* put(0, 0, 16 + file);
      squares[24 + beside] = 0;
    }
    squares[24 + file] = 0;
  }
}

/** Of a position and its mirror image, the one whose king of White is on the left. */
function canonical({ squares, side, passant }: ProblemBoard): ProblemBoard {
  const map = maps[(squares.indexOf(1) & 7) < 4 ? 0 : 1];
  return {
    squares: squares.map((_, square) => squares[map[square]]),
    side,
    passant: passant < 0 ? -1 : map[passant],
  };
}

/** Shows each position of the endings from which a move without a capture leads to this one, with each right to capture en passant, on the same squares. */
function eachBefore(
  { squares, side, passant }: ProblemBoard,
  names: ReadonlySet<string>,
  see: (before: ProblemBoard) => void,
): void {
  const mover = side === 0 ? 1 : 0;
  const own = mover === 0 ? 1 : -1;
  const up = forward(mover);
  const takeBack = (from: number, to: number, was: number) => {
    const is = squares[to];
    squares[to] = 0;
    squares[from] = was;
    if (!isInCheck(squares, side) && names.has(nameOf(squares)))
      eachRight({ squares, side: mover, passant: -1 }, see);
    squares[from] = 0;
    squares[to] = is;
  };
  // Only a double step gives a right to capture en passant.
  if (passant >= 0) {
    takeBack(passant - up, passant + up, own * PAWN);
    return;
  }
  for (let to = 0; to < 64; to++) {
    const man = squares[to] * own;
    if (man <= 0) continue;
    if (man !== PAWN)
      for (const line of raysOfMan[man][to])
        for (let i = 0; i < line.length && squares[line[i]] === 0; i++) takeBack(line[i], to, squares[to]);
    const one = to - up;
    const isPromoted = to >> 3 === (mover === 0 ? 7 : 0) && man > 1;
    if ((man !== PAWN && !isPromoted) || one < 8 || one >= 56 || squares[one] !== 0) continue;
    takeBack(one, to, own * PAWN);
    const two = one - up;
    if (man !== PAWN || two >> 3 !== (mover === 0 ? 1 : 6) || squares[two] !== 0) continue;
    const isWatched = [to - 1, to + 1].some((at) => at >> 3 === to >> 3 && squares[at] === -own * PAWN);
    if (!isWatched) takeBack(two, to, own * PAWN);
  }
}
