/** Draws the men of a board, under the marks and the cells that take input. */
import type { Cell, Man } from './kind.js';

export interface Drawing {
  readonly element: HTMLElement;
  /** Resolves when the men stand where they should. */
  draw(men: ReadonlyMap<Cell, Man>, animated: boolean): Promise<void>;
  /** Shows the board from White's side, or from Black's. */
  turn(whiteBelow: boolean): void;
  /** Hides the man of a cell, while it is dragged elsewhere; null hides none. */
  lift(cell: Cell | null): void;
  /** A picture of a man, as wide as what it is put into. */
  picture(man: Man): Element;
}
