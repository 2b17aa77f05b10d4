/** Makes damaged tables anew, and deletes damaged records. */
import type { Store } from '../operators/storage/store.js';
import { FORMAT_VERSION, TableManifest } from '../pipeline/manifest.js';
import { readRecord } from '../pipeline/record.js';
import type { Consequence, SliceAt } from '../pipeline/scrub/consequences.js';
import { slicePrefix, tableManifestName } from '../pipeline/table/names.js';
import { Defaults } from './bounds.js';
import { claimed, undoneSlices } from './claimed.js';
import { lead } from './engines/lead.js';
import { sayWhenInterrupted } from './exit.js';
import { referenceOf } from './registry.js';
import { openStore } from './stores.js';
import { prepareRun } from './watched-run.js';

export interface RepairOptions {
  readonly uri: string;
  readonly memory: number;
  readonly workers: number;
  readonly scratch?: string;
}

export interface Repaired {
  /** Of the damaged object. */
  readonly name: string;
  readonly how: string;
}

/** Repairs what can be made from the store alone; what is not among the results is still damaged. */
export async function repair(options: RepairOptions, damaged: readonly Consequence[]): Promise<Repaired[]> {
  const store = openStore(options.uri);
  const repaired: Repaired[] = [];
  for (const { name, isRecord } of damaged) {
    if (!isRecord) continue;
    await store.delete(name);
    repaired.push({ name, how: 'deleted: nothing that is solved depends on it' });
  }
  const slices = new Map<string, { at: SliceAt; names: string[] }>();
  for (const { name, slice } of damaged) {
    if (slice === null) continue;
    const key = slicePrefix(slice.game.name, slice.metric, slice.slice);
    slices.set(key, { at: slice, names: [...(slices.get(key)?.names ?? []), name] });
  }
  // All of them go before any is solved: one may be made from another.
  const removed = new Map<string, Removed>();
  for (const [key, { at }] of slices) removed.set(key, await removeSlice(store, at));
  sayWhenInterrupted('damaged tables were deleted: solve their endings again');
  for (const [key, { at, names }] of slices) {
    const how = await makeAgain(options, at, removed.get(key)!);
    if (how !== null) repaired.push(...names.map((name) => ({ name, how })));
  }
  return repaired;
}

/** What is known of a slice whose objects were deleted. */
interface Removed {
  /** A table was there, or a run of values. */
  readonly wasSolved: boolean;
  /** Of the table; null if its manifest does not say. */
  readonly digests: string | null;
}

/** Deletes all objects of a slice, the manifest of the table first. */
async function removeSlice(store: Store, { game, metric, slice }: SliceAt): Promise<Removed> {
  const name = tableManifestName(game.name, metric, slice);
  const wasSolved = (await store.size(name)) !== null;
  const table = await readRecord(store, name, TableManifest, 'manifest', FORMAT_VERSION).catch(() => null);
  await store.delete(name);
  for (const object of await store.list(`${slicePrefix(game.name, metric, slice)}/`))
    await store.delete(object);
  return { wasSolved, digests: table?.digests.join() ?? null };
}

/** How the slice was made again; null if it is not what it was. */
async function makeAgain(
  options: RepairOptions,
  at: SliceAt,
  { wasSolved, digests }: Removed,
): Promise<string | null> {
  if (!wasSolved) return 'its steps were deleted: "mergemate solve" begins it anew';
  const made = await solveAgain(options, at);
  if (digests === null)
    return 'solved again; its digests before are not known: "mergemate verify" tells whether what was made from it holds';
  return made === digests ? 'solved again: its digests are those before' : null;
}

async function solveAgain(
  { uri, memory, workers, scratch }: RepairOptions,
  { game, metric, slice }: SliceAt,
): Promise<string> {
  const claimedScratch = prepareRun(uri, scratch);
  try {
    const undone = undoneSlices(uri, game.name, metric, [slice], true);
    const summaries = await claimed(uri, { game: game.name, undone }, () =>
      lead(
        {
          ...{ kind: 'solve', game: referenceOf(game), store: uri, scratchFolder: claimedScratch.folder },
          ...{ slices: [slice], metric, strategy: 'count', verify: true, workers },
          budget: { memory, fanIn: Defaults.fanIn, batchRows: Defaults.batch },
        },
        () => {},
      ),
    );
    return summaries.at(-1)!.table.digests.join();
  } finally {
    claimedScratch.release();
  }
}
