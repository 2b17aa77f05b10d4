/** Which arrangements a subtable can have, and which of them compresses best. */
import { type Arrangement, likeMen } from './arrangement.js';
import { type Coding, settle } from './cells.js';
import { huffmanCodes } from './huffman.js';
import { ioBytes, type Kernels, layOut, symbolsAt } from './kernels.js';
import type { Material } from './material.js';
import { pairUp } from './pairing.js';
import { bytesOfSymbols, countSymbols } from './sequence.js';
import { setIndex } from './set-index.js';
import type { Subtable } from './subtable.js';
import { newTape } from './tape.js';

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

/** What may lead: the pawns; without pawns three single men in any order, or the kings where there are not so many. */
function leads(material: Material): number[][] {
  if (material.leadPawns.length > 0) return [[...material.leadPawns]];
  const single = likeMen(material, [...material.men.keys()])
    .filter((group) => group.length === 1)
    .flat();
  const length = single.length >= 3 ? 3 : 2;
  const ordered = (count: number, men: number[]): number[][] =>
    count === 0
      ? [[]]
      : men.flatMap((man) =>
          ordered(
            count - 1,
            men.filter((other) => other !== man),
          ).map((rest) => [man, ...rest]),
        );
  return ordered(length, single);
}

/** All arrangements, each once. */
export function arrangementsOf(material: Material): Arrangement[] {
  return leads(material).flatMap((lead) => {
    const fixed = material.otherPawns.length > 0 ? [lead, [...material.otherPawns]] : [lead];
    const placed = new Set(fixed.flat());
    const rest = likeMen(
      material,
      [...material.men.keys()].filter((man) => !placed.has(man)),
    );
    return permutations([...fixed, ...rest]).map((weighed) => {
      const groups = [...fixed, ...weighed.filter((group) => !fixed.includes(group))];
      return { groups, weights: weighed.map((group) => groups.indexOf(group)) };
    });
  });
}

/** Samples are stretches of a subtable, evenly spread: small ones to count runs, larger ones to compress. */
const STRETCHES = 32;
const SMALL_SAMPLE = 1 << 15;
const SAMPLE = 1 << 17;
/** Arrangements with the fewest runs are compared by how well a sample compresses. */
const FINALISTS = 6;
const TRIAL = { leastCount: 16, mostSymbols: 160 } as const;

/**
 * Chooses among `arrangements` for the subtable of a file of the leading pawn, whose raw values are in the order of the first of
 * them, to which the first index of the kernels is set. Sets the second.
 */
export function chooseArrangement(
  kernels: Kernels,
  material: Material,
  file: number,
  subtable: Subtable,
  coding: Coding,
  arrangements: readonly Arrangement[],
): Arrangement {
  if (coding.leaves.length === 1 || arrangements.length === 1) return arrangements[0];
  const sampler = newSampler(kernels, material, file, subtable, coding);
  const fewest = sampler
    .samples(arrangements, SMALL_SAMPLE, (cells) => settled(kernels, coding, cells, () => {}))
    .map((runs, i) => ({ arrangement: arrangements[i], runs }))
    .sort((a, b) => a.runs - b.runs)
    .slice(0, FINALISTS)
    .map(({ arrangement }) => arrangement);
  const bits = sampler.samples(fewest, SAMPLE, (cells) => trialBits(kernels, coding, cells));
  return fewest[bits.reduce((best, _, i) => (bits[i] < bits[best] ? i : best), 0)];
}

/** Indices of an arrangement, one after the other. */
interface Stretch {
  readonly from: number;
  readonly count: number;
}

function stretchesOf(size: number, most: number): Stretch[] {
  const stretches = size <= most ? 1 : STRETCHES;
  const count = Math.floor(Math.min(size, most) / stretches);
  return Array.from({ length: stretches }, (_, s) => ({
    from: stretches === 1 ? 0 : Math.floor((s * (size - count)) / (stretches - 1)),
    count,
  }));
}

