/**
 * What takes input on a board of any game: 64 cells over its drawing. Pointers drag men or press cells; keys move the focus
 * from cell to cell and press them; screen readers hear what stands there.
 */
import type { Wdl } from '../../../pipeline/formats/value.js';
import { h } from '../dom.js';
import { followPointer } from './drag.js';
import type { Drawing } from './drawing.js';
import type { BoardKind, Cell, Man } from './kind.js';
import type { Marks } from './marks.js';

export interface Handlers {
  /** Whether the man of the cell can be taken up. */
  canLift(cell: Cell): boolean;
  canDrop(from: Cell, to: Cell): boolean;
  /** What is marked while the man of a cell is taken up. */
  targets(cell: Cell): ReadonlyMap<Cell, Wdl>;
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
  /** Says anew what stands where and what can be taken up. */
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
  let whiteBelow = true;
  let chosen: Cell | null = null;
  /** Whether what the pointer went down on can be dragged. */
  let draggable = false;
  let men: ReadonlyMap<Cell, Man> = new Map();

  const cells = Array.from({ length: 64 }, (_, cell) =>
    h('button', { type: 'button', role: 'gridcell', tabindex: cell === 0 ? 0 : -1, 'data-cell': cell }),
  );
  const rows = Array.from({ length: 8 }, () => h('div', { role: 'row' }));
  const element = h(
    'div',
    {
      class: 'cells',
      role: 'grid',
      'aria-label': `Board of ${kind.game}: arrow keys go from square to square, Enter takes a man up and puts it down`,
      pointerdown,
      click: (event: MouseEvent) => {
        const cell = cellOf(event.target);
        // Keys and screen readers click without a pointer; and pointers may have pressed already.
        if (cell !== null && (event.detail === 0 || !draggable)) press(cell);
      },
      keydown,
    },
    ...rows,
  );

  const seen = (cell: Cell): number => (whiteBelow ? cell : 63 - cell);

  function cellOf(target: EventTarget | null): Cell | null {
    const cell = (target as HTMLElement).dataset?.cell;
    return cell === undefined ? null : Number(cell);
  }

  function cellAt(x: number, y: number): Cell | null {
    const { left, top, width, height } = element.getBoundingClientRect();
    const column = Math.floor((8 * (x - left)) / width);
    const row = Math.floor((8 * (y - top)) / height);
    return column < 0 || column > 7 || row < 0 || row > 7 ? null : seen(8 * row + column);
  }

  function choose(cell: Cell | null): void {
    if (chosen !== null) cells[chosen].removeAttribute('aria-selected');
    chosen = cell;
    if (cell !== null) cells[cell].setAttribute('aria-selected', 'true');
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
    for (const each of cells) each.tabIndex = each === cells[cell] ? 0 : -1;
    const { canLift, canDrop, moved } = handlers;
    draggable = canLift(cell);
    // A finger that scrolls does not press: what cannot be dragged waits for the click.
    if (!draggable) return;
    followPointer(event, {
      picture: () => drawing.picture(men.get(cell)!),
      width: element.clientWidth / 8,
      begun: () => {
        choose(cell);
        drawing.lift(cell);
      },
      over: (x, y) => hover(cellAt(x, y)),
      dropped: (at, pressed) => {
        hover(null);
        if (pressed) return press(cell);
        drawing.lift(null);
        choose(null);
        if (at === null) return;
        const to = cellAt(at.x, at.y);
        if (to === null || (to !== cell && canDrop(cell, to))) moved(cell, to, true);
      },
    });
  }

  function hover(cell: Cell | null): void {
    for (const each of element.querySelectorAll('.over')) each.classList.remove('over');
    if (cell !== null) cells[cell].classList.add('over');
  }

  function focusOn(cell: Cell): void {
    for (const each of cells) each.tabIndex = -1;
    cells[cell].tabIndex = 0;
    cells[cell].focus({ preventScroll: true });
  }

  function keydown(event: KeyboardEvent): void {
    const cell = cellOf(event.target);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const at = seen(cell);
      const [column, row] = [(at & 7) + step[0], (at >> 3) + step[1]];
      if (column >= 0 && column <= 7 && row >= 0 && row <= 7) focusOn(seen(8 * row + column));
    } else if (event.key === 'Escape' && chosen !== null) {
      choose(null);
    } else if (!handlers?.key(cell, event.key)) {
      return;
    }
    // Elsewhere on the page the same keys mean something else.
    event.preventDefault();
    event.stopPropagation();
  }

  function turn(white: boolean): void {
    whiteBelow = white;
    for (let at = 0; at < 64; at++) rows[at >> 3].append(cells[seen(at)]);
  }

  turn(true);
  return {
    element,
    cellAt,
    turn,
    handle(next) {
      handlers = next;
      choose(null);
    },
    refresh(now) {
      men = now;
      choose(null);
      for (const [cell, each] of cells.entries()) {
        const man = men.get(cell);
        const name = kind.cellName(cell);
        const stands = man === undefined ? 'empty' : kind.manName(man);
        each.setAttribute('aria-label', name === null ? 'not played on' : `${name}, ${stands}`);
        each.classList.toggle('movable', handlers?.canLift(cell) ?? false);
      }
    },
  };
}
