/**
 * The columns of a publication: what its tables hold of a position. Each has a file of its own for each slice and side to move.
 *
 *   wdl      win, draw or loss
 *   plies    0: the goal cannot be reached; else one more than half the plies to it, rounded down. The side to move says whether they are odd.
 *   numbers  one less than the number beside the value (tables/numbers.ts); don't-care where the goal cannot be reached
 */
import type { Side } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import { publishedAs } from '../../game/stipulation.js';
import { type Metric, pliesOfCode } from '../../game/value.js';
import type { CodecName } from '../codec/codec.js';
import { BYTE_VALUES } from '../codec/symbols.js';

export const publishedColumns = ['wdl', 'plies', 'numbers'] as const;
export type PublishedColumn = (typeof publishedColumns)[number];

/** The columns of tables of a metric. */
export function columnsOf(metric: Metric): readonly PublishedColumn[] {
  return labellingOf(publishedAs(metric)).numbering === null ? ['wdl'] : ['plies', 'numbers'];
}

/** The codecs that can hold these columns, the default first. */
export function codecsFor(metric: Metric): readonly CodecName[] {
  return columnsOf(metric)[0] === 'wdl' ? ['rows', 'huffman', 'packed'] : ['bytes'];
}

/** More plies to the goal than this have no symbol. */
export const MOST_PUBLISHED_PLIES = 2 * (BYTE_VALUES - 2) + 1;

/** The symbol of a code that is not broken. Greater than any symbol if it has too many plies. */
export function pliesSymbol(code: number): number {
  return code === 0 ? 0 : 1 + (pliesOfCode(code) >>> 1);
}

/** The code of a symbol. @param goalOf the side that is mated or stalemated at the goal: an even number of plies leads from it there. */
export function codeOfPlies(symbol: number, side: Side, goalOf: Side): number {
  if (symbol === 0) return 0;
  const even = 2 * (symbol - 1);
  return side === goalOf ? -even - 1 : even + 1;
}
