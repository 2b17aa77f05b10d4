/**
 * Conversions taken back by rows (pipeline/game/row-conversions.ts) for slices whose kernels take keys: each key is a set of one.
 */
import type { Emission, RowConversions, SetColumns, Slice } from '../game/game.js';
import { brokenIn } from '../game/value.js';

/** @param slice has `unconversions`. */
export function keyConversions({ unconversions }: Pick<Slice, 'unconversions'>): RowConversions {
  let room = new Uint32Array(0);
  const source = new Uint32Array(0);
  return {
    emits: () => 'keys',
    decided({ codes, first, length }, from, _alike, wanted, out) {
      const broken = brokenIn(codes);
      const most = out.minor.length;
      let n = out.length;
      let i = from;
      for (; i < length && n < most; i++) {
        const value = codes[i];
        if (value === 0 || value === broken) continue;
        const key = first + i;
        const bit = 1 << (key & 31);
        if (wanted !== null && (wanted[key >>> 5] & bit) === 0) continue;
        out.minor[n] = key >>> 6;
        out.low[n] = (key & 32) === 0 ? bit : 0;
        out.high[n] = (key & 32) === 0 ? 0 : bit;
        out.code[n++] = value;
      }
      out.length = n;
      return i;
    },
    unconversions({ side, dependency, sideThere }, part, sets, { from, to }, bias, out) {
      if (room.length < to) room = new Uint32Array(to);
      for (let i = from; i < to; i++) room[i] = keyOf(sets, i);
      const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
      const done = unconversions!(side, dependency, sideThere, part, room, from, to, bias, emission);
      out.length = emission.length;
      return done;
    },
  };
}

/** The key of a set of one. */
function keyOf({ minor, low, high }: SetColumns, set: number): number {
  return 64 * minor[set] + (low[set] === 0 ? 63 - Math.clz32(high[set]) : 31 - Math.clz32(low[set]));
}
