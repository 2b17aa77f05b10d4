/** Marks over the men: arrows, squares of the last move, where a chosen man can go. */
import { svg } from '../dom.js';
import { type Shade, wdlClass } from '../value-words.js';
import type { Cell } from './kind.js';

export interface Arrow {
  readonly path: readonly Cell[];
  readonly shade: Shade;
}

export interface Marks {
  readonly element: SVGSVGElement;
  turn(whiteBelow: boolean): void;
  /** The cells of the move that was made last. */
  last(path: readonly Cell[]): void;
  /** A man that was chosen, and where it can go, with the value of going there; null takes them away. */
  chosen(cell: Cell | null, targets: ReadonlyMap<Cell, Shade>): void;
  /** The best moves of the position, an arrow each: they are there while no move is pointed at. */
  best(moves: readonly Arrow[]): void;
  /** A move that is pointed at; null takes it away. */
  arrow(path: readonly Cell[] | null, shade: Shade): void;
}

/** In units of squares, from the top left corner as the board is shown. */
export function middleOf(cell: Cell, whiteBelow: boolean): { x: number; y: number } {
  const seen = whiteBelow ? cell : 63 - cell;
  return { x: (seen & 7) + 0.5, y: (seen >> 3) + 0.5 };
}

export function newMarks(): Marks {
  let whiteBelow = true;
  let lastPath: readonly Cell[] = [];
  let from: Cell | null = null;
  let to: ReadonlyMap<Cell, Shade> = new Map();
  let pointed: Arrow | null = null;
  let best: readonly Arrow[] = [];
  const element = svg('svg', { viewBox: '0 0 8 8', class: 'marks', 'aria-hidden': 'true' });

  const square = (cell: Cell, name: string) => {
    const { x, y } = middleOf(cell, whiteBelow);
    return svg('rect', { x: x - 0.455, y: y - 0.455, width: 0.91, height: 0.91, class: name });
  };

  function draw(): void {
    element.replaceChildren(
      ...lastPath.map((cell) => square(cell, 'last')),
      ...(from === null ? [] : [square(from, 'chosen')]),
      ...[...to].map(([cell, shade]) => {
        const { x, y } = middleOf(cell, whiteBelow);
        return svg('circle', { cx: x, cy: y, r: 0.17, class: `target ${wdlClass(shade)}` });
      }),
      ...(pointed === null ? best : [pointed]).flatMap(({ path, shade }) => arrow(path, shade)),
    );
  }

  function arrow(path: readonly Cell[], shade: Shade): SVGElement[] {
    const points = path.map((cell) => middleOf(cell, whiteBelow));
    const [before, tip] = [points.at(-2)!, points.at(-1)!];
    const length = Math.hypot(tip.x - before.x, tip.y - before.y);
    const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
    // The shaft ends where the head begins.
    const neck = { x: tip.x - 0.38 * dx, y: tip.y - 0.38 * dy };
    const shaft = [...points.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(' ');
    const corner = (side: number) => `${neck.x - 0.22 * side * dy},${neck.y + 0.22 * side * dx}`;
    const kind = wdlClass(shade);
    return [
      svg('polyline', { points: shaft, class: `shaft ${kind}` }),
      svg('polygon', { points: `${corner(1)} ${tip.x},${tip.y} ${corner(-1)}`, class: `head ${kind}` }),
    ];
  }

  return {
    element,
    turn(white) {
      whiteBelow = white;
      draw();
    },
    last(path) {
      lastPath = path;
      draw();
    },
    chosen(cell, targets) {
      from = cell;
      to = targets;
      draw();
    },
    best(moves) {
      best = moves;
      draw();
    },
    arrow(path, shade) {
      pointed = path && { path, shade };
      draw();
    },
  };
}
