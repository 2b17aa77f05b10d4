/** Follows the progress of a slice at work: keeps the work done so far, and the present step. */
import { newCounters } from '../../operators/core/counters.js';
import { sumCounters } from '../../pipeline/game/counters-record.js';
import type { Progress } from '../../pipeline/game/progress.js';
import type { History, PhaseRecord, SliceProgress } from '../../pipeline/tables/records/record-shapes.js';

export interface FollowedSlice {
  /** `at`: when that was, in ms since 1970. */
  follow(progress: Progress, at: number): void;
  /** Present progress of the slice; null before its first phase. */
  now(): SliceProgress | null;
  /** History of the slice when it ended, at time `at`; null if nothing was done. */
  end(at: number): History | null;
}

/** Layers of keyed games are phases, and may be thousands: beyond so many, the first ones are merged into one. */
const MOST_PHASES = 128;

function asOne(first: PhaseRecord, second: PhaseRecord): PhaseRecord {
  const phase = `${first.phase.split(' … ')[0]} … ${second.phase}`;
  return { phase, startedAt: first.startedAt, wallMs: first.wallMs + second.wallMs };
}

export function followSlice(slice: string): FollowedSlice {
  let phase: SliceProgress['phase'] | null = null;
  const phases: SliceProgress['phases'] = [];
  const rounds: SliceProgress['rounds'] = [];
  let counters: Record<string, number> = { ...newCounters() };
  let trouble: string | null = null;
  let lastRoundAt = 0;

  function endPhase(at: number): void {
    if (phase === null) return;
    const { phase: name, startedAt } = phase;
    phases.push({ phase: name, startedAt, wallMs: Math.max(0, at - startedAt) });
    phase = null;
    if (phases.length > MOST_PHASES) phases.splice(0, 2, asOne(phases[0], phases[1]));
  }

  const startedAt = (at: number): number => phases[0]?.startedAt ?? phase?.startedAt ?? at;

  return {
    follow(progress, at) {
      trouble = progress.type === 'trouble' ? progress.what : null;
      if (progress.type === 'phase') {
        endPhase(at);
        phase = { phase: progress.phase, startedAt: at, total: progress.total, done: 0 };
        lastRoundAt = at;
      } else if (progress.type === 'work' && phase !== null && phase.phase !== 'rounds') {
        phase.done += progress.done;
      } else if (progress.type === 'round') {
        const { ply, requests, labelled, won = labelled } = progress;
        const wallMs = Math.max(0, at - lastRoundAt);
        rounds.push({ ply, won, lost: labelled - won, requests, wallMs });
        lastRoundAt = at;
        if (phase !== null) phase.done += labelled;
      } else if (progress.type === 'counted') {
        counters = sumCounters([counters, progress.counters as unknown as Record<string, number>]);
      }
    },
    now: () =>
      phase === null
        ? null
        : { slice, startedAt: startedAt(0), phases, rounds, counters, phase: { ...phase }, trouble },
    end(at) {
      const from = startedAt(at);
      endPhase(at);
      return phases.length === 0 ? null : { startedAt: from, phases, rounds, counters };
    },
  };
}
