/** How the tasks of a phase are getting on. Times are milliseconds since 1970, by the clocks of those who did them. */
import type { AttemptNote } from './attempts.js';
import type { Ran } from './manifests.js';

export interface RunningTask {
  readonly task: number;
  readonly host: string;
  /** How long it has been running, in ms. */
  readonly runningMs: number;
}

export interface PhaseSurvey {
  readonly tasks: number;
  readonly done: number;
  /** Tasks that were begun and neither done nor said to have failed, by number. One that was killed counts, too. */
  readonly running: readonly RunningTask[];
  /** Those that have run for more than STRAGGLING times the median of those done. */
  readonly stragglers: readonly RunningTask[];
  /** Median time of the tasks done; null if none is. */
  readonly medianMs: number | null;
  /** Since the first of its tasks was begun; null if none was. */
  readonly elapsedMs: number | null;
  /** What the rest may take: the median for all that is not done, as many at once as now; null if it is not known. */
  readonly remainingMs: number | null;
}

const STRAGGLING = 3;

/**
 * @param ran the tasks that are done, by number.
 * @param notes at least those of the tasks that are not.
 */
export function surveyPhase(
  tasks: number,
  ran: ReadonlyMap<number, Ran>,
  notes: readonly AttemptNote[],
  now: number,
): PhaseSurvey {
  const running = runningTasks(ran, notes, now);
  const medianMs = median([...ran.values()].map(({ wallMs }) => wallMs));
  const begun = [...[...ran.values()].map(({ started }) => started), ...notes.map(({ at }) => at)];
  const left = tasks - ran.size;
  return {
    tasks,
    done: ran.size,
    running,
    stragglers: medianMs === null ? [] : running.filter((task) => task.runningMs > STRAGGLING * medianMs),
    medianMs,
    elapsedMs: begun.length === 0 ? null : Math.max(0, now - Math.min(...begun)),
    remainingMs: medianMs === null || running.length === 0 ? null : (medianMs * left) / running.length,
  };
}

/** The last attempt at each task counts. */
function runningTasks(
  ran: ReadonlyMap<number, Ran>,
  notes: readonly AttemptNote[],
  now: number,
): RunningTask[] {
  const failed = new Set(notes.filter(({ what }) => what === 'failed').map(({ attempt }) => attempt));
  const last = new Map<number, AttemptNote>();
  for (const note of notes) {
    if (note.what !== 'began' || ran.has(note.task) || failed.has(note.attempt)) continue;
    if (note.at >= (last.get(note.task)?.at ?? 0)) last.set(note.task, note);
  }
  return [...last.values()]
    .sort((a, b) => a.task - b.task)
    .map(({ task, host, at }) => ({ task, host, runningMs: Math.max(0, now - at) }));
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const ordered = values.toSorted((a, b) => a - b);
  const half = ordered.length >> 1;
  return ordered.length % 2 === 1 ? ordered[half]! : (ordered[half - 1]! + ordered[half]!) / 2;
}
