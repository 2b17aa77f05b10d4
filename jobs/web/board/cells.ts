/** The 64 cells of a board as elements: where they stand, as either side sees them, and which one has the focus. */
import { type Attributes, h } from '../dom.js';
import type { BoardKind, Cell, Man } from './kind.js';

export interface Cells {
  readonly element: HTMLElement;
  turn(whiteBelow: boolean): void;
  /** The cell at a point of the window; null: off the board. */
  at(x: number, y: number): Cell | null;
  /** The cell that stands so many columns and rows from another one, as it is seen; null: off the board. */
  beside(cell: Cell, columns: number, rows: number): Cell | null;
  /** Marks the cell as taken up; null: none is. */
  select(cell: Cell | null): void;
  /** Marks the cell as what the pointer is over; null: none is. */
  hover(cell: Cell | null): void;
  /** The Tab key leads to this cell. */
  tabTo(cell: Cell): void;
  focusOn(cell: Cell): void;
  /** Says what stands on each cell, and whether it can be taken up. */
  describe(men: ReadonlyMap<Cell, Man>, canLift: (cell: Cell) => boolean): void;
}

/** `listeners` hear what happens in any of the cells. */
export function newCells(kind: BoardKind, listeners: Attributes): Cells {
  let whiteBelow = true;
  let selected: Cell | null = null;
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
      ...listeners,
    },
    ...rows,
  );

  const seen = (cell: Cell): number => (whiteBelow ? cell : 63 - cell);

  const cellIn = (column: number, row: number): Cell | null =>
    column < 0 || column > 7 || row < 0 || row > 7 ? null : seen(8 * row + column);

  function turn(white: boolean): void {
    whiteBelow = white;
    for (let at = 0; at < 64; at++) rows[at >> 3].append(cells[seen(at)]);
  }

  function tabTo(cell: Cell): void {
    for (const each of cells) each.tabIndex = each === cells[cell] ? 0 : -1;
  }

  turn(true);
  return {
    element,
    turn,
    tabTo,
    at(x, y) {
      const { left, top, width, height } = element.getBoundingClientRect();
      return cellIn(Math.floor((8 * (x - left)) / width), Math.floor((8 * (y - top)) / height));
    },
    beside(cell, columns, rows) {
      const at = seen(cell);
      return cellIn((at & 7) + columns, (at >> 3) + rows);
    },
    select(cell) {
      if (selected !== null) cells[selected].removeAttribute('aria-selected');
      selected = cell;
      if (cell !== null) cells[cell].setAttribute('aria-selected', 'true');
    },
    hover(cell) {
      for (const each of element.querySelectorAll('.over')) each.classList.remove('over');
      if (cell !== null) cells[cell].classList.add('over');
    },
    focusOn(cell) {
      tabTo(cell);
      cells[cell].focus({ preventScroll: true });
    },
    describe(men, canLift) {
      for (const [cell, each] of cells.entries()) {
        const man = men.get(cell);
        const name = kind.cellName(cell);
        const stands = man === undefined ? 'empty' : kind.manName(man);
        each.setAttribute('aria-label', name === null ? 'not played on' : `${name}, ${stands}`);
        each.classList.toggle('movable', canLift(cell));
      }
    },
  };
}

/** The cell that an event happened in; null: in none. */
export function cellOf(target: EventTarget | null): Cell | null {
  const cell = (target as HTMLElement).dataset?.cell;
  return cell === undefined ? null : Number(cell);
}
