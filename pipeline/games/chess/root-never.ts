/**
 * Restrictions of a root (root.ts): moves that one side does not make. With fewer moves a side does no better than without the restriction,
 * so a win or a draw that it still has is a true one; its losses say nothing.
 *
 * The text in the name of a root: the side, then squares that none of its men leaves (f), squares that none enters (t), and captures of a kind
 * of men on a square (x), each in order: "wfe1ta1xRc1". "A" stands for all kinds.
 */
import type { Side } from '../../game/game.js';
import { SYMMETRY } from './geometry.js';
import type { Forbidden } from './placements.js';
import { squareName, squareOf } from './rules.js';

/** Men that capture, by the kinds of geometry.ts. */
const KINDS = 'QRBNKP';
const ALL = 'A';

export interface Never {
  readonly side: Side;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly takes: readonly { readonly man: string; readonly square: number }[];
}

export const NEVER = /^([wb])((?:f[a-h][1-8])*)((?:t[a-h][1-8])*)((?:x[QRBNKPA][a-h][1-8])*)$/;

/** @param text that {@link NEVER} matches. */
export function readNever(text: string): Never {
  const [, side, from, to, takes] = NEVER.exec(text)!;
  const squares = (all: string) => (all.match(/[a-h][1-8]/g) ?? []).map(squareOf);
  const captures = takes.match(/[QRBNKPA][a-h][1-8]/g) ?? [];
  return {
    side: side === 'w' ? 0 : 1,
    from: squares(from),
    to: squares(to),
    takes: captures.map((each) => ({ man: each[0], square: squareOf(each.slice(1)) })),
  };
}

/** The text of a restriction, in order and each part once. */
export function nameOfNever({ side, from, to, takes }: Never): string {
  const inOrder = (squares: readonly number[]) => [...new Set(squares)].sort((a, b) => a - b).map(squareName);
  const order = `${KINDS}${ALL}`;
  const captures = [...takes]
    .sort((a, b) => a.square - b.square || order.indexOf(a.man) - order.indexOf(b.man))
    .map(({ man, square }) => `x${man}${squareName(square)}`);
  const parts = [
    ...inOrder(from).map((square) => `f${square}`),
    ...inOrder(to).map((square) => `t${square}`),
    ...new Set(captures),
  ];
  return `${'wb'[side]}${parts.join('')}`;
}

const MEN = {
  Q: 'a queen',
  R: 'a rook',
  B: 'a bishop',
  N: 'a knight',
  K: 'the king',
  P: 'a pawn',
  A: 'any man',
};

/** "White never leaves e1, enters a1 or captures on c1 with a rook" */
export function wordsOfNever({ side, from, to, takes }: Never): string {
  const squares = (all: readonly number[]) => all.map(squareName).join(' or ');
  const parts = [
    ...(from.length > 0 ? [`leaves ${squares(from)}`] : []),
    ...(to.length > 0 ? [`enters ${squares(to)}`] : []),
    ...takes.map(
      ({ man, square }) => `captures on ${squareName(square)} with ${MEN[man as keyof typeof MEN]}`,
    ),
  ];
  return `${['White', 'Black'][side]} never ${parts.join(' or ')}`;
}

export function mirrorNever({ side, from, to, takes }: Never): Never {
  const image = (square: number) => SYMMETRY[64 + square];
  return {
    side,
    from: from.map(image),
    to: to.map(image),
    takes: takes.map(({ man, square }) => ({ man, square: image(square) })),
  };
}

/** Whether a move is forbidden. `man`: its letter; `from`: -1 from any square. */
export function forbids(
  { from, to, takes }: Forbidden,
  move: { readonly man: string; readonly from: number; readonly to: number; readonly captures: boolean },
): boolean {
  const has = (set: bigint, square: number) => square >= 0 && ((set >> BigInt(square)) & 1n) === 1n;
  return (
    has(from, move.from) ||
    has(to, move.to) ||
    (move.captures && has(takes[KINDS.indexOf(move.man)], move.to))
  );
}

/** The union of restrictions, as sets of squares. */
export function forbiddenBy(all: readonly Never[]): Forbidden {
  const set = (squares: readonly number[]) =>
    squares.reduce((sum, square) => sum | (1n << BigInt(square)), 0n);
  return {
    from: set(all.flatMap(({ from }) => from)),
    to: set(all.flatMap(({ to }) => to)),
    takes: [...KINDS].map((kind) =>
      set(
        all.flatMap(({ takes }) =>
          takes.filter(({ man }) => man === kind || man === ALL).map(({ square }) => square),
        ),
      ),
    ),
  };
}
