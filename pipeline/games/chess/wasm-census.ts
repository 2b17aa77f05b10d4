/** The census by rows in WebAssembly (assembly/census.ts): fills the buffers of an instance and copies them out. */
import type { Slice } from '../../game/game.js';
import { bitBytes } from '../../game/labels.js';
import type { ChessMemory, Instance } from './wasm-instance.js';

export type RawCensus = (
  side: number,
  part: number,
  first: number,
  count: number,
  withConversions: boolean,
) => void;

function viewBuffers({ wasm }: Instance<ChessMemory>) {
  const { buffer } = wasm.memory;
  const most = wasm.MOST_INDICES.value;
  return {
    counts: new Uint8Array(buffer, wasm.ALL_COUNTS.value, most),
    captures: new Uint8Array(buffer, wasm.ALL_CAPTURES.value, most),
    open: new Uint8Array(buffer, wasm.OPEN.value, bitBytes(most)),
    found: new Uint32Array(buffer, wasm.FOUND.value, 3),
  };
}

/** The kernel of the contract, by the instance that `instance` returns; `raw` is the census of that instance. */
export function wasmCensus<Exports extends ChessMemory>(
  instance: () => Instance<Exports>,
  raw: (wasm: Exports) => RawCensus,
): Slice['census'] {
  let views: ReturnType<typeof viewBuffers> | undefined;
  return (side, part, first, length, out) => {
    const made = instance();
    const { counts, captures, open, found } = (views ??= viewBuffers(made));
    const kernel = raw(made.wasm);
    out.lost = out.legal = out.drawn = 0;
    for (let from = 0; from < length; from += counts.length) {
      const count = Math.min(counts.length, length - from);
      kernel(side, part, first + from, count, out.conversions !== null);
      out.counts.set(counts.subarray(0, count), from);
      out.conversions?.set(captures.subarray(0, count), from);
      out.open.set(open.subarray(0, bitBytes(count)), from >>> 3);
      const [lost, legal, drawn] = found;
      out.lostKeys.set(made.minor.subarray(0, lost), out.lost);
      out.lost += lost;
      out.legal += legal;
      out.drawn += drawn;
    }
  };
}
