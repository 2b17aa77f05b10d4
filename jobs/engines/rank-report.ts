/**
 * Report that a rank leaves in the store when it ends: its time and memory, and the slices it worked on. One process reports on
 * the whole job: rank 0, or the process that started the ranks. It reads the reports of all ranks, and deletes them.
 */

import { z } from 'zod';
import { StorageError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../pipeline/game/format-version.js';
import type { Game } from '../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import { ChosenMode } from '../../pipeline/game/mode.js';
import type { SliceSummary } from '../../pipeline/game/progress.js';
import { putRecord } from '../../pipeline/game/record.js';
import type { Metric } from '../../pipeline/game/value.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { readFinished, readVerified, verifiedName } from '../../pipeline/tables/verified.js';
import type { RankIdentity } from './rank-identity.js';

const count = z.number().int().nonnegative();
/** Counts the whole process, from its start on; times in milliseconds, memory in bytes. */
const took = { wallMs: z.number(), cpuMs: z.number(), peakRss: z.number() };

const RankReport = z.object({
  version: z.literal(FORMAT_VERSION),
  rank: count,
  host: z.string(),
  ...took,
  /** Slices that were solved in this job, and their time and memory in this rank. */
  slices: z.array(
    z.object({
      slice: z.string(),
      wallMs: z.number(),
      cpuMs: z.number().nullable(),
      peakRss: z.number().nullable(),
      mode: ChosenMode.nullable(),
      phases: z.array(z.object({ phase: z.string(), wallMs: z.number(), cpuMs: z.number().nullable() })),
    }),
  ),
});
type RankReport = z.infer<typeof RankReport>;

export interface Used {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRss: number;
}

/** Everything of a job: its reports, and the claims of its ranks. */
function jobFolder(job: string): string {
  return `ranks/${job}/`;
}

function reportName({ job }: Pick<RankIdentity, 'job'>, rank: number): string {
  return `${jobFolder(job)}ends/${String(rank).padStart(5, '0')}.json`;
}

/** Writes the report of this rank, unless another copy of the rank has written one: the first wins. */
export async function putReport(
  store: Store,
  self: RankIdentity,
  host: string,
  used: Used,
  summaries: readonly SliceSummary[],
): Promise<void> {
  const slices = summaries
    .filter(({ found }) => !found)
    .map(({ slice, wallMs, cpuMs, peakRss, mode, phases }) => {
      return { slice, wallMs, cpuMs, peakRss, mode, phases: phases.map((phase) => ({ ...phase })) };
    });
  const report: RankReport = { version: FORMAT_VERSION, rank: self.rank, host, ...used, slices };
  await putRecord(store, reportName(self, self.rank), report);
}

/** Reports that are there, by rank. */
export async function readReports(
  store: Store,
  job: Pick<RankIdentity, 'job' | 'ranks'>,
): Promise<RankReport[]> {
  const there = await store.list(`${jobFolder(job.job)}ends/`);
  const read = await Promise.all(there.map((name) => readManifest(store, name, RankReport)));
  return read.filter((report) => report !== null && report.rank < job.ranks) as RankReport[];
}

/** Deletes all objects of a job that nobody continues. */
export async function clearJob(store: Store, job: string): Promise<void> {
  await deleteAll(store, await store.list(jobFolder(job)));
}

export interface ReportedJob {
  readonly game: Pick<Game, 'name'>;
  /** In the order of the plan. */
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly verify: boolean;
  readonly store: Store;
  /** Slices whose tables were there before the job. */
  readonly before: ReadonlySet<string>;
}

/** Slices that have a table now. */
export async function solvedSlices({
  game,
  slices,
  metric,
  store,
}: Pick<ReportedJob, 'game' | 'slices' | 'metric' | 'store'>): Promise<Set<string>> {
  const there = new Set(await store.list(`${game.name}/${metric}/`));
  return new Set(slices.filter((slice) => there.has(tableManifestName(game.name, metric, slice))));
}

type Solving = Pick<ReportedJob, 'game' | 'slices' | 'metric' | 'store' | 'verify'>;

/** The first slices that are not solved or, if that is wanted, not verified; at most so many. */
export async function openSlices(solving: Solving, most: number): Promise<string[]> {
  const { slices, verify } = solving;
  const solved = await solvedSlices(solving);
  const open: string[] = [];
  for (const slice of slices) {
    if (open.length === most) break;
    const isDone = solved.has(slice) && (!verify || (await readFinished(solving, slice)) !== null);
    if (!isDone) open.push(slice);
  }
  return open;
}

/** Whether all slices are solved and, if that is wanted, verified. */
export async function isSolved(solving: Solving): Promise<boolean> {
  return (await openSlices(solving, 1)).length === 0;
}

/** Summaries of slices that are all solved, with the time and memory that all ranks together took. */
export function summariesOf(job: ReportedJob, reports: readonly RankReport[]): Promise<SliceSummary[]> {
  const { game, metric, store, verify, before } = job;
  return Promise.all(
    job.slices.map(async (slice): Promise<SliceSummary> => {
      const name = tableManifestName(game.name, metric, slice);
      store.expect?.(name);
      if (verify) store.expect?.(verifiedName(game.name, metric, slice));
      const table = await readManifest(store, name, TableManifest);
      if (table === null)
        throw new StorageError(
          objectName(store, name),
          'is not there, although all ranks succeeded: the store lost it, or another process deleted it',
        );
      const verified = verify ? ((await readVerified(store, table))?.positions ?? null) : null;
      const parts = reports.flatMap(({ slices }) => slices.filter((part) => part.slice === slice));
      const known = parts.map(({ cpuMs }) => cpuMs).filter((cpuMs) => cpuMs !== null);
      const found = parts.length === 0 && before.has(slice);
      const peaks = parts.map(({ peakRss }) => peakRss ?? 0);
      return {
        slice,
        table,
        found,
        mode: parts.find(({ mode }) => mode !== null)?.mode ?? null,
        verified,
        wallMs: Math.max(0, ...parts.map(({ wallMs }) => wallMs)),
        // A rank that was lost leaves no word.
        cpuMs: known.length === 0 && !found ? null : known.reduce((sum, ms) => sum + ms, 0),
        peakRss: peaks.length === 0 ? null : Math.max(...peaks),
        phases: parts.length === 1 ? parts[0].phases : [],
      };
    }),
  );
}

/** Rank 0 waits so long for the reports of others, which end when it does. */
const REPORTS_MS = 30_000;

/** The reports of all ranks; of those that are there in the end, if some stay away. */
export async function awaitReports(
  store: Store,
  self: RankIdentity,
  pause: (times: number) => Promise<void>,
): Promise<RankReport[]> {
  const since = performance.now();
  for (let times = 0; ; times++) {
    const reports = await readReports(store, self);
    if (reports.length === self.ranks || performance.now() - since > REPORTS_MS) return reports;
    await pause(times);
  }
}

/** Processor time of all ranks; null if one that was lost has left no word. */
export function cpuOfRanks(reports: readonly RankReport[], ranks: number): number | null {
  if (reports.length < ranks) return null;
  return reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}
