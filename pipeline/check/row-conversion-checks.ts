/** Checks of conversions that are taken back by rows against those taken back by keys: the same, equally often. */

import { setsOfKeys } from '../engine/memory/rows.js';
import { newCensus, readStatus } from '../game/fill-census.js';
import { type Address, type RowConversions, type Side, type Slice, Status } from '../game/game.js';
import { times } from '../games/yours/definition.js';
import { BIAS, type ConvertedPosition, conversionsFrom, unconversionsTo } from './kernels.js';
import { firstDifference, lacking, type PositionCheck, withoutDependencies } from './position-checks.js';
import { keysOf } from './row-checks.js';
import { addressText, type Subject } from './subject.js';
import type { Fault } from './violation.js';

/** Positions of a row. */
const ROW = 64;

/** The legal positions of a row of a part. */
function legalRow(slice: Slice, { side, part, key }: Address): Uint32Array {
  const first = key - (key % ROW);
  const count = Math.min(ROW, slice.partSize(part) - first);
  const census = newCensus(count);
  const status = new Uint8Array(count);
  slice.census(side, part, first, count, census);
  readStatus(census, first, count, status);
  const keys = Array.from(status, (_, i) => first + i);
  return Uint32Array.from(keys.filter((_, i) => status[i] !== Status.broken));
}

/** Conversions taken back, of the rows that those of a position lead to: each row whole. */
function unconversionsOfRows(subject: Subject, at: Address): Fault | null {
  const seen = new Set<string>();
  for (const to of conversionsFrom(subject, at)) {
    const { key } = to.address;
    const row = addressText({ ...to.address, key: key - (key % ROW) });
    if (seen.has(row)) continue;
    seen.add(row);
    const fault = unconversionsOfRow(subject, at.side, to, row);
    if (fault !== null) return fault;
  }
  return null;
}

/** @param row text of the first address of the row that `to` is of. */
function unconversionsOfRow(subject: Subject, side: Side, to: ConvertedPosition, row: string): Fault | null {
  const rowConversions = subject.slice.rowConversions as RowConversions;
  const { dependency, address } = to;
  const keys = legalRow(subject.game.slice(address.slice), address);
  const wanted = Array.from(keys)
    .flatMap((key) => unconversionsTo(subject, { dependency, address: { ...address, key } }, side))
    .filter(({ part, key }) => subject.isLegal(side, part, key));
  const emits = rowConversions.emits({ side, dependency, sideThere: address.side });
  if (emits === null)
    return { kernel: `emits says null of ${row}`, rules: 'unconversions of positions there emit rows' };
  for (const form of emits === 'sets' ? (['sets', 'keys'] as const) : (['keys'] as const)) {
    const found = taken(subject, side, to, keys, form);
    const legal = found.filter(({ part, key }) => subject.isLegal(side, part, key));
    const difference = firstDifference(legal.map(addressText), wanted.map(addressText));
    if (difference !== null)
      return {
        kernel: `unconversions of the row of ${row} emits ${difference.text} ${times(difference.seen)}, as ${form}`,
        rules: `unconversions of its positions emit it ${times(difference.wanted)}`,
      };
  }
  return null;
}

/** The conversions of a row that are taken back, in a form. */
function taken(
  { slice }: Subject,
  side: Side,
  { dependency, address }: ConvertedPosition,
  keys: Uint32Array,
  form: 'sets' | 'keys',
): Address[] {
  const rowConversions = slice.rowConversions as RowConversions;
  const sets = setsOfKeys({ major: 0, minor: keys, length: keys.length, payload: [] });
  const columns = () => new Uint32Array(ROW * slice.maxMoves + ROW);
  const [major, minor, low, high] = [columns(), columns(), columns(), columns()];
  const link = { side, dependency, sideThere: address.side };
  const found: Address[] = [];
  for (let from = 0; from < sets.length; ) {
    const range = { from, to: sets.length };
    const out = { length: 0, major, minor, ...(form === 'sets' ? { low, high } : {}) };
    from = rowConversions.unconversions(link, address.part, sets, range, BIAS, out);
    for (let i = 0; i < out.length; i++) {
      const set = { minor: minor.subarray(i), low: low.subarray(i), high: high.subarray(i) };
      const part = major[i] - BIAS;
      for (const key of form === 'sets' ? keysOf(set, 1) : [minor[i]])
        found.push({ slice: slice.name, side, part, key });
    }
  }
  return found;
}

export const rowConversionCheck: PositionCheck = {
  rule: 'rowConversions',
  every: 64,
  absent: (subject) => withoutDependencies(subject) ?? lacking(subject, 'rowConversions', 'unconversions'),
  check: unconversionsOfRows,
};
