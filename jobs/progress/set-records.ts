/**
 * What is recorded of a set of endings beside its files. ledger/NAME.json is the *ledger* of an ending: it is written after each step, so that
 * the next sitting goes on with the step that was interrupted, and the costs of all sittings add up. ledger/set-N.json is the progress of the
 * set. Only people who watch read it, and the next sitting, which lists those before it. The greatest N is current; stores need not show at
 * once that an object is another one. So each record has a name of its own.
 */
import { z } from 'zod';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';

const count = z.number().int().nonnegative();
const ms = z.number();

export const SET_STEPS = ['solve', 'write', 'verify'] as const;
export type SetStep = (typeof SET_STEPS)[number];

/** Wall and processor time of a step, in milliseconds; zero if it is not done. */
const Cost = z.object({ wallMs: count, cpuMs: count });
export type Cost = z.infer<typeof Cost>;

/** Counts of tables by side to move: positions up to symmetry, like men alike; the longest win in plies to a zeroing move. */
const Counted = z.object({ positions: count, wins: count, losses: count, longestWin: count.nullable() });
export type Counted = z.infer<typeof Counted>;

export const Ledger = z.object({
  ending: z.string(),
  /** Sums of the steps. */
  wallMs: count,
  cpuMs: count,
  steps: z.object({ solve: Cost, write: Cost, verify: Cost }),
  /** Counts of each side to move; null until it is solved. */
  sides: z.object({ white: Counted, black: Counted }).nullable(),
  /** Plies to a zeroing move of the longest win of either side; null if there is none. */
  longestWin: count.nullable(),
  /** Bytes of each file; none until they are written. */
  bytes: z.record(z.string(), count),
  /** Positions whose values were derived again: of tables (null if they are not verified), and of each file. */
  tablePositions: count.nullable(),
  filePositions: z.record(z.string(), count),
  /** The most space that store, files and scratch were seen to take while the ending was at work; null where they are no folders. */
  diskBytes: count.nullable(),
  /** When its files were verified, in milliseconds since 1970; null: it is not done. */
  doneAt: z.number().nullable(),
});
export type Ledger = z.infer<typeof Ledger>;

const NO_COST: Cost = { wallMs: 0, cpuMs: 0 };

/** The ledger of an ending of which nothing is done. */
export function newLedger(ending: string): Ledger {
  return {
    ending,
    wallMs: 0,
    cpuMs: 0,
    steps: { solve: NO_COST, write: NO_COST, verify: NO_COST },
    sides: null,
    longestWin: null,
    bytes: {},
    tablePositions: null,
    filePositions: {},
    diskBytes: null,
    doneAt: null,
  };
}

/** Adds the costs of a step, and what it found. */
export function withStep(
  ledger: Ledger,
  step: keyof Ledger['steps'],
  cost: Cost,
  found: Partial<Ledger>,
): Ledger {
  const plus = (a: Cost, b: Cost): Cost => ({
    wallMs: a.wallMs + Math.round(b.wallMs),
    cpuMs: a.cpuMs + Math.round(b.cpuMs),
  });
  const steps = { ...ledger.steps, [step]: plus(ledger.steps[step], cost) };
  return { ...ledger, ...plus(ledger, cost), steps, ...found };
}

export const sumOf = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((a, b) => a + b, 0);

const ledgerName = (ending: string) => `ledger/${ending}.json`;

export function putLedger(out: Store, ledger: Ledger): Promise<void> {
  return putJson(out, ledgerName(ledger.ending), ledger);
}

/** A ledger may be replaced while it is read: then it is read again, so often at most. */
const READS = 3;

/** The ledger of an ending, whatever its files are. Null: there is none that is whole. */
export async function readLedger(out: Store, ending: string, reads = READS): Promise<Ledger | null> {
  try {
    // A store may hold the file that it read last, in whose place there is another.
    out.closeRead?.();
    return await readJson(out, ledgerName(ending), Ledger);
  } catch (error) {
    if (reads > 1) return readLedger(out, ending, reads - 1);
    throw error;
  }
}

/** The names of the endings that have a ledger. */
export async function ledgersIn(out: Store): Promise<string[]> {
  return (await out.list('ledger/')).flatMap((name) => /^ledger\/(K\w+)\.json$/.exec(name)?.[1] ?? []);
}

