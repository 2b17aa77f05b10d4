/** A set of endings on its way to Syzygy's files, by what is recorded beside them. */
import { sort } from 'fast-sort';
import type { Store } from '../../operators/storage/store.js';
import type { FileSet, SetEnding } from './model.js';
import {
  BEAT_MS,
  type Ledger,
  ledgersIn,
  readLedger,
  readSetProgress,
  type SetProgress,
} from './set-records.js';

/** A set that has not been heard of for so long was probably killed. */
const QUIET_MS = 6 * BEAT_MS;

/** Returns a function that looks at a folder of files; null: there is no set. The function throws StorageError. */
export function newSetLookout(files: Store): (now: number) => Promise<FileSet | null> {
  /** Ledgers of endings that are done. */
  let known = new Map<string, Ledger>();
  let since = 0;
  /** What the set said last, and when that was seen to be new, by the clock here: its own may be wrong. */
  let said: number | null = null;
  let newsAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    const set = await readSetProgress(files);
    if (set === null) return null;
    const { startedAt, heardAt, cpuMs, ended, endings, leftMs, earlier } = set;
    if (since !== startedAt) known = new Map();
    since = startedAt;
    if (said !== null && said !== heardAt) newsAt = now;
    said = heardAt;
    const silentMs = Math.min(Math.abs(now - heardAt), now - newsAt);
    // An ending at work may have the ledger of a set before this one.
    const atWork = new Set(set.at.map(({ ending }) => ending));
    for (const name of atWork) known.delete(name);
    for (const name of await ledgersIn(files)) {
      if (atWork.has(name) || known.has(name)) continue;
      const ledger = await readLedger(files, name);
      if (ledger !== null && ledger.doneAt !== null) known.set(name, ledger);
    }
    const others = [...known.values()].filter(({ ending }) => !endings.includes(ending));
    return {
      startedAt,
      heardAt,
      state: ended ?? (silentMs > QUIET_MS ? 'quiet' : 'running'),
      leftMs,
      sittings: [...earlier, { startedAt, heardAt, cpuMs, ended }],
      endings: endings.map((name) => endingOf(set, name, known.get(name) ?? null)),
      others: sort(others).asc([({ ending }) => ending.length, ({ ending }) => ending]),
    };
  };
}

function endingOf({ at, ended }: SetProgress, ending: string, ledger: Ledger | null): SetEnding {
  if (ledger !== null) return { ending, state: 'done', step: null, since: null, ledger };
  const { step, since } = at.find((one) => one.ending === ending) ?? { step: null, since: null };
  return {
    ending,
    state: step === null ? 'waiting' : ended === null ? 'working' : 'begun',
    step,
    since,
    ledger,
  };
}

/** The ledgers of all endings that are done: those of other sets first. */
export function doneLedgers({ endings, others }: FileSet): Ledger[] {
  return [...others, ...endings.flatMap(({ ledger }) => ledger ?? [])];
}
