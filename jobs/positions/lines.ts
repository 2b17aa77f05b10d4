/**
 * Selected positions as text: lines of JSON, CSV (RFC 4180), EPD (Edwards 1995, "Extended Position Description
 * Specification"), or PGN. PGN (Edwards 1994, "Portable Game Notation Specification") has a game without moves for
 * each.
 */

import type { Selected } from '../../pipeline/analysis/selection.js';
import { isDirectMate, stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric, Value } from '../../pipeline/game/value.js';
import { positionTags, resultOf } from '../ui/game-tags.js';
import { stipulationText } from '../ui/problem-notation.js';
import { outcomeWord, pliesText, problemText } from '../ui/verdict.js';
import { type PositionRecord, recordHead, recordLine } from './records.js';
import type { PositionRow, PositionsAnswer } from './shapes.js';
import { valueOfJson } from './value.js';

export const lineFormats = ['jsonl', 'csv', 'epd', 'pgn'] as const;
export type LineFormat = (typeof lineFormats)[number];

/** Those that only chess has. */
export const CHESS_FORMATS: readonly LineFormat[] = ['epd', 'pgn'];

export interface ListedPosition extends Omit<Selected, 'board' | 'side'> {
  /** The name of the player to move. */
  readonly mover: string;
  readonly ending: string;
  /** Among the selected positions of the ending, from 1. */
  readonly place: number;
  /** As the game writes it. */
  readonly position: string;
  readonly metric: Metric;
  /** All moves, best first; null if they are not asked for. */
  readonly moves: readonly (Value & { readonly san: string })[] | null;
}

/** The moves that keep the value: as good as the first. */
function bestOf({ moves }: ListedPosition): string[] | null {
  const best = moves?.[0];
  if (!moves || !best) return moves && [];
  return moves.filter(({ wdl, plies }) => wdl === best.wdl && plies === best.plies).map(({ san }) => san);
}

/** Operations in the order of their names, as the standard has them from programs; so are the moves of `bm`. */
function epdLine(shown: ListedPosition): string {
  const { ending, place, position, mover, metric, value, number, zugzwang } = shown;
  const best = bestOf(shown);
  const operations: string[] = [];
  if (best !== null && best.length > 0) operations.push(`bm ${best.sort().join(' ')}`);
  operations.push(`c0 "${inWords(value, metric, number)}"`);
  if (zugzwang !== null) operations.push(`c1 "${zugzwangWords(mover, zugzwang, metric)}"`);
  // A direct mate is the mover's; it is counted in moves.
  if (isDirectMate(metric) && stipulations[metric].rule50 === 'ignored' && value.wdl === 'win')
    operations.push(`dm ${Math.ceil(value.plies! / 2)}`);
  operations.push(`id "${ending} ${place}"`);
  const stipulation =
    stipulations[metric].numbers && value.plies ? stipulationText(metric, value.plies) : null;
  if (stipulation !== null) operations.push(`stip "${stipulation}"`);
  const fields = position.split(' ').slice(0, 4).join(' ');
  return `${fields} ${operations.join('; ')};\n`;
}

function zugzwangWords(
  mover: string,
  { kind, passed }: NonNullable<ListedPosition['zugzwang']>,
  metric: Metric,
): string {
  const other = mover === 'white' ? 'Black' : 'White';
  return `mutual zugzwang, ${kind}; with ${other} to move: ${inWords(passed, metric)}`;
}

/** What was asked for of positions: it has columns of its own. */
interface MoreColumns {
  readonly solutions: boolean;
  readonly zugzwang: boolean;
  readonly moves: boolean;
}

/** The names of the columns of positions, as in exports. */
function namesOf({ solutions, zugzwang, moves }: MoreColumns): string[] {
  return [
    ...['ending', 'position', 'mover', 'outcome', 'plies'],
    ...(solutions ? ['solutions'] : []),
    ...(zugzwang ? ZUGZWANG_COLUMNS : []),
    ...(moves ? ['best'] : []),
  ];
}

/** The columns of positions that are asked for as zugzwangs. */
export const ZUGZWANG_COLUMNS = ['zugzwang', 'passed', 'passed_plies'] as const;

export function recordOf(shown: ListedPosition): PositionRecord {
  const { ending, position, mover, value, number, zugzwang } = shown;
  return {
    ending,
    position,
    mover,
    outcome: outcomeWord(value.wdl, number !== undefined),
    plies: value.plies,
    solutions: number ?? null,
    zugzwang: zugzwang?.kind ?? null,
    passed: zugzwang?.passed.wdl ?? null,
    passed_plies: zugzwang?.passed.plies ?? null,
    best: bestOf(shown) ?? [],
  };
}

/** The result is that of best play. */
function pgnGame(shown: ListedPosition): string {
  const { ending, place, position, mover, metric, value, number, zugzwang } = shown;
  const result = resultOf(value.wdl, mover === 'white');
  const best = bestOf(shown);
  const words = [
    inWords(value, metric, number),
    ...(zugzwang === null ? [] : [zugzwangWords(mover, zugzwang, metric)]),
    ...(best === null || best.length === 0 ? [] : [`best: ${best.join(' ')}`]),
  ];
  const tags = positionTags(position, result, { Event: `${ending} ${place}` });
  return `${tags}\n{${words.join('; ')}}\n${result}\n\n`;
}

/** Positions that an answer has at most. */
export const MOST_POSITIONS = 10_000;

/** Positions that are written in one go. */
const STRETCH = 512;

/** The positions of an answer of the server as a file. @param report is awaited every few hundred positions. */
export async function answerText(
  format: LineFormat,
  { metric, skip, positions }: PositionsAnswer,
  report: () => Promise<void> = async () => {},
): Promise<string> {
  const asked = {
    solutions: stipulations[metric].numbers,
    zugzwang: positions.some(({ zugzwang }) => zugzwang !== undefined),
    moves: false,
  };
  const texts = [format === 'csv' ? recordHead(format, namesOf(asked)) : ''];
  for (const [i, row] of positions.entries()) {
    texts.push(textOf(format, listedOf(row, metric, skip + i + 1)));
    if (texts.length % STRETCH === 0) await report();
  }
  return texts.join('');
}

/** The position of a row. */
function listedOf(row: PositionRow, metric: Metric, place: number): ListedPosition {
  const { ending, position, mover, solutions, zugzwang: kind, passed, passed_plies = null } = row;
  const { wdl, plies } = valueOfJson(row);
  const zugzwang = kind === undefined ? null : { kind, passed: { wdl: passed!, plies: passed_plies } };
  const listed = { ending, position, mover, metric, place, value: { wdl, plies }, zugzwang, moves: null };
  return solutions === undefined ? listed : { ...listed, number: solutions };
}

/** A position in a format. */
export function textOf(format: LineFormat, shown: ListedPosition): string {
  if (format === 'epd') return epdLine(shown);
  if (format === 'pgn') return pgnGame(shown);
  const asked = {
    solutions: shown.number !== undefined,
    zugzwang: shown.zugzwang !== null,
    moves: shown.moves !== null,
  };
  return recordLine(format, namesOf(asked), recordOf(shown));
}

function inWords({ wdl, plies }: Value, metric: Metric, number?: number): string {
  if (stipulations[metric].numbers) return problemText({ plies, number }, metric);
  if (plies === null) return wdl;
  return `${wdl} in ${pliesText(plies)} (${metric})`;
}
