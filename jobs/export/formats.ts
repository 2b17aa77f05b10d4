/** Formats of the files that programs read, and which of them a file is written in. */
import { extname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { own } from '../../operators/core/own.js';
import type { Metric } from '../../pipeline/game/value.js';
import { CHESS_FORMATS, type ChessFormat } from '../positions/names.js';
import type { RowFormat } from './rows.js';

/** Formats of rows. */
export const FORMATS = ['parquet', 'arrow', 'csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** What `export` writes: rows, and what chess programs read. */
export const EXPORT_FORMATS = [...FORMATS, ...CHESS_FORMATS] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Those that are lines of text, which standard output can take. */
const TEXT_FORMATS: readonly string[] = ['jsonl', 'csv', 'epd', 'pgn'];

/** What file names end in, for each format that some command writes. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.epd': 'epd',
  '.pgn': 'pgn',
};

/** The format that the name of a file ends in; null if it ends in none. Folders have none. */
export function formatOfName(path: string): string | null {
  return path.endsWith('/') ? null : (own(EXTENSIONS, extname(path).toLowerCase()) ?? null);
}

/**
 * The format that was asked for, or the one that the name of the file ends in; JSON Lines on standard output.
 * @param formats what the command can write.
 * @throws UserError if neither names a format, if they contradict each other, or if standard output cannot take the format.
 */
export function formatOf<Name extends string>(
  formats: readonly Name[],
  out: string,
  asked: Name | undefined,
): Name {
  if (out === '-') {
    const format = asked ?? ('jsonl' as Name);
    if (TEXT_FORMATS.includes(format)) return format;
    throw new UserError(`--out -: standard output takes text, not ${format}: give --out FILE`);
  }
  const named = formatOfName(out);
  if (asked !== undefined) {
    if (named === null || named === asked) return asked;
    throw new UserError(`--out ${out} is named as ${named}, but --format is ${asked}: give one of them`);
  }
  const found = formats.find((format) => format === named);
  if (found !== undefined) return found;
  throw new UserError(
    named === null
      ? `--out ${out} does not end in the name of a format: end it in ${listed(formats.map((format) => `.${format}`))}, or give --format`
      : `--out ${out}: it cannot be written as ${named}, only as ${listed(formats)}`,
  );
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Loads a format when it is needed: the libraries take long to load. */
export async function loadFormat(format: Format): Promise<RowFormat> {
  switch (format) {
    case 'parquet':
      return (await import('./parquet.js')).parquet;
    case 'arrow':
      return (await import('./arrow.js')).arrow;
    case 'csv':
      return (await import('./text-rows.js')).csv;
    case 'jsonl':
      return (await import('./text-rows.js')).jsonLines;
  }
}

/** @param metric of the positions. @param assumedBy what the values of an ending take for granted. */
export async function loadChessFormat(
  format: ChessFormat,
  metric: Metric,
  assumedBy: (ending: string) => string | undefined,
): Promise<RowFormat> {
  return (await import('./text-rows.js')).chessLines(format, metric, assumedBy);
}
