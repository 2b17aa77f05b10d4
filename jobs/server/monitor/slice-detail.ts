/** What is known of a slice, put together from its manifests, its record, and what the process says that is at it. */
import { joinHistories } from '../../../pipeline/records/join.js';
import type {
  History,
  ProgressRecord,
  RoundRecord,
  RunRecord,
  SliceProgress,
  SliceRecord,
} from '../../../pipeline/records/shapes.js';
import { phaseName } from '../../../pipeline/steps/names.js';
import type { SliceSurvey } from '../../../pipeline/steps/survey.js';
import type { RunStatus, SliceDetail, SliceState, SliceStatus } from './shapes.js';

export interface Known {
  /** By the manifests; undefined if there are none. */
  readonly survey: SliceSurvey | undefined;
  readonly record: SliceRecord | null;
  /** Why there is no record, if it is damaged. */
  readonly recordProblem: string | null;
  /** The process that said last that it is at the slice. */
  readonly live: Live | undefined;
  /** The last run that wants it. */
  readonly run: RunRecord | undefined;
}

export interface Live {
  readonly game: string;
  readonly slice: SliceProgress;
  readonly progress: ProgressRecord;
  readonly run: RunRecord;
  readonly state: RunStatus['state'];
  /** Why its run failed. */
  readonly problem: string | null;
}

type Place = Pick<SliceStatus, 'game' | 'metric' | 'slice' | 'wave' | 'dependencies'>;

/** Tasks of steps have ended and others not begun, for so long: nobody is taken to be at work. */
const BETWEEN_TASKS_MS = 15_000;
/** The speed is taken over the last rounds that took so long together. */
const SPEED_MS = 4000;

export function sliceDetail(place: Place, known: Known, now: number): SliceDetail {
  const { survey, record, live: said } = known;
  const state = stateOf(known);
  const table = survey !== undefined && 'solved' in survey ? survey.solved : null;
  const steps = survey?.at === 'steps' ? survey.steps : null;
  const crew = survey?.at === 'process' ? survey.process : null;
  // What a process said before it died is of no interest once another has done the work.
  const live = state === 'verified' || (state === 'solved' && record !== null) ? undefined : said;
  const history = historyOf(record, live?.slice ?? null, steps?.history ?? null);
  const counters = history?.counters ?? crew?.counters ?? table?.counters ?? null;
  const count = (name: string): number | null => counters?.[name] ?? null;
  const open = state === 'working' || state === 'begun';
  const current = open ? currentOf(known, live, history, now) : null;
  const rounds = history?.rounds ?? [];
  const quietMs = steps?.quietMs ?? crew?.quietMs ?? null;
  return {
    ...place,
    state,
    phase: current?.phase ?? null,
    round: current?.phase === 'rounds' ? (rounds.at(-1)?.ply ?? crew?.round ?? 0) : null,
    share: current?.share ?? null,
    problem: problemOf(known, live),
    positions: table?.positions ?? null,
    longestWin: table?.longestWin ?? null,
    requests: table?.requests ?? (rounds.length > 0 ? requestsOf(rounds) : (crew?.requests ?? null)),
    bytesRead: count('bytesRead'),
    bytesWritten: count('bytesWritten'),
    spills: count('spills'),
    wallMs: wallOf(history, live),
    peakRss: live?.progress.peakRss ?? record?.peakRss ?? steps?.peakRss ?? null,
    by: steps !== null ? 'steps' : (record?.by ?? (live !== undefined || crew !== null ? 'process' : null)),
    startedAt: history?.startedAt ?? null,
    lastAt: live?.progress.at ?? record?.endedAt ?? (quietMs === null ? null : now - quietMs),
    current: current?.told ?? null,
    phases: history?.phases ?? [],
    rounds,
    requestsPerSecond:
      steps?.phase.type === 'verify' && open ? steps.requestsPerSecond : speedOf(rounds, !open),
    rowsSpilled: count('rowsSpilled'),
    memory: record?.memory ?? live?.run.memory ?? known.run?.memory ?? null,
    rss: state === 'working' ? (live?.progress.rss ?? null) : null,
    tasks:
      steps === null || !open
        ? null
        : {
            tasks: steps.tasks.tasks,
            done: steps.tasks.done,
            running: steps.tasks.running.map(({ task, host, runningMs }) => ({
              ...{ task, host, startedAt: now - runningMs },
            })),
            stragglers: steps.tasks.stragglers.map(({ task, host, runningMs }) => ({
              ...{ task, host, startedAt: now - runningMs },
            })),
          },
    attempts: steps?.attempts ?? record?.attempts ?? null,
  };
}

