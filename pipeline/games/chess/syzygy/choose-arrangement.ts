/** Which arrangements a subtable can have, and which of them compresses best. */
import type { Store } from '../../../../operators/storage/store.js';
import { type Arrangement, leadersIn, likeMen, singleMen } from './arrangement.js';
import { type Coding, settle } from './cells.js';
import { huffmanCodes } from './huffman.js';
import { setIndex } from './indices.js';
import { ioBytes, type Kernels, layOut, symbolsAt } from './kernels.js';
import type { Material } from './material.js';
import { pairUp } from './pairing.js';
import type { Subtable } from './subtable.js';
import { bytesOfSymbols, countSymbols, newTape, readTape, type Tape } from './tape.js';
import type { Writer } from './writer.js';

/** The selections of `count` items, in any order. */
function selections<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return items.flatMap((item) => {
    const others = items.filter((other) => other !== item);
    return selections(others, count - 1).map((rest) => [item, ...rest]);
  });
}

/** The men that may lead: the pawns, or single men in any order. */
function leadersOf(material: Material): number[][] {
  if (material.leadingPawns.length > 0) return [[...material.leadingPawns]];
  return selections(singleMen(material), leadersIn(material));
}

/** All arrangements, each once. */
export function arrangementsOf(material: Material): Arrangement[] {
  return leadersOf(material).flatMap((leaders) => {
    const fixed = material.otherPawns.length > 0 ? [leaders, [...material.otherPawns]] : [leaders];
    const placed = new Set(fixed.flat());
    const rest = likeMen(
      material,
      [...material.men.keys()].filter((man) => !placed.has(man)),
    );
    const all = [...fixed, ...rest];
    return selections(all, all.length).map((weighed) => {
      const groups = [...fixed, ...weighed.filter((group) => !fixed.includes(group))];
      return { groups, weights: weighed.map((group) => groups.indexOf(group)) };
    });
  });
}

/** An order for values on their way, which files do not have: indices that follow each other differ in one man of the last group, a single one if there is. */
export function orderByRows(arrangements: readonly Arrangement[]): Arrangement {
  const { groups } = arrangements.find((one) => one.groups.at(-1)!.length === 1) ?? arrangements[0];
  return { groups, weights: [...groups.keys()].reverse() };
}

/** Cells of the samples by which arrangements are compared: by their runs, and compressed on trial. */
const SMALL_SAMPLE = 1 << 15;
const SAMPLE = 1 << 17;
/** Samples of the last arrangements have so many runs, within these limits: where few cells differ, few tell them apart. */
const RUNS = 1 << 17;
const [LEAST_LARGE, MOST_LARGE] = [1 << 19, 1 << 21];
/** So many arrangements have the fewest runs, so many of these compress best. */
const FINALISTS = 6;
const LAST = 3;
const TRIAL = { leastCount: 16, mostSymbols: 160 } as const;

export interface Choice {
  readonly arrangement: Arrangement;
  /** Bits of a cell of its last sample, compressed on trial; null if no large sample was compressed. */
  readonly bitsPerCell: number | null;
}

/** What an arrangement is chosen for: a subtable, by file of the leading pawn. */
interface Arranged {
  readonly writer: Writer;
  /** Where the saved tape of the raw values is. */
  readonly tapes: Store;
  readonly material: Material;
  readonly file: number;
  readonly subtable: Subtable;
  readonly coding: Coding;
}

/** Chooses among `arrangements`. The first index of the kernels is that of the raw values. Sets the second. */
export function chooseArrangement(arranged: Arranged, arrangements: readonly Arrangement[]): Choice {
  if (arranged.coding.leaves.length === 1 || arrangements.length === 1) {
    return { arrangement: arrangements[0], bitsPerCell: null };
  }
  const { tapes, subtable } = arranged;
  return readTape(tapes, subtable.raw, (raw) => chooseBySamples(arranged, raw, arrangements));
}

