/**
 * The kernels of the bit-parallel solver against the plain rules, and Koistinen's distance code.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { illegality } from '../../../../pipeline/games/chess/fen.js';
import { ALL_BOARDS, allPairs, PAIRS, SYMMETRY } from '../../../../pipeline/games/chess/geometry.js';
import type { ChessBoard } from '../../../../pipeline/games/chess/rules.js';
import {
  decodeDistances,
  encodeWords,
  mostBytes,
  newDistanceEncoder,
  restart,
} from '../../../../pipeline/rivals/bitboard/distance-code.js';
import { newKernels, type SetKernels, wordsIn } from '../../../../pipeline/rivals/bitboard/kernels.js';
import { addPosition, newSet } from '../../../../pipeline/rivals/bitboard/position-set.js';
import { layoutOf, type SetLayout, setBytes } from '../../../../pipeline/rivals/bitboard/set-layout.js';
import { boardAt } from '../../../support/bitboard.js';
import { sweep } from '../../../support/long.js';

const seed = 20260;

function* numbers(start: number): Generator<number> {
  for (let x = start; ; ) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    yield x >>> 4;
  }
}

/** Random legal positions of a layout. */
function* positions(layout: SetLayout): Generator<{ word: number; bit: number; board: ChessBoard }> {
  const random = numbers(seed);
  const next = () => random.next().value;
  for (;;) {
    const word = next() % layout.words;
    const bit = next() % 64;
    const side = (next() & 1) as Side;
    const board = boardAt(layout, word, bit, side);
    if (board !== null && illegality(board) === null) yield { word, bit, board };
  }
}

function take<T>(source: Generator<T>, count: number): T[] {
  return Array.from({ length: count }, () => source.next().value as T);
}

const nameOf = (board: ChessBoard) => {
  const { slice, side, part, key } = chess.locate(board);
  return `${slice} ${side} ${part} ${key}`;
};

interface Fixture {
  readonly kernels: SetKernels;
  /** Room for a set. */
  readonly memory: Uint8Array;
}

function fixture(layout: SetLayout): Fixture {
  const bytes = setBytes(layout.space.men);
  const kernels = newKernels(layout, bytes);
  return { kernels, memory: kernels.take(bytes) };
}

/** Everything that an unmove of `side` reaches from one position (and its mirror image, if its kings have none). */
function predecessors({ kernels, memory }: Fixture, word: number, bit: number, side: Side): ChessBoard[] {
  const { layout, wasm, wanted } = kernels;
  memory.fill(0);
  const source = newSet(layout, memory);
  const pair = Math.floor(word / layout.configs);
  addPosition(source, pair, word, bit);
  if (allPairs.boards[pair] !== ALL_BOARDS) {
    const config = layout.images[4][word - pair * layout.configs];
    addPosition(source, pair, pair * layout.configs + config, SYMMETRY[4 * 64 + bit]);
  }
  const found: ChessBoard[] = [];
  for (let p = 0; p < PAIRS; p++) {
    wasm.legalPositions(p, side, wanted.byteOffset);
    const legal = wanted.slice();
    wasm.strike(side, p, source.halves.byteOffset, source.some.byteOffset, wanted.byteOffset);
    for (let i = 0; i < legal.length; i++) {
      for (let b = 0; b < 32; b++) {
        if ((((legal[i] & ~wanted[i]) >>> b) & 1) === 0) continue;
        found.push(boardAt(layout, p * layout.configs + (i >> 1), 32 * (i & 1) + b, side)!);
      }
    }
  }
  return found;
}