/** The time of a process that worked at a set. Times are milliseconds since 1970, processor time is in milliseconds. */
export const Sitting = z.object({
  startedAt: ms,
  /** When the process wrote its last record. */
  heardAt: ms,
  cpuMs: ms,
  /** How it ended; null if it has not, or was killed. */
  ended: z.enum(['done', 'failed']).nullable(),
});
export type Sitting = z.infer<typeof Sitting>;

export const SetProgress = Sitting.extend({
  /** The endings, by names of files, in the order in which they are listed. */
  endings: z.array(z.string()),
  /** The steps at work. */
  at: z.array(z.object({ ending: z.string(), step: z.enum(SET_STEPS), since: ms })),
  /** Time that the set will still take, in milliseconds; null if nobody can say yet. */
  leftMs: ms.nullable(),
  /** The sittings before this one, the first before the others. */
  earlier: z.array(Sitting),
});
export type SetProgress = z.infer<typeof SetProgress>;

const PREFIX = 'ledger/set-';
/** So many records are kept: who reads the last but one finds it. */
const KEPT = 2;
/** A record so often, if there is no other news. */
export const BEAT_MS = 10_000;

interface SetReporterOptions {
  readonly out: Store;
  readonly endings: readonly string[];
  /** Processor time of this process. */
  readonly cpu: () => number;
  readonly left: () => number | null;
}

/** Writes the records of one sitting. */
export class SetReporter {
  readonly #options: SetReporterOptions;
  readonly #startedAt = Date.now();
  readonly #at = new Map<string, SetProgress['at'][number]>();
  readonly #beat: NodeJS.Timeout;
  #earlier: readonly Sitting[] = [];
  #number = 0;
  #writing: Promise<void>;

  constructor(options: SetReporterOptions) {
    this.#options = options;
    this.#writing = this.#readEarlier().catch(() => {});
    void this.#write(null);
    this.#beat = setInterval(() => void this.#write(null), BEAT_MS);
    this.#beat.unref();
  }

  begin(ending: string, step: SetStep): void {
    this.#at.set(ending, { ending, step, since: Date.now() });
    void this.#write(null);
  }

  finish(ending: string): void {
    this.#at.delete(ending);
  }

  /** Writes how the sitting ended, once all before is written. */
  end(how: 'done' | 'failed'): Promise<void> {
    clearInterval(this.#beat);
    if (how === 'done') this.#at.clear();
    return this.#write(how);
  }

  async #readEarlier(): Promise<void> {
    const last = await readSetProgress(this.#options.out);
    if (last === null) return;
    const { startedAt, heardAt, cpuMs, ended } = last;
    this.#earlier = [...last.earlier, { startedAt, heardAt, cpuMs, ended }];
  }

  #write(ended: SetProgress['ended']): Promise<void> {
    const { endings, cpu, left } = this.#options;
    const record = {
      startedAt: this.#startedAt,
      heardAt: Date.now(),
      cpuMs: Math.round(cpu()),
      ended,
      endings: [...endings],
      at: [...this.#at.values()],
      leftMs: left(),
    };
    // A record that could not be written is only missed by watchers, until the next one. If the disk has failed, the set fails by itself.
    this.#writing = this.#writing
      .then(() => this.#put({ ...record, earlier: [...this.#earlier] }))
      .catch(() => {});
    return this.#writing;
  }

  async #put(record: SetProgress): Promise<void> {
    const { out } = this.#options;
    const before = await numbersIn(out);
    this.#number = Math.max(this.#number, ...before) + 1;
    await putJson(out, recordName(this.#number), record);
    for (const old of before.slice(0, 1 - KEPT)) await out.delete(recordName(old));
  }
}

const recordName = (number: number) => `${PREFIX}${String(number).padStart(9, '0')}.json`;

/** The numbers of all records that are kept, rising. */
async function numbersIn(out: Store): Promise<number[]> {
  const names = await out.list(PREFIX);
  return names
    .flatMap((name) => /^ledger\/set-(\d{9})\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Null if there is none, or it is damaged. */
export async function readSetProgress(out: Store): Promise<SetProgress | null> {
  const last = (await numbersIn(out)).at(-1);
  return last === undefined ? null : readJson(out, recordName(last), SetProgress);
}

/** An object as JSON of this shape; null if there is none, or it is damaged: records only save work. */
async function readJson<T>(out: Store, name: string, shape: z.ZodType<T>): Promise<T | null> {
  const bytes = await readAll(out, name);
  if (bytes === null) return null;
  try {
    return shape.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

function putJson(out: Store, name: string, record: object): Promise<void> {
  return putOver(out, name, new TextEncoder().encode(`${JSON.stringify(record)}\n`));
}
