/** What the page must know of a game to draw its board and to set men up on it. Its rules are the source's concern. */
import type { Colour } from '../../../pipeline/game.js';

/** A letter for a man; capital and small letters mean what they do in the game's positions. */
export type Man = string;

/** 0 … 63, row by row from the top left corner as one sees it who plays White. */
export type Cell = number;

export interface Setup {
  readonly men: ReadonlyMap<Cell, Man>;
  readonly mover: Colour;
}

export interface BoardKind {
  readonly game: string;
  /** The men that can be set up, White's before Black's. */
  readonly palette: readonly Man[];
  /** "white king" */
  manName(man: Man): string;
  /** What people call the cell; null if no man can stand there. */
  cellName(cell: Cell): string | null;
  /** Reads a position; null if it cannot be drawn. */
  read(position: string): Setup | null;
  write(setup: Setup): string;
  /** The cells that a move goes over, from its origin to its end. */
  path(uci: string): Cell[];
  /** The man that a move chooses to become, if it does. */
  promotion(uci: string): Man | null;
}

/** The cells on which men can stand. */
export function cellsByName(cellName: BoardKind['cellName']): ReadonlyMap<string, Cell> {
  return new Map(
    Array.from({ length: 64 }, (_, cell) => [cellName(cell), cell] as const).filter(
      (pair): pair is [string, Cell] => pair[0] !== null,
    ),
  );
}
