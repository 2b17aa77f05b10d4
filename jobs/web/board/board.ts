/**
 * A board of any game with 64 cells: the men on it, the marks over them, and the input that it takes. Pointers drag men or press
 * cells; keys move the focus from cell to cell and press them. view.tsx draws it.
 */
import { signal } from '@preact/signals';
import type { Shade } from '../value-words.js';
import { followPointer } from './drag.js';
import type { BoardKind, Cell, Man, Setup } from './kind.js';

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

export interface Arrow {
  readonly path: readonly Cell[];
  readonly shade: Shade;
}

/** A man that stays itself when it moves, so that it is seen moving. */
interface Placed {
  readonly id: number;
  readonly man: Man;
  readonly cell: Cell;
}

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Board {
  readonly men = signal<readonly Placed[]>([]);
  /** Whether men are seen moving to where they stand now. */
  readonly animated = signal(false);
  /** The cells of the move that was made last. */
  readonly last = signal<readonly Cell[]>([]);
  /** The best moves, an arrow each, while no move is pointed at. */
  readonly best = signal<readonly Arrow[]>([]);
  readonly pointed = signal<Arrow | null>(null);
  readonly chosen = signal<Cell | null>(null);
  readonly over = signal<Cell | null>(null);
  /** The man that follows the pointer, and the cell that it was taken from. */
  readonly dragged = signal<{ man: Man; from: Cell | null; x: number; y: number; size: number } | null>(null);
  readonly whiteBelow = signal(true);
  /** The cell that Tab comes to. */
  readonly tab = signal<Cell>(0);
  readonly handlers = signal<Handlers | null>(null);
  /** The cells that take input, as the view made them. */
  readonly cells = new Map<Cell, HTMLButtonElement>();
  private nextId = 0;
  /** Whether what the pointer went down on can be dragged. */
  private draggable = false;

  constructor(readonly kind: BoardKind) {}

  /** `last`: the cells of the move that led here. */
  show({ men }: Setup, last: readonly Cell[], animated: boolean): void {
    const before = new Map(this.men.peek().map((each) => [each.cell, each]));
    const stays = ([cell, man]: [Cell, Man]) => before.get(cell)?.man === man;
    const left = [...before.values()].filter(({ cell, man }) => men.get(cell) !== man);
    this.animated.value = animated;
    this.men.value = [...men].map(([cell, man]) => {
      if (stays([cell, man])) return before.get(cell)!;
      // It may have been crowned on the way.
      const from = left.findIndex((each) => each.man.toLowerCase() === man.toLowerCase());
      const [moved] = from < 0 ? [] : left.splice(from, 1);
      return { id: moved?.id ?? this.nextId++, man, cell };
    });
    this.last.value = last;
    this.pointed.value = null;
    this.best.value = [];
    this.chosen.value = null;
  }

  handle(handlers: Handlers): void {
    this.handlers.value = handlers;
    this.chosen.value = null;
  }

  manOn(cell: Cell): Man | undefined {
    return this.men.value.find((each) => each.cell === cell)?.man;
  }

  /** The cell in a place of the board as it is seen, or the place of a cell. */
  seen(cell: Cell): Cell {
    return this.whiteBelow.value ? cell : 63 - cell;
  }

  /** The cell at a point of the window; null: none. */
  cellAt(x: number, y: number): Cell | null {
    for (const [cell, element] of this.cells) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (x >= left && x < right && y >= top && y < bottom) return cell;
    }
    return null;
  }

  press(cell: Cell): void {
    const handlers = this.handlers.peek();
    const from = this.chosen.peek();
    if (handlers === null) return;
    this.chosen.value = null;
    if (handlers.pressed(cell)) return;
    if (from !== null && from !== cell && handlers.canDrop(from, cell)) handlers.moved(from, cell, false);
    else if (cell !== from && handlers.canLift(cell)) this.chosen.value = cell;
  }

  click(cell: Cell, { detail }: MouseEvent): void {
    // Keys and screen readers click without a pointer; and pointers may have pressed already.
    if (detail === 0 || !this.draggable) this.press(cell);
  }

  pointerDown(cell: Cell, event: PointerEvent): void {
    const handlers = this.handlers.peek();
    if (handlers === null || event.button !== 0) return;
    this.tab.value = cell;
    this.draggable = handlers.canLift(cell);
    // A finger that scrolls does not press: what cannot be dragged waits for the click.
    if (!this.draggable) return;
    this.drag(event, this.manOn(cell)!, cell, (to, pressed) => {
      if (pressed) return this.press(cell);
      this.chosen.value = null;
      if (to === null || (to !== cell && handlers.canDrop(cell, to))) handlers.moved(cell, to, true);
    });
  }

  /** A man follows the pointer; `dropped` has the cell that it was brought to, or null, and whether it was only pressed. */
  drag(
    event: PointerEvent,
    man: Man,
    from: Cell | null,
    dropped: (to: Cell | null, pressed: boolean) => void,
  ): void {
    const size = (event.currentTarget as HTMLElement).clientWidth;
    followPointer(event, {
      moved: (x, y, begins) => {
        if (begins && from !== null) this.chosen.value = from;
        this.dragged.value = { man, from, x, y, size };
        this.over.value = this.cellAt(x, y);
      },
      dropped: (at, pressed) => {
        this.dragged.value = null;
        this.over.value = null;
        if (at !== null || pressed) dropped(at && this.cellAt(at.x, at.y), pressed);
        else this.chosen.value = null;
      },
    });
  }

  keyDown(cell: Cell, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const at = this.seen(cell);
      const [column, row] = [(at & 7) + step[0], (at >> 3) + step[1]];
      if (column >= 0 && column < 8 && row >= 0 && row < 8) {
        const next = this.seen(8 * row + column);
        this.tab.value = next;
        this.cells.get(next)!.focus({ preventScroll: true });
      }
    } else if (event.key === 'Escape' && this.chosen.peek() !== null) {
      this.chosen.value = null;
    } else if (!this.handlers.peek()?.key(cell, event.key)) {
      return;
    }
    // Elsewhere on the page the same keys mean something else.
    event.preventDefault();
    event.stopPropagation();
  }
}
