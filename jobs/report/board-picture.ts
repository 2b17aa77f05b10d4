/** Boards as SVG, in the colours of the page's style. */
import { safe } from '../ui/safe-html.js';

const SIDE = 45;
const DARK = Array.from({ length: 32 }, (_, i) => {
  const row = i >> 2;
  const column = 2 * (i & 3) + ((row + 1) & 1);
  return `M${SIDE * column} ${SIDE * row}h${SIDE}v${SIDE}h-${SIDE}z`;
}).join('');

/** The picture of a FEN as the game has it; null for games without a known picture. */
export function boardPicture(game: string, fen: string): string | null {
  const men = game === 'chess' ? chessMen(fen) : game === 'checkers' ? checkersMen(fen) : null;
  if (men === null) return null;
  return `<svg class="board" viewBox="0 0 360 360" role="img" aria-label="${safe(fen)}"><path class="light" d="M0 0h360v360h-360z"/><path class="dark" d="${DARK}"/>${men}</svg>`;
}

function chessMen(fen: string): string {
  const [placement = ''] = fen.split(' ');
  const rows = placement.split('/').map((row) => row.replace(/\d/g, (free) => '.'.repeat(Number(free))));
  return rows
    .flatMap((row, y) =>
      [...row].map((man, x) =>
        man === '.'
          ? ''
          : `<use href="#man-${man.toUpperCase()}" class="${man === man.toUpperCase() ? 'white' : 'black'}" x="${SIDE * x}" y="${SIDE * y}" width="${SIDE}" height="${SIDE}"/>`,
      ),
    )
    .join('');
}

/** Squares of PDN: 1 to 4 are the dark ones of the first row, on Black's side of the board. */
function checkersMen(fen: string): string {
  const [, ...groups] = fen.split(':');
  return groups
    .flatMap((group) => {
      const colour = group[0] === 'W' ? 'white' : 'black';
      const pieces = group.length === 1 ? [] : group.slice(1).split(',');
      return pieces.map((piece) => {
        const king = piece[0] === 'K';
        const square = Number(king ? piece.slice(1) : piece) - 1;
        const row = square >> 2;
        const [x, y] = [2 * (square & 3) + ((row + 1) & 1), row].map((at) => SIDE * at + SIDE / 2);
        const crown = king ? `<circle class="inner" cx="${x}" cy="${y}" r="10"/>` : '';
        return `<g class="${colour}"><circle cx="${x}" cy="${y}" r="17"/>${crown}</g>`;
      });
    })
    .join('');
}
