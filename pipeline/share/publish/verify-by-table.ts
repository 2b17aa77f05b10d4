/**
 * Compares the stored values of published files with the tables that they were made from. These tables are
 * verified by moves, so this proves as much about stored values as verify-published.ts, without a move. It proves nothing about
 * values that are left out.
 */
import { assert } from '../../../operators/core/errors.js';
import { inStep } from '../../../operators/in-step.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Side } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import type { ProgressListener } from '../../game/progress.js';
import { addMismatch } from '../../game/wrong-values.js';
import { valuesOfCodec } from '../../tables/codec/codec.js';
import { DRAW } from '../../tables/codec/symbols.js';
import { codeOfPlies, type PublishedColumn } from '../../tables/published/columns.js';
import { valuesByIndex } from '../../tables/published/ordered-symbols.js';
import type { Publication } from '../../tables/published/publication.js';
import { symbolsOf } from '../../tables/published/publication-symbols.js';
import type { Table } from '../../tables/table.js';
import { newVerifiedFile, type PublishedMismatch, type VerifiedFile } from './verify-published.js';

export interface ByTableOptions {
  readonly game: Game;
  /** Of the table. */
  readonly store: Store;
  /** `wdl` unless given. */
  readonly column?: PublishedColumn | undefined;
  readonly progress: ProgressListener;
}

/** @throws StorageError for damage. */
export async function verifyByTable(
  publication: Publication,
  table: Table,
  side: Side,
  { game, store, column = 'wdl', progress }: ByTableOptions,
): Promise<VerifiedFile> {
  const slice = table.slice.name;
  const { width } = table.slice;
  const { goalOf } = labellingOf(publication.metric);
  const file = await publication.file(slice, side, column);
  const any = valuesOfCodec(file.head.codec);
  progress({ type: 'phase', slice, phase: 'verify', total: file.positions });
  const result = newVerifiedFile();

  function mismatchAt(index: number, stored: number, held: number): PublishedMismatch {
    const part = Math.floor(index / width);
    const fen = game.format(game.board({ slice, side, part, key: index - part * width }));
    const found = { slice, side, fen };
    if (column === 'numbers')
      return { ...found, stored: null, derived: null, numbers: { stored: stored + 1, derived: held + 1 } };
    const codeOf = (symbol: number) =>
      column === 'plies' ? codeOfPlies(symbol, side, goalOf!) : symbol - DRAW;
    return { ...found, stored: codeOf(stored), derived: codeOf(held) };
  }

  const both = inStep(valuesByIndex(file, table.slice, side), symbolsOf(store, table, side, column));
  for await (const { length, rows } of both) {
    const [stored, held] = rows;
    if (stored === null) break;
    assert(held !== null, `the table of ${slice} has all positions of the file`);
    for (let i = 0; i < length; i++) {
      const symbol = held.batch[held.at + i];
      if (symbol === any) continue;
      result.positions++;
      const own = stored.batch.symbols[stored.at + i];
      if (symbol === own) continue;
      addMismatch(result, () => mismatchAt(stored.batch.first + stored.at + i, own, symbol));
    }
    progress({ type: 'work', slice, done: length });
  }
  return result;
}
