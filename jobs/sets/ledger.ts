/**
 * The ledger of a set of endings: a record of each ending, beside the files, as ledger/NAME.json. It is written after each step, so that
 * the next sitting goes on with the step that was interrupted, and the costs of all sittings add up.
 */
import { z } from 'zod';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';
import { fileName } from '../../pipeline/games/chess/syzygy/format.js';
import type { Material } from '../../pipeline/games/chess/syzygy/material.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';

const count = z.number().int().nonnegative();
/** Wall and processor time of a step, in milliseconds; zero if it is not done. */
const Cost = z.object({ wallMs: count, cpuMs: count });
export type Cost = z.infer<typeof Cost>;

/** Counts of tables by side to move: positions up to symmetry, like men alike; the longest win in plies to a zeroing move. */
const Counted = z.object({ positions: count, wins: count, losses: count, longestWin: count.nullable() });
export type Counted = z.infer<typeof Counted>;

export const Ledger = z.object({
  ending: z.string(),
  /** Sums of the steps. */
  wallMs: count,
  cpuMs: count,
  steps: z.object({ solve: Cost, write: Cost, verify: Cost }),
  /** Counts of each side to move; null until it is solved. */
  sides: z.object({ white: Counted, black: Counted }).nullable(),
  /** Plies to a zeroing move of the longest win of either side; null if there is none. */
  longestWin: count.nullable(),
  /** Bytes of each file; none until they are written. */
  bytes: z.record(z.string(), count),
  /** Positions whose values were derived again: of tables (null if they are not verified), and of each file. */
  tablePositions: count.nullable(),
  filePositions: z.record(z.string(), count),
  /** The most space that store, files and scratch were seen to take while the ending was at work; null where they are no folders. */
  diskBytes: count.nullable(),
  /** When its files were verified, in milliseconds since 1970; null: it is not done. */
  doneAt: z.number().nullable(),
});
export type Ledger = z.infer<typeof Ledger>;

const NO_COST: Cost = { wallMs: 0, cpuMs: 0 };

/** The ledger of an ending of which nothing is done. */
export function newLedger(ending: string): Ledger {
  return {
    ending,
    wallMs: 0,
    cpuMs: 0,
    steps: { solve: NO_COST, write: NO_COST, verify: NO_COST },
    sides: null,
    longestWin: null,
    bytes: {},
    tablePositions: null,
    filePositions: {},
    diskBytes: null,
    doneAt: null,
  };
}

/** Adds the costs of a step, and what it found. */
export function withStep(
  ledger: Ledger,
  step: keyof Ledger['steps'],
  cost: Cost,
  found: Partial<Ledger>,
): Ledger {
  const plus = (a: Cost, b: Cost): Cost => ({
    wallMs: a.wallMs + Math.round(b.wallMs),
    cpuMs: a.cpuMs + Math.round(b.cpuMs),
  });
  const steps = { ...ledger.steps, [step]: plus(ledger.steps[step], cost) };
  return { ...ledger, ...plus(ledger, cost), steps, ...found };
}

export const sumOf = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((a, b) => a + b, 0);

const ledgerName = (ending: string) => `ledger/${ending}.json`;

export function putLedger(out: Store, ledger: Ledger): Promise<void> {
  return putOver(out, ledgerName(ledger.ending), new TextEncoder().encode(`${JSON.stringify(ledger)}\n`));
}

/** A ledger may be replaced while it is read: then it is read again, so often at most. */
const READS = 3;

/** The ledger of an ending, whatever its files are. Null: there is none that is whole. */
export async function readLedger(out: Store, ending: string, reads = READS): Promise<Ledger | null> {
  let bytes: Uint8Array | null;
  try {
    // A store may hold the file that it read last, in whose place there is another.
    out.closeRead?.();
    bytes = await readAll(out, ledgerName(ending));
  } catch (error) {
    if (reads > 1) return readLedger(out, ending, reads - 1);
    throw error;
  }
  if (bytes === null) return null;
  try {
    return Ledger.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    // The ledger only saves work.
    return null;
  }
}

/** Whether both files of an ending are there and whole, and those that its ledger has. */
export async function hasFiles(out: Store, material: Material, { bytes }: Ledger): Promise<boolean> {
  for (const kind of ['wdl', 'dtz'] as const) {
    if (bytes[fileName(material, kind)] === undefined) return false;
    const checked = await checkFile(out, kind, material);
    if (checked?.isSound !== true || checked.bytes !== bytes[fileName(material, kind)]) return false;
  }
  return true;
}
