/**
 * The worth of moves, as ranks (`preference` in pipeline/formats/value.ts). Every position of a slice, and of those that it converts
 * to, has the rank of a move there for the player who makes it. Made from the tables, a whole part at a time.
 */
import { assert } from '../../operators/core/errors.js';
import type { Side, SliceIndex } from '../contract/game.js';
import { dependencyMajors, firstMajor, majorsIn } from '../formats/majors.js';
import { backUp, brokenCode, type Metric, preference, type ValueColumn } from '../formats/value.js';
import type { Table } from '../table/table.js';

export interface SuccessorRanks {
  /**
   * Where the parts of each table and side begin: 2 * table + side → first major. Table 0 is the slice's own table; those
   * of its dependencies follow in their order. The last value is the number of majors.
   */
  readonly majors: readonly number[];
  /** Bytes of memory. */
  readonly bytes: number;
  /** The ranks of the part with this major, by key; valid until another is loaded. */
  load(major: number): Promise<Uint16Array>;
}

/**
 * @param dependencies the tables of the slice's dependencies, in its order.
 * @param memory for the parts that are held, those last used: moves lead to the same parts again and again. At least
 *   one is.
 */
export function openSuccessorRanks(
  own: Table<SliceIndex>,
  dependencies: readonly Table<SliceIndex>[],
  metric: Metric,
  memory: number,
): SuccessorRanks {
  const tables = [own, ...dependencies];
  const majors = [0, firstMajor(own.slice, 1), ...dependencyMajors(own.slice, majorsIn(own.slice, 2))];
  // Tables are many, and differ in this by the type of their values and by whether the count restarts there only.
  const made = new Map<string, Uint16Array>();
  const rankOfCode = tables.map(({ manifest: { valueType } }, t) => {
    const restarts = t > 0 && own.slice.dependencies[t - 1].restarts.includes(metric);
    const kind = `${valueType} ${restarts}`;
    let ranks = made.get(kind);
    if (ranks === undefined) made.set(kind, (ranks = ranksOfCodes(valueType, metric, restarts)));
    return ranks;
  });
  // The first part of a slice is its largest.
  const width = Math.max(...tables.map(({ slice }) => slice.partSize(0)));
  const places = Math.max(1, Math.min(majors.at(-1)!, Math.floor(memory / (2 * width))));
  /** By major, the one last used last. */
  const held = new Map<number, Uint16Array>();

  /** Memory for one more part. */
  function takePlace(): Uint16Array {
    if (held.size < places) return new Uint16Array(width);
    const [[longestUnused, ranks]] = held;
    held.delete(longestUnused);
    return ranks;
  }

  async function read(major: number, ranks: Uint16Array): Promise<Uint16Array> {
    const first = majors.findLastIndex((from) => from <= major);
    const { slice, values } = tables[first >> 1];
    const part = major - majors[first];
    let rows = 0;
    for await (const batch of values((first & 1) as Side, part, part + 1)) {
      translate(batch.columns[0] as ValueColumn, batch.length, rankOfCode[first >> 1], ranks, batch.first);
      rows += batch.length;
    }
    assert(rows === slice.partSize(part), `the table of ${slice.name} has all values of part ${part}`);
    return ranks;
  }

  return {
    majors,
    bytes: 2 * width * places + [...made.values()].reduce((sum, ranks) => sum + ranks.byteLength, 0),
    async load(major) {
      const ranks = held.get(major) ?? (await read(major, takePlace()));
      held.delete(major);
      held.set(major, ranks);
      return ranks;
    },
  };
}

/** The rank of a move to a position by its code, as an unsigned number. `restarts`: whether the count restarts with the move. */
export function ranksOfCodes(type: 'i8' | 'i16', metric: Metric, restarts: boolean): Uint16Array {
  const broken = brokenCode(type);
  const ranks = new Uint16Array(-2 * broken);
  for (let code = broken; code < -broken; code++) {
    // A successor marked broken is an error of its own, found when it is the position in question.
    ranks[code & (ranks.length - 1)] = preference(code === broken ? 0 : backUp(code, metric, restarts));
  }
  return ranks;
}

function translate(
  codes: ValueColumn,
  length: number,
  rankOfCode: Uint16Array,
  ranks: Uint16Array,
  at: number,
): void {
  const mask = rankOfCode.length - 1;
  for (let i = 0; i < length; i++) ranks[at + i] = rankOfCode[codes[i] & mask];
}
