/** A picture of a position as an SVG file that needs no other: the men of reports, in the colours of the page by day. */
import { boardPicture } from '../../report/board-picture.js';
import { CHESS_SYMBOLS } from '../../report/chess-men.js';

const STYLE = `.light{fill:#efe6d3}.dark{fill:#b58f66}
.white{fill:#fff;stroke:#222;--inner:#222}.black{fill:#262626;stroke:#262626;--inner:#f1ede4}
use,g{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
circle{fill:inherit;stroke:inherit;stroke-width:inherit}
.inner{fill:none;stroke:var(--inner)}.open{fill:none}.dot{fill:var(--inner);stroke:none}`;

/** Null for games without pictures. */
export function pictureOf(game: string, position: string): string | null {
  const picture = boardPicture(game, position);
  if (picture === null) return null;
  const [, symbols = ''] = /<defs>(.*)<\/defs>/s.exec(CHESS_SYMBOLS) ?? [];
  const defs = game === 'chess' ? `<defs>${symbols}</defs>` : '';
  return picture
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" ')
    .replace('>', `><style>${STYLE}</style>${defs}`);
}
