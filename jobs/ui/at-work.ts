/** Follows the slices that are at work, each with a pace of its own. */
import type { Progress } from '../../pipeline/game/progress.js';
import { whole } from './numbers.js';
import { newPace, type PaceDisplay } from './pace.js';

interface SliceAtWork {
  /** Number of the slice, from 1 to `of`, in the order begun. */
  readonly number: number;
  readonly of: number;
  /** Time at which it was begun, by the clock given. */
  readonly began: number;
  readonly pace: PaceDisplay;
}

interface AtWork {
  follow(progress: Progress): void;
  /** Slices begun and not finished, in the order begun. */
  readonly slices: ReadonlyMap<string, SliceAtWork>;
  /** Progress of all of them, in a line. */
  describe(): string;
  /** Progress of one of them: "KQKR [6/25] round 23: …". */
  describeSlice(slice: string): string;
}

/** Slices that are named where more are at work. */
const NAMED = 4;

/** `now`: milliseconds, from any origin. */
export function newAtWork(now: () => number): AtWork {
  const slices = new Map<string, SliceAtWork>();
  let of = 0;
  let begun = 0;

  function describeSlice(slice: string): string {
    const { number, of, pace } = slices.get(slice)!;
    return `${slice} [${number}/${of}] ${pace.describe()}`;
  }

  return {
    slices,
    follow(progress) {
      const { slice } = progress;
      if (progress.type === 'finished') {
        slices.delete(slice);
        return;
      }
      if (progress.type === 'slice') {
        ({ of, number: begun } = progress);
        slices.set(slice, { number: begun, of, began: now(), pace: newPace(now) });
      }
      slices.get(slice)?.pace.follow(progress);
    },
    describeSlice,
    describe() {
      const names = [...slices.keys()];
      if (names.length === 0) return '';
      if (names.length === 1) return describeSlice(names[0]);
      const some = names.slice(0, NAMED).map((name) => `${name} ${slices.get(name)!.pace.brief()}`);
      const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
      const solved = `${whole(begun - names.length)} of ${whole(of)} finished`;
      return `${solved}, ${names.length} at work: ${[...some, ...more].join(', ')}`;
    },
  };
}
