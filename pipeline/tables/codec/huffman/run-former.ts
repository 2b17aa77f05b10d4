import type { BlockEncoder } from '../codec.js';
import { ANY } from '../symbols.js';

/**
 * Turns symbols into runs: don't-cares continue the run before them, those at the beginning belong to the first run. A
 * file of nothing else is one run of `dominant`. Calls `run` once for each, neighbours have different values.
 */
export function newRunFormer(dominant: number, run: (value: number, length: number) => void): BlockEncoder {
  let value = ANY as number;
  /** Length of the run, before the symbols at hand. */
  let length = 0;
  return {
    add(symbols) {
      let current = value;
      let from = 0;
      for (let i = 0; i < symbols.length; i++) {
        const symbol = symbols[i];
        if (symbol === ANY || symbol === current) continue;
        if (current !== ANY) {
          run(current, length + i - from);
          length = 0;
          from = i;
        }
        current = symbol;
      }
      value = current;
      length += symbols.length - from;
    },
    end() {
      if (length > 0) run(value === ANY ? dominant : value, length);
    },
  };
}
