/** `mergemate gc`: finds objects of a store that nothing needs any more, and deletes them if asked to. */

import { parseDuration } from '../durations.js';
import { sayWhenInterrupted } from '../exit.js';
import { findWaste, type Waste } from '../garbage.js';
import type { CommonOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, storedGames } from '../registry.js';
import { scratchParent, storeToRead } from '../stores.js';
import { bytes, duration, whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';

interface GcFlags extends CommonOptions {
  readonly olderThan: string;
  readonly delete?: boolean;
  readonly scratch?: string;
}

const WHY: Record<Waste['why'], string> = {
  passing: 'run that the finished table or graph does not need',
  orphan: 'run of a process that died or came second',
  superseded: 'run that later rounds replaced',
  'left over': 'manifest of a finished slice or graph, claim on one, or report of a rank',
  unfinished: 'part of an object, its writer is gone',
  scratch: 'scratch folder of a dead process',
};

export async function runGc(modules: readonly string[], flags: GcFlags): Promise<void> {
  for (const module of modules) await findGame(module);
  const olderThan = parseDuration(flags.olderThan, '--older-than');
  const store = storeToRead(flags.store);
  sayWhenInterrupted('what was not deleted yet is still there');
  const all = await findWaste(store, await storedGames(), scratchParent(flags.store, flags.scratch));
  const now = Date.now();
  // The clock of the store may be ahead of ours.
  const aged = all.map((waste) => ({ ...waste, ageMs: Math.max(0, now - waste.at) }));
  const old = aged.filter(({ ageMs }) => ageMs >= olderThan);
  const deleted = flags.delete === true;
  if (deleted) for (const { remove } of old) await remove();

  const total = old.reduce((sum, waste) => sum + waste.bytes, 0);
  const younger = all.length - old.length;
  if (flags.json) {
    const objects = old.map(({ name, why, bytes, ageMs }) => ({
      name,
      why,
      bytes,
      ageMs: Math.round(ageMs),
    }));
    return printJson({ store: store.uri, olderThanMs: olderThan, deleted, objects, bytes: total, younger });
  }
  if (old.length > 0) {
    const rows = old.map(({ name, why, bytes: size, ageMs }) => [
      name,
      bytes(size),
      duration(ageMs),
      WHY[why],
    ]);
    await print(`${textTable(['name', 'size', 'age', 'what it is'], rows)}\n`);
  }
  const kept = younger === 0 ? '' : `, and ${whole(younger)} younger than ${flags.olderThan} left alone`;
  const what = `${store.uri}: ${whole(old.length)} to delete, ${bytes(total)}${kept}`;
  if (deleted) await print(`${what.replace(' to delete', ' deleted')}\n`);
  else await print(`${what}${old.length === 0 ? '' : '; nothing was deleted: --delete does it'}\n`);
}
