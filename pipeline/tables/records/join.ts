import { sumCounters } from '../../game/counters-record.js';
import type { History, SliceProgress } from './record-shapes.js';

/** Joins the work before an interruption and the work after it. Rounds done again count as they were the last time. */
export function joinHistories(before: History, after: History): History {
  const first = after.rounds[0]?.ply ?? Number.POSITIVE_INFINITY;
  return {
    startedAt: before.startedAt,
    phases: [...before.phases, ...after.phases],
    rounds: [...before.rounds.filter(({ ply }) => ply < first), ...after.rounds],
    counters: sumCounters([before.counters, after.counters]),
  };
}

/** The work of a process on a slice up to its last sign of life, `at`: the phase under way ended then. */
export function interrupted(
  { startedAt, phases, rounds, counters, phase }: SliceProgress,
  at: number,
): History {
  const last = { phase: phase.phase, startedAt: phase.startedAt, wallMs: Math.max(0, at - phase.startedAt) };
  return { startedAt, phases: [...phases, last], rounds, counters };
}