function chooseBySamples(arranged: Arranged, raw: Tape, arrangements: readonly Arrangement[]): Choice {
  const { writer: kernels, subtable, coding } = arranged;
  const sampler = newSampler(arranged, raw);
  const best = (given: readonly Arrangement[], costs: readonly number[], many: number) =>
    [...given.keys()]
      .sort((a, b) => costs[a] - costs[b])
      .slice(0, many)
      .map((i) => given[i]);
  const small = Math.min(SMALL_SAMPLE, Math.ceil(subtable.size / 8));
  const runs = sampler.samples(arrangements, small, (cells) => settled(kernels, coding, cells, () => {}));
  let left = best(arrangements, runs, FINALISTS);
  const trial = (cells: Iterable<Uint16Array>) => trialBits(kernels, coding, cells);
  const isAll = subtable.size <= SAMPLE;
  left = best(left, sampler.samples(left, SAMPLE, trial), isAll ? 1 : LAST);
  if (left.length === 1) return { arrangement: left[0], bitsPerCell: null };
  const cellsOfRun = small / Math.min(...runs);
  const large = Math.floor(Math.max(LEAST_LARGE, Math.min(MOST_LARGE, RUNS * cellsOfRun)));
  const bits = sampler.samples(left, large, trial);
  const cells = Math.min(large, subtable.size);
  return { arrangement: best(left, bits, 1)[0], bitsPerCell: Math.min(...bits) / cells };
}

/** Indices of an arrangement, one after the other. */
interface Stretch {
  readonly from: number;
  readonly count: number;
}

const LEAST_STRETCHES = 64;
const MOST_STRETCH = 1 << 12;
/** Multiples of it, less their whole parts, are spread evenly over 0 to 1 (Knuth, TAOCP 3, section 6.4). */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A stretch in each of many equal parts of the index, at places that have nothing to do with its digits. Or all of it. */
function stretchesOf(size: number, sample: number): Stretch[] {
  if (size <= sample) {
    const count = (from: number) => Math.min(MOST_STRETCH, size - from);
    return Array.from({ length: Math.ceil(size / MOST_STRETCH) }, (_, s) => s * MOST_STRETCH).map((from) => ({
      from,
      count: count(from),
    }));
  }
  const stretches = Math.max(LEAST_STRETCHES, Math.ceil(sample / MOST_STRETCH));
  const count = Math.floor(sample / stretches);
  const part = Math.floor(size / stretches);
  return Array.from({ length: stretches }, (_, s) => ({
    from: s * part + Math.floor(((s * GOLDEN) % 1) * (part - count)),
    count,
  }));
}

/** Bytes of a cell that is looked up: its index, its number in the order of the raw values, itself. */
const LOOKUP_BYTES = 8 + 4 + 2;
/** More cells are not looked up at once, however much memory there is. */
const MOST_LOOKUPS = 1 << 20;

/** Looks cells up by one scan of the raw values, in the arena behind what `settled` uses. */
function newLookup(
  { writer: kernels, subtable: { size }, coding: { cells: cellOf, any } }: Arranged,
  raw: Tape,
) {
  const { wasm, arena } = kernels;
  const allocate = layOut(kernels);
  allocate(settlingBytes(kernels));
  const bits = Math.floor(Math.log2(ioBytes(kernels) / 2));
  const block = symbolsAt(kernels, allocate(2 * 2 ** bits), 2 ** bits);
  const blocks = Math.ceil(size / block.length);
  const endsAt = allocate(4 * blocks);
  const ends = new Uint32Array(wasm.memory.buffer, endsAt, blocks);
  const left = arena - settlingBytes(kernels) - 2 * block.length - 4 * blocks - 128;
  const most = Math.min(MOST_LOOKUPS, Math.floor(left / LOOKUP_BYTES));
  const wantedAt = allocate(8 * most);
  const sortedAt = allocate(4 * most);
  const cells = symbolsAt(kernels, allocate(2 * most), most);
  symbolsAt(kernels, wasm.CELL_OF.value, cellOf.length).set(cellOf);
  return {
    /** So many cells can be looked up at once. */
    most,
    /** Where the kernels write the index of each cell (i64), -1 where there is none. */
    wantedAt,
    /** The first `count` of the cells; they are valid until the next call. */
    fetch(count: number): Uint16Array {
      const found = cells.subarray(0, count).fill(any);
      wasm.sortByBlock(wantedAt, count, bits, endsAt, blocks, sortedAt);
      for (let b = 0, from = 0; b < blocks; from = ends[b++]) {
        if (from === ends[b]) continue;
        const first = b * block.length;
        raw.read(2 * first, bytesOfSymbols(block.subarray(0, Math.min(block.length, size - first))));
        wasm.cellsOfBlock(
          wantedAt,
          sortedAt + 4 * from,
          ends[b] - from,
          bits,
          block.byteOffset,
          cells.byteOffset,
        );
      }
      return found;
    },
  };
}

