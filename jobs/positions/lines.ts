/**
 * Rows of positions as text: lines of JSON, CSV (RFC 4180), EPD (Edwards 1995, "Extended Position Description
 * Specification"), or PGN. PGN (Edwards 1994, "Portable Game Notation Specification") has a game without moves for
 * each.
 */

import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric, Value } from '../../pipeline/game/value.js';
import { csvLine } from '../ui/csv.js';
import { positionTags, resultOf } from '../ui/game-tags.js';
import { stipulationText } from '../ui/problem-notation.js';
import { pliesText, problemText } from '../ui/verdict.js';
import { type ChessFormat, type LineFormat, ZUGZWANG_COLUMNS } from './names.js';
import type { PositionRow, PositionsAnswer } from './shapes.js';
import { valueOfJson } from './value.js';

/** A row as a chess program gets it. */
export interface ListedPosition extends Omit<PositionRow, 'slice' | 'weight'> {
  readonly ending: string;
  /** Among the rows of the ending, from 1. */
  readonly place: number;
  /** What the value takes for granted. */
  readonly assumes?: string | undefined;
  /** The moves that keep the value, where they were asked for. */
  readonly best?: readonly string[];
}

/** What EPD and PGN say of a position. */
interface Said {
  readonly value: Value;
  readonly words: string;
  /** Of a mutual zugzwang. */
  readonly zugzwang: string | null;
  /** Of a problem that has a solution. */
  readonly stipulation: string | null;
}

function said(
  { mover, zugzwang, passed, passed_plies = null, assumes, ...row }: ListedPosition,
  metric: Metric,
): Said {
  const { wdl, plies, number } = valueOfJson(row);
  const other = mover === 'white' ? 'Black' : 'White';
  return {
    value: { wdl, plies },
    words: inWords({ wdl, plies }, metric, number) + (assumes === undefined ? '' : `, if ${assumes}`),
    zugzwang:
      zugzwang === undefined
        ? null
        : `mutual zugzwang, ${zugzwang}; with ${other} to move: ${inWords({ wdl: passed!, plies: passed_plies }, metric)}`,
    stipulation: stipulations[metric].numbers && plies ? stipulationText(metric, plies) : null,
  };
}

/** Operations in the order of their names, as the standard has them from programs; so are the moves of `bm`. */
function epdLine(shown: ListedPosition, metric: Metric): string {
  const { ending, place, position, assumes, best = [] } = shown;
  const { value, words, zugzwang, stipulation } = said(shown, metric);
  const operations: string[] = [];
  if (best.length > 0) operations.push(`bm ${[...best].sort().join(' ')}`);
  operations.push(`c0 "${words}"`);
  if (zugzwang !== null) operations.push(`c1 "${zugzwang}"`);
  // A direct mate is the mover's; it is counted in moves.
  const isSureMate =
    isDirectMate(metric) && stipulations[metric].rule50 === 'ignored' && assumes === undefined;
  if (isSureMate && value.wdl === 'win') operations.push(`dm ${Math.ceil(value.plies! / 2)}`);
  operations.push(`id "${ending} ${place}"`);
  if (stipulation !== null) operations.push(`stip "${stipulation}"`);
  const fields = position.split(' ').slice(0, 4).join(' ');
  return `${fields} ${operations.join('; ')};\n`;
}

/** The result is that of best play; open if that takes something for granted. */
function pgnGame(shown: ListedPosition, metric: Metric): string {
  const { ending, place, position, mover, assumes, best = [] } = shown;
  const { value, words, zugzwang, stipulation } = said(shown, metric);
  const result = assumes === undefined ? resultOf(value.wdl, mover === 'white') : '*';
  const comment = [
    words,
    ...(zugzwang === null ? [] : [zugzwang]),
    ...(best.length === 0 ? [] : [`best: ${best.join(' ')}`]),
  ];
  const tags = positionTags(position, result, {
    Event: `${ending} ${place}`,
    ...(stipulation !== null && { Stipulation: stipulation }),
  });
  return `${tags}\n{${comment.join('; ')}}\n${result}\n\n`;
}

/** A row in a format of chess programs. */
export function chessText(format: ChessFormat, shown: ListedPosition, metric: Metric): string {
  return format === 'epd' ? epdLine(shown, metric) : pgnGame(shown, metric);
}

/** Positions that an answer has at most. */
export const MOST_POSITIONS = 10_000;

/** Positions that are written in one go. */
const STRETCH = 512;

/** The positions of an answer of the server as a file. @param report is awaited every few hundred positions. */
export async function answerText(
  format: LineFormat,
  { metric, ending, assumes, skip, positions }: PositionsAnswer,
  report: () => Promise<void> = async () => {},
): Promise<string> {
  const names: (keyof PositionRow)[] = [
    ...(['slice', 'position', 'mover', 'outcome', 'plies'] as const),
    ...(stipulations[metric].numbers ? (['solutions'] as const) : []),
    ...(positions.some(({ zugzwang }) => zugzwang !== undefined) ? ZUGZWANG_COLUMNS : []),
    'weight',
  ];
  const texts = [format === 'csv' ? csvLine(names) : ''];
  for (const [i, row] of positions.entries()) {
    if (format === 'jsonl') texts.push(`${JSON.stringify(row)}\n`);
    else if (format === 'csv') texts.push(csvLine(names.map((name) => row[name] ?? null)));
    else texts.push(chessText(format, { ...row, ending, assumes, place: skip + i + 1 }, metric));
    if (texts.length % STRETCH === 0) await report();
  }
  return texts.join('');
}

function inWords({ wdl, plies }: Value, metric: Metric, number?: number): string {
  if (stipulations[metric].numbers) return problemText({ plies, number }, metric);
  if (plies === null) return wdl;
  return `${wdl} in ${pliesText(plies)} (${metric})`;
}
