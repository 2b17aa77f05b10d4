/**
 * The progress of a set of endings, beside its ledger, as ledger/set-N.json. Only people who watch read it, and the next sitting, which
 * lists those before it. The greatest N is current; stores need not show at once that an object is another one. So each record has a
 * name of its own.
 */
import { z } from 'zod';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';
import { SET_STEPS, type SetStep } from './units.js';

const ms = z.number();

/** The time of a process that worked at a set. Times are milliseconds since 1970, processor time is in milliseconds. */
const Sitting = z.object({
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
    // A watcher that cannot be reached waits for the next record: the set itself finds out whether files can be written.
    this.#writing = this.#writing
      .then(() => this.#put({ ...record, earlier: [...this.#earlier] }))
      .catch(() => {});
    return this.#writing;
  }

  async #put(record: SetProgress): Promise<void> {
    const { out } = this.#options;
    const before = await numbersIn(out);
    this.#number = Math.max(this.#number, ...before) + 1;
    await putOver(out, nameOf(this.#number), new TextEncoder().encode(`${JSON.stringify(record)}\n`));
    for (const old of before.slice(0, 1 - KEPT)) await out.delete(nameOf(old));
  }
}

const nameOf = (number: number) => `${PREFIX}${String(number).padStart(9, '0')}.json`;

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
  const bytes = last === undefined ? null : await readAll(out, nameOf(last));
  if (bytes === null) return null;
  try {
    return SetProgress.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
