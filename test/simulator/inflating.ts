/**
 * Inflating in the thread of the simulator. Node inflates in threads of its own, behind the back of the clock: then the same seed
 * would not be the same sequence.
 */
import { inflateRawSync } from 'node:zlib';

/** Does the work of DecompressionStream for `deflate-raw`, all at the end. */
class InflatingHere extends TransformStream<Uint8Array, Uint8Array> {
  constructor(format: string) {
    if (format !== 'deflate-raw') throw new TypeError(`the simulator has no ${format}`);
    const pieces: Uint8Array[] = [];
    super({
      transform: (piece) => void pieces.push(piece),
      flush: (controller) => controller.enqueue(new Uint8Array(inflateRawSync(Buffer.concat(pieces)))),
    });
  }
}

/** Calls `act`; until its promise is settled, DecompressionStream inflates here. */
export async function inflatingHere<T>(act: () => Promise<T>): Promise<T> {
  const before = globalThis.DecompressionStream;
  globalThis.DecompressionStream = InflatingHere as unknown as typeof DecompressionStream;
  try {
    return await act();
  } finally {
    globalThis.DecompressionStream = before;
  }
}
