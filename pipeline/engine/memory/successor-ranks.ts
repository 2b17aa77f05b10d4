/**
 * The ranks of the positions that moves lead to: numbers that are the greater the better a move there is for the player who makes
 * it. Verification reads them from the tables, a whole part at a time, and keeps the parts used last, since moves lead to the same
 * parts again and again. By keys (verify.ts) ranks have 16 bits; by rows (verify-rows.ts) they are bytes that kernels reach. By keys a part
 * that is too wide is held in *pieces*: what this file says of parts then holds for pieces.
 */

import { newArrays } from '../../../operators/core/arrays.js';
import { assert } from '../../../operators/core/errors.js';
import type { Reading } from '../../../operators/runs/record-batches.js';
import type { Dependency, Side, SliceIndex } from '../../game/game.js';
import { dependencyMajors, firstMajor, majorsIn } from '../../game/majors.js';
import { backUp, brokenCode, type Metric, type ValueColumn } from '../../game/value.js';
import { valuesWithNumbers } from '../../tables/numbers.js';
import type { Table } from '../../tables/table.js';
import type { TableColumn } from '../../tables/value-table.js';

export type RankColumn = Uint8Array | Uint16Array | Uint32Array;

/** The rank of a move that leaves its maker with a code; 0 if it has none. */
export type RankOf = (outcome: number) => number;

/** The ranks of a part, and whether every value of the part has one. */
interface RankedPart<Column> {
  readonly ranks: Column;
  readonly isComplete: boolean;
}

/** A part is read by few requests: parts that are looked at one after the other may lie scattered in the table. */
const READ_TOGETHER = 1 << 19;

export function newReading(): Reading {
  return { arrays: newArrays(), together: READ_TOGETHER };
}

/** The parts used last of one table, or of several with parts of about the same width. */
class Shelf<Column> {
  /** By number, the part used last at the end. */
  private readonly parts = new Map<number, RankedPart<Column>>();
  private allocated = 0;

  /** @param places room for so many parts, of so many positions each. */
  constructor(
    readonly places: number,
    readonly width: number,
  ) {}

  /** The part, if it is here, as the one used last. */
  use(number: number): RankedPart<Column> | undefined {
    const part = this.parts.get(number);
    if (part === undefined) return undefined;
    this.parts.delete(number);
    this.parts.set(number, part);
    return part;
  }

  /** A free place, or that of the least recently used part. The caller puts a part there. */
  take(allocate: (width: number) => Column): Column {
    if (this.allocated < this.places) {
      this.allocated++;
      return allocate(this.width);
    }
    const [[longestUnused, { ranks }]] = this.parts;
    this.parts.delete(longestUnused);
    return ranks;
  }

  put(number: number, part: RankedPart<Column>): void {
    this.parts.set(number, part);
  }
}

/** Where ranks come from. Table 0 is the slice's own; those of its dependencies follow in their order. */
export interface RankSource<Column> {
  /** By table, the index of its slice. */
  readonly indices: readonly Pick<SliceIndex, 'parts' | 'partSize' | 'dependencies'>[];
  /**
   * Writes the ranks of the values of a part by a scale: from `first` on, as many as `ranks` has room for. `first` is 0 unless parts are held
   * in pieces. Returns whether each value has a rank.
   */
  read(
    table: number,
    side: Side,
    part: number,
    scale: number,
    ranks: Column,
    first: number,
  ): Promise<boolean>;
}

/** Several scales may be given: a part then has ranks by each of them. */
export abstract class SuccessorRanks<Column extends RankColumn> {
  /**
   * Where the parts of each table and side begin: 2 * table + side → first major. Table 0 is the slice's own table; those
   * of its dependencies follow in their order. The last value is the number of majors.
   */
  readonly majors: readonly number[];
  /** Bytes of all ranks that are held. */
  readonly bytes: number;
  /** The number of pieces of the widest part. */
  protected readonly pieces: number;
  readonly own: Shelf<Column>;
  readonly dependencies: Shelf<Column>;

  /**
   * Divides `memory`; at least a part of the slice, and one of its dependencies, have room.
   * @param rankBytes bytes of a rank.
   * @param piece most positions of a part that are held together.
   */
  constructor(
    private readonly source: RankSource<Column>,
    scales: number,
    memory: number,
    rankBytes: number,
    private readonly piece = Number.POSITIVE_INFINITY,
  ) {
    const [own, ...dependencies] = source.indices;
    this.majors = [0, firstMajor(own, 1), ...dependencyMajors(own, majorsIn(own, 2))];
    const ranks = memory / rankBytes;
    const among = (most: number, places: number) => Math.max(1, Math.min(most, Math.floor(places)));
    const widest = Math.max(1, ...dependencies.map((slice) => slice.partSize(0)));
    const theirs = Math.min(piece, widest);
    const width = Math.min(piece, own.partSize(0));
    this.pieces = Math.ceil(Math.max(widest, own.partSize(0)) / piece) || 1;
    const parts = this.pieces * dependencies.reduce((sum, slice) => sum + 2 * slice.parts, 0);
    // One part of the slice has room before several of its dependencies have.
    this.dependencies = new Shelf(among(parts * scales, Math.min(ranks / 2, ranks - width) / theirs), theirs);
    const taken = this.dependencies.places * theirs;
    this.own = new Shelf(among(2 * own.parts * scales * this.pieces, (ranks - taken) / width), width);
    this.bytes = rankBytes * (taken + this.own.places * width);
  }

  /** Memory with undefined contents, which serves one part after the other. */
  protected abstract allocateRanks(width: number): Column;

