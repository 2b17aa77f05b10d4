/**
 * The ranks of the positions that moves lead to: numbers that are the greater the better a move there is for the player who makes
 * it. Verification reads them from the tables, a whole part at a time, and keeps the parts used last, since moves lead to the same
 * parts again and again. By keys (verify.ts) ranks have 16 bits; by rows (verify-rows.ts) they are bytes that kernels reach.
 */
import { newArrays } from '../../operators/core/arrays.js';
import { assert } from '../../operators/core/errors.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { Side, SliceIndex } from '../game/game.js';
import { dependencyMajors, firstMajor, majorsIn } from '../game/majors.js';
import { backUp, brokenCode, type Metric, type ValueColumn } from '../game/value.js';
import type { Table } from '../tables/table.js';

/** Room for so many parts of one table, or of several with parts of about the same width, in positions. */
interface Shelf {
  readonly places: number;
  readonly width: number;
}

export interface Shelves {
  readonly own: Shelf;
  readonly dependencies: Shelf;
  readonly bytes: number;
}

/** The rank of a move that leaves its maker with a code; 0 if it has none. */
export type RankOf = (outcome: number) => number;

/** How values become ranks. */
export interface Ranking<Column> {
  /** By scale. */
  readonly scales: readonly RankOf[];
  /** Memory with undefined contents, which serves one part after the other. */
  allocate(width: number): Column;
  /** Writes the ranks of values of the slice's own table in place of `scales`. Returns whether each value has one. */
  rankOwn?(codes: ValueColumn, ranks: Column, scale: number): boolean;
  /** Called with all ranks of a part of the slice's own table. Returns whether each value has one. */
  finishOwn?(ranks: Column, side: Side, part: number, scale: number): boolean;
}

/** The ranks of a part, and whether every value of the part has one. */
interface RankedPart<Column> {
  readonly ranks: Column;
  readonly isComplete: boolean;
}

/** A part is read by few requests: parts that are looked at one after the other may lie scattered in the table. */
const READ_TOGETHER = 1 << 19;

export function newPartReading(): Reading {
  return { arrays: newArrays(), together: READ_TOGETHER };
}

/**
 * Divides `memory`; at least a part of the slice, and one of its dependencies, have room.
 * @param slices the slice that is verified, and its dependencies.
 * @param rankBytes bytes of a rank.
 */
export function shelvesIn(
  memory: number,
  [own, ...dependencies]: readonly SliceIndex[],
  { scales }: Pick<Ranking<unknown>, 'scales'>,
  rankBytes: number,
): Shelves {
  const ranks = memory / rankBytes;
  const among = (parts: number, places: number) =>
    Math.max(1, Math.min(parts * scales.length, Math.floor(places)));
  const theirs = Math.max(1, ...dependencies.map((slice) => slice.partSize(0)));
  const parts = dependencies.reduce((sum, slice) => sum + 2 * slice.parts, 0);
  const their = { places: among(parts, ranks / 2 / theirs), width: theirs };
  const width = own.partSize(0);
  const ours = { places: among(2 * own.parts, (ranks - their.places * theirs) / width), width };
  return {
    own: ours,
    dependencies: their,
    bytes: rankBytes * (their.places * theirs + ours.places * width),
  };
}

export class SuccessorRanks<Column extends Uint8Array | Uint16Array> {
  /**
   * Where the parts of each table and side begin: 2 * table + side → first major. Table 0 is the slice's own table; those
   * of its dependencies follow in their order. The last value is the number of majors.
   */
  readonly majors: readonly number[];
  readonly shelves: Shelves;
  readonly #tables: readonly Table<SliceIndex>[];
  readonly #ranking: Ranking<Column>;
  /** By scale and table: the ranks of codes. */
  readonly #ranksOf: readonly (readonly Uint16Array[])[];
  readonly #reading = newPartReading();
  /** By scale and major, the part used last at the end. */
  readonly #own = new Map<number, RankedPart<Column>>();
  readonly #dependencies = new Map<number, RankedPart<Column>>();

  /** @param tables the slice's own, and those of its dependencies in their order. */
  constructor(
    tables: readonly Table<SliceIndex>[],
    metric: Metric,
    ranking: Ranking<Column>,
    shelves: Shelves,
  ) {
    const { slice } = tables[0];
    this.majors = [0, firstMajor(slice, 1), ...dependencyMajors(slice, majorsIn(slice, 2))];
    this.shelves = shelves;
    this.#tables = tables;
    this.#ranking = ranking;
    this.#ranksOf = ranking.scales.map((rankOf) => ranksByTable(tables, metric, rankOf));
  }

