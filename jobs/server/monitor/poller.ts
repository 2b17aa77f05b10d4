/**
 * Looks at the store while anybody watches: once for all watchers, and not at all without any. What
 * changes is counted in revisions.ts.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../../operators/core/errors.js';
import type { Progress } from '../../progress/model.js';
import { newRevisions, type Seen } from './revisions.js';

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

/** The poller rests so many times as long as a look takes: large stores far away are not looked at all the time. */
const RESTS = 4;

export function newPoller(
  look: (now: number) => Promise<Progress>,
  everyMs: number,
  clock: () => number = Date.now,
): Poller {
  const revisions = newRevisions();
  let seen: Seen | null = null;
  let lookedAt = 0;
  let tookMs = 0;
  let looks = 0;
  let watchers = 0;
  let problem: string | null = null;
  let looking: Promise<Seen> | null = null;
  let looping = false;
  let wake = newWake();

  function lookNow(): Promise<Seen> {
    looking ??= (async () => {
      const began = clock();
      looks++;
      try {
        seen = revisions.follow(await look(began));
        problem = null;
        return seen;
      } catch (error) {
        if (error instanceof StorageError) problem = wordsOf(error);
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
        problem ??= wordsOf(error);
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

/** Without the command that mends it, which names the store. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
