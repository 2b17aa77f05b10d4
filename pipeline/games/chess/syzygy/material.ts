/** The material of a Syzygy file: the men of an ending, and its name. */
import type { Side } from '../../../game/game.js';
import { compareMen, inOrder } from '../shape.js';

/** A man as Syzygy's files write it: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6; black men 8 more. */
export type ManCode = number;

export interface Material {
  /** As files are named: "KQvKR". */
  readonly name: string;
  /** White king, black king, then White's and Black's men in the order Q R B N P: the order of `squares` everywhere here. */
  readonly men: readonly ManCode[];
  /** The same men on both sides: files then hold White's moves alone. */
  readonly symmetric: boolean;
  /** The pawns that lead the index: of the side that has fewer of them but any, White's if both have as many. */
  readonly leadingPawns: readonly number[];
  /** The pawns of the other side. Both lists hold numbers of men. */
  readonly otherPawns: readonly number[];
}

const LETTERS = '.PNBRQK';
/** Letters by the kinds of geometry.ts; the last is a pawn that may be captured en passant. */
const KINDS = 'QRBNKPP';
export const PAWN: ManCode = 1;
export const BLACK: ManCode = 8;
/** Most men of the format. */
export const MOST_MEN = 7;

/** The code of a white man of a kind of geometry.ts. */
export function manCode(kind: number): ManCode {
  return LETTERS.indexOf(KINDS[kind]);
}

/** The material of the letters (Q R B N P in this order) of the men beside the white and the black king. */
export function materialOf(white: string, black: string): Material {
  const codes = (letters: string, side: Side) =>
    [...letters].map((letter) => LETTERS.indexOf(letter) + side * BLACK);
  const men = [...codes('K', 0), ...codes('K', 1), ...codes(white, 0), ...codes(black, 1)];
  const pawnsOf = (side: Side) => [...men.keys()].filter((man) => men[man] === PAWN + side * BLACK);
  const pawns = [pawnsOf(0), pawnsOf(1)] as const;
  const blackLeads = pawns[1].length > 0 && (pawns[0].length === 0 || pawns[1].length < pawns[0].length);
  return {
    name: `K${white}vK${black}`,
    men,
    symmetric: white === black,
    leadingPawns: pawns[blackLeads ? 1 : 0],
    otherPawns: pawns[blackLeads ? 0 : 1],
  };
}

/** The material as published files are named: the side with more men, or the stronger ones, is White. */
export function filedMaterial(white: string, black: string): Material {
  return compareMen(white, black) < 0 ? materialOf(black, white) : materialOf(white, black);
}

/**
 * The ending of these men and all that it converts to by captures and promotions, each once, whichever of its sides is White; without that of
 * the bare kings, which needs no file.
 */
export function convertedTo(white: string, black: string): Material[] {
  return reached(white, black, function* (own, other) {
    for (let i = 0; i < own.length; i++) {
      const rest = own.slice(0, i) + own.slice(i + 1);
      yield [rest, other];
      if (own[i] === 'P') for (const letter of 'QRBN') yield [inOrder(rest + letter), other];
    }
  });
}

/** The same by captures alone, of which some promote a pawn: what the outcome of a position depends on beside its own file. */
export function capturedTo(white: string, black: string): Material[] {
  return reached(white, black, function* (own, other) {
    for (let i = 0; i < own.length; i++) {
      const rest = own.slice(0, i) + own.slice(i + 1);
      yield [rest, other];
      if (other.includes('P'))
        for (const letter of 'QRBN') yield [rest, inOrder(other.replace('P', '') + letter)];
    }
  });
}

/** @param after yields the men of both sides after moves that take or promote one of the first side's men. */
function reached(
  white: string,
  black: string,
  after: (own: string, other: string) => Iterable<readonly [string, string]>,
): Material[] {
  const found = new Map<string, Material>();
  const add = (some: string, others: string): void => {
    const material = filedMaterial(some, others);
    if (some + others === '' || found.has(material.name)) return;
    found.set(material.name, material);
    for (const [own, other] of after(some, others)) add(own, other);
    for (const [own, other] of after(others, some)) add(own, other);
  };
  add(white, black);
  return [...found.values()];
}

/** The same men with the colours exchanged, which some folders name an ending after. */
export function exchangedMaterial({ name }: Material): Material {
  const [white, black] = name.slice(1).split('vK');
  return materialOf(black, white);
}

/** The material that a file is named after, "KQvKR"; null for what is no such name, or more men than files have. */
export function materialNamed(name: string): Material | null {
  const [, white, black] = /^K(Q*R*B*N*P*)vK(Q*R*B*N*P*)$/.exec(name) ?? [];
  if (white === undefined || black === undefined) return null;
  const men = 2 + white.length + black.length;
  return men < 3 || men > MOST_MEN ? null : materialOf(white, black);
}
