/** The slices that a command is at, as lines of text. */
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import { whole } from '../ui/numbers.js';
import { FollowedSlice } from './follow.js';
import { type AtStep, stepOf } from './pace.js';
import { progressWords, stepWords } from './words.js';

/** How the progress of a job is shown. */
export interface Display {
  readonly listen: ProgressListener;
  /** Leaves the last state on the screen. `failed`: the run did not reach its end. */
  close(failed: boolean): Promise<void>;
}

interface SliceAtWork {
  /** Number of the slice, from 1 to `of`, in the order begun. */
  readonly number: number;
  readonly of: number;
  /** Time at which it was begun, by the clock given. */
  readonly began: number;
  readonly followed: FollowedSlice;
}

/** Slices that are named where more are at work. */
const NAMED = 4;

export class AtWork {
  /** Begun and not finished, in the order begun. */
  readonly #slices = new Map<string, SliceAtWork>();
  readonly #now: () => number;
  #of = 0;
  #begun = 0;

  /** @param now milliseconds, from any origin. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get slices(): readonly string[] {
    return [...this.#slices.keys()];
  }

  has(slice: string): boolean {
    return this.#slices.has(slice);
  }

  follow(progress: Progress): void {
    const { slice } = progress;
    const now = this.#now();
    if (progress.type === 'finished') {
      this.#slices.delete(slice);
      return;
    }
    if (progress.type === 'slice') {
      ({ of: this.#of, number: this.#begun } = progress);
      const { number, of } = progress;
      this.#slices.set(slice, { number, of, began: now, followed: new FollowedSlice(slice) });
    }
    this.#slices.get(slice)?.followed.follow(progress, now);
  }

  /** Milliseconds since the slice was begun; null if it is not at work. */
  tookMs(slice: string): number | null {
    const own = this.#slices.get(slice);
    return own === undefined ? null : this.#now() - own.began;
  }

  /** The step of a slice in a word or two: "round 23". */
  brief(slice: string): string {
    const step = this.#step(slice);
    return step === null ? 'starting' : stepWords(step);
  }

  /** The step of a slice and its pace: "round 23: 120,000 of 4,000,000 positions labelled, 12.3 M requests/s". */
  words(slice: string): string {
    const { trouble } = this.#slices.get(slice)!.followed;
    const step = this.#step(slice);
    const words = step === null ? 'starting' : progressWords(step);
    return trouble === null ? words : `${words}; ${trouble}`;
  }

  /** "KQKR [6/25] round 23: …" */
  line(slice: string): string {
    const { number, of } = this.#slices.get(slice)!;
    return `${slice} [${number}/${of}] ${this.words(slice)}`;
  }

  /** The progress of all of them, in a line. */
  describe(): string {
    const names = this.slices;
    if (names.length === 0) return '';
    if (names.length === 1) return this.line(names[0]);
    const some = names.slice(0, NAMED).map((name) => `${name} ${this.brief(name)}`);
    const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
    const finished = `${whole(this.#begun - names.length)} of ${whole(this.#of)} finished`;
    return `${finished}, ${names.length} at work: ${[...some, ...more].join(', ')}`;
  }

  #step(slice: string): AtStep | null {
    const now = this.#now();
    const progress = this.#slices.get(slice)?.followed.now(now) ?? null;
    return progress === null ? null : stepOf(progress, progress.rounds, now, true);
  }
}
