/**
 * Differences: the positions that each ply labelled, as a list in Koistinen's distance code. Lists of several plies
 * are one run, a segment for each event (ply and flow). The number of a position in a list is 64 * word + bit of the
 * layout. Of the orders of like men only the ascending one is listed. The lists are the checkpoint: all sets can be
 * made from them.
 */
import { z } from 'zod';
import type { Counters } from '../../../operators/core/counters.js';
import { openRun, type RunReader } from '../../../operators/runs/reader.js';
import { createRun, type RunWriter } from '../../../operators/runs/writer.js';
import type { Store } from '../../../operators/storage/store.js';
import { eventNumber, flow, Kind } from '../../game/events.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import { CountersRecord, NamedRun } from '../../game/manifest.js';
import { PAIRS } from '../../games/chess/geometry.js';
import {
  type DistanceDecoder,
  type DistanceEncoder,
  decodeDistances,
  encodeWords,
  mostBytes,
  newDistanceEncoder,
  restart,
} from './distance-code.js';
import { type SetKernels, wordsIn } from './kernels.js';
import { addPosition, type PositionSet, subtract, wordsOf } from './position-set.js';
import { emptyFrontier, type FrontierSets, type RoundState } from './rounds.js';
import type { SetLayout } from './set-layout.js';

const count = z.number().int().nonnegative();

/** A checkpoint: the plies [from, to) are done and their lists are in `run`. */
export const DifferencesManifest = z.object({
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  step: z.literal('differences'),
  from: count,
  to: count,
  run: NamedRun,
  bytes: count,
  /** The last ply that labelled anything. */
  longest: count,
  done: z.boolean(),
  counters: CountersRecord,
});
export type DifferencesManifest = z.infer<typeof DifferencesManifest>;

/** Codes are passed on to the run when there are so many. */
const FLUSH_BYTES = 1 << 16;

/** An encoder of the lists of a layout. */
export interface ListEncoder extends DistanceEncoder {
  readonly kernels: SetKernels;
  /** The order of like men that is listed, of one pair of kings: layout.ordered in the linear memory. */
  readonly mask: Int32Array;
}

export interface Differences {
  readonly encoder: ListEncoder;
  readonly name: string;
  readonly writer: RunWriter;
}

/** Bytes of the buffers of lists, besides the encoder. */
export const LIST_BYTES = 2 * FLUSH_BYTES;

/** Bytes of an encoder in the linear memory. */
export function encoderBytes({ configs, words }: SetLayout): number {
  const mask = 8 * Math.max(2, configs);
  return mask + Math.ceil((FLUSH_BYTES + mostBytes(configs, 64 * words)) / 16) * 16;
}

/** Starts the lists from ply `from` on. */
export async function createDifferences(
  store: Store,
  prefix: string,
  from: number,
  encoder: ListEncoder,
  env: { batchRows: number; counters: Counters },
): Promise<Differences> {
  const name = `${prefix}/differences-${String(from).padStart(5, '0')}.arrow`;
  const spec = {
    kind: 'differences',
    dense: true,
    columns: [{ name: 'distance', type: 'u8' as const }],
    strict: true,
    meta: {},
  };
  return { encoder, name, writer: await createRun(store, name, spec, env) };
}

export function newEncoder(kernels: SetKernels): ListEncoder {
  const { layout, take } = kernels;
  const mask = wordsIn(take(8 * layout.configs));
  mask.set(layout.ordered);
  const codes = take(FLUSH_BYTES + mostBytes(layout.configs, 64 * layout.words));
  return { ...newDistanceEncoder(codes), kernels, mask };
}

/** Appends the lists of a ply; returns how many positions they have. */
export async function appendPly(
  { encoder, writer }: Differences,
  ply: number,
  found: FrontierSets,
): Promise<number> {
  const { kernels, mask } = encoder;
  const { layout } = kernels;
  let labelled = 0;
  for (const kind of [Kind.win, Kind.loss]) {
    for (const side of [0, 1] as const) {
      const set = found[kind][side];
      if (set === null) continue;
      const event = eventNumber(ply, flow(kind, side));
      restart(encoder);
      for (let pair = 0; pair < PAIRS; pair++) {
        if (set.some[pair] === 0) continue;
        encodeWords(kernels, encoder, wordsOf(layout, set, pair), mask, pair * 64 * layout.configs);
        if (encoder.length < FLUSH_BYTES) continue;
        await writer.append(event, encoder.length, null, [encoder.bytes]);
        encoder.length = 0;
      }
      await writer.append(event, encoder.length, null, [encoder.bytes]);
      labelled += encoder.count;
    }
  }
  return labelled;
}

/**
 * Passes the numbers of one list that are in [from, to) to `take`, less `from`, in batches of an array that is reused.
 */
export async function readList(
  reader: RunReader,
  event: number,
  from: number,
  to: number,
  take: (numbers: Float64Array, length: number) => void,
): Promise<void> {
  const decoder: DistanceDecoder = { last: -1 };
  let numbers = new Float64Array(0);
  for await (const batch of reader.denseCursor({ from: event, to: event + 1 })) {
    if (numbers.length < batch.length) numbers = new Float64Array(batch.length);
    const bytes = batch.columns[0] as Uint8Array;
    const length = decodeDistances(decoder, bytes, batch.length, from, to, numbers);
    if (length > 0) take(numbers, length);
  }
}

/** The lists of a ply as sets again, every order of like men included, closed in `open`. */
export async function loadPly(
  store: Store,
  manifest: DifferencesManifest,
  counters: Counters,
  rounds: RoundState,
  ply: number,
): Promise<FrontierSets> {
  const reader = await openRun(store, manifest.run, { counters, expect: { kind: 'differences' } });
  const { kernels, pool, open } = rounds;
  const { layout } = kernels;
  const orders = ordersOfLikeMen(layout);
  const found = emptyFrontier();
  for (const kind of [Kind.win, Kind.loss]) {
    for (const side of [0, 1] as const) {
      const event = eventNumber(ply, flow(kind, side));
      if (reader.segmentRows(event) === 0) continue;
      const set = (found[kind][side] = pool.take());
      await readList(reader, event, 0, 64 * layout.words, (numbers, length) => {
        for (let i = 0; i < length; i++) addAllOrders(layout, orders, numbers[i], set);
      });
      subtract(kernels, open[side], set);
    }
  }
  return found;
}

/** Every way to exchange like men: for each man, which man's square it takes. */
function ordersOfLikeMen({ space }: SetLayout): number[][] {
  let orders: number[][] = [[]];
  for (let man = 0; man < space.men; man++) {
    orders = orders.flatMap((order) =>
      Array.from({ length: space.men }, (_, other) => other)
        .filter((other) => space.groupOf[other] === space.groupOf[man] && !order.includes(other))
        .map((other) => [...order, other]),
    );
  }
  return orders;
}

function addAllOrders(
  layout: SetLayout,
  orders: readonly number[][],
  number: number,
  set: PositionSet,
): void {
  const { space, shift, wordMan, configs } = layout;
  const word = Math.floor(number / 64);
  const square = number - 64 * word;
  const pair = Math.floor(word / configs);
  const config = word - pair * configs;
  for (const order of orders) {
    let there = 0;
    let bit = square;
    for (let man = 0; man < space.men; man++) {
      const from = order[man] === wordMan ? square : (config >> shift[order[man]]) & 63;
      if (man === wordMan) bit = from;
      else there |= from << shift[man];
    }
    addPosition(set, pair, pair * configs + there, bit);
  }
}
