/**
 * Compares the stored values of published files with the tables that they were made from. These tables are
 * verified by moves, so this proves as much about stored values as verify-published.ts, without a move. It proves nothing about
 * values that are left out.
 */
import { assert } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Side } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import type { ProgressListener } from '../../game/progress.js';
import { valuesOfCodec } from '../../tables/codec/codec.js';
import { DRAW } from '../../tables/codec/symbols.js';
import { codeOfPlies, type PublishedColumn } from '../../tables/published/columns.js';
import { valuesByIndex } from '../../tables/published/ordered-symbols.js';
import type { Publication } from '../../tables/published/publication.js';
import { symbolsOf } from '../../tables/published/publication-symbols.js';
import type { Table } from '../../tables/table.js';
import { MAX_MISMATCHES, type PublishedMismatch, type VerifiedFile } from './verify-published.js';

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
  const mismatches: PublishedMismatch[] = [];
  let positions = 0;
  let wrong = 0;

  function note(index: number, stored: number, held: number): void {
    wrong++;
    if (mismatches.length === MAX_MISMATCHES) return;
    const part = Math.floor(index / width);
    const fen = game.format(game.board({ slice, side, part, key: index - part * width }));
    const found = { slice, side, fen };
    if (column === 'numbers')
      mismatches.push({
        ...found,
        stored: null,
        derived: null,
        numbers: { stored: stored + 1, derived: held + 1 },
      });
    else {
      const codeOf = (symbol: number) =>
        column === 'plies' ? codeOfPlies(symbol, side, goalOf!) : symbol - DRAW;
      mismatches.push({ ...found, stored: codeOf(stored), derived: codeOf(held) });
    }
  }

  const held = symbolsOf(store, table, side, column);
  let symbols: Uint8Array = new Uint8Array(0);
  let at = 0;
  for await (const { first, length, symbols: stored } of valuesByIndex(file, table.slice, side)) {
    for (let i = 0; i < length; i++) {
      if (at === symbols.length) {
        const next = await held.next();
        assert(next.done !== true, `the table of ${slice} has all positions of the file`);
        symbols = next.value;
        at = 0;
      }
      const symbol = symbols[at++];
      if (symbol === any) continue;
      positions++;
      if (symbol !== stored[i]) note(first + i, stored[i], symbol);
    }
    progress({ type: 'work', slice, done: length });
  }
  return { positions, wrong, mismatches };
}
