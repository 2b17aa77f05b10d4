/** What a game brings so that its texts can be read: its words, and its rules. */
import type { Words } from './game-text.js';
import type { ReadStudy } from './study.js';

/** A position as a game comes to it. */
export interface GamePosition {
  readonly fen: string;
  /** Of the move that comes: "12." or "12...". */
  readonly number: string;
  /** What is written of a move that goes on in the next word; null unless it does. */
  readonly begun: string | null;
  /** @param text the move as it is written. @throws Error with the reason why it is not a move here. */
  play(text: string): PlayedMove;
}

export interface PlayedMove {
  readonly san: string;
  readonly uci: string;
  /** If the move goes on in the next word, the position before the move, in which `begun` is what was read of it. */
  readonly after: GamePosition;
}

/** How the positions and games of a game are written. */
export interface Notation {
  readonly words: Words;
  readPosition(line: string): {
    readonly fen: string;
    readonly operations: Readonly<Record<string, readonly string[]>>;
  };
  /** @param tags by their names in lower case. @throws Error with the reason why the game cannot be read. */
  start(tags: Readonly<Record<string, string>>): GamePosition;
  /** Texts of another form, which are told by their first line that is not empty. */
  readonly other?: {
    begins(line: string): boolean;
    read(lines: AsyncIterable<string> | Iterable<string>, path: string): AsyncGenerator<ReadStudy>;
  };
}
