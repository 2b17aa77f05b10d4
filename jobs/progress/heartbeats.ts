/**
 * Decides whether other processes are alive, by objects that they write again and again. A process is alive if its last sign is younger than
 * {@link SILENCE_MS} and, where this process sees the same process table, if it is in that table. Times of two clocks are never compared:
 * the age of the first sign that is seen of a process is measured by the clock of the store, the age of later ones by the clock of this
 * process, from the moment when it sees them.
 */
import { whereabouts } from '../../operators/storage/process-identity.js';
import type { Store } from '../../operators/storage/store.js';

/** A process without a new sign for this long is taken for dead. */
export const SILENCE_MS = 30_000;

/** The latest object by which a process shows that it is at work. It replaces earlier ones, which have smaller numbers. */
export interface Sign {
  readonly name: string;
  readonly number: number;
}

export interface Judgement {
  /**
   * `alive`: its last sign is young enough, and the process is in the process table or gave a new sign while it was watched.
   * `unclear`: its last sign is young enough, but its process table cannot be seen from here, so it may have ended since.
   */
  readonly is: 'alive' | 'dead' | 'unclear';
  /** Milliseconds after which a process that stays silent is taken for dead; 0 for one that is. */
  readonly leftMs: number;
}

interface Heard {
  readonly number: number;
  /** By performance.now. */
  readonly at: number;
  /** Whether it came while it was watched. */
  readonly isNews: boolean;
}

export class Heartbeats {
  readonly #store: Store;
  readonly #silenceMs: number;
  /** By the name of the sign without its number. */
  readonly #heard = new Map<string, Heard>();

  /** @param silenceMs after which a process is taken for dead. */
  constructor(store: Store, silenceMs = SILENCE_MS) {
    this.#store = store;
    this.#silenceMs = silenceMs;
  }

  /** @param process its identity; undefined if an older version wrote none. */
  async judge(sign: Sign, process: string | undefined): Promise<Judgement> {
    const where = process === undefined ? 'unknown' : whereabouts(process);
    if (where === 'gone') return { is: 'dead', leftMs: 0 };
    const { at, isNews } = await this.#hear(sign);
    const leftMs = this.#silenceMs - (performance.now() - at);
    if (leftMs <= 0) return { is: 'dead', leftMs: 0 };
    return { is: isNews || where === 'here' ? 'alive' : 'unclear', leftMs };
  }

  async #hear(sign: Sign): Promise<Heard> {
    const key = sign.name.replace(/(-beat)?-\d+\.json$/, '').replace(/\.json$/, '');
    const known = this.#heard.get(key);
    if (known !== undefined && sign.number <= known.number) return this.#confirmed(key, sign, known);
    const isNews = known !== undefined;
    const ageMs = isNews ? 0 : ((await this.#ageOf(sign)) ?? 0);
    const heard = { number: sign.number, at: performance.now() - ageMs, isNews };
    this.#heard.set(key, heard);
    return heard;
  }

  /**
   * A listing may be older than the last sign. A process deletes a sign after it has written the next, so a sign that is gone was
   * replaced. That is looked up only when the process would otherwise be taken for dead.
   */
  async #confirmed(key: string, sign: Sign, known: Heard): Promise<Heard> {
    if (performance.now() - known.at < this.#silenceMs) return known;
    if ((await this.#store.modified(sign.name)) !== null) return known;
    const heard = { ...known, at: performance.now(), isNews: true };
    this.#heard.set(key, heard);
    return heard;
  }

  /** Milliseconds by the clock of the store; null if the object is not there any more. */
  async #ageOf({ name }: Sign): Promise<number | null> {
    const at = await this.#store.modified(name);
    return at === null ? null : Math.max(0, Date.now() + (await this.#store.clockAhead()) - at);
  }
}
