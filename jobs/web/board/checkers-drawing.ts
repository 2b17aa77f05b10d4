/** The board and men of checkers as SVG. */
import { h, svg } from '../dom.js';
import { checkersKind } from './checkers-kind.js';
import type { Drawing } from './drawing.js';
import type { Cell, Man } from './kind.js';
import { middleOf } from './marks.js';

/** `duration`: of an animation, in milliseconds. */
export function checkersDrawing(host: HTMLElement, duration: number): Drawing {
  let whiteBelow = true;
  let shown: ReadonlyMap<Cell, Man> = new Map();
  const squares = svg('g');
  const men = svg('g');
  // Over the men: moves are named by the numbers of squares.
  const numbers = svg('g', { class: 'numbers' });
  const element = h('div', { class: 'drawing', 'aria-hidden': 'true' });
  element.append(svg('svg', { viewBox: '0 0 8 8', class: 'checkers' }, squares, men, numbers));
  host.append(element);

  function drawSquares(): void {
    squares.replaceChildren(svg('rect', { width: 8, height: 8, class: 'light' }));
    numbers.replaceChildren();
    for (let cell = 0; cell < 64; cell++) {
      const name = checkersKind.cellName(cell);
      if (name === null) continue;
      const { x, y } = middleOf(cell, whiteBelow);
      squares.append(svg('rect', { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: 'dark' }));
      numbers.append(svg('text', { x: x - 0.44, y: y - 0.26 }, name));
    }
  }

  function drawMen(): void {
    men.replaceChildren(
      ...[...shown].map(([cell, man]) => {
        const { x, y } = middleOf(cell, whiteBelow);
        return svg('g', { 'data-cell': cell, transform: `translate(${x} ${y})` }, manOf(man));
      }),
    );
  }

  /** From where to where a man went, if exactly one did. */
  function way(before: ReadonlyMap<Cell, Man>, after: ReadonlyMap<Cell, Man>): [Cell, Cell] | null {
    const came = [...after].filter(([cell, man]) => before.get(cell) !== man);
    const [to, man] = came[0] ?? [];
    // It may have been crowned on the way.
    const left = [...before].filter(
      ([cell, each]) => !after.has(cell) && each.toLowerCase() === man?.toLowerCase(),
    );
    return came.length === 1 && left.length === 1 ? [left[0][0], to] : null;
  }

  drawSquares();
  return {
    element,
    async draw(now, animated) {
      const moved = animated && duration > 0 ? way(shown, now) : null;
      shown = now;
      drawMen();
      if (moved === null) return;
      const [from, to] = moved.map((cell) => middleOf(cell, whiteBelow)) as [Point, Point];
      const man = men.querySelector(`[data-cell="${moved[1]}"]`)!;
      men.append(man); // over all others
      const at = ({ x, y }: Point) => `translate(${x}px, ${y}px)`;
      await man
        .animate([{ transform: at(from) }, { transform: at(to) }], { duration, easing: 'ease-in-out' })
        .finished.catch(() => {}); // drawn again meanwhile
    },
    turn(white) {
      whiteBelow = white;
      drawSquares();
      drawMen();
    },
    lift(cell) {
      for (const man of men.children) {
        man.setAttribute('visibility', man.getAttribute('data-cell') === String(cell) ? 'hidden' : 'visible');
      }
    },
    picture: (man) =>
      svg('svg', { viewBox: '-0.5 -0.5 1 1', class: 'checkers', 'aria-hidden': 'true' }, manOf(man)),
  };
}

type Point = ReturnType<typeof middleOf>;

function manOf(man: Man): SVGGElement {
  const crown = 'M-.2 .13L-.24 -.13L-.1 -.01L0 -.2L.1 -.01L.24 -.13L.2 .13Z';
  return svg(
    'g',
    { class: man.toLowerCase() === 'w' ? 'white' : 'black' },
    svg('circle', { r: 0.39, class: 'rim' }),
    svg('circle', { r: 0.29, class: 'face' }),
    ...(man === man.toUpperCase() ? [svg('path', { d: crown, class: 'crown' })] : []),
  );
}
