/** The rows of a table as columns of plain types, many rows at a time: what sets of files are written from. */
import type { Colour, Game } from '../contract/game.js';
import { sideOf } from '../contract/views.js';
import {
  brokenCode,
  brokenIn,
  decodeValue,
  type Metric,
  type ValueColumn,
  type Wdl,
} from '../formats/value.js';
import type { Table } from '../table/table.js';

/** Legal canonical positions; the arrays have one length, and are overwritten by the next batch. */
export interface ColumnBatch {
  /** The side to move, in the colours of the view. */
  readonly side: Colour;
  /** Position numbers of the slice: part * width + key. */
  readonly index: BigInt64Array;
  /** Numbers of words in {@link ColumnRows.words}. */
  readonly wdl: Int8Array;
  /** NO_PLIES where there are none: for draws, and under `wdl`. */
  readonly plies: Int16Array;
  /** Null if not wanted. */
  readonly fen: Texts | null;
}

export const NO_PLIES = -1;

/** ASCII texts one after the other, as Arrow has them: text i is bytes[ends[i] .. ends[i + 1]). */
export interface Texts {
  readonly bytes: Uint8Array;
  /** From 0 on, one more than there are texts. */
  readonly ends: Int32Array;
}

export interface ColumnRows {
  readonly words: readonly Wdl[];
  readonly batches: AsyncIterable<ColumnBatch>;
}

export interface ColumnOptions {
  readonly game: Game;
  readonly table: Table;
  readonly metric: Metric;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
  readonly fen: boolean;
  /** Rows of a batch; the last of a side may have fewer. */
  readonly rows: number;
}

/** Rows of the game's first colour to move, then of the other, each by ascending index. */
export function exportColumns(options: ColumnOptions): ColumnRows {
  const { manifest } = options.table;
  const meanings = meaningsOf(brokenCode(manifest.valueType), options.metric);
  return { words: meanings.words, batches: batchesOf(options, meanings) };
}

/** Meanings of codes; wdl and plies by code - broken. */
interface Meanings {
  readonly words: readonly Wdl[];
  readonly wdl: Int8Array;
  readonly plies: Int16Array;
}

function meaningsOf(broken: number, metric: Metric): Meanings {
  const words: Wdl[] = [];
  const wdl = new Int8Array(-2 * broken);
  const plies = new Int16Array(-2 * broken);
  for (let code = broken + 1; code < -broken; code++) {
    const value = decodeValue(code, metric);
    let word = words.indexOf(value.wdl);
    if (word < 0) word = words.push(value.wdl) - 1;
    wdl[code - broken] = word;
    plies[code - broken] = value.plies ?? NO_PLIES;
  }
  return { words, wdl, plies };
}

async function* batchesOf(
  { game, table, flipped, fen, rows }: ColumnOptions,
  meanings: Meanings,
): AsyncGenerator<ColumnBatch> {
  const slice = table.slice;
  const index = new BigInt64Array(rows);
  const wdl = new Int8Array(rows);
  const plies = new Int16Array(rows);
  const fens = newTexts(fen ? rows : 0);
  let length = 0;
  const batch = (side: Colour): ColumnBatch => ({
    side,
    index: index.subarray(0, length),
    wdl: wdl.subarray(0, length),
    plies: plies.subarray(0, length),
    fen: fen ? fens.first(length) : null,
  });
  for (const colour of game.colours) {
    const side = sideOf(game, colour, flipped);
    for await (const { major, first, length: found, columns } of table.values(side, 0, slice.parts)) {
      const codes = columns[0] as ValueColumn;
      const broken = brokenIn(codes);
      for (let i = 0; i < found; i++) {
        if (codes[i] === broken) continue;
        const key = first + i;
        index[length] = BigInt(major * slice.width + key);
        wdl[length] = meanings.wdl[codes[i] - broken];
        plies[length] = meanings.plies[codes[i] - broken];
        if (fen)
          fens.set(length, game.format(game.board({ slice: slice.name, side, part: major, key }, flipped)));
        if (++length < rows) continue;
        yield batch(colour);
        length = 0;
      }
    }
    if (length > 0) yield batch(colour);
    length = 0;
  }
}

/** Texts that are put down as they come: millions of strings that are kept for a while cost more than all else. */
function newTexts(rows: number) {
  const ends = new Int32Array(rows + 1);
  let bytes = new Uint8Array(32 * rows);
  return {
    /** Text i, after those before it. */
    set(i: number, text: string): void {
      let end = ends[i];
      if (end + text.length > bytes.length) {
        const longer = new Uint8Array(2 * (bytes.length + text.length));
        longer.set(bytes);
        bytes = longer;
      }
      for (let at = 0; at < text.length; at++) bytes[end++] = text.charCodeAt(at);
      ends[i + 1] = end;
    },
    first: (texts: number): Texts => ({
      bytes: bytes.subarray(0, ends[texts]),
      ends: ends.subarray(0, texts + 1),
    }),
  };
}
