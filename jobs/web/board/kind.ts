/** The page needs this of a game to draw its board and to set men up on it. Its rules are the source's concern. */
import type { Colour } from '../../../pipeline/game/game.js';

/** A letter for a man; capital and small letters mean what they do in the game's positions. */
export type Man = string;

/** 0 … 63, row by row from the top left corner as one sees it who plays White. */
export type Cell = number;

export interface Setup {
  readonly men: ReadonlyMap<Cell, Man>;
  readonly mover: Colour;
  /** The rights that chess writes beside men and mover; other positions have none. */
  readonly rights?: Rights;
}

export interface Rights {
  /** The name of the square behind a pawn that can be captured en passant; "-": none. */
  readonly passant: string;
  /** Plies since the last capture or move of a pawn. */
  readonly clock: number;
  /** The number of the move. */
  readonly move: number;
}

export interface BoardKind {
  readonly game: string;
  /** The men that can be set up, White's before Black's. */
  readonly palette: readonly Man[];
  /** "white king" */
  manName(man: Man): string;
  /** People's name for the cell; null if no man can stand there. */
  cellName(cell: Cell): string | null;
  /** Reads a position; null if it cannot be drawn. */
  read(position: string): Setup | null;
  write(setup: Setup): string;
  /** Seen in a mirror beside the board; null if boards of the game have no such image. */
  mirrored: ((setup: Setup) => Setup) | null;
  /** With the colours exchanged. */
  exchanged(setup: Setup): Setup;
  /** The cells that a move goes over, from its origin to its end. */
  path(uci: string): Cell[];
  /** The man that a move chooses to become, if it does. */
  promotion(uci: string): Man | null;
}

/** The setup with every man where `to` says, as `as` says. */
export function moved(setup: Setup, to: (cell: Cell) => Cell, as: (man: Man) => Man = (man) => man): Setup {
  return { ...setup, men: new Map([...setup.men].map(([cell, man]) => [to(cell), as(man)])) };
}

/** A letter in the other case, which is the other colour in chess. */
export function otherCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

export function otherColour(colour: Colour): Colour {
  return colour === 'white' ? 'black' : 'white';
}

/** The cells on which men can stand. */
export function cellsByName(cellName: BoardKind['cellName']): ReadonlyMap<string, Cell> {
  return new Map(
    Array.from({ length: 64 }, (_, cell) => [cellName(cell), cell] as const).filter(
      (pair): pair is [string, Cell] => pair[0] !== null,
    ),
  );
}
