import { UserError } from '../../../operators/core/errors.js';
import type { Ending } from '../../game.js';

/** Men besides the kings, in the order names list them. */
const LETTERS = 'QRBN';
export const MOST_MEN = 7;

/** The two sides of a name like "KQKR": the letters of the men beside the white and the black king. */
export interface Sides {
  readonly white: string;
  readonly black: string;
}

/** Names put the stronger side first: the one with more men, else the one whose letters come first in Q R B N. */
function ranksBefore(a: string, b: string): boolean {
  if (a.length !== b.length) return a.length > b.length;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return LETTERS.indexOf(a[i]) < LETTERS.indexOf(b[i]);
  }
  return false;
}

function inOrder(men: string): string {
  return [...men].sort((a, b) => LETTERS.indexOf(a) - LETTERS.indexOf(b)).join('');
}

/**
 * The canonical ending of two sets of men given as letters Q R B N in any order, kings not included; `flipped` if the
 * first set is the second of the name.
 */
export function nameEnding(white: string, black: string): { slice: string; flipped: boolean } {
  const first = inOrder(white);
  const second = inOrder(black);
  const flipped = ranksBefore(second, first);
  return { slice: flipped ? `K${second}K${first}` : `K${first}K${second}`, flipped };
}

/**
 * Reads the name of an ending: "KQKR", "kqkr", "KQvKR"; "KNKR" is "KRKN" flipped. Throws UserError for anything that is
 * no ending of two kings and at most five queens, rooks, bishops and knights.
 */
export function readEnding(text: string): Ending {
  const name = text.trim().toUpperCase();
  const quoted = JSON.stringify(text);
  if (/^[KQRBNP]*V?[KQRBNP]*$/.test(name) && name.includes('P')) {
    throw new UserError(`ending ${quoted}: pawns are not supported`);
  }
  const match = /^K([QRBN]*)V?K([QRBN]*)$/.exec(name);
  if (!match) {
    throw new UserError(
      `ending ${quoted}: expected each side's king and its men (Q R B N), such as KQKR or KBNvK`,
    );
  }
  const men = match[1].length + match[2].length + 2;
  if (men > MOST_MEN) throw new UserError(`ending ${quoted}: ${men} men, at most ${MOST_MEN} are supported`);
  return endingOf(match[1], match[2]);
}

/** The ending in which White has the first of two sets of men. A slice is a class of its own. */
function endingOf(white: string, black: string): Ending {
  const [first, second] = [inOrder(white), inOrder(black)];
  const { slice, flipped } = nameEnding(first, second);
  const name = `K${first}K${second}`;
  return {
    name,
    slices: [slice],
    flipped,
    exchanged: `K${second}K${first}`,
    class: name,
    pieces: name.length,
  };
}

/** All endings of at least three and at most `men` men, fewer first. Throws UserError if so many are not supported. */
export function endingsUpTo(men: number): Ending[] {
  if (men > MOST_MEN) throw new UserError(`${men} men are too many, at most ${MOST_MEN} are supported`);
  const endings: Ending[] = [];
  for (let total = 1; total <= men - 2; total++) {
    for (let black = 0; 2 * black <= total; black++) {
      const weaker = menOf(black);
      for (const white of menOf(total - black)) {
        for (const letters of weaker) {
          const ending = endingOf(white, letters);
          if (!ending.flipped) endings.push(ending);
        }
      }
    }
  }
  return endings;
}

/** All sets of `count` men in the order of names. */
function menOf(count: number, from = 0): string[] {
  if (count === 0) return [''];
  return [...LETTERS]
    .slice(from)
    .flatMap((letter, i) => menOf(count - 1, from + i).map((rest) => letter + rest));
}

/** The men of a canonical name. */
export function sidesOf(slice: string): Sides {
  const second = slice.lastIndexOf('K');
  return { white: slice.slice(1, second), black: slice.slice(second + 1) };
}
