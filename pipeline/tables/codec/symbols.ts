/**
 * Symbols of a published file: one for each position, in index order. A file of wins, draws and losses has three values, a file of bytes 255. The
 * number of values is itself a symbol: that of a don't-care.
 */

export const WDL_VALUES = 3;
export const BYTE_VALUES = 255;

/** A value for the side to move. */
export type WdlSymbol = 0 | 1 | 2;

export const LOSS = 0;
export const DRAW = 1;
export const WIN = 2;
/** A don't-care: a position whose value is derived again when it is probed. A coder may give it any value. */
export const ANY = WDL_VALUES;
