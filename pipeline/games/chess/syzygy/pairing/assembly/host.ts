/** Functions that kernels call while they run; the module of the imports is named after this file. */

/** Reads the next symbols into the input; how many, 0 at the end. */
export declare function refill(): i32;
/** Takes so many symbols that were written. */
export declare function drain(symbols: i32): void;
