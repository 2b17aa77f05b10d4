/** Studies, games and problems as they are read from a text. */
import type { Result } from '../ui/game-tags.js';
import type { GameText, PositionLine } from './game-text.js';

/** A move of a game. */
export interface StudyMove {
  /** "12." or "12..." */
  readonly number: string;
  /** As the game's notation writes it; "--" for a null move, after which the other side moves. */
  readonly san: string;
  /** "0000" for a null move. */
  readonly uci: string;
  /** The positions before and after it, as FEN. */
  readonly before: string;
  readonly after: string;
  /** Lines that begin with another move in its place. */
  readonly variations: readonly (readonly StudyMove[])[];
  /** What the author wrote behind it, without braces: words, clocks, arrows. */
  readonly comments: readonly string[];
  /** Glyphs and suffixes behind it, as written: "$2", "!?". */
  readonly glyphs: readonly string[];
  /** Its place among the tokens of the study's source: that of its last word. */
  readonly token: number;
}

export interface Study {
  /** The text of its tags: "Réti 1921"; or its place. */
  readonly title: string;
  /** Where it is: "x.pgn, game 3 (line 41)", "x.epd, line 5". */
  readonly place: string;
  readonly fen: string;
  /** As they are in the file; none of a position without moves. */
  readonly tags: Readonly<Record<string, string>>;
  readonly moves: readonly StudyMove[];
  /** The result by the tag Result, else by the end of the moves; null if neither names one. */
  readonly result: Result | null;
  /** Operations of EPD by their opcode: `bm` gives ["Ke5", "Kd5"], `dm` ["5"], `id` ["a title"]. Empty for games. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** Oddities of its text, though it can be read: a result at the end that differs from the tag. */
  readonly remarks: readonly string[];
  /** The text it was read from. */
  readonly source: GameText | PositionLine;
}

/**
 * A study, or a problem in one line with its place. If only a part of a game can be read, the study of that part comes first, then the
 * problem with an empty `text`. If none of it can be read, `text` is the text of the game. A game that is too long comes as several
 * pieces of text, and `problem` is null in all but the first.
 */
export type ReadStudy =
  | { readonly study: Study }
  | { readonly problem: string | null; readonly text: string };