  /** Called with all ranks of a part of the slice's own table. Returns whether each value has one. */
  protected finishOwn(_ranks: Column, _side: Side, _part: number, _scale: number): boolean {
    return true;
  }

  /** The ranks of the part with this major, or of a piece of it, by key; valid until another is loaded. */
  async load(major: number, scale = 0, piece = 0): Promise<RankedPart<Column>> {
    const shelf = this.shelfOf(major);
    const number = this.numberOf(major, scale, piece);
    const known = shelf.use(number);
    if (known !== undefined) return known;
    const ranks = shelf.take((width) => this.allocateRanks(width));
    const part = { ranks, isComplete: await this.read(major, scale, piece, ranks) };
    shelf.put(number, part);
    return part;
  }

  /** The ranks of several parts, which are valid together: at most as many as their shelves have places. */
  async loadAll(
    majors: readonly number[],
    scale: number,
  ): Promise<{ readonly isComplete: boolean; readonly ranks: ReadonlyMap<number, Column> }> {
    // The parts that are here must not make room for the others.
    for (const major of majors) this.shelfOf(major).use(this.numberOf(major, scale, 0));
    const ranks = new Map<number, Column>();
    let isComplete = true;
    for (const major of majors) {
      const part = await this.load(major, scale);
      isComplete &&= part.isComplete;
      ranks.set(major, part.ranks);
    }
    return { isComplete, ranks };
  }

  /** The table of a part: 0 is the slice's own. */
  protected tableOf(major: number): number {
    return this.majors.findLastIndex((from) => from <= major) >> 1;
  }

  private shelfOf(major: number): Shelf<Column> {
    return major < this.majors[2] ? this.own : this.dependencies;
  }

  private numberOf(major: number, scale: number, piece: number): number {
    return (scale * this.majors[this.majors.length - 1] + major) * this.pieces + piece;
  }

  private async read(major: number, scale: number, piece: number, ranks: Column): Promise<boolean> {
    const first = this.majors.findLastIndex((from) => from <= major);
    const table = first >> 1;
    const side = (first & 1) as Side;
    const part = major - this.majors[first];
    const from = piece === 0 ? 0 : piece * this.piece;
    const all = ranks.subarray(0, this.source.indices[table].partSize(part) - from) as Column;
    const isComplete = await this.source.read(table, side, part, scale, all, from);
    return table > 0 ? isComplete : this.finishOwn(all, side, part, scale) && isComplete;
  }
}

/** Writes the ranks of codes of a table, by a scale; returns whether each has one. */
export type RankCodes<Column> = (
  codes: ValueColumn,
  table: number,
  scale: number,
  ranks: Column,
  numbers?: Uint8Array,
) => boolean;

/** Ranks of the values of tables. @param numbersOf opens the numbers of a table, where `rankCodes` takes them. */
export function tableRanks<Column extends RankColumn>(
  tables: readonly Table<SliceIndex>[],
  rankCodes: RankCodes<Column>,
  numbersOf: ((table: Table<SliceIndex>) => TableColumn) | null = null,
): RankSource<Column> {
  const reading = newReading();
  const numbers =
    numbersOf === null ? null : tables.map((table) => ({ reading: newReading(), ...numbersOf(table) }));
  return {
    indices: tables.map(({ slice }) => slice),
    async read(table, side, part, scale, ranks, from) {
      const { slice } = tables[table];
      const end = from + ranks.length;
      let length = 0;
      let isComplete = true;
      const its = numbers?.[table];
      const readings = [reading, its?.reading] as const;
      for await (const batch of valuesWithNumbers(tables[table], its, side, part, part + 1, readings)) {
        const [begins, ends] = overlapOf(batch, from, end);
        if (begins >= ends) continue;
        const [first, last] = [begins - batch.first, ends - batch.first];
        const codes = (batch.columns[0] as ValueColumn).subarray(first, last);
        const numbersOfCodes = (batch.columns[1] as Uint8Array | undefined)?.subarray(first, last);
        const all = rankCodes(codes, table, scale, ranks.subarray(begins - from) as Column, numbersOfCodes);
        isComplete &&= all;
        length += codes.length;
      }
      assert(length === ranks.length, `the table of ${slice.name} has all values of part ${part}`);
      return isComplete;
    },
  };
}

/** The keys of a batch of values that are in [from, to). */
export function overlapOf(
  { first, length }: { readonly first: number; readonly length: number },
  from: number,
  to: number,
): [from: number, to: number] {
  return [Math.max(first, from), Math.min(first + length, to)];
}

/** The ranks of the codes of a slice's table and its dependencies'. They differ by the type of their values and by what restarts there. */
export function ranksByTable(
  tables: readonly Table<SliceIndex>[],
  dependencies: readonly Dependency[],
  metric: Metric,
  rankOf: RankOf,
): Uint16Array[] {
  const made = new Map<string, Uint16Array>();
  return tables.map(({ manifest: { valueType } }, t) => {
    const restarts = t > 0 && dependencies[t - 1].restarts.includes(metric);
    const kind = `${valueType} ${restarts}`;
    const ranks = made.get(kind) ?? ranksOfCodes(valueType, metric, restarts, rankOf);
    made.set(kind, ranks);
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
  // A successor marked broken is an error of its own, found when it is the position in question.
  return tableOfCodes(type, (code) => rankOf(code === broken ? 0 : backUp(code, metric, restarts)));
}

/** What a function gives for each code, at the code as an unsigned number. */
export function tableOfCodes(type: 'i8' | 'i16', of: (code: number) => number): Uint16Array {
  const broken = brokenCode(type);
  const table = new Uint16Array(-2 * broken);
  for (let code = broken; code < -broken; code++) table[code & (table.length - 1)] = of(code);
  return table;
}
