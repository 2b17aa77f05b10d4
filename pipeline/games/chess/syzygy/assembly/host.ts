/** Functions that kernels call while they run; the module of the imports is named after this file. */

/** Takes the rows of a full page away. */
export declare function spill(bucket: i32, rows: i32): void;
/** Reads the next symbols into the input; how many, 0 at the end. */
export declare function refill(): i32;
/** Takes so many symbols that were written. */
export declare function drain(symbols: i32): void;
/** Whether a side has moves in the position of BOARD, captures en passant left out. */
export declare function hasMoves(side: i32): i32;
