import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BLOCK_BYTES,
  BLOCK_POSITIONS,
  type Coder,
  codecs,
  type FileFacts,
  valuesOfCodec,
} from '../../../../pipeline/tables/codec/codec.js';
import { canonicalWords } from '../../../../pipeline/tables/codec/huffman/canonical.js';
import { huffmanCoder } from '../../../../pipeline/tables/codec/huffman/coder.js';
import { newRunEncoder } from '../../../../pipeline/tables/codec/huffman/run-encoder.js';
import { ALPHABET, ESCAPE, MISS } from '../../../../pipeline/tables/codec/huffman/symbols.js';
import { RUNS } from '../../../../pipeline/tables/codec/run-list.js';
import { ANY, DRAW, LOSS, WIN } from '../../../../pipeline/tables/codec/symbols.js';
import { RUN_LENGTHS } from '../../../../pipeline/tables/published/packed.js';
import { newTrainer } from '../../../../pipeline/tables/published/trainer.js';
import {
  anyBytes,
  anyShape,
  anySymbols,
  type CodedBlock,
  coders,
  decode,
  encode,
  firstDifference,
  forCodec,
  numbers,
  rowsOf,
  sliceLike,
} from '../samples.js';

const plain: FileFacts = { dominant: LOSS, periods: [] };

function bytesOf(blocks: readonly { readonly bytes: Uint8Array }[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function check(coder: Coder, shape: FileFacts, symbols: Uint8Array): void {
  const blocks = encode(coder, shape, [symbols]);
  let at = 0;
  for (const block of blocks) {
    expect(block.bytes.length).toBeLessThanOrEqual(BLOCK_BYTES);
    expect(block.positions).toBeGreaterThan(0);
    const values = decode(coder, shape, block);
    const held = symbols.subarray(at, at + block.positions);
    expect(firstDifference(held, values, valuesOfCodec(coder.codec))).toBe(-1);
    at += block.positions;
  }
  expect(at).toBe(symbols.length);
}

describe.each(codecs)('%s', (codec) => {
  const coder = coders[codec];
  const as = (symbols: Uint8Array) => forCodec(codec, symbols);
  const values = valuesOfCodec(codec);

  test('any symbols are decoded again, don’t-cares as some value', () => {
    fc.assert(
      fc.property(anySymbols, anyShape, (symbols, shape) => check(coder, shape, as(symbols))),
      { numRuns: 60 },
    );
  });

  test('a slice of several blocks is decoded block by block in any order', () => {
    const shape = rowsOf(29);
    const symbols = as(sliceLike(10_000, 29, 7));
    const blocks = encode(coder, shape, [symbols]);
    expect(blocks.length).toBeGreaterThan(5);
    let end = symbols.length;
    for (const block of blocks.toReversed()) {
      const decoded = decode(coder, shape, block);
      expect(firstDifference(symbols.subarray(end - block.positions, end), decoded, values)).toBe(-1);
      end -= block.positions;
    }
  });

  test('blocks but the last are nearly full', () => {
    const sizes = encode(coder, rowsOf(29), [as(sliceLike(10_000, 29, 7))]).map(({ bytes }) => bytes.length);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(BLOCK_BYTES - 8);
  });

  test('runs are counted, and neighbours differ', () => {
    const shape = rowsOf(29);
    for (const block of encode(coder, shape, [as(sliceLike(3000, 29, 8))])) {
      const list = coder.decode(block.bytes, block.positions, shape)!;
      expect(list.count).toBe(block.runs);
      for (let run = 1; run < list.count; run++) expect(list.values[run]).not.toBe(list.values[run - 1]);
    }
  });

  test('blocks do not depend on how the symbols are cut into batches', () => {
    const symbols = as(sliceLike(4000, 29, 9));
    const next = numbers(3);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < symbols.length; ) {
      const length = next() % 3000;
      pieces.push(symbols.subarray(at, at + length));
      at += length;
    }
    expect(encode(coder, rowsOf(29), pieces)).toEqual(encode(coder, rowsOf(29), [symbols]));
  });

  test('no symbols make no block', () => expect(encode(coder, plain, [])).toEqual([]));

  test.each([1, 2, 4, 5, 6, 11, 9_999, 10_000, 10_001, 300_000])(
    '%d don’t-cares or equal values are one run',
    (length) => {
      for (const symbol of [LOSS, DRAW, WIN, ANY]) {
        const shape: FileFacts = { dominant: symbol === ANY ? WIN : DRAW, periods: [7] };
        const symbols = as(new Uint8Array(length).fill(symbol));
        const [block, ...others] = encode(coder, shape, [symbols]);
        if (codec !== 'packed') expect(others).toEqual([]);
        expect(block.runs).toBe(1);
        check(coder, shape, symbols);
      }
    },
  );

  test('bytes that are no block are refused, and never more is decoded than requested', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: BLOCK_BYTES }),
        fc.integer({ min: 1, max: 20_000 }),
        anyShape,
        (bytes, positions, shape) => {
          const list = coder.decode(bytes, positions, shape);
          if (list === null) return;
          expect(list.count).toBeLessThanOrEqual(RUNS);
          expect(list.ends[list.count - 1]).toBe(positions);
          expect(list.values.subarray(0, list.count).every((value) => value < values)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a damaged block decodes to the same number of positions or to nothing', () => {
    const shape = rowsOf(29);
    const { bytes, positions } = encode(coder, shape, [as(sliceLike(1000, 29, 11))])[0];
    for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
      bytes[bit >>> 3] ^= 1 << (bit & 7);
      const list = coder.decode(bytes, positions, shape);
      if (list !== null) expect(list.ends[list.count - 1]).toBe(positions);
      bytes[bit >>> 3] ^= 1 << (bit & 7);
    }
  });
});

