/** Functions that kernels call while they run; the module of the imports is named after this file. */

/** Takes the rows of a full page away. */
export declare function spill(bucket: i32, rows: i32): void;
/** Takes so many symbols that were written. */
export declare function drain(symbols: i32): void;
/** Brings the next page of a bucket back. */
export declare function recall(bucket: i32): void;
