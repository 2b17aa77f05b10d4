/** Format of an exported file: the one asked for, or the one that its name says. */
import { extname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';

export const FORMATS = ['parquet', 'arrow', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** The columns that files of a set may have, in their order. */
export const SET_COLUMNS = ['slice', 'side', 'index', 'fen', 'wdl', 'plies'] as const;
export type SetColumn = (typeof SET_COLUMNS)[number];

/** @throws UserError if neither says it and there is nothing to fall back on. */
export function formatOf<Format extends string>(
  formats: readonly Format[],
  out: string,
  asked: Format | undefined,
  otherwise?: Format,
): Format {
  const ending = out === '-' || out.endsWith('.ndjson') ? 'jsonl' : extname(out).slice(1);
  const found = asked ?? formats.find((format) => format === ending) ?? otherwise;
  if (found !== undefined) return found;
  throw new UserError(
    `--out ${out} does not end in a format's name: --format ${formats.join(' or ')} tells it`,
  );
}
