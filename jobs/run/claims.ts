/**
 * Claims of processes on the slices that they are about to solve: another process that is asked for the same waits. Objects
 * below `GAME/runs/claims/` of a store:
 *
 *   000007.json           a ticket: the process and its slices; numbers ascend, and only one process gets each
 *   000007-beat-3.json    its process was at work. The next beat replaces it
 *   000007-end.json       its process has ended, or was silent for so long that another ended the ticket
 *
 * A process takes a ticket. It waits while an earlier ticket without an end claims some of the same slices that are not done
 * yet. (This is the bakery algorithm of Lamport 1974, whose numbers are here given out by put-if-absent.) The last ticket is
 * never deleted, so numbers never begin again. Only the clock of the waiting process decides whether another is silent.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { StorageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../pipeline/game/manifest.js';
import { putRecord, readRecord } from '../../pipeline/game/record.js';
import {
  ProgressRecord,
  RunRecord,
  runsAmong,
  runsFolder,
} from '../../pipeline/tables/records/record-shapes.js';
import { isAlive } from '../engines/scratch-folder.js';

const VERSION = 1;
const Ticket = z.object({
  version: z.literal(VERSION),
  host: z.string(),
  pid: z.int(),
  /** Milliseconds since 1970, by the clock of its process: for messages. */
  at: z.number(),
  what: z.array(z.string()),
});
type Ticket = z.infer<typeof Ticket>;

export interface ClaimOptions {
  readonly game: string;
  /** Names of undone work, e.g. "dtm/KRK", the same in all processes; fewer from call to call. The first answer is claimed. */
  readonly undone: () => Promise<readonly string[]>;
  /** Called once for each process that is waited for. */
  readonly say: (line: string) => void;
  /** Called when this process was taken for dead: it must stop. */
  readonly lost: (error: StorageError) => void;
  readonly times?: ClaimTimes;
}

/** Milliseconds. */
interface ClaimTimes {
  /** Between two beats, and between two looks at others. */
  readonly beat: number;
  /** A process that was silent for so long is taken for dead. */
  readonly silence: number;
}

const TIMES: ClaimTimes = { beat: 2000, silence: 30_000 };

export interface Claim {
  /** Others may have it. */
  release(): Promise<void>;
}

/** Claims the undone work; resolves when it is this process's. Throws StorageError. */
export async function claim(store: Store, options: ClaimOptions): Promise<Claim> {
  const { game, say, undone, lost, times = TIMES } = options;
  const folder = `${runsFolder(game)}/claims/`;
  const wanted = await undone();
  if (wanted.length === 0) return { release: async () => {} };
  const own = await takeTicket(store, folder, wanted);
  const beating = startBeating(store, folder, own, times, lost);
  try {
    await waitForEarlier(store, folder, own, { undone, say, times });
  } catch (error) {
    await beating.end();
    throw error;
  }
  return { release: beating.end };
}

const nameOf = (folder: string, ticket: number, rest = '') =>
  `${folder}${String(ticket).padStart(6, '0')}${rest}.json`;

interface Listed {
  ended: boolean;
  isThere: boolean;
  /** The objects of its beats. */
  readonly beats: string[];
}

/** The tickets that are there, by number, ascending. */
async function listTickets(store: Store, folder: string): Promise<Map<number, Listed>> {
  const found = new Map<number, Listed>();
  for (const name of await store.list(folder)) {
    const match = /^(\d+)(-end|-beat-\d+)?\.json$/.exec(name.slice(folder.length));
    if (match === null) continue;
    const number = Number(match[1]);
    const listed = found.get(number) ?? { ended: false, isThere: false, beats: [] };
    found.set(number, listed);
    if (match[2] === undefined) listed.isThere = true;
    else if (match[2] === '-end') listed.ended = true;
    else listed.beats.push(name);
  }
  return found;
}

/**
 * The tickets of processes that are at work. A process of this machine is looked up by its number; one of another machine counts as dead after so
 * many milliseconds of silence, by the clocks of the store and of this machine.
 */
async function* ticketsAtWork(store: Store, game: string, silence: number): AsyncGenerator<Ticket> {
  const folder = `${runsFolder(game)}/claims/`;
  for (const [number, { ended, isThere, beats }] of await listTickets(store, folder)) {
    if (ended || !isThere) continue;
    const name = nameOf(folder, number);
    const ticket = await readRecord(store, name, Ticket, 'claim', VERSION);
    if (ticket === null) continue;
    const { pid, host, at } = ticket;
    const isHere = host === hostname();
    const isHeard = async () => Date.now() - ((await store.modified(beats.at(-1) ?? name)) ?? at) <= silence;
    if (isHere ? pid === process.pid || isAlive(pid) : await isHeard()) yield ticket;
  }
}

/** Runs of a process on another machine are garbage only after a long silence. */
const DEAD_MS = 300_000;

/** The work of a game that processes have claimed and are at, as {@link ClaimOptions.undone} names it. */
export async function claimedNow(store: Store, game: string): Promise<Set<string>> {
  const atWork = new Set<string>();
  for await (const { what } of ticketsAtWork(store, game, DEAD_MS))
    for (const one of what) atWork.add(one.replace(SHARED, ''));
  return atWork;
}

