/** Draws a position as its game says: squares, an SVG, or lines of text. */
import { h } from '../dom.js';
import type { ShownGame } from './shown-game.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Pictures that are no XML are not drawn: the text is. */
export function drawBoard(game: ShownGame, position: unknown): HTMLElement {
  const text = game.diagram(position);
  const picture = game.board?.(position) ?? null;
  if (picture === null) return h('pre', { class: 'board' }, text);
  const label = `${game.format(position)}: ${text}`;
  if (typeof picture === 'string') {
    const made = h('div', { class: 'board', role: 'img', 'aria-label': label });
    const named = /^\s*<svg[^>]*\sxmlns=/.test(picture)
      ? picture
      : picture.replace('<svg', `<svg xmlns="${SVG}"`);
    const drawn = new DOMParser().parseFromString(named, 'image/svg+xml').documentElement;
    if (drawn.localName !== 'svg') return h('pre', { class: 'board' }, text);
    made.append(document.importNode(drawn, true));
    return made;
  }
  const columns = Math.max(1, ...picture.map((row) => row.length));
  const squares = picture.flatMap((row, r) =>
    row.map((what, c) => h('div', { class: (r + c) % 2 === 0 ? 'square' : 'square dark' }, what)),
  );
  return h(
    'div',
    { class: 'board squares', role: 'img', 'aria-label': label, style: `--columns: ${columns}` },
    ...squares,
  );
}
