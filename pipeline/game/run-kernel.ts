/**
 * Calls a kernel in WebAssembly that turns keys into rows, for any game. Its parameters are those of a kernel, and its buffers.
 */
import type { Emission, KeyEmission } from './game.js';

/** The buffers in the instance's memory: keys in, rows out; `rows[0]` is how many rows there are. */
export interface KernelBuffers {
  readonly keys: Uint32Array;
  readonly minor: Uint32Array;
  readonly major: Uint32Array;
  readonly source: Uint32Array;
  readonly rows: Uint32Array;
}

/**
 * Calls a kernel for at most `count` keys and `room` rows, the first key being number `source` of the batch. Returns
 * how many keys it did.
 */
export type Kernel = (count: number, room: number, source: number) => number;

/**
 * Has a kernel do keys[from..to), as many at once as the buffers hold, while there is room for the `maxMoves` rows of
 * another. Copies the columns that are wanted. Returns the first key not done.
 */
export function runKernel(
  buffers: KernelBuffers,
  maxMoves: number,
  kernel: Kernel,
  keys: Uint32Array,
  from: number,
  to: number,
  out: KeyEmission,
  { major, source }: Partial<Pick<Emission, 'major' | 'source'>>,
): number {
  const room = out.minor.length - maxMoves;
  let next = from;
  while (next < to && out.length <= room) {
    const count = Math.min(to - next, buffers.keys.length);
    buffers.keys.set(keys.subarray(next, next + count));
    const most = Math.min(room - out.length, buffers.minor.length - maxMoves);
    next += kernel(count, most, next);
    const rows = buffers.rows[0];
    out.minor.set(buffers.minor.subarray(0, rows), out.length);
    major?.set(buffers.major.subarray(0, rows), out.length);
    source?.set(buffers.source.subarray(0, rows), out.length);
    out.length += rows;
  }
  return next;
}

/** Room for so many rows. */
export function newEmission(rows: number): Emission {
  const column = () => new Uint32Array(rows);
  return { length: 0, major: column(), minor: column(), source: column() };
}
