/** Symbols of a published file (tables/codec/symbols.ts): the values of a table, don't-cares marked. */
import type { Side } from '../../game/game.js';
import { withoutRepeats } from '../../game/repeats.js';
import { brokenIn, type ValueColumn } from '../../game/value.js';
import { ANY, DRAW, LOSS, WIN } from '../codec/symbols.js';
import type { Table } from '../table.js';

/** How many positions are given at once. */
const BATCH = 1 << 16;

/** The symbols of one side in index order; each array is valid until the next is asked for. */
export async function* symbolsOf(table: Table, side: Side): AsyncGenerator<Uint8Array> {
  const { slice } = table;
  const symbols = new Uint8Array(BATCH);
  const marks = new Uint8Array(BATCH);
  for await (const batch of table.values(side, 0, slice.parts)) {
    const held = (batch.columns[0] as ValueColumn).subarray(0, batch.length);
    const codes = withoutRepeats(slice, batch.major, batch.first, held);
    for (let from = 0; from < batch.length; from += BATCH) {
      const length = Math.min(BATCH, batch.length - from);
      slice.dontCares?.(side, batch.major, batch.first + from, length, marks);
      translate(codes, from, length, marks, symbols);
      yield symbols.subarray(0, length);
    }
  }
}

function translate(
  codes: ValueColumn,
  from: number,
  length: number,
  marks: Uint8Array,
  out: Uint8Array,
): void {
  const broken = brokenIn(codes);
  for (let i = 0; i < length; i++) {
    const code = codes[from + i];
    if (marks[i] !== 0 || code === broken) out[i] = ANY;
    else out[i] = code > 0 ? WIN : code < 0 ? LOSS : DRAW;
  }
}

/** Adds how many positions have each symbol, by symbol. */
export function countSymbols(symbols: Uint8Array, counts: number[]): void {
  for (let i = 0; i < symbols.length; i++) counts[symbols[i]]++;
}
