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
 * never deleted, so numbers never begin again. A process that stalls between its listing and its put can still get a number that was used and deleted
 * meanwhile. So it lists again after the put, and takes another ticket if there is a later one.
 *
 * A process is alive if it beat within the silence and, where this process sees the same table of processes, if it is in the table
 * (operators/storage/process-identity.ts). Whether a beat is new is found by watching, and how old it is by the clock of the store: the clocks
 * of two machines are never compared.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { StorageError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { waitBetweenLooks } from '../../operators/storage/doubted-absence.js';
import { objectName } from '../../operators/storage/object-names.js';
import { processIdentity } from '../../operators/storage/process-identity.js';
import type { Store } from '../../operators/storage/store.js';
import { putRecord, readRecord } from '../../pipeline/game/record.js';
import {
  ProgressRecord,
  RunRecord,
  runsAmong,
  runsFolder,
} from '../../pipeline/tables/records/record-shapes.js';
import { complain } from '../cli/exit.js';
import { Heartbeats, SILENCE_MS, type Sign } from '../progress/heartbeats.js';
import { duration } from '../ui/numbers.js';

const VERSION = 1;
const Ticket = z.object({
  version: z.literal(VERSION),
  host: z.string(),
  pid: z.int(),
  /** Identity of the process; absent in tickets of older versions. */
  process: z.string().optional(),
  /** A random number, by which a process recognizes its own ticket. */
  mark: z.string().optional(),
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

const TIMES: ClaimTimes = { beat: 2000, silence: SILENCE_MS };
/** Looks at silent processes after which a line reports what is waited for. */
const QUIET_LOOKS = 3;

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
  const own = await takeTicket(store, folder, wanted, times);
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
  /** The numbers of its beats. */
  readonly beats: number[];
}

/** The tickets in a listing, by number. */
function ticketsAmong(names: readonly string[], folder: string): Map<number, Listed> {
  const found = new Map<number, Listed>();
  for (const name of names) {
    const match = /^(\d+)(-end|-beat-(\d+))?\.json$/.exec(
      name.startsWith(folder) ? name.slice(folder.length) : '',
    );
    if (match === null) continue;
    const number = Number(match[1]);
    const listed = found.get(number) ?? { ended: false, isThere: false, beats: [] };
    found.set(number, listed);
    if (match[2] === undefined) listed.isThere = true;
    else if (match[3] === undefined) listed.ended = true;
    else listed.beats.push(Number(match[3]));
  }
  return found;
}

async function listTickets(store: Store, folder: string): Promise<Map<number, Listed>> {
  return ticketsAmong(await store.list(folder), folder);
}

/** The last sign of life of the process of a ticket: its last beat, or the ticket itself. */
function signOf(folder: string, ticket: number, { beats }: Listed): Sign {
  const last = Math.max(0, ...beats);
  return { name: nameOf(folder, ticket, last === 0 ? '' : `-beat-${last}`), number: last };
}

const readTicket = (store: Store, folder: string, ticket: number) =>
  readRecord(store, nameOf(folder, ticket), Ticket, 'claim');

/** Runs of a process that cannot be seen from here are garbage only after a long silence. */
const DEAD_MS = 300_000;

/** The work of a game that processes have claimed and may be at, as {@link ClaimOptions.undone} names it. */
export async function claimedNow(store: Store, game: string): Promise<Set<string>> {
  const folder = `${runsFolder(game)}/claims/`;
  const atWork = new Set<string>();
  const heartbeats = new Heartbeats(store, DEAD_MS);
  for (const [number, listed] of await listTickets(store, folder)) {
    if (listed.ended) continue;
    const ticket = await readTicket(store, folder, number);
    if (ticket === null) continue;
    if ((await heartbeats.judge(signOf(folder, number, listed), ticket.process)).is === 'dead') continue;
    for (const one of ticket.what) atWork.add(withoutSharer(one));
  }
  return atWork;
}

/** Work that several processes may do at once: the claim only shows that somebody is at it, and nobody waits for it. */
export function sharedWork(what: string): string {
  return `${what} by ${processIdentity}`;
}
/** Older versions named the sharer by its number and host. */
const withoutSharer = (what: string) => what.replace(/ by ([\da-f]{16}[\da-z.]*|\d+@.*)$/, '');

async function takeTicket(
  store: Store,
  folder: string,
  what: readonly string[],
  { silence }: ClaimTimes,
): Promise<number> {
  const ticket: Ticket = {
    version: VERSION,
    host: hostname(),
    pid: process.pid,
    process: processIdentity,
    mark: randomBytes(8).toString('hex'),
    at: Date.now(),
    what: [...what],
  };
  for (let least = 0; ; ) {
    const others = await listTickets(store, folder);
    const number = Math.max(least, ...others.keys()) + 1;
    // A listing may be older than the ticket that it does not show.
    least = number;
    if (!(await putTicket(store, nameOf(folder, number), ticket))) continue;
    const now = await listWith(store, folder, number, silence);
    const isLast = Math.max(...now.keys()) === number && !now.get(number)!.ended;
    if (!isLast) {
      await putRecord(store, nameOf(folder, number, '-end'), { version: VERSION });
      continue;
    }
    // This ticket keeps the count now.
    for (const [other, { ended, beats }] of now) {
      if (!ended) continue;
      await deleteAll(
        store,
        beats.map((beat) => nameOf(folder, other, `-beat-${beat}`)),
      );
      await store.delete(nameOf(folder, other));
      await store.delete(nameOf(folder, other, '-end'));
    }
    return number;
  }
}

/** Whether the ticket is this process's own now. A server may refuse a put because of an attempt that succeeded, and whose answer was lost. */
async function putTicket(store: Store, name: string, ticket: Ticket): Promise<boolean> {
  if (await putRecord(store, name, ticket)) return true;
  return (await readRecord(store, name, Ticket, 'claim'))?.mark === ticket.mark;
}

/** A listing that is not older than the ticket, which it shows. @throws StorageError if the store shows none for long. */
async function listWith(
  store: Store,
  folder: string,
  ticket: number,
  silence: number,
): Promise<Map<number, Listed>> {
  const since = performance.now();
  for (let looks = 1; ; looks++) {
    const listed = await listTickets(store, folder);
    if (listed.get(ticket)?.isThere === true) return listed;
    if (performance.now() - since > silence) {
      const name = nameOf(folder, ticket);
      const isGone = (await store.size(name)) === null;
      throw new StorageError(
        objectName(store, name),
        isGone
          ? 'was deleted by another process, which considered this one dead'
          : `does not appear in listings for ${duration(silence)} after it was written`,
      );
    }
    await waitBetweenLooks(Math.min(looks, 4));
  }
}

/** Announces that this process works until the claim ends. */
function startBeating(
  store: Store,
  folder: string,
  own: number,
  { beat: beatMs, silence }: ClaimTimes,
  lost: (error: StorageError) => void,
) {
  let beats = 0;
  let lastAt = performance.now();
  let last: Promise<void> = Promise.resolve();
  const put = (rest: string) => putRecord(store, nameOf(folder, own, rest), { version: VERSION });
  const isThere = async (rest: string) => (await store.size(nameOf(folder, own, rest))) !== null;

  async function beat(): Promise<void> {
    const isLate = performance.now() - lastAt > silence / 2;
    // The process that ended the ticket may have deleted it as well.
    if ((await isThere('-end')) || (isLate && !(await isThere('')))) {
      clearInterval(timer);
      const name = objectName(store, nameOf(folder, own));
      return lost(
        new StorageError(name, 'this process missed its heartbeats, and another process took over its work'),
      );
    }
    await put(`-beat-${++beats}`);
    lastAt = performance.now();
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
  const heartbeats = new Heartbeats(store, times.silence);
  const reported = new Set<number>();
  for (;;) {
    const wanted = new Set(await undone());
    let waitMs = Number.POSITIVE_INFINITY;
    for (const [number, listed] of await listWith(store, folder, own, times.silence)) {
      if (number >= own || listed.ended) continue;
      const ticket = await readTicket(store, folder, number);
      const both = ticket?.what.filter((one) => wanted.has(one)) ?? [];
      if (ticket === null || both.length === 0) continue;
      const { is, leftMs } = await heartbeats.judge(signOf(folder, number, listed), ticket.process);
      if (is === 'dead') {
        await putRecord(store, nameOf(folder, number, '-end'), { version: VERSION });
        continue;
      }
      waitMs = Math.min(waitMs, times.beat, leftMs);
      if (reported.has(number)) continue;
      reported.add(number);
      const others = both.length === 1 ? '' : ` and ${both.length - 1} more`;
      const who = `process ${ticket.pid} of ${ticket.host}`;
      const since = new Date(ticket.at).toISOString();
      say(
        is === 'alive'
          ? `${both[0]}${others}: ${who} is at it since ${since}; waiting for it`
          : `${both[0]}${others}: ${who} claimed it at ${since}; waiting for it, at most ${duration(leftMs)} if nothing more is heard of it`,
      );
    }
    if (waitMs === Number.POSITIVE_INFINITY) return;
    await pause(waitMs);
  }
}

interface Worker {
  /** In words. */
  readonly who: string;
  readonly sign: Sign;
  /** Its identity, if it is known. */
  readonly process: string | undefined;
}

interface WatchOptions {
  /** Called once if the answer takes longer than a few heartbeats. */
  readonly say?: (line: string) => void;
  readonly times?: ClaimTimes;
}

/**
 * A process that works at something now, in words; null if there is none. Its claim shows it, or the reports of ranks, which claim
 * nothing. A process that cannot be seen from here is watched until it is heard of again, or was silent for as long as the times say.
 */
export async function whoWorks(
  store: Store,
  game: string,
  concerns: (claimed: string) => boolean,
  { say = complain, times = TIMES }: WatchOptions = {},
): Promise<string | null> {
  const heartbeats = new Heartbeats(store, times.silence);
  for (let looks = 0; ; looks++) {
    let waitMs = Number.POSITIVE_INFINITY;
    for (const { who, sign, process } of await workersAt(store, game, concerns)) {
      const { is, leftMs } = await heartbeats.judge(sign, process);
      if (is === 'alive') return who;
      if (is === 'dead') continue;
      waitMs = Math.min(waitMs, times.beat, leftMs);
      if (looks === QUIET_LOOKS)
        say(`${who} was at work on it and is silent; watching it ${duration(leftMs)} more`);
    }
    if (waitMs === Number.POSITIVE_INFINITY) return null;
    await pause(waitMs);
  }
}

/** The processes that have not said that they ended. */
async function workersAt(
  store: Store,
  game: string,
  concerns: (claimed: string) => boolean,
): Promise<Worker[]> {
  const names = await store.list(`${runsFolder(game)}/`);
  const folder = `${runsFolder(game)}/claims/`;
  const found: Worker[] = [];
  for (const [number, listed] of ticketsAmong(names, folder)) {
    if (listed.ended) continue;
    const ticket = await readTicket(store, folder, number);
    if (ticket === null || !ticket.what.some((one) => concerns(withoutSharer(one)))) continue;
    const who = `process ${ticket.pid} of ${ticket.host}`;
    found.push({ who, sign: signOf(folder, number, listed), process: ticket.process });
  }
  return [...found, ...(await ranksAt(store, names, concerns))];
}

/** Ranks, and whoever launched them, report what they are at as long as they work. */
async function ranksAt(
  store: Store,
  names: readonly string[],
  concerns: (claimed: string) => boolean,
): Promise<Worker[]> {
  const found: Worker[] = [];
  for (const { record, progress, end } of runsAmong(names)) {
    if (record === null || progress === null || end !== null) continue;
    const run = await readRecord(store, record, RunRecord, 'record');
    if (run === null || run.engine === 'local') continue;
    const report = await readRecord(store, progress, ProgressRecord, 'record');
    const slices = [...run.wanted, ...(report?.slices ?? []).map(({ slice }) => slice)];
    const named = slices.flatMap((slice) => [slice, `${run.metric}/${slice}`]);
    if (!named.some(concerns)) continue;
    const number = Number(/-(\d+)\.json$/.exec(progress)?.[1] ?? 0);
    found.push({ who: `a process of ${run.host}`, sign: { name: progress, number }, process: run.process });
  }
  return found;
}
