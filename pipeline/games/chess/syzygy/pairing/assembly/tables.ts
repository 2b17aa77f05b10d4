/** Tables at the beginning of the linear memory. Behind them is the arena, whose addresses the caller chooses. */

/** By symbol. u16: values that it stands for. u8: whether it is the first, the second of a pair that is replaced. */
export const LENGTH: usize = memory.data(4096 * 2, 16);
export const IS_FIRST: usize = memory.data(4096, 16);
export const IS_SECOND: usize = memory.data(4096, 16);
/** u32 pairs and what replaces them, hashed. */
export const MOST_REPLACED: u32 = 16384;
export const REPLACED: usize = memory.data(16384 * 4, 16);
export const REPLACEMENT: usize = memory.data(16384 * 4, 16);
/** u16, by symbol: what a run of it is made of, which is what two of it become, or itself. */
export const BECOMES: usize = memory.data(4096 * 2, 16);
/** u32: pairs whose counts passed 65,535, once for each time; how many. */
export const MOST_CARRIES: u32 = 65536;
export const CARRIES: usize = memory.data(65536 * 4, 16);