/**
 * Fetches cells of samples. Several samples are looked up by one scan of the raw values, in their order, or one that is
 * large by several.
 */
function newSampler(arranged: Arranged, raw: Tape) {
  const { writer: kernels, material, file } = arranged;
  const { most, wantedAt, fetch } = newLookup(arranged, raw);

  /** Wants the cells of stretches of the second index, as numbers from `from` on. Returns the number behind them. */
  function want(stretches: readonly Stretch[], from: number): number {
    let n = from;
    for (const stretch of stretches) {
      kernels.wasm.translate(file, BigInt(stretch.from), stretch.count, wantedAt + 8 * n);
      n += stretch.count;
    }
    return n;
  }

  const setTo = (arrangement: Arrangement) => setIndex(kernels, 1, material, arrangement)[file];

  function* piecesOf(arrangement: Arrangement, sample: number): Generator<Uint16Array> {
    const stretches = stretchesOf(setTo(arrangement), sample);
    const together = Math.floor(most / MOST_STRETCH);
    for (let first = 0; first < stretches.length; first += together) {
      yield fetch(want(stretches.slice(first, first + together), 0));
    }
  }

  return {
    /** The result of `use` for a sample of each arrangement, which comes in pieces. */
    samples<T>(
      arrangements: readonly Arrangement[],
      sample: number,
      use: (pieces: Iterable<Uint16Array>) => T,
    ): T[] {
      const together = Math.floor(most / sample);
      if (together < 2) return arrangements.map((arrangement) => use(piecesOf(arrangement, sample)));
      const results: T[] = [];
      for (let first = 0; first < arrangements.length; first += together) {
        const ends: number[] = [];
        for (const arrangement of arrangements.slice(first, first + together)) {
          ends.push(want(stretchesOf(setTo(arrangement), sample), ends.at(-1) ?? 0));
        }
        const cells = fetch(ends.at(-1)!);
        for (const [i, end] of ends.entries()) results.push(use([cells.subarray(ends[i - 1] ?? 0, end)]));
      }
      return results;
    },
  };
}

/** Bytes from the beginning of the arena on that `settled` has while it asks for cells. */
const settlingBytes = (kernels: Kernels) => 4 * (ioBytes(kernels) >> 2);

/** Settles cells that come in pieces. Returns how many runs there are. */
function settled(
  kernels: Kernels,
  { ranks }: Coding,
  pieces: Iterable<Uint16Array>,
  take: (symbols: Uint16Array) => void,
): number {
  const room = settlingBytes(kernels) / 4;
  const at = layOut(kernels)(settlingBytes(kernels));
  const from = pieces[Symbol.iterator]();
  let cells = new Uint16Array(0);
  let done = 0;
  const next = (into: number) => {
    if (done === cells.length) {
      cells = from.next().value ?? cells.subarray(0, 0);
      done = 0;
    }
    const count = Math.min(room, cells.length - done);
    symbolsAt(kernels, into, count).set(cells.subarray(done, done + count));
    done += count;
    return count;
  };
  return settle(kernels, ranks, { at, room }, next, take);
}

/** The bits that a sample takes with a few symbols. */
function trialBits(kernels: Writer, coding: Coding, cells: Iterable<Uint16Array>): number {
  const leaves = coding.leaves.length;
  const tape = newTape(kernels.scratch);
  try {
    settled(kernels, coding, cells, (symbols) => tape.append(bytesOfSymbols(symbols)));
    const sequence = { tape, length: tape.length / 2 };
    const pairing = pairUp(kernels.pairer, sequence, leaves, {
      ...TRIAL,
      mostSymbols: leaves + TRIAL.mostSymbols,
    });
    const counts = countSymbols(kernels, pairing);
    const { lengths } = huffmanCodes(counts);
    return counts.reduce((sum, count, symbol) => sum + count * lengths[symbol], 0);
  } finally {
    tape.dispose();
  }
}
