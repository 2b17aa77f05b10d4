/** Waiting of a rank for others: pauses grow, and now and then it names the missing ranks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../operators/storage/store.js';
import type { WaitingForRanks } from '../../pipeline/engine/crew/solve-as-rank.js';
import { readRecord } from '../../pipeline/game/record.js';
import { RunRecord, runsAmong, runsFolder } from '../../pipeline/tables/records/record-shapes.js';
import { complain } from '../cli/exit.js';
import { Heartbeats, SILENCE_MS } from '../progress/heartbeats.js';
import { openStore, storeFolder } from '../stores.js';
import { duration } from '../ui/numbers.js';
import type { RankTask } from './protocol.js';

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
  /** Whether a rank was silent for so long that it counts as lost; none ever is unless given. */
  readonly isSilent?: (rank: number) => Promise<boolean>;
}

export function newWaiting({ rank, ranks, kind, say, isSilent }: WaitingOptions): WaitingForRanks {
  let said = performance.now();
  return {
    pause: (times) => sleep(Math.min(LONGEST_MS[kind], FIRST_MS[kind] * GROWTH ** times)),
    async reportMissing(step, times, missing) {
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
    isLost: async (other) => (await isSilent?.(other)) === true,
    reportLost(other, slice) {
      say(
        `rank ${rank} of ${ranks}: rank ${other} has claimed ${slice} and is gone, or was silent for ${duration(SILENCE_MS)}: another rank solves it`,
      );
    },
  };
}

/**
 * Waiting of a rank of this task: with longer pauses in object storage, where looking costs a request.
 * @param game that the ranks solve, for waits that end if a rank is lost.
 */
export function waitingOf({ self, store }: Pick<RankTask, 'self' | 'store'>, game?: string) {
  const kind = storeFolder(store) === null ? ('objects' as const) : ('folder' as const);
  const silent = game === undefined ? {} : { isSilent: silenceOfRanks(openStore(store), game, self.job) };
  return newWaiting({ ...self, kind, say: complain, ...silent });
}

/**
 * Returns a function that reads from the records of a job whether a rank is silent. A rank that is started again has another record, and
 * one without any is silent once nothing was heard for as long as this process has watched.
 */
export function silenceOfRanks(
  store: Store,
  game: string,
  job: string,
  silenceMs = SILENCE_MS,
): (rank: number) => Promise<boolean> {
  const heartbeats = new Heartbeats(store, silenceMs);
  const watchedSince = new Map<number, number>();
  /** Records never change. */
  const records = new Map<string, RunRecord | null>();

  async function recordAt(name: string): Promise<RunRecord | null> {
    let record = records.get(name);
    if (record === undefined)
      records.set(name, (record = await readRecord(store, name, RunRecord, 'record')));
    return record;
  }

  return async (rank) => {
    if (!watchedSince.has(rank)) watchedSince.set(rank, performance.now());
    let isKnown = false;
    for (const { record, progress, end } of runsAmong(await store.list(`${runsFolder(game)}/`))) {
      if (record === null || end !== null) continue;
      const run = await recordAt(record);
      if (run?.rank?.job !== job || run.rank.rank !== rank) continue;
      isKnown = true;
      const number = Number(/-(\d+)\.json$/.exec(progress ?? '')?.[1] ?? 0);
      const { is } = await heartbeats.judge({ name: progress ?? record, number }, run.process);
      if (is !== 'dead') return false;
    }
    return isKnown || performance.now() - watchedSince.get(rank)! > silenceMs;
  };
}

/** Numbers that are named; the others are counted. */
const NAMED = 12;

function named(what: string, numbers: readonly number[]): string {
  const more = numbers.length - NAMED;
  const first = numbers.slice(0, NAMED).join(', ');
  return `${what}${numbers.length === 1 ? '' : 's'} ${first}${more > 0 ? ` and ${more} more` : ''}`;
}
