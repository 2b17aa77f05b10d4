/** Rates and time left: one way to compute them, for commands at work and for those who read their records. */
import type { RoundRecord, SliceProgress } from '../../pipeline/tables/records/record-shapes.js';
import type { SliceDetail, Step } from './model.js';

/** The step that a slice is at; `round` is null outside of the rounds, as in the model. */
export interface AtStep extends Pick<SliceDetail, 'phase' | 'round' | 'share' | 'requestsPerSecond'> {
  readonly phase: string;
  readonly current: Step;
}

/** The speed of requests is taken over the last rounds that took so long together. */
const SPEED_MS = 4000;

/** Null if no time has passed. */
function rateOf(amount: number, ms: number): number | null {
  return ms <= 0 ? null : (1000 * amount) / ms;
}

/** Requests a second: over the last rounds, or over all of them. Null if nobody measured the rounds. */
export function requestsPerSecond(rounds: readonly RoundRecord[], all: boolean): number | null {
  let ms = 0;
  let requests = 0;
  for (let i = rounds.length - 1; i >= 0 && (all || ms < SPEED_MS); i--) {
    const { wallMs, requests: handled } = rounds[i];
    if (wallMs === null) continue;
    ms += wallMs;
    requests += handled;
  }
  return rateOf(requests, ms);
}

/**
 * The step that a process reported at the time `at`. @param rounds of earlier processes, too. @param goes false if the process ended: nobody can
 * say what is left then.
 */
export function stepOf(
  { phase: { phase, startedAt, total, done: here }, inAll }: Pick<SliceProgress, 'phase' | 'inAll'>,
  rounds: readonly RoundRecord[],
  at: number,
  goes: boolean,
): AtStep {
  const inRounds = phase === 'rounds';
  // Rounds that another process did before count, too.
  const done = inRounds ? rounds.reduce((sum, { won, lost }) => sum + won + lost, 0) : here;
  const perSecond = goes ? rateOf(here, at - startedAt) : null;
  const leftMs = total === null || !perSecond ? null : Math.max(0, (1000 * (total - done)) / perSecond);
  return {
    phase,
    round: inRounds ? (rounds.at(-1)?.ply ?? 0) : null,
    share: total === null || total === 0 ? null : Math.min(1, done / total),
    requestsPerSecond: requestsPerSecond(rounds, false),
    // Positions that stay open are draws, so rounds end earlier than when all are labelled.
    current: { startedAt, done, total, perSecond, leftMs, atMost: inRounds, inAll: (goes && inAll) || null },
  };
}
