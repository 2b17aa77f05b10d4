/**
 * Groups unordered rows whose minors all lie in a block that fits the cache: the greatest payload of each minor.
 *
 * Input: unordered rows with one payload column, minors below best.length; majors are not looked at. Output: `best`,
 * best[m] = max(best[m], the payloads of minor m). Algorithm: direct addressing, one scan; no ordering is needed because
 * the whole block is in the cache (group.ts is for keys that are not). Memory: `best`. I/O: reads the input once.
 * Degenerate cases: no rows (best is unchanged).
 */
import type { RowSource } from './runs/types.js';

/** See the top of this file. */
export async function aggregateMax(rows: RowSource, best: Uint32Array): Promise<void> {
  for await (const { minor, payload, length } of rows) raise(best, minor, payload[0]!, length);
}

function raise(best: Uint32Array, minor: Uint32Array, value: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) if (value[i]! > best[minor[i]!]!) best[minor[i]!] = value[i]!;
}
