/**
 * Compares the stored values of published files with the tables that they were made from. These tables are
 * verified by moves, so this proves as much about stored values as verify-published.ts, without a move. It proves nothing about
 * values that are left out.
 */
import { assert } from '../../../operators/core/errors.js';
import type { Game, Side } from '../../game/game.js';
import type { ProgressListener } from '../../game/progress.js';
import { ANY } from '../codec/symbols.js';
import type { Outcome } from '../probe/search.js';
import { valuesByIndex } from '../published/ordered-symbols.js';
import type { Publication } from '../published/publication.js';
import { symbolsOf } from '../published/publication-symbols.js';
import type { Table } from '../table.js';
import { MAX_MISMATCHES, type PublishedMismatch, type VerifiedFile } from './verify-published.js';

/** @throws StorageError for damage. */
export async function verifyByTable(
  publication: Publication,
  table: Table,
  side: Side,
  { game, progress }: { readonly game: Game; readonly progress: ProgressListener },
): Promise<VerifiedFile> {
  const slice = table.slice.name;
  const { width } = table.slice;
  const file = await publication.file(slice, side);
  progress({ type: 'phase', slice, phase: 'verify', total: file.positions });
  const mismatches: PublishedMismatch[] = [];
  let positions = 0;
  let wrong = 0;

  function note(index: number, stored: number, held: number): void {
    wrong++;
    if (mismatches.length === MAX_MISMATCHES) return;
    const part = Math.floor(index / width);
    const fen = game.format(game.board({ slice, side, part, key: index - part * width }));
    mismatches.push({ slice, side, fen, stored: (stored - 1) as Outcome, derived: (held - 1) as Outcome });
  }

  const held = symbolsOf(table, side);
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
      if (symbol === ANY) continue;
      positions++;
      if (symbol !== stored[i]) note(first + i, stored[i], symbol);
    }
    progress({ type: 'work', slice, done: length });
  }
  return { positions, wrong, mismatches };
}
