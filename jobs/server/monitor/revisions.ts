/**
 * Changes from look to look, counted in *revisions*, so that each watcher gets all that is new since its last answer, however slow
 * it is.
 */
import { keyOf } from '../../progress/look.js';
import type { Progress, RunChange, RunEnded, RunStatus, SliceDetail } from '../../progress/model.js';
import { sliceStatus } from '../../progress/slice.js';

export interface Seen {
  readonly progress: Progress;
  readonly revision: number;
  /** Changes since `revision`. */
  since(revision: number): { change: RunChange; ended: RunEnded[] };
}

interface Revisions {
  /** Takes the next look, and counts what is other than in the one before. */
  follow(next: Progress): Seen;
}

export function newRevisions(): Revisions {
  /** Last status of each run as text, and the revision at which it became so. */
  const runs = new Map<string, { text: string; revision: number; endedAt: number }>();
  const slices = new Map<string, { text: string | null; revision: number }>();
  /** The set of files. */
  let set = { text: '', revision: 0 };
  let first = true;
  let revision = 0;

  function follow(next: Progress): Seen {
    const to = revision + 1;
    let changed = first;
    for (const run of next.runs) {
      const text = JSON.stringify(run);
      const before = runs.get(run.run);
      if (before?.text === text) continue;
      changed = true;
      // A run may begin and end between two looks.
      const wasRunning = before === undefined ? !first : isRunning(before.text);
      const ends = wasRunning && run.state !== 'running';
      runs.set(run.run, { text, revision: to, endedAt: ends ? to : 0 });
    }
    const there = new Set<string>();
    for (const slice of next.slices) {
      const key = keyOf(slice.game, slice.metric, slice.slice);
      there.add(key);
      const text = JSON.stringify([sliceStatus(slice), slice.lastAt, slice.rss]);
      if (slices.get(key)?.text === text) continue;
      changed = true;
      slices.set(key, { text, revision: to });
    }
    for (const [key, before] of slices) {
      if (there.has(key) || before.text === null) continue;
      changed = true;
      slices.set(key, { text: null, revision: to });
    }
    const text = JSON.stringify(next.set);
    if (set.text !== text) {
      changed = true;
      set = { text, revision: to };
    }
    first = false;
    if (changed) revision = to;
    return { progress: next, revision, since: (before) => since(next, before) };
  }

  function since(next: Progress, before: number) {
    const { at, runs: allRuns, slices: allSlices, set: files } = next;
    const isNew = (known: { revision: number } | undefined) => known !== undefined && known.revision > before;
    const change: RunChange = {
      at,
      runs: allRuns.filter((run: RunStatus) => isNew(runs.get(run.run))),
      slices: allSlices
        .filter((slice: SliceDetail) => isNew(slices.get(keyOf(slice.game, slice.metric, slice.slice))))
        .map(sliceStatus),
      ...(isNew(set) && { set: files }),
      gone: [...slices].flatMap(([key, known]) => (known.text === null && isNew(known) ? key : [])),
    };
    const ended = change.runs
      .filter(({ run }) => runs.get(run)!.endedAt > before)
      .map(({ run, state, problem: why }) => ({ run, state, problem: why }));
    return { change, ended };
  }

  return { follow };
}

const isRunning = (text: string): boolean => (JSON.parse(text) as RunStatus).state === 'running';