describe.each(sweep(['KQKR', 'KBBK', 'KRKN'], ['KQKB', 'KRKR', 'KNKN']))('%s', (ending) => {
  const layout = layoutOf(ending);
  const made = fixture(layout);

  test('legal positions and checks are those of the plain rules', () => {
    const { wasm, wanted } = made.kernels;
    // Collected: so many expectations take longer than what they are of.
    const wrong: object[] = [];
    for (const pair of [0, 37, 200, 461]) {
      for (const side of [0, 1] as const) {
        wasm.legalPositions(pair, side, wanted.byteOffset);
        const legal = wanted.slice();
        wasm.keepChecks(pair, side, wanted.byteOffset);
        const checks = wanted.slice();
        for (let config = 0; config < layout.configs; config++) {
          for (let bit = 0; bit < 64; bit++) {
            const has = (set: Int32Array) => (set[2 * config + (bit >> 5)] >>> (bit & 31)) & 1;
            const board = boardAt(layout, pair * layout.configs + config, bit, side);
            const isLegal = board !== null && illegality(board) === null;
            if (has(legal) !== (isLegal ? 1 : 0)) wrong.push({ pair, side, config, bit, isLegal });
            // The side to move is in check exactly if the position would be illegal with the other side to move.
            if (isLegal && (config + bit) % 7 === 0) {
              const other = { squares: board.squares, side: (1 - side) as Side };
              const isCheck = illegality(other) !== null;
              if (has(checks) !== (isCheck ? 1 : 0)) wrong.push({ pair, side, config, bit, isCheck });
            }
          }
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test('every unmove is a move taken back', () => {
    let found = 0;
    for (const { word, bit, board } of take(positions(layout), 20)) {
      const name = nameOf(board);
      for (const predecessor of predecessors(made, word, bit, (1 - board.side) as Side)) {
        expect(chess.moves(predecessor).map((move) => nameOf(move.board))).toContain(name);
        found++;
      }
    }
    expect(found).toBeGreaterThan(50);
  });

  test('every move that is no capture is taken back by an unmove', () => {
    for (const { word, bit, board } of take(positions(layout), 200).slice(100, 112)) {
      const names = new Set(predecessors(made, word, bit, (1 - board.side) as Side).map(nameOf));
      for (const name of retractions(board)) expect(names).toContain(name);
    }
  });
});

/** Positions before `board`, found by trying every square for every man of the side that has just moved. */
function retractions(board: ChessBoard): string[] {
  const mover = (1 - board.side) as Side;
  const name = nameOf(board);
  const found: string[] = [];
  for (let to = 0; to < 64; to++) {
    const man = board.squares[to];
    if (man === 0 || man > 0 !== (mover === 0)) continue;
    for (let from = 0; from < 64; from++) {
      if (board.squares[from] !== 0) continue;
      const squares = board.squares.slice();
      squares[to] = 0;
      squares[from] = man;
      const before = { squares, side: mover };
      if (illegality(before) !== null) continue;
      if (chess.moves(before).some((move) => nameOf(move.board) === name)) found.push(nameOf(before));
    }
  }
  return found;
}

test('mirrored words: bit x is bit symmetry(x)', () => {
  const { wasm } = newKernels(layoutOf('KQKR'), 0);
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: 7 }),
      (word, symmetry) => {
        const image = wasm.mirror(symmetry, word);
        for (let x = 0; x < 64; x++) {
          const y = SYMMETRY[symmetry * 64 + x];
          expect((image >> BigInt(x)) & 1n).toBe((word >> BigInt(y)) & 1n);
        }
      },
    ),
    { seed, numRuns: 200 },
  );
});

describe('distance code', () => {
  /** Room for 256 words, a mask of as many, and their codes. */
  const kernels = newKernels(layoutOf('KQKR'), 1 << 16);
  const room = wordsIn(kernels.take(2048));
  const allOnes = wordsIn(kernels.take(2048)).fill(-1);
  const codes = kernels.take(mostBytes(256, 64 * 256));

  const encode = (set: readonly number[], words: number, blocks: number) => {
    room.fill(0);
    for (const number of set) room[number >> 5] |= 1 << (number & 31);
    const encoder = newDistanceEncoder(codes);
    const mask = allOnes.subarray(0, 2 * words);
    for (let b = 0; b < blocks; b++) {
      encodeWords(kernels, encoder, room.subarray(b * 2 * words, (b + 1) * 2 * words), mask, b * 64 * words);
    }
    return encoder;
  };

  test('codes as in the paper: 1 to 255 a distance, 0 adds 255', () => {
    const { bytes, length, count } = encode([0, 254, 509, 765, 2000], 16, 2);
    // distances 1, 254, 255, 256 = 0 + 1, 1235 = 4 * 255 + 215
    expect([...bytes.subarray(0, length)]).toEqual([1, 254, 255, 0, 1, 0, 0, 0, 0, 215]);
    expect(count).toBe(5);
  });

  test('round trip, in pieces, over gaps of any size', () => {
    const sets = fc.uniqueArray(fc.integer({ min: 0, max: 64 * 64 * 4 - 1 }), { maxLength: 60 });
    const window = fc.tuple(fc.nat(20000), fc.nat(20000));
    fc.assert(
      fc.property(sets, window, fc.integer({ min: 1, max: 7 }), (set, [a, b], piece) => {
        const sorted = [...set].sort((x, y) => x - y);
        const { bytes, length } = encode(sorted, 64, 4);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const decoder = { last: -1 };
        const out = new Float64Array(piece);
        const decoded: number[] = [];
        for (let at = 0; at < length; at += piece) {
          const part = bytes.subarray(at, Math.min(length, at + piece));
          const n = decodeDistances(decoder, part, part.length, from, to, out);
          decoded.push(...out.subarray(0, n));
        }
        expect(decoded).toEqual(sorted.filter((x) => x >= from && x < to).map((x) => x - from));
      }),
      { seed, numRuns: 300 },
    );
  });

  test('numbers beyond 32 bits, and a fresh start', () => {
    const encoder = newDistanceEncoder(codes);
    room.fill(0);
    room[0] = 1;
    const base = 2 ** 33;
    encoder.last = base - 300;
    encodeWords(kernels, encoder, room.subarray(0, 2), allOnes.subarray(0, 2), base);
    expect([...encoder.bytes.subarray(0, encoder.length)]).toEqual([0, 45]);
    const decoder = { last: base - 300 };
    const out = new Float64Array(2);
    expect(decodeDistances(decoder, encoder.bytes, 2, base, base + 64, out)).toBe(1);
    expect(out[0]).toBe(0);
    restart(encoder);
    expect([encoder.length, encoder.last, encoder.count]).toEqual([0, -1, 0]);
  });
});
