/** Pictures of positions as SVG files that need no other: the men of reports, in the colours of the page by day. */
import type { Colour } from '../../../pipeline/game/game.js';
import { boardPicture } from '../../report/board-picture.js';
import { CHESS_SYMBOLS } from '../../report/chess-men.js';

const STYLE = `.light{fill:#efe6d3}.dark{fill:#b58f66}
.white{fill:#fff;stroke:#222;--inner:#222}.black{fill:#262626;stroke:#262626;--inner:#f1ede4}
use,g{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
circle{fill:inherit;stroke:inherit;stroke-width:inherit}
.inner{fill:none;stroke:var(--inner)}.open{fill:none}.dot{fill:var(--inner);stroke:none}
text{font:13px sans-serif;text-anchor:middle;fill:#333}`;

/** The board alone, 360 units wide. Null for games without pictures. */
export function pictureOf(game: string, position: string): string | null {
  return framed(game, position, '0 0 360 360', '');
}

/** The board with the names of files and ranks, and a mark beside the side to move; for diagrams in texts. */
export function diagramOf(game: string, position: string, mover: Colour): string | null {
  const names = Array.from({ length: 8 }, (_, i) => {
    const at = 45 * i + 22.5;
    return `<text x="-11" y="${at + 5}">${8 - i}</text><text x="${at}" y="376">${'abcdefgh'[i]}</text>`;
  });
  const y = mover === 'white' ? 349 : 11;
  const mark = `<g class="${mover}"><title>${mover} to move</title><circle cx="373" cy="${y}" r="7"/></g>`;
  const back = '<path fill="#fff" d="M-22-8h410v392h-410z"/>';
  // Squares of checkers have numbers, which would hide the men.
  return framed(game, position, '-22 -8 410 392', (game === 'chess' ? names.join('') : '') + mark, back);
}

function framed(game: string, position: string, box: string, beside: string, back = ''): string | null {
  const picture = boardPicture(game, position);
  if (picture === null) return null;
  const [, , width, height] = box.split(' ');
  const [, symbols = ''] = /<defs>(.*)<\/defs>/s.exec(CHESS_SYMBOLS) ?? [];
  const defs = game === 'chess' ? `<defs>${symbols}</defs>` : '';
  return picture
    .replace('viewBox="0 0 360 360"', `viewBox="${box}"`)
    .replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `)
    .replace('>', `><style>${STYLE}</style>${defs}${back}`)
    .replace('</svg>', `${beside}</svg>`);
}

/** An SVG as an address for `img`. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A diagram as PNG, `scale` pixels for each of its units. */
export async function pngOf(svg: string, scale = 3): Promise<Blob> {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = scale * image.width;
  canvas.height = scale * image.height;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) =>
      blob === null ? failed(new Error('The browser cannot make the picture.')) : done(blob),
    ),
  );
}
