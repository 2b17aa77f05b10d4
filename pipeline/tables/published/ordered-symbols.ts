/** Symbols of a side of a slice, from the order of the index into that of a published file and back. */
import { assert, DamageError } from '../../../operators/core/errors.js';
import type { Side, Slice } from '../../game/game.js';
import type { IndexOrder } from '../../game/index-order.js';
import type { Expanded, Published } from './reader.js';

/** Spans are given together up to so many positions; a longer span by itself. */
const BATCH = 1 << 16;

/** The order of a number; null for the order of the index. Undefined if the side of the slice has no such order. */
export function orderOf(slice: Slice, side: Side, number: number): IndexOrder | null | undefined {
  return number === 0 ? null : (slice.orders?.(side)[number] ?? undefined);
}

/** The order that a file has. @throws DamageError if its slice has no such order. */
export function orderOfFile({ head, object }: Published, slice: Slice, side: Side): IndexOrder | null {
  const order = orderOf(slice, side, head.order);
  if (order === undefined)
    throw new DamageError(object, `has positions in an unknown order, number ${head.order}`);
  return order;
}

/** Puts symbols that follow each other in the index into an order. Each array is valid until the next is asked for. */
export async function* intoOrder(
  symbols: AsyncIterable<Uint8Array>,
  order: IndexOrder | null,
): AsyncGenerator<Uint8Array> {
  if (order === null) {
    yield* symbols;
    return;
  }
  const { span } = order;
  const places = placesIn(order);
  const ordered = new Uint8Array(batchOf(span));
  for await (const held of wholeSpans(symbols, span)) {
    putIntoOrder(held, places, ordered);
    yield ordered.subarray(0, held.length);
  }
}

/** The values of a file in the order of the index. @throws as `Published.values`, and as {@link orderOfFile}. */
export async function* valuesByIndex(file: Published, slice: Slice, side: Side): AsyncGenerator<Expanded> {
  const order = orderOfFile(file, slice, side);
  if (order === null) {
    yield* file.values();
    return;
  }
  const { span } = order;
  const places = placesIn(order);
  const symbols = new Uint8Array(batchOf(span));
  let at = 0;
  for await (const held of wholeSpans(symbolsOf(file), span)) {
    for (let first = 0; first < held.length; first += span) {
      for (let i = 0; i < span; i++) symbols[first + i] = held[first + places[i]];
    }
    yield { first: at, length: held.length, symbols };
    at += held.length;
  }
}

/** By position of a span in the order of the index: its place in the order. */
export function placesIn({ span, placeOf }: IndexOrder): Uint32Array {
  const places = new Uint32Array(span);
  for (let i = 0; i < span; i++) places[i] = placeOf(i);
  return places;
}

/** @param symbols whole spans in the order of the index. @param ordered receives them by `places` (placesIn). */
export function putIntoOrder(symbols: Uint8Array, places: Uint32Array, ordered: Uint8Array): void {
  const span = places.length;
  for (let first = 0; first < symbols.length; first += span) {
    for (let i = 0; i < span; i++) ordered[first + places[i]] = symbols[first + i];
  }
}

function batchOf(span: number): number {
  return span * Math.max(1, Math.floor(BATCH / span));
}

async function* symbolsOf(file: Published): AsyncGenerator<Uint8Array> {
  for await (const { length, symbols } of file.values()) yield symbols.subarray(0, length);
}

async function* wholeSpans(pieces: AsyncIterable<Uint8Array>, span: number): AsyncGenerator<Uint8Array> {
  const held = new Uint8Array(batchOf(span));
  let filled = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const length = Math.min(piece.length - from, held.length - filled);
      held.set(piece.subarray(from, from + length), filled);
      filled += length;
      from += length;
      if (filled < held.length) continue;
      yield held;
      filled = 0;
    }
  }
  assert(filled % span === 0, 'a slice is made of whole spans');
  if (filled > 0) yield held.subarray(0, filled);
}
