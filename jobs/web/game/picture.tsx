/** A position as its game draws it: squares, an SVG, or lines of text. */
import type { BoardPicture } from '../../../pipeline/games/yours/keyed/keyed-rules.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Pictures that are no XML are not drawn: the text is. */
export function Picture({ of, text }: { readonly of: BoardPicture; readonly text: string }) {
  const svg = typeof of === 'string' ? parsed(of) : null;
  if (svg !== null)
    return (
      <div class="picture" role="img" aria-label={text} ref={(host) => void host?.replaceChildren(svg)} />
    );
  if (typeof of === 'string') return <pre class="diagram">{text}</pre>;
  const columns = Math.max(1, ...of.map((row) => row.length));
  return (
    <div class="squares" role="img" aria-label={text} style={{ '--columns': columns }}>
      {of.flatMap((row, r) =>
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
