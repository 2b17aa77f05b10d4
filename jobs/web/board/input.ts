/**
 * Input on a board of any game: 64 cells over its drawing. Pointers drag men or press cells; keys move the focus
 * from cell to cell and press them; screen readers hear what stands there.
 */
import type { Shade } from '../value-words.js';
import { cellOf, newCells } from './cells.js';
import { followPointer } from './drag.js';
import type { Drawing } from './drawing.js';
import type { BoardKind, Cell, Man } from './kind.js';
import type { Marks } from './marks.js';

export interface Handlers {
  /** Whether the man of the cell can be taken up. */
  canLift(cell: Cell): boolean;
  canDrop(from: Cell, to: Cell): boolean;
  /** The cells that are marked while the man of a cell is taken up. */
  targets(cell: Cell): ReadonlyMap<Cell, Shade>;
  /** A man was moved, by dragging or by pressing two cells; null: off the board. */
  moved(from: Cell, to: Cell | null, dragged: boolean): void;
  /** A cell was pressed; returns whether that was all it should do. */
  pressed(cell: Cell): boolean;
  /** A key other than those that move about; returns whether it meant something. */
  key(cell: Cell, key: string): boolean;
}

export interface Input {
  readonly element: HTMLElement;
  handle(handlers: Handlers): void;
  /** Says again what stands where and what can be taken up. */
  refresh(men: ReadonlyMap<Cell, Man>): void;
  turn(whiteBelow: boolean): void;
  cellAt(x: number, y: number): Cell | null;
}

const STEPS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function newInput(kind: BoardKind, drawing: Drawing, marks: Marks): Input {
  let handlers: Handlers | null = null;
  let chosen: Cell | null = null;
  /** Whether what the pointer went down on can be dragged. */
  let draggable = false;
  let men: ReadonlyMap<Cell, Man> = new Map();
  const cells = newCells(kind, { pointerdown, mousedown, click, keydown });

  /** The pointer leaves no focus on the board, where arrows go from square to square: they take moves back. */
  function mousedown(event: MouseEvent): void {
    event.preventDefault();
    (document.activeElement as HTMLElement | null)?.blur();
  }

  function click(event: MouseEvent): void {
    const cell = cellOf(event.target);
    // Keys and screen readers click without a pointer; and pointers may have pressed already.
    if (cell !== null && (event.detail === 0 || !draggable)) press(cell);
  }

  function choose(cell: Cell | null): void {
    chosen = cell;
    cells.select(cell);
    marks.chosen(cell, cell === null ? new Map() : handlers!.targets(cell));
  }

  function press(cell: Cell): void {
    if (handlers === null) return;
    const from = chosen;
    if (handlers.pressed(cell)) {
      choose(null);
    } else if (from !== null && from !== cell && handlers.canDrop(from, cell)) {
      choose(null);
      handlers.moved(from, cell, false);
    } else {
      choose(cell !== from && handlers.canLift(cell) ? cell : null);
    }
  }

  function pointerdown(event: PointerEvent): void {
    const cell = cellOf(event.target);
    if (cell === null || handlers === null || event.button !== 0) return;
    cells.tabTo(cell);
    const { canLift, canDrop, moved } = handlers;
    draggable = canLift(cell);
    // A finger that scrolls does not press: what cannot be dragged waits for the click.
    if (!draggable) return;
    followPointer(event, {
      picture: () => drawing.picture(men.get(cell)!),
      width: cells.element.clientWidth / 8,
      begun: () => {
        choose(cell);
        drawing.lift(cell);
      },
      over: (x, y) => cells.hover(cells.at(x, y)),
      dropped: (at, pressed) => {
        cells.hover(null);
        if (pressed) return press(cell);
        drawing.lift(null);
        choose(null);
        if (at === null) return;
        const to = cells.at(at.x, at.y);
        if (to === null || (to !== cell && canDrop(cell, to))) moved(cell, to, true);
      },
    });
  }

  function keydown(event: KeyboardEvent): void {
    const cell = cellOf(event.target);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = cells.beside(cell, ...step);
      if (next !== null) cells.focusOn(next);
    } else if (event.key === 'Escape' && chosen !== null) {
      choose(null);
    } else if (!handlers?.key(cell, event.key)) {
      return;
    }
    // Elsewhere on the page the same keys mean something else.
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    element: cells.element,
    cellAt: cells.at,
    turn: cells.turn,
    handle(next) {
      handlers = next;
      choose(null);
    },
    refresh(now) {
      men = now;
      choose(null);
      cells.describe(men, (cell) => handlers?.canLift(cell) ?? false);
    },
  };
}
