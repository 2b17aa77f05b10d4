/** The rows of a table as columns of plain types, many rows at a time: what files are written from. */

import type { Colour, Game, SliceIndex } from '../game/game.js';
import { withoutRepeats } from '../game/repeats.js';
import {
  brokenCode,
  brokenIn,
  decodeValue,
  type Metric,
  OUTCOMES,
  type ValueColumn,
  type Wdl,
} from '../game/value.js';
import { sideOf } from '../game/views.js';
import type { Table } from '../tables/table.js';
import type { TableColumn } from '../tables/value-table.js';
import { valuesWithNumbers } from '../tables/values-with-numbers.js';
import { TextColumn, type Texts } from './texts.js';

/** Legal canonical positions; the arrays have one length, and are overwritten by the next batch. */
export interface ColumnBatch {
  /** The side to move, in the colours of the view. */
  readonly mover: Colour;
  /** Position numbers of the slice: part * width + key. */
  readonly index: BigInt64Array;
  /** For the mover: places in {@link WDL_WORDS}. */
  readonly outcome: Int8Array;
  /** NO_PLIES where there are none: for draws, and under `wdl`. */
  readonly plies: Int16Array;
  /** Under metrics that have numbers: of solutions, or of best moves; else null. */
  readonly solutions: Int16Array | null;
  /** How many boards each position stands for: its images under the symmetries, each once. Null if not wanted. */
  readonly weight: Int16Array | null;
  /** As the game writes them; null if not wanted. */
  readonly position: Texts | null;
}

export const NO_PLIES = -1;

export const WDL_WORDS: readonly Wdl[] = [...OUTCOMES].reverse();

export interface ColumnOptions {
  readonly game: Game;
  readonly table: Table;
  readonly metric: Metric;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
  readonly position: boolean;
  readonly weight: boolean;
  /** The numbers beside the values, if they are wanted. */
  readonly numbers?: TableColumn | undefined;
  /** Rows of a batch; the last of a side may have fewer. */
  readonly rows: number;
}

/** Meanings of codes; both arrays by code - broken. */
interface Meanings {
  readonly outcome: Int8Array;
  readonly plies: Int16Array;
}

function meaningsOf(broken: number, metric: Metric): Meanings {
  const outcome = new Int8Array(-2 * broken);
  const plies = new Int16Array(-2 * broken);
  for (let code = broken + 1; code < -broken; code++) {
    const value = decodeValue(code, metric);
    outcome[code - broken] = WDL_WORDS.indexOf(value.wdl);
    plies[code - broken] = value.plies ?? NO_PLIES;
  }
  return { outcome, plies };
}

/** Rows of the game's first colour to move, then of the other, each by ascending index. */
export async function* exportColumns({
  game,
  table,
  metric,
  flipped,
  position,
  weight,
  numbers: beside,
  rows,
}: ColumnOptions): AsyncGenerator<ColumnBatch> {
  const slice = table.slice;
  const meanings = meaningsOf(brokenCode(table.manifest.valueType), metric);
  const index = new BigInt64Array(rows);
  const outcome = new Int8Array(rows);
  const plies = new Int16Array(rows);
  const solutions = beside === undefined ? null : new Int16Array(rows);
  const positions = position ? new TextColumn(rows) : null;
  const weights = weight ? new WeightColumn(slice, rows) : null;
  let length = 0;
  function take(mover: Colour): ColumnBatch {
    const batch = {
      mover,
      index: index.subarray(0, length),
      outcome: outcome.subarray(0, length),
      plies: plies.subarray(0, length),
      solutions: solutions?.subarray(0, length) ?? null,
      weight: weights?.take() ?? null,
      position: positions?.take() ?? null,
    };
    length = 0;
    return batch;
  }
  for (const colour of game.colours) {
    const side = sideOf(game, colour, flipped);
    const values = valuesWithNumbers(table, beside, side, 0, slice.parts);
    for await (const { major, first, length: found, columns } of values) {
      const codes = withoutRepeats(slice, major, first, (columns[0] as ValueColumn).subarray(0, found));
      const broken = brokenIn(codes);
      for (let i = 0; i < found; i++) {
        if (codes[i] === broken) continue;
        const key = first + i;
        index[length] = BigInt(major * slice.width + key);
        outcome[length] = meanings.outcome[codes[i] - broken];
        plies[length] = meanings.plies[codes[i] - broken];
        if (solutions !== null) solutions[length] = (columns[1] as Uint8Array)[i];
        weights?.add(major, key);
        positions?.add(game.format(game.board({ slice: slice.name, side, part: major, key }, flipped)));
        if (++length === rows) yield take(colour);
      }
    }
    if (length > 0) yield take(colour);
  }
}

/** Sizes of orbits, which the slice gives for many keys of a part at once. */
class WeightColumn {
  private readonly keys: Uint32Array;
  private readonly sizes: Uint8Array;
  private readonly weights: Int16Array;
  private part = 0;
  /** Keys that were added, and how many of them have their weights. */
  private added = 0;
  private weighed = 0;

  constructor(
    private readonly slice: Pick<SliceIndex, 'orbitSizes'>,
    rows: number,
  ) {
    this.keys = new Uint32Array(rows);
    this.sizes = new Uint8Array(rows);
    this.weights = new Int16Array(rows);
  }

  add(part: number, key: number): void {
    if (part !== this.part) this.weigh();
    this.part = part;
    this.keys[this.added++] = key;
  }

  take(): Int16Array {
    this.weigh();
    const weights = this.weights.subarray(0, this.added);
    this.added = 0;
    this.weighed = 0;
    return weights;
  }

  private weigh(): void {
    const { weighed, added } = this;
    if (weighed === added) return;
    this.slice.orbitSizes(this.part, this.keys.subarray(weighed, added), added - weighed, this.sizes);
    this.weights.set(this.sizes.subarray(0, added - weighed), weighed);
    this.weighed = added;
  }
}
