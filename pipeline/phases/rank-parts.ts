/** The ranks of parts that moves lead to, as kernels by rows take them: read from the tables, those last used kept. */
import { newArrays } from '../../operators/core/arrays.js';
import { assert } from '../../operators/core/errors.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { RowRanks, Side, SliceIndex } from '../contract/game.js';
import { dependencyMajors, firstMajor, majorsIn } from '../formats/majors.js';
import type { Metric, ValueColumn } from '../formats/value.js';
import type { Table } from '../table/table.js';
import { ranksBehind, type Scale } from './rank-scale.js';

/** Parts of one table, or of several of about the same width, that are held at the same time. */
interface Shelf {
  readonly places: number;
  readonly width: number;
  /** By scale and major, the one last used last. */
  readonly held: Map<number, Held>;
}

interface Held {
  readonly bytes: Uint8Array;
  /** Every value that the part has has a rank. */
  isComplete: boolean;
}

export interface RankParts {
  /** As those of SuccessorRanks: 2 * table + side → first major. */
  readonly majors: readonly number[];
  /** The most majors that `load` takes: of the slice, and of its dependencies. */
  readonly most: { readonly own: number; readonly dependencies: number };
  /** Whether every value of the parts had a rank; their ranks, valid until the next call. */
  load(
    scale: number,
    majors: readonly number[],
  ): Promise<{ readonly isComplete: boolean; readonly ranks: ReadonlyMap<number, Uint8Array> }>;
}

/** A part is read by few requests: parts that follow each other in verification lie scattered in the table. */
const READ_TOGETHER = 1 << 19;

export function newPartReading(): Reading {
  return { arrays: newArrays(), together: READ_TOGETHER };
}

/** How `memory` is divided: bytes that the parts take, and how many of them there is room for. */
export interface RankShelves {
  readonly bytes: number;
  readonly own: Pick<Shelf, 'places' | 'width'>;
  readonly dependencies: Pick<Shelf, 'places' | 'width'>;
}

/** At least a part of the slice, and one of its dependencies, have room. */
export function shelvesIn(
  memory: number,
  own: SliceIndex,
  dependencies: readonly SliceIndex[],
  scales: number,
): RankShelves {
  const among = (most: number, places: number) => Math.max(1, Math.min(most * scales, Math.floor(places)));
  const theirs = Math.max(1, ...dependencies.map((slice) => slice.partSize(0)));
  const parts = dependencies.reduce((sum, slice) => sum + 2 * slice.parts, 0);
  const their = { places: among(parts, memory / 2 / theirs), width: theirs };
  const width = own.partSize(0);
  const ours = { places: among(2 * own.parts, (memory - their.places * theirs) / width), width };
  return { bytes: their.places * theirs + ours.places * width, own: ours, dependencies: their };
}

export function openRankParts(
  rows: RowRanks,
  own: Table<SliceIndex>,
  dependencies: readonly Table<SliceIndex>[],
  metric: Metric,
  scales: readonly Scale[],
  shelves: RankShelves,
): RankParts {
  const tables = [own, ...dependencies];
  const majors = [0, firstMajor(own.slice, 1), ...dependencyMajors(own.slice, majorsIn(own.slice, 2))];
  const shelf = ({ places, width }: Pick<Shelf, 'places' | 'width'>): Shelf => ({
    places,
    width,
    held: new Map(),
  });
  const ours = shelf(shelves.own);
  const reading = newPartReading();
  const theirs = shelf(shelves.dependencies);
  const ranksOf = scales.map((scale) =>
    tables.map(({ manifest: { valueType } }, t) =>
      t === 0
        ? null
        : ranksBehind(scale, valueType, metric, own.slice.dependencies[t - 1].restarts.includes(metric)),
    ),
  );

  /** A place that is free, or that was not used for the longest time. */
  function takePlace({ held, places, width }: Shelf): Uint8Array {
    if (held.size < places) return rows.allocate(width);
    const [[longestUnused, { bytes }]] = held;
    held.delete(longestUnused);
    return bytes;
  }

  async function read(scale: number, major: number, bytes: Uint8Array): Promise<boolean> {
    const first = majors.findLastIndex((from) => from <= major);
    const side = (first & 1) as Side;
    const { slice, values } = tables[first >> 1];
    const part = major - majors[first];
    const { wide } = scales[scale];
    const ranks = ranksOf[scale][first >> 1];
    let length = 0;
    let isComplete = true;
    for await (const batch of values(side, part, part + 1, reading)) {
      const codes = batch.columns[0] as ValueColumn;
      if (ranks !== null)
        isComplete = rankCodes(codes, batch.length, ranks, bytes, batch.first) && isComplete;
      else if (wide === null) copyCodes(codes, batch.length, bytes, batch.first);
      else {
        const some = (codes as Int16Array).subarray(0, batch.length);
        isComplete = !rows.rankWords(some, wide, false, bytes.subarray(batch.first)) && isComplete;
      }
      length += batch.length;
    }
    assert(length === slice.partSize(part), `the table of ${slice.name} has all values of part ${part}`);
    if (first > 1) return isComplete;
    const whole = bytes.subarray(0, length);
    if (wide === null) isComplete = !rows.rankCodes(whole, metric !== 'wdl');
    rows.complete(side, part, whole);
    return isComplete;
  }

  return {
    majors,
    most: { own: ours.places, dependencies: theirs.places },
    async load(scale, wanted) {
      const numberOf = (major: number) => scale * majors.at(-1)! + major;
      const shelfOf = (major: number) => (major < majors[2] ? ours : theirs);
      // Those that are here must not make room for the others.
      for (const major of wanted) {
        const { held } = shelfOf(major);
        const known = held.get(numberOf(major));
        if (known === undefined) continue;
        held.delete(numberOf(major));
        held.set(numberOf(major), known);
      }
      const ranks = new Map<number, Uint8Array>();
      let isComplete = true;
      for (const major of wanted) {
        const { held } = shelfOf(major);
        let known = held.get(numberOf(major));
        if (known === undefined) {
          const bytes = takePlace(shelfOf(major));
          known = { bytes, isComplete: await read(scale, major, bytes) };
          held.set(numberOf(major), known);
        }
        isComplete &&= known.isComplete;
        ranks.set(major, known.bytes);
      }
      return { isComplete, ranks };
    },
  };
}

/** The codes of a column i8. */
export function copyCodes(codes: ValueColumn, length: number, to: Uint8Array, at: number): void {
  to.set(new Uint8Array(codes.buffer, codes.byteOffset, length), at);
}

/** Writes the ranks of codes; returns whether all have one. */
function rankCodes(
  codes: ValueColumn,
  length: number,
  ranks: Uint8Array,
  to: Uint8Array,
  at: number,
): boolean {
  const mask = ranks.length - 1;
  let all = true;
  for (let i = 0; i < length; i++) {
    const rank = ranks[codes[i] & mask];
    to[at + i] = rank;
    if (rank === 0) all = false;
  }
  return all;
}
