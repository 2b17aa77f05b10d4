/**
 * Selected positions as text: lines of JSON, CSV (RFC 4180), EPD (Edwards 1995, "Extended Position Description
 * Specification"), or PGN. PGN (Edwards 1994, "Portable Game Notation Specification") has a game without moves for
 * each.
 */
import type { Selected } from '../../pipeline/analysis/selection.js';
import type { Metric, Value } from '../../pipeline/formats/value.js';
import { type CsvCell, csvText } from '../report/csv.js';
import { pliesText } from '../ui/verdict.js';

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
  /** Moves from the nearest root: of keyed games alone. */
  readonly layer?: number | null;
  /** All moves, best first; null if they are not asked for. */
  readonly moves: readonly (Value & { readonly san: string; readonly score?: number | null })[] | null;
}

/** The moves that keep the value: as good as the first. */
function bestOf({ moves }: ListedPosition): string[] | null {
  const best = moves?.[0];
  if (!moves || !best) return moves && [];
  return moves
    .filter(({ wdl, plies, score }) => wdl === best.wdl && plies === best.plies && score === best.score)
    .map(({ san }) => san);
}

function jsonLine(shown: ListedPosition): string {
  const { ending, fen, side, value, zugzwang, layer = null } = shown;
  const best = bestOf(shown);
  const line = {
    ending,
    fen,
    side,
    ...value,
    ...(layer !== null && { layer }),
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

const COLUMNS = ['ending', 'fen', 'side', 'wdl', 'plies', 'zugzwang', 'passed', 'passed_plies', 'best'];

function csvRow(shown: ListedPosition): CsvCell[] {
  const { ending, fen, side, value, zugzwang } = shown;
  const passed = [zugzwang?.passed.wdl ?? null, zugzwang?.passed.plies ?? null];
  return [
    ...[ending, fen, side, value.wdl, value.plies, zugzwang?.kind ?? null],
    ...passed,
    bestOf(shown)?.join(' ') ?? null,
  ];
}

/** The seven tags come first, in their order; the result is that of best play. */
function pgnGame(shown: ListedPosition): string {
  const { ending, number, fen, side, metric, value, zugzwang } = shown;
  const winner = value.wdl === 'win' ? side : value.wdl === 'loss' ? other(side) : null;
  const result = winner === null ? '1/2-1/2' : winner === 'white' ? '1-0' : '0-1';
  const tags = {
    ...{ Event: `${ending} ${number}`, Site: '?', Date: '????.??.??', Round: '?', White: '?', Black: '?' },
    ...{ Result: result, FEN: fen, SetUp: '1' },
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
  return format === 'csv' ? csvText(COLUMNS, []) : '';
}

/** A position in a format. */
export function textOf(format: LineFormat, shown: ListedPosition): string {
  if (format === 'jsonl') return jsonLine(shown);
  if (format === 'epd') return epdLine(shown);
  if (format === 'pgn') return pgnGame(shown);
  return csvText([], [csvRow(shown)]).slice(1);
}

function inWords({ wdl, plies }: Value, metric: Metric): string {
  if (plies === null) return wdl;
  return `${wdl} in ${pliesText(plies)} (${metric})`;
}
