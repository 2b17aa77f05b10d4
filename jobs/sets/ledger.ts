/** The ledger of a set of endings: a record of each ending whose files are done, beside the files, as ledger/NAME.json. */
import { z } from 'zod';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { fileName } from '../../pipeline/games/chess/syzygy/format.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/sound.js';

const count = z.number().int().nonnegative();

export const Ledger = z.object({
  ending: z.string(),
  wallMs: count,
  cpuMs: count,
  /** Bytes of each file. */
  bytes: z.record(z.string(), count),
  /** Plies to a zeroing move of the longest win of either side; null if there is none. */
  longestWin: count.nullable(),
  /** Positions whose values were derived again, of tables and of each file. */
  tablePositions: count.nullable(),
  filePositions: z.record(z.string(), count),
});
export type Ledger = z.infer<typeof Ledger>;

const ledgerName = (ending: string) => `ledger/${ending}.json`;

export function putLedger(out: Store, one: FiledEnding, ledger: Ledger): Promise<void> {
  return putOver(out, ledgerName(one.material.name), new TextEncoder().encode(`${JSON.stringify(ledger)}\n`));
}

/** The ledger of an ending whose files are there and whole, as long as it says. Null: the ending has to be done again. */
export async function readLedger(out: Store, one: FiledEnding): Promise<Ledger | null> {
  const ledger = await ledgerByName(out, one.material.name);
  if (ledger === null) return null;
  for (const kind of ['wdl', 'dtz'] as const) {
    const checked = await checkFile(out, kind, one.material);
    if (checked?.isSound !== true || checked.bytes !== ledger.bytes[fileName(one.material, kind)])
      return null;
  }
  return ledger;
}

/** The ledger of an ending by its name, whatever its files are. Null: there is none that is whole. */
export async function ledgerByName(out: Store, ending: string): Promise<Ledger | null> {
  const bytes = await readAll(out, ledgerName(ending));
  return bytes === null ? null : parseLedger(bytes);
}

/** Null if the text is damaged: the ledger only saves work. */
function parseLedger(bytes: Uint8Array): Ledger | null {
  try {
    return Ledger.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
