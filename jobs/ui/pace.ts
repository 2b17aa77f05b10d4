/** Follows the progress of a slice: its step, its speed, and the time that it may still take. */
import type { Progress } from '../../pipeline/game/progress.js';
import { duration, rough, whole } from './numbers.js';

export interface PaceDisplay {
  follow(progress: Progress): void;
  /** Step of the slice in a word or two, e.g. "round 23". */
  brief(): string;
  /** Progress of the slice, e.g. "round 23: 120,000 of 4,000,000 labelled, 12.3 M requests/s". */
  describe(): string;
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

  function follow(progress: Progress): void {
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
      return `round ${ply}: ${whole(done)}${of} positions labelled, ${rough(speed)} positions/s${rate}${atMost}${trouble}`;
    }
    const share = total === null ? ` ${whole(done)}` : ` ${percentDone(total)} %`;
    const rate = speed === 0 ? '' : `, ${rough(speed)} positions/s`;
    return `${phase}${share}${rate}${left === null ? '' : `, ${left} left of this step`}${trouble}`;
  }

  function brief(): string {
    if (phase === '') return 'starting';
    if (phase === 'rounds') return `round ${ply}`;
    return total === null ? phase : `${phase} ${percentDone(total)} %`;
  }

  return { follow, brief, describe };
}
