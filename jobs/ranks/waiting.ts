/** Waiting of a rank for others: pauses grow, and now and then it names the missing ranks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Waiting } from '../../pipeline/engine/rank-crew.js';
import { complain } from '../cli/exit.js';
import type { RankTask } from '../engines/protocol.js';
import { storeFolder } from '../stores.js';

/** Looking costs a system call in a folder. Elsewhere it costs a request, which takes a millisecond or more of CPU time. */
const FIRST_MS = { folder: 2, objects: 20 };
const LONGEST_MS = { folder: 50, objects: 500 };
const GROWTH = 1.25;
const SAY_MS = 10_000;

interface WaitingOptions {
  readonly rank: number;
  readonly ranks: number;
  /** Kind of the store. */
  readonly kind: keyof typeof LONGEST_MS;
  /** Takes a line for people. */
  readonly say: (line: string) => void;
}

export function newWaiting({ rank, ranks, kind, say }: WaitingOptions): Waiting {
  let said = performance.now();
  return {
    pause: (times) => sleep(Math.min(LONGEST_MS[kind], FIRST_MS[kind] * GROWTH ** times)),
    async sayMissing(step, times, missing) {
      const now = performance.now();
      if (times === 0) said = now;
      if (now - said < SAY_MS) return;
      said = now;
      const partitions = await missing();
      const owners = [...new Set(partitions.map((partition) => partition % ranks))];
      const who =
        partitions.length === 0
          ? ''
          : `: missing ${named('partition', partitions)} of ${named('rank', owners)}`;
      say(`rank ${rank} of ${ranks} waits for ${step}${who}`);
    },
  };
}

/** Waiting of a rank of this task: with longer pauses in object storage, where looking costs a request. */
export function waitingOf({ self, store }: Pick<RankTask, 'self' | 'store'>) {
  const kind = storeFolder(store) === null ? ('objects' as const) : ('folder' as const);
  return newWaiting({ ...self, kind, say: complain });
}

/** Numbers that are named; the others are counted. */
const NAMED = 12;

function named(what: string, numbers: readonly number[]): string {
  const more = numbers.length - NAMED;
  const first = numbers.slice(0, NAMED).join(', ');
  return `${what}${numbers.length === 1 ? '' : 's'} ${first}${more > 0 ? ` and ${more} more` : ''}`;
}
