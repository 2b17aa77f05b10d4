/** A position as its game draws it: squares, an SVG, or lines of text. */
import type { ShownGame } from './shown-game.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Pictures that are no XML are not drawn: the text is. */
export function Board({ game, position }: { readonly game: ShownGame; readonly position: unknown }) {
  const text = game.diagram(position);
  const picture = game.board?.(position) ?? null;
  const label = `${game.format(position)}: ${text}`;
  const svg = typeof picture === 'string' ? parsed(picture) : null;
  if (svg !== null)
    return <div class="board" role="img" aria-label={label} ref={(host) => host?.replaceChildren(svg)} />;
  if (picture === null || typeof picture === 'string') return <pre class="board">{text}</pre>;
  const columns = Math.max(1, ...picture.map((row) => row.length));
  return (
    <div class="board squares" role="img" aria-label={label} style={`--columns: ${columns}`}>
      {picture.flatMap((row, r) =>
        row.map((what, c) => (
          <div key={`${r} ${c}`} class={(r + c) % 2 === 0 ? 'square' : 'square dark'}>
            {what}
          </div>
        )),
      )}
    </div>
  );
}

/** As the namespace of SVG needs it; null of what is no SVG. Scripts in it do not run. */
function parsed(picture: string): Node | null {
  const named = /^\s*<svg[^>]*\sxmlns=/.test(picture)
    ? picture
    : picture.replace('<svg', `<svg xmlns="${SVG}"`);
  const drawn = new DOMParser().parseFromString(named, 'image/svg+xml').documentElement;
  return drawn.localName === 'svg' ? document.importNode(drawn, true) : null;
}
