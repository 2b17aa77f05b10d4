/** Symbols of a published file (tables/codec/symbols.ts): a column of a table, don't-cares marked. */
import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side } from '../../game/game.js';
import { withoutRepeats } from '../../game/repeats.js';
import { brokenIn, pliesOfCode, type ValueColumn } from '../../game/value.js';
import { ANY, BYTE_VALUES, DRAW, LOSS, WIN } from '../codec/symbols.js';
import { openNumbers, valuesWithNumbers } from '../numbers.js';
import type { Table } from '../table.js';
import { MOST_PUBLISHED_PLIES, type PublishedColumn, pliesSymbol } from './columns.js';

/** How many positions are given at once. */
const BATCH = 1 << 16;

/**
 * The symbols of a column of one side in index order; each array is valid until the next is asked for.
 * @param store of the table. @throws UserError if a value has more plies than a file can hold.
 */
export async function* symbolsOf(
  store: Store,
  table: Table,
  side: Side,
  column: PublishedColumn,
): AsyncGenerator<Uint8Array> {
  const { slice } = table;
  const symbols = new Uint8Array(BATCH);
  const marks = new Uint8Array(BATCH);
  const numbers = column === 'numbers' ? openNumbers(store, table) : undefined;
  for await (const batch of valuesWithNumbers(table, numbers, side, 0, slice.parts)) {
    const held = (batch.columns[0] as ValueColumn).subarray(0, batch.length);
    const codes = withoutRepeats(slice, batch.major, batch.first, held);
    for (let from = 0; from < batch.length; from += BATCH) {
      const length = Math.min(BATCH, batch.length - from);
      if (column === 'numbers') numberSymbols(codes, batch.columns[1] as Uint8Array, from, length, symbols);
      else if (column === 'plies') {
        if (!pliesSymbols(codes, from, length, symbols)) throw tooManyPlies(table, codes);
      } else {
        slice.dontCares?.(side, batch.major, batch.first + from, length, marks);
        wdlSymbols(codes, from, length, marks, symbols);
      }
      yield symbols.subarray(0, length);
    }
  }
}

function wdlSymbols(
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

/** Returns whether all have a symbol. */
function pliesSymbols(codes: ValueColumn, from: number, length: number, out: Uint8Array): boolean {
  const broken = brokenIn(codes);
  let most = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[from + i];
    const symbol = code === broken ? BYTE_VALUES : pliesSymbol(code);
    if (code !== broken && symbol > most) most = symbol;
    out[i] = symbol;
  }
  return most < BYTE_VALUES;
}

function numberSymbols(
  codes: ValueColumn,
  numbers: Uint8Array,
  from: number,
  length: number,
  out: Uint8Array,
): void {
  const broken = brokenIn(codes);
  for (let i = 0; i < length; i++) {
    const code = codes[from + i];
    // A position without a solution has number 0, which its plies tell.
    out[i] = code === broken || code === 0 ? BYTE_VALUES : numbers[from + i] - 1;
  }
}

function tooManyPlies({ slice, manifest }: Table, codes: ValueColumn): UserError {
  const broken = brokenIn(codes);
  let plies = 0;
  for (const code of codes) if (code !== broken) plies = Math.max(plies, pliesOfCode(code));
  return new UserError(
    `${slice.name} has positions of ${plies} plies under ${manifest.metric}: a published file holds up to ${MOST_PUBLISHED_PLIES}`,
  );
}

/** Adds how many positions have each symbol, by symbol. */
export function countSymbols(symbols: Uint8Array, counts: number[]): void {
  for (let i = 0; i < symbols.length; i++) counts[symbols[i]]++;
}