  /** The ranks of the part with this major, by key; valid until another is loaded. */
  async load(major: number, scale = 0): Promise<RankedPart<Column>> {
    const known = this.#use(major, scale);
    if (known !== undefined) return known;
    const ranks = this.#takePlace(major);
    const part = { ranks, isComplete: await this.#read(major, scale, ranks) };
    this.#partsLike(major).set(this.#numberOf(major, scale), part);
    return part;
  }

  /** The ranks of several parts, which are valid together: at most as many as their shelves have places. */
  async loadAll(
    majors: readonly number[],
    scale: number,
  ): Promise<{ readonly isComplete: boolean; readonly ranks: ReadonlyMap<number, Column> }> {
    // The parts that are here must not make room for the others.
    for (const major of majors) this.#use(major, scale);
    const ranks = new Map<number, Column>();
    let isComplete = true;
    for (const major of majors) {
      const part = await this.load(major, scale);
      isComplete &&= part.isComplete;
      ranks.set(major, part.ranks);
    }
    return { isComplete, ranks };
  }

  #partsLike(major: number): Map<number, RankedPart<Column>> {
    return major < this.majors[2] ? this.#own : this.#dependencies;
  }

  #numberOf(major: number, scale: number): number {
    return scale * this.majors[this.majors.length - 1] + major;
  }

  /** The part, if it is here, as the one used last. */
  #use(major: number, scale: number): RankedPart<Column> | undefined {
    const parts = this.#partsLike(major);
    const number = this.#numberOf(major, scale);
    const part = parts.get(number);
    if (part === undefined) return undefined;
    parts.delete(number);
    parts.set(number, part);
    return part;
  }

  /** A place that is free, or that of the part which was not used for longest. */
  #takePlace(major: number): Column {
    const parts = this.#partsLike(major);
    const { places, width } = parts === this.#own ? this.shelves.own : this.shelves.dependencies;
    if (parts.size < places) return this.#ranking.allocate(width);
    const [[longestUnused, { ranks }]] = parts;
    parts.delete(longestUnused);
    return ranks;
  }

  async #read(major: number, scale: number, ranks: Column): Promise<boolean> {
    const first = this.majors.findLastIndex((from) => from <= major);
    const table = first >> 1;
    const side = (first & 1) as Side;
    const part = major - this.majors[first];
    const { slice, values } = this.#tables[table];
    const { rankOwn, finishOwn } = table === 0 ? this.#ranking : {};
    let length = 0;
    let isComplete = true;
    for await (const batch of values(side, part, part + 1, this.#reading)) {
      const codes = (batch.columns[0] as ValueColumn).subarray(0, batch.length);
      const to = ranks.subarray(batch.first) as Column;
      const all = rankOwn?.(codes, to, scale) ?? rankCodes(codes, this.#ranksOf[scale][table], to);
      isComplete &&= all;
      length += batch.length;
    }
    assert(length === slice.partSize(part), `the table of ${slice.name} has all values of part ${part}`);
    const all = finishOwn?.(ranks.subarray(0, length) as Column, side, part, scale) ?? true;
    return isComplete && all;
  }
}

/** The ranks of the codes of each table. Tables are many, and differ by the type of their values and by what restarts there. */
function ranksByTable(tables: readonly Table<SliceIndex>[], metric: Metric, rankOf: RankOf): Uint16Array[] {
  const made = new Map<string, Uint16Array>();
  return tables.map(({ manifest: { valueType } }, t) => {
    const restarts = t > 0 && tables[0].slice.dependencies[t - 1].restarts.includes(metric);
    const kind = `${valueType} ${restarts}`;
    let ranks = made.get(kind);
    if (ranks === undefined) made.set(kind, (ranks = ranksOfCodes(valueType, metric, restarts, rankOf)));
    return ranks;
  });
}

/** The rank of a move to a position by its code, as an unsigned number. `restarts`: whether the count restarts with the move. */
export function ranksOfCodes(
  type: 'i8' | 'i16',
  metric: Metric,
  restarts: boolean,
  rankOf: RankOf,
): Uint16Array {
  const broken = brokenCode(type);
  const ranks = new Uint16Array(-2 * broken);
  for (let code = broken; code < -broken; code++) {
    // A successor marked broken is an error of its own, found when it is the position in question.
    ranks[code & (ranks.length - 1)] = rankOf(code === broken ? 0 : backUp(code, metric, restarts));
  }
  return ranks;
}

/** Writes the ranks of codes; returns whether all have one. */
function rankCodes(codes: ValueColumn, rankOfCode: Uint16Array, ranks: Uint8Array | Uint16Array): boolean {
  const mask = rankOfCode.length - 1;
  let all = true;
  for (let i = 0; i < codes.length; i++) {
    const rank = rankOfCode[codes[i] & mask];
    ranks[i] = rank;
    if (rank === 0) all = false;
  }
  return all;
}
