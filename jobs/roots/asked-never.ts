/** Reads `--never`: moves that one side does not make. */
import { UserError } from '../../operators/core/errors.js';
import type { Never } from '../../pipeline/games/chess/root-never.js';
import { type ChessBoard, squareOf } from '../../pipeline/games/chess/rules.js';

const SIDES = ['white', 'black'] as const;

/**
 * "white: e1, a1, Rxc1": terms with commas or spaces between them, after the side; without one, that of the player to move. A square on which
 * the side has a man in the position is one that none of its men leaves, any other square one that none enters; "e1-" and "-a1" say so
 * themselves. "Rxc1" is a capture by a kind of men on a square, "xc1" by any.
 */
export function askedNever(text: string, { squares, side: mover }: ChessBoard): Never {
  const [, named, terms] = /^(?:\s*(\w+)\s*:)?(.*)$/s.exec(text)!;
  const side = named === undefined ? mover : (SIDES as readonly string[]).indexOf(named.toLowerCase());
  if (side !== 0 && side !== 1)
    throw new UserError(`--never: ${JSON.stringify(named)} must be white or black`);
  const found = terms.split(/[\s,]+/).filter((term) => term !== '');
  if (found.length === 0)
    throw new UserError('--never: no squares, such as e1, and no captures, such as Rxc1');
  const from: number[] = [];
  const to: number[] = [];
  const takes: { man: string; square: number }[] = [];
  for (const term of found) {
    const [, enters, square, leaves] = /^(-?)([a-h][1-8])(-?)$/.exec(term) ?? [];
    const [, man, target] = /^([KQRBNP]?)x([a-h][1-8])$/.exec(term) ?? [];
    if (target !== undefined) takes.push({ man: man === '' ? 'A' : man, square: squareOf(target) });
    else if (square === undefined || (enters !== '' && leaves !== ''))
      throw new UserError(
        `--never: ${JSON.stringify(term)} must be a square (e1, e1- never left, -e1 never entered) or a capture (Rxc1, xc1)`,
      );
    else {
      const stands = squares[squareOf(square)] * (side === 0 ? 1 : -1) > 0;
      const isLeft = leaves !== '' || (enters === '' && stands);
      (isLeft ? from : to).push(squareOf(square));
    }
  }
  return { side, from, to, takes };
}
