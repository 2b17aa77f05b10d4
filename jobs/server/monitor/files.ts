/** A set of endings on its way to Syzygy's files, as the monitor shows it: by the ledger and what is recorded beside it. */
import type { Store } from '../../../operators/storage/store.js';
import { type Ledger, readLedger } from '../../sets/ledger.js';
import { BEAT_MS, readSetProgress, type SetProgress } from '../../sets/progress.js';
import type { FileSet, SetEnding } from './monitor-answers.js';

/** A set that has not been heard of for so long was probably killed. */
const QUIET_MS = 6 * BEAT_MS;

/** Returns a function that looks at a folder of files; null: there is no set. The function throws StorageError. */
export function newFilesLookout(files: Store): (now: number) => Promise<FileSet | null> {
  /** Ledgers of the set that began then. */
  let known = new Map<string, Ledger>();
  let since = 0;
  /** What the set said last, and when that was seen to be new, by the clock here: its own may be wrong. */
  let said: number | null = null;
  let newsAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    const set = await readSetProgress(files);
    if (set === null) return null;
    if (since !== set.startedAt) known = new Map();
    since = set.startedAt;
    if (said !== null && said !== set.heardAt) newsAt = now;
    said = set.heardAt;
    const silentMs = Math.min(Math.abs(now - set.heardAt), now - newsAt);
    // An ending at work may have the ledger of a set before this one.
    const atWork = new Set(set.at.map(({ ending }) => ending));
    for (const name of atWork) known.delete(name);
    const there = new Set(await files.list('ledger/'));
    for (const name of set.endings) {
      if (atWork.has(name) || known.has(name) || !there.has(`ledger/${name}.json`)) continue;
      const ledger = await readLedger(files, name);
      if (ledger !== null && ledger.doneAt !== null) known.set(name, ledger);
    }
    return {
      startedAt: set.startedAt,
      heardAt: set.heardAt,
      state: set.ended ?? (silentMs > QUIET_MS ? 'quiet' : 'running'),
      endings: set.endings.map((name) => endingOf(set, name, known.get(name))),
    };
  };
}

function endingOf({ at, ended }: SetProgress, ending: string, ledger: Ledger | undefined): SetEnding {
  if (ledger !== undefined) {
    const { wallMs, cpuMs, bytes, longestWin, tablePositions, filePositions } = ledger;
    const figures = { wallMs, cpuMs, bytes, longestWin, tablePositions, filePositions };
    return { ending, state: 'done', step: null, since: null, ...figures };
  }
  const own = at.find((one) => one.ending === ending) ?? null;
  return {
    ending,
    state: own === null ? 'waiting' : ended === null ? 'working' : 'begun',
    step: own?.step ?? null,
    since: own?.since ?? null,
    wallMs: null,
    cpuMs: null,
    bytes: null,
    longestWin: null,
    tablePositions: null,
    filePositions: null,
  };
}
