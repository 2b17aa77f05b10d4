/**
 * The runs of a table of dtm50 that give values by clock, beside its values, which are those at clock 0. A dense run for each side
 * has the number of every position's ladder; one run has the ladders.
 */

import type { Counters } from '../../operators/core/counters.js';
import { newCounters } from '../../operators/core/counters.js';
import { DamageError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Column, DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../game/game.js';
import type { ClockRuns, PartRun, TableManifest } from '../game/manifest.js';
import { DRAWN_LADDER, FIRST_FREE, type Ladders, newLadders } from './ladders.js';

const LADDERS = 'ladders';
const NUMBERS = 'ladder-numbers';

/** All that a table of dtm50 says beyond its values at clock 0. */
export interface OpenClocks {
  readonly ladders: Ladders;
  /** Ladders of the positions of the parts [from, to), in order: columns[0]. */
  numbers(side: Side, from: number, to: number): DenseCursor;
  /** An owned block of such numbers that contains `key`. */
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}

/** The description that such a run holds of itself. */
export function describeNumbers(slice: string, side: Side) {
  return { kind: NUMBERS, meta: { slice, metric: 'dtm50', side: String(side) } };
}

/** The description that such a run holds of itself. */
export function describeLadders(slice: string) {
  return { kind: LADDERS, meta: { slice, metric: 'dtm50' } };
}

/**
 * Opens what a table of dtm50 says by clock.
 * @param most ladders that may be held.
 * @throws DamageError if the table says nothing of the kind, or something impossible.
 */
export async function openClocks(
  store: Store,
  manifest: Pick<TableManifest, 'clocks' | 'slice'>,
  counters: Counters = newCounters(),
  most?: number,
): Promise<OpenClocks> {
  const { clocks, slice } = manifest;
  if (clocks === undefined) throw new DamageError(slice, 'has a table of dtm50 without values by clock');
  const ladders = newLadders(most);
  await readLadders(ladders, store, clocks, slice, counters);
  const once = newOnce<string, RunReader>();
  const reader = (side: Side, run: PartRun) =>
    once(run.name, () => openNumbers(store, run, describeNumbers(slice, side), clocks.type, counters));

  return {
    ladders,
    async *numbers(side, from, to) {
      for (const run of clocks.numbers[side]) yield* (await reader(side, run)).denseCursor({ from, to });
    },
    async block(side, part, key) {
      const [run] = clocks.numbers[side];
      return { major: part, ...(await (await reader(side, run)).denseBlock(part, key)) };
    },
  };
}

async function openNumbers(
  store: Store,
  run: PartRun,
  expect: ReturnType<typeof describeNumbers>,
  type: 'u16' | 'u32',
  counters: Counters,
): Promise<RunReader> {
  const reader = await openRun(store, run, { counters, expect });
  const { dense, columns } = reader.spec;
  if (!dense || columns.length !== 1 || columns[0].type !== type)
    throw new DamageError(objectName(store, run.name), `is no run of ladders of type ${type}`);
  return reader;
}

async function readLadders(
  ladders: Ladders,
  store: Store,
  { ladders: ref, ladderCount }: ClockRuns,
  slice: string,
  counters: Counters,
): Promise<void> {
  const reader = await openRun(store, ref, { counters, expect: describeLadders(slice) });
  const fault = (what: string) => new DamageError(objectName(store, ref.name), what);
  if (reader.rows !== ladderCount - FIRST_FREE)
    throw fault(`has ${reader.rows} ladders, not ${ladderCount - FIRST_FREE}`);
  if (reader.rows === 0) return;
  for await (const { length, columns } of reader.denseCursor()) {
    const [parent, plies, until] = columns as [Column, Column, Column];
    for (let i = 0; i < length; i++) {
      const number = ladders.count;
      const isRoot = parent[i] === DRAWN_LADDER;
      const isChild = parent[i] >= FIRST_FREE && parent[i] < number;
      if (!isRoot && !isChild) throw fault(`ladder ${number} goes on from none`);
      if (isChild && (plies[i] <= ladders.plies[parent[i]] || until[i] <= ladders.until[parent[i]]))
        throw fault(`ladder ${number} does not rise`);
      if (ladders.raised(parent[i], plies[i], until[i]) !== number)
        throw fault(`ladder ${number} comes twice`);
    }
  }
}
