/** Follows the progress of a slice: its step, its speed, and the time that it may still take. */
import type { Progress } from '../../pipeline/game/progress.js';
import { guessAhead } from '../../pipeline/graph/guess-nodes.js';
import { duration, rough, whole } from './numbers.js';

export interface PaceDisplay {
  follow(progress: Progress): void;
  /** Step of the slice in a word or two, e.g. "round 23". */
  brief(): string;
  /** Progress of the slice, e.g. "round 23: 120,000 of 4,000,000 labelled, 12.3 M requests/s". */
  describe(): string;
}

/**
 * What all steps behind finding take together, in the time that finding takes. Connect Four on 4 x 6 squares, sorted in 64 MiB: 0.53. Most
 * rules are slower than these, and the share is smaller then.
 */
const AFTER_FINDING = 0.5;

/** Guesses how long a game whose positions are found layer by layer will take in all. Other slices have no layers. */
class FoundGame {
  private readonly layers: number[] = [];
  private isFinding = false;
  /** Of this process: positions that were expanded, since when, and how long that has taken until the last of them. */
  private expanded = 0;
  private began = 0;
  private took = 0;
  /** Of the layer that is being expanded. */
  private left = 0;

  constructor(private readonly now: () => number) {}

  follow(progress: Progress): void {
    if (progress.type === 'phase') {
      this.isFinding = progress.phase.startsWith('layer ');
      // Layers that an earlier process found come at once, with no work between them.
      if (this.expanded === 0) this.began = this.now();
      if (!this.isFinding) return;
      this.layers.push(progress.total ?? 0);
      this.left = progress.total ?? 0;
    } else if (progress.type === 'work' && this.isFinding) {
      this.expanded += progress.done;
      this.left -= progress.done;
      this.took = this.now() - this.began;
    }
  }

  /** Milliseconds; null if nothing can be said. */
  leftMs(): number | null {
    if (this.expanded === 0 || this.took === 0) return null;
    const ahead = this.isFinding ? guessAhead(this.layers, 0) : 0;
    if (ahead === null || ahead === Number.POSITIVE_INFINITY) return null;
    const positionMs = this.took / this.expanded;
    const positions = this.layers.reduce((sum, layer) => sum + layer, ahead);
    const after = AFTER_FINDING * positions * positionMs;
    if (this.isFinding) return (this.left + ahead) * positionMs + after;
    return after - (this.now() - this.began - this.took);
  }

  /** "about 12 min left in all, if layers shrink as they grew"; null if nothing can be said, or less than a second. */
  describe(): string | null {
    const leftMs = this.leftMs();
    if (leftMs === null || leftMs < 1000) return null;
    const guess = this.isFinding ? ', if layers shrink as they grew' : '';
    return `about ${duration(leftMs)} left in all${guess}`;
  }
}

/** `now`: milliseconds, from any origin. */
export function newPace(now: () => number): PaceDisplay {
  let phase = '';
  let total: number | null = null;
  let done = 0;
  let started = now();
  let ply = 0;
  let requests = 0;
  let trouble = '';
  const game = new FoundGame(now);

  function follow(progress: Progress): void {
    game.follow(progress);
    trouble = progress.type === 'trouble' ? `; ${progress.what}` : '';
    if (progress.type === 'slice' || progress.type === 'phase') {
      phase = progress.type === 'phase' ? progress.phase : '';
      total = progress.type === 'phase' ? progress.total : null;
      done = 0;
      requests = 0;
      ply = 0;
      started = now();
    } else if (progress.type === 'work') {
      if (phase !== 'rounds') done += progress.done;
    } else if (progress.type === 'round') {
      done += progress.labelled;
      requests += progress.requests;
      ply = progress.ply;
    }
  }

  function percentDone(total: number): number {
    return Math.floor((100 * Math.min(done, total)) / total);
  }

  function describe(): string {
    if (phase === '') return `starting${trouble}`;
    const seconds = (now() - started) / 1000;
    const speed = seconds > 0.2 ? done / seconds : 0;
    const leftMs = total === null || speed === 0 ? 0 : (1000 * (total - done)) / speed;
    // Less is over before the line is read.
    const left = leftMs < 1000 ? null : duration(leftMs);
    if (phase === 'rounds') {
      const rate = seconds > 0.2 ? `, ${rough(requests / seconds)} requests/s` : '';
      // Positions that stay open are draws, so the rounds end earlier than when all were labelled.
      const atMost = left === null ? '' : `, at most ${left} left of the rounds`;
      const of = total === null ? '' : ` of ${whole(total)}`;
      return `round ${ply}: ${whole(done)}${of} positions labelled, ${rough(speed)} positions/s${rate}${atMost}${inAll()}${trouble}`;
    }
    const share = total === null ? ` ${whole(done)}` : ` ${percentDone(total)} %`;
    const rate = speed === 0 ? '' : `, ${rough(speed)} positions/s`;
    return `${phase}${share}${rate}${left === null ? '' : `, ${left} left of this step`}${inAll()}${trouble}`;
  }

  function inAll(): string {
    const words = game.describe();
    return words === null ? '' : `; ${words}`;
  }

  function brief(): string {
    if (phase === '') return 'starting';
    if (phase === 'rounds') return `round ${ply}`;
    return total === null ? phase : `${phase} ${percentDone(total)} %`;
  }

  return { follow, brief, describe };
}
