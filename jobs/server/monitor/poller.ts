/**
 * Looks at the store while anybody watches: once for all watchers, and not at all without any. Changes are counted in
 * *revisions*, so that each watcher gets all that is new since its last answer, however slow it is.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../../operators/core/errors.js';
import { keyOf, type Look } from './look.js';
import type { RunChange, RunEnded, RunStatus, SliceStatus } from './shapes.js';

export interface Poller {
  /** The last look, not older than the time between two looks. @throws StorageError */
  now(): Promise<Seen>;
  /** From now on it looks, until the returned function is called. */
  watch(): () => void;
  /** The first look that differs from `revision`, perhaps the present one; null if none does within `ms`. */
  beyond(revision: number, ms: number, signal: AbortSignal): Promise<Seen | null>;
  /** Why the store cannot be read now; null if it can. */
  problem(): string | null;
  /** Number of watchers. */
  readonly watchers: number;
  /** Looks so far. */
  readonly looks: number;
}

export interface Seen {
  readonly look: Look;
  readonly revision: number;
  /** Changes since `revision`. */
  since(revision: number): { change: RunChange; ended: RunEnded[] };
}

/** The poller rests so many times as long as a look takes: large stores far away are not looked at all the time. */
const RESTS = 4;

export function newPoller(
  look: (now: number) => Promise<Look>,
  everyMs: number,
  clock: () => number = Date.now,
): Poller {
  /** Last status of each run as text, and the revision at which it became so. */
  const runs = new Map<string, { text: string; revision: number; endedAt: number }>();
  const slices = new Map<string, { text: string | null; revision: number }>();
  let seen: Seen | null = null;
  let lookedAt = 0;
  let tookMs = 0;
  let revision = 0;
  let looks = 0;
  let watchers = 0;
  let problem: string | null = null;
  let looking: Promise<Seen> | null = null;
  let looping = false;
  let wake = newWake();

  function follow(next: Look): Seen {
    const to = revision + 1;
    let changed = seen === null;
    for (const run of next.snapshot.runs) {
      const text = JSON.stringify(run);
      const before = runs.get(run.run);
      if (before?.text === text) continue;
      changed = true;
      // A run may begin and end between two looks.
      const ran = before === undefined ? seen !== null : isRunning(before.text);
      const ends = ran && run.state !== 'running';
      runs.set(run.run, { text, revision: to, endedAt: ends ? to : 0 });
    }
    const there = new Set<string>();
    for (const slice of next.snapshot.slices) {
      const key = keyOf(slice.game, slice.metric, slice.slice);
      there.add(key);
      const detail = next.details.get(key);
      const text = JSON.stringify([slice, detail?.lastAt, detail?.rss]);
      if (slices.get(key)?.text === text) continue;
      changed = true;
      slices.set(key, { text, revision: to });
    }
    for (const [key, before] of slices) {
      if (there.has(key) || before.text === null) continue;
      changed = true;
      slices.set(key, { text: null, revision: to });
    }
    if (changed) revision = to;
    return { look: next, revision, since: (before) => since(next, before) };
  }

  function since(next: Look, before: number) {
    const { at, runs: allRuns, slices: allSlices } = next.snapshot;
    const isNew = (known: { revision: number } | undefined) => known !== undefined && known.revision > before;
    const change: RunChange = {
      at,
      runs: allRuns.filter((run: RunStatus) => isNew(runs.get(run.run))),
      slices: allSlices.filter((slice: SliceStatus) =>
        isNew(slices.get(keyOf(slice.game, slice.metric, slice.slice))),
      ),
      gone: [...slices].flatMap(([key, known]) => (known.text === null && isNew(known) ? key : [])),
    };
    const ended = change.runs
      .filter(({ run }) => runs.get(run)!.endedAt > before)
      .map(({ run, state, problem: why }) => ({ run, state, problem: why }));
    return { change, ended };
  }

  function lookNow(): Promise<Seen> {
    looking ??= (async () => {
      const began = clock();
      looks++;
      try {
        seen = follow(await look(began));
        problem = null;
        return seen;
      } catch (error) {
        if (error instanceof StorageError) problem = error.message;
        throw error;
      } finally {
        looking = null;
        lookedAt = clock();
        tookMs = lookedAt - began;
        wake.resolve();
        wake = newWake();
      }
    })();
    return looking;
  }

  const restMs = (): number => Math.max(everyMs, RESTS * tookMs);

  async function loop(): Promise<void> {
    looping = true;
    while (watchers > 0) {
      // A store that cannot be read now may be read later: watchers get the reason.
      await lookNow().catch((error) => {
        problem ??= error instanceof Error ? error.message : String(error);
      });
      await pause(restMs(), undefined, { ref: false });
    }
    looping = false;
  }

  return {
    async now() {
      if (seen !== null && problem === null && clock() - lookedAt < restMs()) return seen;
      return lookNow();
    },
    watch() {
      watchers++;
      if (!looping) void loop();
      let left = false;
      return () => {
        if (!left) watchers--;
        left = true;
      };
    },
    async beyond(before, ms, signal) {
      const until = clock() + ms;
      for (;;) {
        if (seen !== null && seen.revision > before) return seen;
        const left = until - clock();
        if (left <= 0 || signal.aborted) return null;
        const patience = new AbortController();
        const given = AbortSignal.any([signal, patience.signal]);
        await Promise.race([
          wake.promise,
          pause(left, undefined, { signal: given, ref: false }).catch(() => {}),
        ]);
        patience.abort();
      }
    },
    problem: () => problem,
    get watchers() {
      return watchers;
    },
    get looks() {
      return looks;
    },
  };
}

interface Wake {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function newWake(): Wake {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

const isRunning = (text: string): boolean => (JSON.parse(text) as RunStatus).state === 'running';
