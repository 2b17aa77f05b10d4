/** The moves of an audit, by rows. */
import { newCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { RowBest, type Wanted } from '../engine/memory/best-moves.js';
import type { RankSource } from '../engine/memory/successor-ranks.js';
import { MOST_KERNEL_BYTES, type Side, type Slice } from '../game/game.js';
import type { Column } from './columns.js';

/** The values of both sides of a slice that moves lead to; undefined if no such move is asked for. */
export type Sides = readonly (Column | undefined)[];

export interface MovesOptions {
  readonly slice: Slice;
  /** Of the slice itself, and of its dependencies. Moves to those that are undefined are left out. */
  readonly tables: readonly (Sides | undefined)[];
  /** Makes ranks of the values of a part, by a scale. Left out: the values are ranks. */
  readonly rank?: (column: Column, part: number, scale: number, ranks: Uint8Array) => void;
  readonly scales?: number;
  readonly memory: number;
}

/** Reading columns of a slice that moves may lead to takes no room if it is not asked for. */
const NOTHING = { parts: 0, partSize: () => 0, dependencies: [] };

function rankSource({ slice, tables, rank }: MovesOptions): RankSource<Uint8Array> {
  const [, ...dependencies] = tables;
  return {
    indices: [slice, ...dependencies.map((sides) => sides?.find((column) => column)?.slice ?? NOTHING)],
    async read(table, side, part, scale, ranks) {
      const column = tables[table]![side]!;
      if (rank === undefined) column.read(part, 0, ranks);
      else rank(column, part, scale, ranks);
      return true;
    },
  };
}

export class AuditMoves {
  readonly #slice: Slice;
  readonly #rows: RowBest;
  readonly #bests: readonly Uint8Array[];
  readonly #wanted: Wanted;

  constructor(options: MovesOptions) {
    const { slice, tables, memory, scales = 1 } = options;
    assert(slice.rowMoves !== undefined, 'every ending with files has rows');
    const width = slice.partSize(0);
    const most = Math.min(memory, MOST_KERNEL_BYTES);
    const bests = Math.max(2, scales);
    const moving = { slice, counters: newCounters() };
    this.#slice = slice;
    this.#wanted = (table) => tables[table] !== undefined;
    this.#rows = new RowBest(moving, slice.rowMoves, rankSource(options), scales, most, bests * width);
    this.#bests = Array.from({ length: bests }, () => this.#rows.allocate(width));
  }

  close(): void {
    this.#rows.close();
  }

  /** The best quiet moves of a part, valid until it is called for the same scale again. */
  quiet(side: Side, part: number, scale = 0): Promise<Uint8Array> {
    return this.#best(side, part, scale, scale, (table) => table === 0);
  }

  /** The best moves that leave the slice; valid until it is called again. */
  leaving(side: Side, part: number): Promise<Uint8Array> {
    return this.#best(side, part, 1, 0, (table) => table > 0 && this.#wanted(table));
  }

  async #best(side: Side, part: number, number: number, scale: number, wanted: Wanted): Promise<Uint8Array> {
    const best = this.#bests[number].subarray(0, this.#slice.partSize(part)).fill(0);
    await this.#rows.raise(side, part, 0, best, scale, wanted);
    return best;
  }
}
