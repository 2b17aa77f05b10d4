/** Details of a slice, put together from its manifests, its record, and the progress of the process that solves it. */

import type {
  History,
  ProgressRecord,
  RoundRecord,
  RunRecord,
  SliceProgress,
  SliceRecord,
} from '../../pipeline/tables/records/record-shapes.js';
import { joinHistories } from '../../pipeline/tables/records/slice-record.js';
import type { RanksSurvey, SliceSurvey, WorkSurvey } from '../../pipeline/tables/records/survey.js';
import { type RunStatus, type SliceDetail, type SliceState, SliceStatus } from './model.js';
import { type AtStep, requestsPerSecond, stepOf } from './pace.js';

export interface Known {
  /** Survey of the manifests; undefined if there are none. */
  readonly survey: SliceSurvey | undefined;
  readonly record: SliceRecord | null;
  /** Why there is no record, if it is damaged. */
  readonly recordProblem: string | null;
  /** The process that last worked at the slice. */
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

/** Ranks without a manifest for so long are not taken to be at work, unless one of them says so. */
const BETWEEN_PARTS_MS = 15_000;

export function sliceDetail(place: Place, known: Known, now: number): SliceDetail {
  const { survey, record, live: said } = known;
  const state = stateOf(known);
  const table = survey !== undefined && 'solved' in survey ? survey.solved : null;
  const ranks = survey?.at === 'ranks' ? survey.ranks : null;
  const work = survey?.at === 'process' ? survey.process : ranks;
  // Progress of a process that died is of no interest once another has done the work.
  const live = state === 'verified' || (state === 'solved' && record !== null) ? undefined : said;
  const history = historyOf(record, live?.slice ?? null, ranks);
  const counters = history?.counters ?? work?.counters ?? table?.counters ?? null;
  const count = (name: string): number | null => counters?.[name] ?? null;
  const open = state === 'working' || state === 'begun' || ranks !== null;
  const current = open ? currentOf(work, ranks, live, history) : null;
  const rounds = history?.rounds ?? work?.rounds ?? [];
  const quietMs = work?.quietMs ?? null;
  return {
    ...place,
    state,
    phase: current?.phase ?? null,
    round: current?.round ?? null,
    neededBy: survey?.at === 'waiting' ? survey.by : null,
    share: current?.share ?? null,
    problem: problemOf(known, live),
    positions: table?.positions ?? work?.legal ?? null,
    longestWin: table?.longestWin ?? null,
    requests: table?.requests ?? (rounds.length > 0 ? requestsOf(rounds) : (work?.requests ?? null)),
    bytesRead: count('bytesRead'),
    bytesWritten: count('bytesWritten'),
    spills: count('spills'),
    wallMs: wallOf(history, live),
    peakRss: peakOf(live?.progress.peakRss ?? record?.peakRss ?? null, ranks),
    by: ranks !== null ? 'ranks' : (record?.by ?? (live !== undefined || work !== null ? 'process' : null)),
    startedAt: history?.startedAt ?? null,
    lastAt: live?.progress.at ?? record?.endedAt ?? (quietMs === null ? null : now - quietMs),
    strategy: work?.strategy ?? null,
    current: current?.current ?? null,
    phases: history?.phases ?? [],
    rounds: [...rounds],
    requestsPerSecond: requestsPerSecond(rounds, !open),
    rowsSpilled: count('rowsSpilled'),
    memory: record?.memory ?? live?.run.memory ?? known.run?.memory ?? null,
    rss: state === 'working' ? (live?.progress.rss ?? null) : null,
    ranks: ranks === null ? null : ranksDetail(ranks, now),
  };
}

function ranksDetail({ step, partitions, seen }: RanksSurvey, now: number): SliceDetail['ranks'] {
  return {
    step: step.name,
    partitions,
    done: step.done.length,
    missing: step.missing.map((partition) => {
      const by = seen.find((each) => each.partitions.includes(partition));
      return { partition, rank: by?.rank ?? null, host: by?.host ?? null };
    }),
    seen: seen.map(({ rank, host, partitions: own, quietMs }) => ({
      rank,
      host,
      partitions: own.length,
      lastAt: now - quietMs,
    })),
  };
}

function peakOf(reported: number | null, ranks: RanksSurvey | null): number | null {
  const known = [reported, ranks?.peakRss ?? null].filter((peak) => peak !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const STATUS = Object.keys(SliceStatus.shape) as (keyof SliceStatus)[];

/** Status of the slice in a snapshot. */
export function sliceStatus(detail: SliceDetail): SliceStatus {
  return Object.fromEntries(STATUS.map((name) => [name, detail[name]])) as SliceStatus;
}

function stateOf({ survey, live }: Known): SliceState {
  if (survey?.at === 'damaged') return 'damaged';
  if (survey?.at === 'solved' && survey.solved.verified) return 'verified';
  if (live?.state === 'running') return 'working';
  if (survey?.at === 'ranks') {
    const { quietMs } = survey.ranks;
    if (quietMs !== null && quietMs < BETWEEN_PARTS_MS) return 'working';
    return survey.solved === null ? 'begun' : 'solved';
  }
  if (survey?.at === 'solved') return 'solved';
  return survey?.at === 'process' || live !== undefined ? 'begun' : 'waiting';
}

/** The leading rank records the same as the manifests of all ranks, and more of the times. */
function historyOf(record: History | null, live: History | null, ranks: RanksSurvey | null): History | null {
  if (record !== null) return live === null ? record : joinHistories(record, live);
  if (live !== null || ranks === null) return live;
  const [first] = ranks.phases;
  if (first === undefined) return null;
  const { phases, rounds, counters } = ranks;
  return { startedAt: first.startedAt, phases: [...phases], rounds: [...rounds], counters: counters ?? {} };
}

function problemOf({ survey, recordProblem }: Known, live: Live | undefined): string | null {
  if (survey?.at === 'damaged') return survey.problem;
  if (recordProblem !== null) return recordProblem;
  return live?.slice.trouble ?? live?.problem ?? null;
}

function currentOf(
  work: WorkSurvey | null,
  ranks: RanksSurvey | null,
  live: Live | undefined,
  history: History | null,
): AtStep | null {
  if (live !== undefined)
    return stepOf(live.slice, history?.rounds ?? [], live.progress.at, live.state === 'running');
  if (work === null || work.phase === null) return null;
  const { phase, labelled, legal, round, rounds } = work;
  const inRounds = phase === 'rounds';
  const last = history?.phases.at(-1);
  const [done, total] =
    inRounds && legal !== null
      ? [labelled, legal]
      : ranks === null
        ? [null, null]
        : [ranks.step.done.length, ranks.partitions];
  return {
    phase,
    round: inRounds ? (rounds.at(-1)?.ply ?? round) : null,
    share: done === null || total === null ? null : done / total,
    requestsPerSecond: requestsPerSecond(rounds, false),
    current: {
      startedAt: last === undefined ? null : last.startedAt + last.wallMs,
      done,
      total,
      perSecond: null,
      leftMs: null,
      atMost: true,
      inAll: null,
    },
  };
}

const requestsOf = (rounds: readonly RoundRecord[]): number =>
  rounds.reduce((sum, { requests }) => sum + requests, 0);

function wallOf(history: History | null, live: Live | undefined): number | null {
  if (history === null) return null;
  const done = history.phases.reduce((sum, { wallMs }) => sum + wallMs, 0);
  return done + (live === undefined ? 0 : Math.max(0, live.progress.at - live.slice.phase.startedAt));
}
