/** Names that numbered games had. They go with the release after the next. */
import type { NumberedGame, NumberedSlice } from './numbered-definition.js';
import { numberedGame } from './numbered-game.js';

/** @deprecated Use {@link numberedGame}, which it is. */
export const simpleGame = numberedGame;

/** @deprecated Use {@link NumberedGame}. */
export type SimpleGame<Position> = NumberedGame<Position>;

/** @deprecated Use {@link NumberedSlice}. */
export type SimpleSlice = NumberedSlice;
