/**
 * Finds the objects in the folder of a slice that no table and no solve needs any more: runs of attempts that died or came
 * second, and objects that a killed process did not delete. Only the runs of tables and the objects of crews
 * below `steps` are looked at. The folders of other solvers are theirs, and objects with other names are foreign.
 *
 * A running process has runs that no manifest names yet. They look like garbage here; only their age tells them apart.
 */
import { tableRun } from '../../game/slice-objects.js';
import { type Metric, metrics } from '../../game/value.js';
import { runsOfTable } from '../runs-of-table.js';
import { type NamedObject, type SliceSteps, stepsAmong } from './slice-steps.js';
import { type ManifestReader, objectOf, type SliceObjects } from './slices.js';
import { readTable } from './survey.js';

export interface Garbage {
  /** Full name of the object. */
  readonly name: string;
  readonly why: 'passing' | 'orphan' | 'superseded' | 'left over';
  /** Objects of one group were written by one process, and are as old as the newest of them. Null: it is alone. */
  readonly group: string | null;
}

/** @throws DamageError if a manifest is damaged: then nothing can be said of the slice. */
export async function findGarbage(reader: ManifestReader, objects: SliceObjects): Promise<Garbage[]> {
  const values = objects.names.flatMap<NamedObject>((name) => {
    const object = tableRun(name);
    return object === null ? [] : [{ name: objectOf(objects, name), object }];
  });
  const work = stepsAmong(objects).flatMap((listed) => (listed.isByCrew ? listed.objects : []));
  const runs = [...values, ...work.filter(({ object }) => object.is === 'run')];
  if (objects.names.includes('table.json')) return besideTable(reader, objects, runs, work);

  const crews = await stepsOfCrews(reader, objects);
  if (crews === null) return [];
  const named = new Set(crews.flatMap((steps) => [...steps.namedRuns()]));
  const needed = new Set(crews.flatMap((steps) => [...steps.neededRuns()]));
  return runs.flatMap<Garbage>(({ name, object }) => {
    if (needed.has(name)) return [];
    if (named.has(name)) return [{ name, why: 'superseded', group: null }];
    return [{ name, why: 'orphan', group: objectOf(objects, object.is === 'run' ? object.attempt : '') }];
  });
}

/**
 * The runs that an unfinished slice needs to go on: full names. Null if they are unknown, because manifests went away since
 * they were listed. @throws DamageError if a manifest is damaged.
 */
export async function runsNeeded(reader: ManifestReader, objects: SliceObjects): Promise<Set<string> | null> {
  const crews = await stepsOfCrews(reader, objects);
  return crews && new Set(crews.flatMap((steps) => [...steps.neededRuns()]));
}

/** Null if manifests went away since they were listed: another process finishes the slice now. */
async function stepsOfCrews(reader: ManifestReader, objects: SliceObjects): Promise<SliceSteps[] | null> {
  const crews = stepsAmong(objects).filter(({ isByCrew }) => isByCrew);
  const steps = await Promise.all(crews.map((listed) => listed.read(reader)));
  return steps.every(({ isComplete }) => isComplete) ? steps : null;
}

async function besideTable(
  reader: ManifestReader,
  objects: SliceObjects,
  runs: readonly NamedObject[],
  work: readonly NamedObject[],
): Promise<Garbage[]> {
  const { table, verified } = await readTable(reader, objects);
  if (table === undefined) return [];
  const needed = new Set(runsOfTable(table));
  const because = (why: Garbage['why'], some: readonly NamedObject[]) =>
    some.map(({ name }): Garbage => ({ name, why, group: null }));
  const passing = runs.filter(({ name }) => !needed.has(name));
  // Ranks may be verifying: by the plan, and by the parts that are done.
  const done = work.filter(
    ({ object }) => object.is !== 'run' && (verified || !['plan', 'verify'].includes(object.step.name)),
  );
  return [...because('passing', passing), ...because('left over', done)];
}

/**
 * Remains of jobs of ranks. Claims on solved slices (pipeline/engine/crew/claims.ts) remain if their rank was lost before all ranks
 * were done; reports of ranks remain if no rank read them. A claim on an unsolved slice may belong to a rank at work, and
 * its job may be waiting for the reports.
 */
export function findJobGarbage(listing: readonly string[]): Garbage[] {
  const there = new Set(listing);
  // ranks/JOB/claims/GAME/METRIC/SLICE.json, ranks/JOB/ends/RANK.json, ranks/JOB/problem.json
  const objects = listing.flatMap((name) => {
    const [ranks, job, what, ...rest] = name.replace(/\.json$/, '').split('/');
    return ranks === 'ranks' ? [{ name, job: `${ranks}/${job}`, what, rest }] : [];
  });
  const claims = objects.filter(
    ({ what, rest }) => what === 'claims' && rest.length === 3 && metrics.includes(rest[1] as Metric),
  );
  const solved = claims.filter(({ rest }) => there.has(`${rest.join('/')}/table.json`));
  const atWork = new Set(claims.filter((claim) => !solved.includes(claim)).map(({ job }) => job));
  const reports = objects.filter(
    ({ what, rest, job }) =>
      (what === 'problem' ? rest.length === 0 : what === 'ends' && rest.length === 1) && !atWork.has(job),
  );
  // The age of a job is that of its newest object.
  return [...solved, ...reports].map(({ name, job }) => ({ name, why: 'left over', group: job }));
}