/** Work that several processes may do at once: the claim only shows that somebody is at it, and nobody waits for it. */
export function sharedWork(what: string): string {
  return `${what} by ${process.pid}@${hostname()}`;
}
const SHARED = / by \d+@.*$/;

async function takeTicket(store: Store, folder: string, what: readonly string[]): Promise<number> {
  const ticket: Ticket = {
    version: VERSION,
    host: hostname(),
    pid: process.pid,
    at: Date.now(),
    what: [...what],
  };
  for (;;) {
    const others = await listTickets(store, folder);
    const number = Math.max(0, ...others.keys()) + 1;
    if (!(await putRecord(store, nameOf(folder, number), ticket))) continue;
    // This ticket keeps the count now.
    for (const [other, { ended, beats }] of others) {
      if (!ended) continue;
      for (const name of [...beats, nameOf(folder, other), nameOf(folder, other, '-end')])
        await store.delete(name);
    }
    return number;
  }
}

/** Announces that this process works until the claim ends. */
function startBeating(
  store: Store,
  folder: string,
  own: number,
  { beat: beatMs }: ClaimTimes,
  lost: (error: StorageError) => void,
) {
  let beats = 0;
  let last: Promise<void> = Promise.resolve();
  const put = (rest: string) => putRecord(store, nameOf(folder, own, rest), { version: VERSION });

  async function beat(): Promise<void> {
    if ((await store.size(nameOf(folder, own, '-end'))) !== null) {
      clearInterval(timer);
      const name = objectName(store, nameOf(folder, own));
      return lost(new StorageError(name, 'this process was silent, and another took over what it was at'));
    }
    await put(`-beat-${++beats}`);
    await store.delete(nameOf(folder, own, `-beat-${beats - 1}`));
  }

  const timer = setInterval(() => {
    // A store that is away for a while is waited for where it matters.
    last = last.then(beat).catch(() => {});
  }, beatMs);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      await last;
      await put('-end');
      await store.delete(nameOf(folder, own, `-beat-${beats}`));
    },
  };
}

async function waitForEarlier(
  store: Store,
  folder: string,
  own: number,
  { undone, say, times }: Required<Pick<ClaimOptions, 'undone' | 'say' | 'times'>>,
): Promise<void> {
  const heard = new Map<number, { beat: string; at: number }>();
  const reported = new Set<number>();
  for (;;) {
    const wanted = new Set(await undone());
    let waits = false;
    for (const [number, { ended, isThere, beats }] of await listTickets(store, folder)) {
      if (number >= own || ended || !isThere) continue;
      const ticket = await readRecord(store, nameOf(folder, number), Ticket, 'claim', VERSION);
      const both = ticket?.what.filter((one) => wanted.has(one)) ?? [];
      if (ticket === null || both.length === 0) continue;
      const beat = beats.at(-1) ?? '';
      if (heard.get(number)?.beat !== beat) heard.set(number, { beat, at: performance.now() });
      const silent = performance.now() - heard.get(number)!.at > times.silence;
      const { pid, host, at } = ticket;
      if (silent || (host === hostname() && pid !== process.pid && !isAlive(pid))) {
        await putRecord(store, nameOf(folder, number, '-end'), { version: VERSION });
        continue;
      }
      waits = true;
      if (reported.has(number)) continue;
      reported.add(number);
      const others = both.length === 1 ? '' : ` and ${both.length - 1} more`;
      say(
        `${both[0]}${others}: process ${pid} of ${host} is at it since ${new Date(at).toISOString()}; waiting for it`,
      );
    }
    if (!waits) return;
    await pause(times.beat);
  }
}

/**
 * A process that works at something now, in words; null if there is none. Its claim shows it, or the reports of ranks, which claim
 * nothing. A process of another machine counts as dead when its last beat or report is older than the times say, by the clock of the store.
 */
export async function whoWorks(
  store: Store,
  game: string,
  concerns: (claimed: string) => boolean,
  { silence }: ClaimTimes = TIMES,
): Promise<string | null> {
  for await (const { pid, host, what } of ticketsAtWork(store, game, silence))
    if (what.some(concerns)) return `process ${pid} of ${host}`;
  return workingRank(store, game, concerns, silence);
}

/** Ranks, and whoever launched them, report what they are at as long as they work. */
async function workingRank(
  store: Store,
  game: string,
  concerns: (claimed: string) => boolean,
  silence: number,
): Promise<string | null> {
  for (const { record, progress, end } of runsAmong(await store.list(`${runsFolder(game)}/`))) {
    if (record === null || progress === null || end !== null) continue;
    const last = await store.modified(progress);
    if (last === null || Date.now() - last > silence) continue;
    const run = await readRecord(store, record, RunRecord, 'record', FORMAT_VERSION);
    if (run === null || run.engine === 'local') continue;
    const report = await readRecord(store, progress, ProgressRecord, 'record', FORMAT_VERSION);
    const slices = [...run.wanted, ...(report?.slices ?? []).map(({ slice }) => slice)];
    const named = slices.flatMap((slice) => [slice, `${run.metric}/${slice}`]);
    if (named.some(concerns)) return `a process of ${run.host}`;
  }
  return null;
}
