/** Games of chess as PGN, and positions as FEN or EPD (epd.ts). */
import { UserError } from '../../operators/core/errors.js';
import { afterMoves } from '../../pipeline/games/chess/fen.js';
import { ChessPosition } from './chess-position.js';
import { isChessPosition, readChessPosition } from './epd.js';
import { CHESS } from './first-positions.js';

import type { Notation } from './notation.js';
import { beginsProblem, popeyeProblems } from './read-popeye.js';

/** Values of the tag `Variant` under which the rules are those of chess. "wild/0" to "wild/8a" are other first positions. */
const CHESS_BY_NAME =
  /^(?:|[?-]|standard|chess|normal|orthodox|orthochess|classical|from ?position|chess ?960|fischer ?r?andom|wild\/[0-8]a?)$/i;

export const PGN: Notation = {
  words: {
    result: /(?:1[-–]0|0[-–]1|1\/2(?:[-–]1\/2)?|½(?:[-–]½)?|\*)(?![\w-])/y,
    move: /(?:(?:[KQRBNP♔-♟]\uFE0E?)?[a-h]?[1-8]?[-–—x×:]?[a-h][1-8](?:[=/]?[QRBNKPqrbnkp♔-♟]\uFE0E?|\([QRBNqrbn]\))?|[Oo0][-–—−][Oo0](?:[-–—−][Oo0])?|--|Z0|0000|@@@@)[+#‡†:]*(?![\p{L}\d])/uy,
    glyph: /\$\d+|[!?]+|[‼⁇⁈⁉]/y,
    other: /(?:e\.?p\.?|ch\.?|dbl\.?|mate|N|TN|D|RR)(?![\p{L}\d.])|[^\s\p{L}\p{N}{}()[\];$!?*@%]+/uy,
    isPosition: isChessPosition,
  },
  readPosition(line) {
    const read = readChessPosition(line);
    return { ...read, fen: afterMoves(read.fen) };
  },
  start(tags) {
    const variant = tags.variant?.trim() ?? '';
    if (!CHESS_BY_NAME.test(variant)) {
      throw new UserError(`the variant ${JSON.stringify(variant)} is another game`);
    }
    const fen = tags.fen?.trim() ?? '';
    return ChessPosition.read(fen === '' ? CHESS : fen);
  },
  other: { begins: beginsProblem, read: popeyeProblems },
};
