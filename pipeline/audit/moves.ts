/** The moves of an audit: by rows where the slice has such kernels, else by keys. */
import { newCounters } from '../../operators/core/counters.js';
import { createPool } from '../../operators/distribute/pool.js';
import { KeyBest, type MovesContext, RowBest, type Wanted } from '../engine/best-moves.js';
import type { RankSource } from '../engine/successor-ranks.js';
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

class ByteKeys extends KeyBest<Uint8Array> {
  protected allocate(width: number): Uint8Array {
    return new Uint8Array(width);
  }
}

/** The least that the moves of a part by keys are given for requests. */
const LEAST_POOL = 1 << 16;

export class AuditMoves {
  readonly #slice: Slice;
  readonly #raise: (
    side: Side,
    part: number,
    best: Uint8Array,
    scale: number,
    wanted: Wanted,
  ) => Promise<unknown>;
  readonly #bests: readonly Uint8Array[];
  readonly close: () => void;
  readonly #wanted: Wanted;

  constructor(options: MovesOptions) {
    const { slice, tables, memory, scales = 1 } = options;
    const width = slice.partSize(0);
    const context: MovesContext = { slice, counters: newCounters() };
    const source = rankSource(options);
    const some = <T>(allocate: () => T) => Array.from({ length: Math.max(2, scales) }, allocate);
    this.#slice = slice;
    this.#wanted = (table) => tables[table] !== undefined;
    if (slice.rowMoves !== undefined) {
      const most = Math.min(memory, MOST_KERNEL_BYTES);
      const rows = new RowBest(context, slice.rowMoves, source, scales, most, Math.max(2, scales) * width);
      this.#bests = some(() => rows.allocate(width));
      this.#raise = (...moves) => rows.raise(...moves);
      this.close = () => rows.close();
    } else {
      const pool = createPool(Math.max(LEAST_POOL, memory / 4), { shared: false });
      const keys = new ByteKeys(context, source, scales, memory / 2, 1);
      this.#bests = some(() => new Uint8Array(width));
      this.#raise = (side, part, best, scale, wanted) => keys.raise(side, part, best, scale, pool, wanted);
      this.close = () => {};
    }
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
    await this.#raise(side, part, best, scale, wanted);
    return best;
  }
}