/** What a snapshot has of it. */
export function sliceStatus(detail: SliceDetail): SliceStatus {
  const { game, metric, slice, wave, dependencies, state, phase, round, share, problem } = detail;
  const { positions, longestWin, requests, bytesRead, bytesWritten, spills, wallMs, peakRss } = detail;
  return {
    ...{ game, metric, slice, wave, dependencies, state, phase, round, share, problem },
    ...{ positions, longestWin, requests, bytesRead, bytesWritten, spills, wallMs, peakRss },
  };
}

function stateOf({ survey, live }: Known): SliceState {
  if (survey?.at === 'damaged') return 'damaged';
  if (survey?.at === 'solved' && survey.solved.verified) return 'verified';
  if (live?.state === 'running') return 'working';
  if (survey?.at === 'steps') {
    const { tasks, quietMs } = survey.steps;
    if (tasks.running.length > 0) return 'working';
    if (quietMs !== null && quietMs < BETWEEN_TASKS_MS && survey.solved === null) return 'working';
    return survey.solved === null ? 'begun' : 'solved';
  }
  if (survey?.at === 'solved') return 'solved';
  return survey?.at === 'process' || live !== undefined ? 'begun' : 'waiting';
}

function historyOf(record: History | null, live: History | null, steps: History | null): History | null {
  const before = record ?? steps;
  if (live === null || before === null) return live ?? before;
  return joinHistories(before, live);
}

function problemOf({ survey, recordProblem }: Known, live: Live | undefined): string | null {
  if (survey?.at === 'damaged') return survey.problem;
  if (recordProblem !== null) return recordProblem;
  if (live !== undefined && (live.slice.trouble ?? live.problem) !== null)
    return live.slice.trouble ?? live.problem;
  if (survey?.at !== 'steps' || survey.steps.problem === null) return null;
  const { phase, task, host, what } = survey.steps.problem;
  return `${phase} task ${task} on ${host}: ${what}`;
}

interface Current {
  readonly phase: string;
  readonly share: number | null;
  readonly told: SliceDetail['current'];
}

function currentOf(
  { survey }: Known,
  live: Live | undefined,
  history: History | null,
  now: number,
): Current | null {
  if (live !== undefined) return currentOfProcess(live, history);
  if (survey?.at === 'steps') {
    const { phase, tasks } = survey.steps;
    const startedAt = tasks.elapsedMs === null ? null : now - tasks.elapsedMs;
    return {
      phase: phase.type === 'round' ? 'rounds' : phaseName(phase),
      share: phase.type === 'round' ? null : tasks.done / tasks.tasks,
      told: { startedAt, done: tasks.done, total: tasks.tasks, leftMs: tasks.remainingMs, atMost: false },
    };
  }
  if (survey?.at === 'process' && survey.process.phase !== null) {
    const { phase, labelled, legal } = survey.process;
    const inRounds = phase === 'rounds' && legal !== null;
    return {
      phase,
      share: inRounds ? labelled / legal : null,
      told: {
        startedAt: null,
        ...(inRounds ? { done: labelled, total: legal } : { done: null, total: null }),
        leftMs: null,
        atMost: true,
      },
    };
  }
  return null;
}

function currentOfProcess({ slice, progress, state }: Live, history: History | null): Current {
  const { phase, startedAt, total, done: here } = slice.phase;
  const inRounds = phase === 'rounds';
  const rounds = history?.rounds ?? [];
  // Rounds that another process did before count, too.
  const done = inRounds ? rounds.reduce((sum, { won, lost }) => sum + won + lost, 0) : here;
  const elapsed = progress.at - startedAt;
  const speed = elapsed > 200 ? here / elapsed : 0;
  const left = total === null || speed === 0 || state !== 'running' ? null : (total - done) / speed;
  return {
    phase,
    share: total === null || total === 0 ? null : Math.min(1, done / total),
    told: {
      ...{ startedAt, done, total },
      leftMs: left === null ? null : Math.max(0, left),
      // Positions that stay open are draws, so rounds end earlier than when all are labelled.
      atMost: inRounds,
    },
  };
}

const requestsOf = (rounds: readonly RoundRecord[]): number =>
  rounds.reduce((sum, { requests }) => sum + requests, 0);

function speedOf(rounds: readonly RoundRecord[], all: boolean): number | null {
  let ms = 0;
  let requests = 0;
  for (let i = rounds.length - 1; i >= 0 && (all || ms < SPEED_MS); i--) {
    ms += rounds[i]!.wallMs;
    requests += rounds[i]!.requests;
  }
  return ms === 0 ? null : (1000 * requests) / ms;
}

function wallOf(history: History | null, live: Live | undefined): number | null {
  if (history === null) return null;
  const done = history.phases.reduce((sum, { wallMs }) => sum + wallMs, 0);
  return done + (live === undefined ? 0 : Math.max(0, live.progress.at - live.slice.phase.startedAt));
}