/** Fetches cells of samples. Several samples are looked up by one scan of the raw values, in their order. */
function newSampler(
  kernels: Kernels,
  material: Material,
  file: number,
  { raw, size }: Subtable,
  { cells: cellOf, any }: Coding,
) {
  const most = Math.max(SAMPLE, Math.min(1 << 20, kernels.memory >> 6));
  /** The index of each cell that is wanted, or -1; their numbers, block after block of the raw values. */
  const wanted = new Float64Array(most);
  const ordered = new Uint32Array(most);
  const block = new Uint16Array(ioBytes(kernels) / 2);
  const starts = new Uint32Array(Math.ceil(size / block.length) + 1);

  /** Orders the first `count` by block: a counting sort. */
  function order(count: number): void {
    starts.fill(0);
    for (let n = 0; n < count; n++) if (wanted[n] >= 0) starts[Math.floor(wanted[n] / block.length) + 1]++;
    for (let b = 1; b < starts.length; b++) starts[b] += starts[b - 1];
    const next = starts.slice();
    for (let n = 0; n < count; n++) {
      if (wanted[n] >= 0) ordered[next[Math.floor(wanted[n] / block.length)]++] = n;
    }
  }

  /** The cells of what is wanted, by number. */
  function fetch(count: number): Uint16Array {
    order(count);
    const found = new Uint16Array(count).fill(any);
    for (let b = 0; b + 1 < starts.length; b++) {
      if (starts[b] === starts[b + 1]) continue;
      const first = b * block.length;
      const piece = block.subarray(0, Math.min(block.length, size - first));
      raw.read(2 * first, bytesOfSymbols(piece));
      for (let i = starts[b]; i < starts[b + 1]; i++) {
        const n = ordered[i];
        found[n] = cellOf[piece[wanted[n] - first]];
      }
    }
    return found;
  }

  function want(arrangement: Arrangement, sample: number, from: number): number {
    const own = setIndex(kernels, 1, material, arrangement)[file];
    const room = ioBytes(kernels) >> 3;
    const at = layOut(kernels)(8 * room);
    let n = from;
    for (const stretch of stretchesOf(own, sample)) {
      for (let done = 0; done < stretch.count; done += room) {
        const count = Math.min(room, stretch.count - done);
        kernels.wasm.translate(file, BigInt(stretch.from + done), count, at);
        const indices = new Float64Array(kernels.wasm.memory.buffer, at, count);
        wanted.set(indices, n);
        n += count;
      }
    }
    return n;
  }

  return {
    /** What `use` makes of a sample of each arrangement. */
    samples<T>(arrangements: readonly Arrangement[], sample: number, use: (cells: Uint16Array) => T): T[] {
      const results: T[] = [];
      const together = Math.floor(most / sample);
      for (let first = 0; first < arrangements.length; first += together) {
        const ends: number[] = [];
        for (const arrangement of arrangements.slice(first, first + together)) {
          ends.push(want(arrangement, sample, ends.at(-1) ?? 0));
        }
        const cells = fetch(ends.at(-1)!);
        for (const [i, end] of ends.entries()) results.push(use(cells.subarray(ends[i - 1] ?? 0, end)));
      }
      return results;
    },
  };
}

/** Settles cells in memory. Returns how many runs there are. */
function settled(
  kernels: Kernels,
  { ranks }: Coding,
  cells: Uint16Array,
  take: (symbols: Uint16Array) => void,
): number {
  const room = ioBytes(kernels) >> 2;
  const at = layOut(kernels)(4 * room);
  let done = 0;
  const next = (into: number) => {
    const count = Math.min(room, cells.length - done);
    symbolsAt(kernels, into, count).set(cells.subarray(done, done + count));
    done += count;
    return count;
  };
  return settle(kernels, ranks, { at, room }, next, take);
}

/** The bits that a sample takes with a few symbols. */
function trialBits(kernels: Kernels, coding: Coding, cells: Uint16Array): number {
  const leaves = coding.leaves.length;
  const tape = newTape(kernels.scratch);
  try {
    settled(kernels, coding, cells, (symbols) => tape.append(bytesOfSymbols(symbols)));
    const sequence = { tape, length: cells.length };
    const pairing = pairUp(kernels, sequence, leaves, {
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
