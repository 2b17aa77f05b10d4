/** Symbols for tests: random ones, and ones like a slice's. */
import fc from 'fast-check';
import {
  type CodecName,
  type Coder,
  type FileFacts,
  valuesOfCodec,
} from '../../../pipeline/tables/codec/codec.js';
import { ANY } from '../../../pipeline/tables/codec/symbols.js';
import type { TrainedCodec } from '../../../pipeline/tables/published/codebook.js';
import { packedCoder } from '../../../pipeline/tables/published/packed.js';
import { newTrainer } from '../../../pipeline/tables/published/trainer.js';

export interface CodedBlock {
  readonly bytes: Uint8Array;
  readonly positions: number;
  readonly runs: number;
}

/** A generator of 32-bit numbers, so that samples are the same every time (xorshift, Marsaglia 2003). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/**
 * Values like those of a slice with two kings a side: `rows` rows of `width` positions. Two points move with row and place, and
 * their distance decides, with noise, whether a position is won, lost or drawn. About half of the positions are don't-cares.
 */
export function sliceLike(rows: number, width: number, seed: number): Uint8Array {
  const next = numbers(seed);
  const symbols = new Uint8Array(rows * width);
  for (let i = 0; i < symbols.length; i++) {
    const row = Math.trunc(i / width);
    const place = i % width;
    const distance = Math.abs(((7 * row) % width) - place) + (row % 5);
    const value = distance < width / 4 ? 2 : next() % 97 === 0 ? 1 : 0;
    symbols[i] = next() % 2 === 0 ? ANY : value;
  }
  return symbols;
}

/** The shape of {@link sliceLike}. */
export function rowsOf(width: number): FileFacts {
  return { dominant: 0, periods: [width, 5 * width] };
}

/** A coder of each codec, the trained ones for values of {@link sliceLike}. */
export const coders: Record<CodecName, Coder> = {
  packed: packedCoder(),
  huffman: trained('huffman'),
  rows: trained('rows'),
  bytes: trained('bytes'),
};

function trained(codec: TrainedCodec): Coder {
  const trainer = newTrainer(codec);
  for (const seed of [1, 2, 3]) {
    trainer.file(rowsOf(29));
    trainer.add(forCodec(codec, sliceLike(1000, 29, seed)));
  }
  return trainer.codebook();
}

/** Wins, draws, losses and don't-cares as symbols of a codec: of bytes, as the least, the greatest and one between. */
export function forCodec(codec: CodecName, symbols: Uint8Array): Uint8Array {
  const any = valuesOfCodec(codec);
  if (any === ANY) return symbols;
  const as = [0, 17, any - 1, any];
  return symbols.map((symbol) => as[symbol]);
}

/** The blocks of a file whose symbols are added in pieces. */
export function encode(coder: Coder, shape: FileFacts, pieces: readonly Uint8Array[]): CodedBlock[] {
  const blocks: CodedBlock[] = [];
  const encoder = coder.newEncoder(shape, (bytes, positions, runs) => {
    blocks.push({ bytes: bytes.slice(), positions, runs });
  });
  for (const piece of pieces) encoder.add(piece);
  encoder.end();
  return blocks;
}

/** The values of a block, one a position; throws if it is none. */
export function decode(coder: Coder, shape: FileFacts, { bytes, positions }: CodedBlock): Uint8Array {
  const list = coder.decode(bytes, positions, shape);
  if (list === null) throw new Error('no block');
  const values = new Uint8Array(positions);
  for (let run = 0; run < list.count; run++) {
    values.fill(list.values[run], run === 0 ? 0 : list.ends[run - 1], list.ends[run]);
  }
  return values;
}

/** First place where a value is not the symbol's, don't-cares aside; -1 if there is none. @param any the symbol of don't-cares. */
export function firstDifference(symbols: Uint8Array, values: Uint8Array, any: number = ANY): number {
  return symbols.findIndex((symbol, i) => (symbol === any ? values[i] >= any : symbol !== values[i]));
}

/** Any symbols: runs of very different lengths, with don't-cares strewn in. */
export const anySymbols: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
        { weight: 1, arbitrary: fc.integer({ min: 9_990, max: 10_010 }) },
      ),
    ),
    { maxLength: 400 },
  )
  .map((runs) => {
    const symbols = new Uint8Array(runs.reduce((sum, [, length]) => sum + length, 0));
    let at = 0;
    for (const [symbol, length] of runs) {
      symbols.fill(symbol, at, at + length);
      at += length;
    }
    return symbols;
  });

export const anyShape: fc.Arbitrary<FileFacts> = fc.record({
  dominant: fc.constantFrom(0, 1, 2),
  periods: fc
    .uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 3 })
    .map((periods) => periods.sort((a, b) => a - b)),
});

/** Any symbols of a file of bytes, in runs. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 3, 254, 255)),
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }) },
      ),
    ),
    { maxLength: 600 },
  )
  .map((runs) => Uint8Array.from(runs.flatMap(([symbol, length]) => new Array<number>(length).fill(symbol))));
