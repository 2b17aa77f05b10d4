/**
 * The progress of a set of endings, beside its ledger, as ledger/set-N.json. Only people who watch read it. The greatest N is current;
 * stores need not show at once that an object is another one. So each word has a name of its own.
 */
import { z } from 'zod';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';

const ms = z.number();

export const SET_STEPS = ['solve', 'write', 'verify'] as const;
export type SetStep = (typeof SET_STEPS)[number];

/** Times are milliseconds since 1970. */
export const SetProgress = z.object({
  /** The endings, by names of files, in the order in which they are done. */
  endings: z.array(z.string()),
  startedAt: ms,
  /** When the process said something last. */
  heardAt: ms,
  /** The ending that is at work; null between two. */
  at: z.object({ ending: z.string(), step: z.enum(SET_STEPS), since: ms }).nullable(),
  /** How it ended; null if it has not, or was killed. */
  ended: z.enum(['done', 'failed']).nullable(),
});
export type SetProgress = z.infer<typeof SetProgress>;

const PREFIX = 'ledger/set-';
/** So many words are kept: who reads the last but one finds it. */
const KEPT = 2;
/** A word so often, if there is no other news. */
export const BEAT_MS = 10_000;

export interface SetTeller {
  at(ending: string, step: SetStep): void;
  /** Says how the set ended, once all before is said. */
  end(how: 'done' | 'failed'): Promise<void>;
}

export function newSetTeller(out: Store, endings: readonly string[]): SetTeller {
  const startedAt = Date.now();
  let at: SetProgress['at'] = null;
  let number = 0;
  let saying: Promise<void> = Promise.resolve();
  async function put(text: Uint8Array): Promise<void> {
    const before = await numbersIn(out);
    number = Math.max(number, ...before) + 1;
    await putOver(out, nameOf(number), text);
    for (const old of before.slice(0, 1 - KEPT)) await out.delete(nameOf(old));
  }
  function say(ended: SetProgress['ended']): Promise<void> {
    const record: SetProgress = { endings: [...endings], startedAt, heardAt: Date.now(), at, ended };
    const text = new TextEncoder().encode(`${JSON.stringify(record)}\n`);
    // A watcher that cannot be reached waits for the next word: the set itself finds out whether files can be written.
    saying = saying.then(() => put(text)).catch(() => {});
    return saying;
  }
  void say(null);
  const beat = setInterval(() => void say(null), BEAT_MS);
  beat.unref();
  return {
    at(ending, step) {
      at = { ending, step, since: Date.now() };
      void say(null);
    },
    end(how) {
      clearInterval(beat);
      at = how === 'done' ? null : at;
      return say(how);
    },
  };
}

const nameOf = (number: number) => `${PREFIX}${String(number).padStart(9, '0')}.json`;

/** The numbers of all words that are kept, rising. */
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