test('any bytes are decoded again', () => {
  const trained = newTrainer('bytes')
    .add(Uint8Array.from({ length: 20_000 }, (_, i) => (i * i) % 251))
    .codebook();
  fc.assert(
    fc.property(anyBytes, anyShape, fc.constantFrom(coders.bytes, trained), (symbols, shape, coder) =>
      check(coder, shape, symbols),
    ),
    { numRuns: 100 },
  );
});

test('bytes take little more than the bits of their values', () => {
  const next = numbers(41);
  // Six bits of noise, and a row that repeats it with few changes.
  const symbols = new Uint8Array(64 * 1000);
  for (let i = 0; i < symbols.length; i++)
    symbols[i] = i >= 64 && next() % 8 !== 0 ? symbols[i - 64] : next() % 64;
  const shape: FileFacts = { dominant: LOSS, periods: [64] };
  const trainer = newTrainer('bytes');
  trainer.file(shape);
  const book = trainer.add(symbols).codebook();
  // One of eight is new, which takes 6 bits and the choice of it.
  expect((8 * bytesOf(encode(book, shape, [symbols]))) / symbols.length).toBeLessThan(1.8);
});

describe('packed', () => {
  test('five positions are a byte, the first the least digit', () => {
    const [block] = encode(coders.packed, plain, [Uint8Array.of(2, 1, 0, ANY, 1, 1, 2)]);
    expect([...block.bytes]).toEqual([2 + 3 * 1 + 9 * 0 + 27 * 0 + 81 * 1, 1 + 3 * 2]);
  });

  test('the lengths of runs are multiples of five from 10 to 3,200, one for each byte value that is left', () => {
    expect(RUN_LENGTHS.length).toBe(256 - 3 ** 5);
    expect([RUN_LENGTHS[0], RUN_LENGTHS.at(-1)]).toEqual([10, 3200]);
    expect(RUN_LENGTHS.every((length) => length % 5 === 0)).toBe(true);
    for (let code = 0; code < RUN_LENGTHS.length; code++) {
      const [block] = encode(coders.packed, plain, [new Uint8Array(RUN_LENGTHS[code])]);
      expect([...block.bytes]).toEqual([243 + code]);
    }
  });

  test('never takes more than a byte for five positions', () => {
    fc.assert(
      fc.property(anySymbols, anyShape, (symbols, shape) => {
        expect(bytesOf(encode(coders.packed, shape, [symbols]))).toBeLessThanOrEqual(
          Math.ceil(symbols.length / 5),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('sizes', () => {
  const symbols = sliceLike(10_000, 29, 12);
  const bytes = (coder: Coder) => bytesOf(encode(coder, rowsOf(29), [symbols]));

  test('run lengths in a Huffman code take less than five positions a byte, rows take less than those', () => {
    expect(bytes(coders.huffman)).toBeLessThan(bytes(coders.packed));
    expect(bytes(coders.rows)).toBeLessThan(0.9 * bytes(coders.huffman));
  });

  test.each(['huffman', 'rows'] as const)('%s takes less than two bits a position for noise', (codec) => {
    const next = numbers(5);
    const noise = Uint8Array.from({ length: 100_000 }, () => next() % 3);
    const book = newTrainer(codec).add(noise).codebook();
    expect((8 * bytesOf(encode(book, plain, [noise]))) / noise.length).toBeLessThan(2);
  });

  test.each(['huffman', 'rows', 'bytes'] as const)(
    '%s trained on nothing still codes everything',
    (codec) => {
      const book = newTrainer(codec).codebook();
      check(book, rowsOf(29), forCodec(codec, sliceLike(300, 29, 4)));
      // A word of one or two bits each for miss and escape, and 32 bits at most.
      expect(bytesOf(encode(book, plain, [Uint8Array.of(0, 1, 2, 0)]))).toBeLessThanOrEqual(4 * 5);
    },
  );
});

test('copies of a row that is all runs do not make a block of more runs than it may have', () => {
  const next = numbers(31);
  const row = Uint8Array.from({ length: 300 }, () => next() % 3);
  const symbols = new Uint8Array(200 * row.length);
  for (let at = 0; at < symbols.length; at += row.length) symbols.set(row, at);
  const shape: FileFacts = { dominant: LOSS, periods: [row.length] };
  const blocks = encode(coders.rows, shape, [symbols]);
  expect(blocks.every(({ runs }) => runs <= RUNS)).toBe(true);
  expect(Math.max(...blocks.map(({ runs }) => runs))).toBeGreaterThan(RUNS / 2);
  check(coders.rows, shape, symbols);
});

test('a row that is too long, or no row, is not used', () => {
  const symbols = sliceLike(500, 29, 3);
  const plainly = encode(coders.rows, plain, [symbols]);
  expect(encode(coders.rows, { dominant: LOSS, periods: [1, 2 ** 40] }, [symbols])).toEqual(plainly);
});

test('a run longer than a block may be goes on in the next', () => {
  const lengths = new Uint8Array(ALPHABET);
  lengths[MISS] = lengths[ESCAPE] = 1;
  const coder = huffmanCoder('', lengths)!;
  const blocks: CodedBlock[] = [];
  const encoder = newRunEncoder(lengths, canonicalWords(lengths), (bytes, positions, runs) => {
    blocks.push({ bytes: bytes.slice(), positions, runs });
  });
  encoder.run(LOSS, 5);
  encoder.run(WIN, 2 * BLOCK_POSITIONS);
  encoder.run(DRAW, 2);
  encoder.end();
  const runs = blocks.map(({ bytes, positions }) => {
    const { count, ends, values } = coder.decode(bytes, positions, plain)!;
    return Array.from({ length: count }, (_, i) => [values[i], ends[i]]);
  });
  expect(runs).toEqual([
    [
      [LOSS, 5],
      [WIN, BLOCK_POSITIONS],
    ],
    [[WIN, BLOCK_POSITIONS]],
    [
      [WIN, 5],
      [DRAW, 7],
    ],
  ]);
});
