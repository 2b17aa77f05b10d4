/**
 * Selected positions as text: lines of JSON, CSV (RFC 4180), EPD (Edwards 1995, "Extended Position Description
 * Specification"), or PGN. PGN (Edwards 1994, "Portable Game Notation Specification") has a game without moves for
 * each.
 */
import type { Selected } from '../../pipeline/analysis/selection.js';
import type { Metric, Value } from '../../pipeline/game/value.js';
import { pliesText } from '../ui/verdict.js';
import { type PositionRecord, type RecordField, recordHead, recordLine } from './records.js';

export const lineFormats = ['jsonl', 'csv', 'epd', 'pgn'] as const;
export type LineFormat = (typeof lineFormats)[number];

/** Those that only chess has. */
export const CHESS_FORMATS: readonly LineFormat[] = ['epd', 'pgn'];

export interface ListedPosition extends Omit<Selected, 'board' | 'side'> {
  /** The name of the player to move. */
  readonly side: string;
  readonly ending: string;
  /** Among the selected positions of the ending, from 1. */
  readonly number: number;
  readonly fen: string;
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

function jsonLine(shown: ListedPosition): string {
  const { ending, fen, side, value, zugzwang } = shown;
  const best = bestOf(shown);
  const line = {
    ending,
    fen,
    side,
    ...value,
    ...(zugzwang && { zugzwang: zugzwang.kind, passed: zugzwang.passed }),
    ...(best && { best }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Operations in the order of their names, as the standard has them from programs; so are the moves of `bm`. */
function epdLine(shown: ListedPosition): string {
  const { ending, number, fen, side, metric, value, zugzwang } = shown;
  const best = bestOf(shown);
  const operations: string[] = [];
  if (best !== null && best.length > 0) operations.push(`bm ${best.sort().join(' ')}`);
  operations.push(`c0 "${inWords(value, metric)}"`);
  if (zugzwang !== null) operations.push(`c1 "${zugzwangWords(side, zugzwang, metric)}"`);
  // A direct mate is the mover's; it is counted in moves.
  if (metric === 'dtm' && value.wdl === 'win') operations.push(`dm ${Math.ceil(value.plies! / 2)}`);
  operations.push(`id "${ending} ${number}"`);
  const fields = fen.split(' ').slice(0, 4).join(' ');
  return `${fields} ${operations.join('; ')};\n`;
}

function zugzwangWords(
  side: ListedPosition['side'],
  { kind, passed }: NonNullable<ListedPosition['zugzwang']>,
  metric: Metric,
): string {
  const other = side === 'white' ? 'Black' : 'White';
  return `mutual zugzwang, ${kind}; with ${other} to move: ${inWords(passed, metric)}`;
}

/** The fields of a position in CSV and Parquet. */
export const LINE_FIELDS: readonly RecordField[] = [
  { name: 'ending', type: 'text' },
  { name: 'fen', type: 'text' },
  { name: 'side', type: 'text' },
  { name: 'wdl', type: 'text' },
  { name: 'plies', type: 'integer' },
  { name: 'zugzwang', type: 'text' },
  { name: 'passed', type: 'text' },
  { name: 'passed_plies', type: 'integer' },
  { name: 'best', type: 'texts' },
];

export function recordOf(shown: ListedPosition): PositionRecord {
  const { ending, fen, side, value, zugzwang } = shown;
  return {
    ending,
    fen,
    side,
    wdl: value.wdl,
    plies: value.plies,
    zugzwang: zugzwang?.kind ?? null,
    passed: zugzwang?.passed.wdl ?? null,
    passed_plies: zugzwang?.passed.plies ?? null,
    best: bestOf(shown) ?? [],
  };
}

/** The seven tags come first, in their order; the result is that of best play. */
function pgnGame(shown: ListedPosition): string {
  const { ending, number, fen, side, metric, value, zugzwang } = shown;
  const winner = value.wdl === 'win' ? side : value.wdl === 'loss' ? other(side) : null;
  const result = winner === null ? '1/2-1/2' : winner === 'white' ? '1-0' : '0-1';
  const tags = {
    Event: `${ending} ${number}`,
    Site: '?',
    Date: '????.??.??',
    Round: '?',
    White: '?',
    Black: '?',
    Result: result,
    FEN: fen,
    SetUp: '1',
  };
  const best = bestOf(shown);
  const words = [
    inWords(value, metric),
    ...(zugzwang === null ? [] : [zugzwangWords(side, zugzwang, metric)]),
    ...(best === null || best.length === 0 ? [] : [`best: ${best.join(' ')}`]),
  ];
  const head = Object.entries(tags).map(([name, text]) => `[${name} "${text}"]\n`);
  return `${head.join('')}\n{${words.join('; ')}}\n${result}\n\n`;
}

const other = (side: ListedPosition['side']) => (side === 'white' ? 'black' : 'white');

/** The text before the first position. */
export function headOf(format: LineFormat): string {
  return format === 'csv' ? recordHead(format, LINE_FIELDS) : '';
}

/** A position in a format. */
export function textOf(format: LineFormat, shown: ListedPosition): string {
  if (format === 'jsonl') return jsonLine(shown);
  if (format === 'epd') return epdLine(shown);
  if (format === 'pgn') return pgnGame(shown);
  return recordLine(format, LINE_FIELDS, recordOf(shown));
}

function inWords({ wdl, plies }: Value, metric: Metric): string {
  if (plies === null) return wdl;
  return `${wdl} in ${pliesText(plies)} (${metric})`;
}
