/**
 * Finds the objects in the folder of a slice that nothing needs any more. They are runs of attempts that died or came
 * second, and objects that a killed process did not clear away. Only the runs of tables and the objects of crews
 * below `steps` are looked at. The folders of other solvers are theirs, and objects with other names are foreign.
 *
 * A process at work has runs that no manifest names yet. They look like remains here: only their age shows it.
 */
import { TableManifest, VerifiedManifest } from '../../game/manifest.js';
import { plyOf, type SliceObject, type SliceStep, tableRun, workObject } from '../../game/slice-objects.js';
import { type Metric, metrics } from '../../game/value.js';
import { runsOfTable } from '../runs-of-table.js';
import { isOf } from '../verified.js';
import {
  behindCommit,
  isAllThere,
  isByCrew,
  isJoined,
  readSteps,
  type StepObjects,
  stepsAmong,
} from './joined-steps.js';
import { type ManifestReader, objectOf, type SliceObjects } from './slices.js';
import { runNamesIn } from '../../game/step-manifests.js';

export interface Garbage {
  /** Full name of the object. */
  readonly name: string;
  readonly why: 'passing' | 'orphan' | 'superseded' | 'left over';
  /** Objects of one group were written by one process, and are as old as the newest of them. Null: it is alone. */
  readonly group: string | null;
}

/** @throws DamageError if a manifest is damaged: then nothing can be said of the slice. */
export async function findGarbage(reader: ManifestReader, objects: SliceObjects): Promise<Garbage[]> {
  const crews = stepsAmong(objects.names).filter(isByCrew);
  const values = objectsIn(objects, '', tableRun);
  if (objects.names.includes('table.json')) return besideTable(reader, objects, crews, values);

  const named = new Set<string>();
  const superseded = new Set<string>();
  for (const steps of crews) {
    const runs = await runsOfSteps(reader, objects, steps);
    if (runs === null) return [];
    for (const run of runs.named) named.add(run);
    for (const run of runs.named) if (!runs.needed.has(run)) superseded.add(run);
  }
  const runs = [...values, ...crews.flatMap((steps) => runsIn(objects, steps))];
  return runs.flatMap<Garbage>(({ name, object }) => {
    if (superseded.has(name)) return { name, why: 'superseded', group: null };
    if (named.has(name)) return [];
    return { name, why: 'orphan', group: objectOf(objects, object.is === 'run' ? object.attempt : '') };
  });
}

/**
 * The runs that an unfinished slice needs to go on: full names. Null if they are unknown, because manifests went away since
 * they were listed. @throws DamageError if a manifest is damaged.
 */
export async function runsNeeded(reader: ManifestReader, objects: SliceObjects): Promise<Set<string> | null> {
  const needed = new Set<string>();
  for (const steps of stepsAmong(objects.names).filter(isByCrew)) {
    const runs = await runsOfSteps(reader, objects, steps);
    if (runs === null) return null;
    for (const run of runs.needed) needed.add(run);
  }
  return needed;
}

/** An object by its full name. */
interface NamedObject {
  readonly name: string;
  readonly object: SliceObject;
}

/** The objects behind a prefix that are ours. */
function objectsIn(
  objects: SliceObjects,
  prefix: string,
  read: (name: string) => SliceObject | null,
): NamedObject[] {
  return objects.names.flatMap((name) => {
    const object = name.startsWith(prefix) ? read(name.slice(prefix.length)) : null;
    return object === null ? [] : [{ name: objectOf(objects, name), object }];
  });
}

const workOf = (objects: SliceObjects, { folder }: StepObjects) =>
  objectsIn(objects, `${folder}/`, workObject);
const runsIn = (objects: SliceObjects, steps: StepObjects) =>
  workOf(objects, steps).filter(({ object }) => object.is === 'run');

async function besideTable(
  reader: ManifestReader,
  objects: SliceObjects,
  crews: readonly StepObjects[],
  values: readonly NamedObject[],
): Promise<Garbage[]> {
  const [table] = await reader.read([objectOf(objects, 'table.json')], TableManifest);
  if (table === undefined) return [];
  const needed = new Set(runsOfTable(table));
  const work = crews.flatMap((steps) => workOf(objects, steps));
  const passing = [
    ...values.filter(({ name }) => !needed.has(name)),
    ...work.filter(({ object }) => object.is === 'run'),
  ];
  const verified = await isVerified(reader, objects, table);
  // Ranks may be verifying: by the plan, and by the parts that are done.
  const isDone = ({ object }: NamedObject) =>
    object.is !== 'run' && (verified || !['plan', 'verify'].includes(object.step.name));
  return [...passing.map(because('passing')), ...work.filter(isDone).map(because('left over'))];
}

const because =
  (why: Garbage['why']) =>
  ({ name }: NamedObject): Garbage => ({ name, why, group: null });

async function isVerified(
  reader: ManifestReader,
  objects: SliceObjects,
  table: TableManifest,
): Promise<boolean> {
  if (!objects.names.includes('verified.json')) return false;
  const [verified] = await reader.read([objectOf(objects, 'verified.json')], VerifiedManifest);
  return verified !== undefined && isOf(verified, table);
}

interface StepRuns {
  /** Runs that any manifest names. */
  readonly named: ReadonlySet<string>;
  /** Those of them that the slice needs to go on. */
  readonly needed: ReadonlySet<string>;
}

/** Null if manifests went away since they were listed: another process finishes the slice now. */
async function runsOfSteps(
  reader: ManifestReader,
  objects: SliceObjects,
  listed: StepObjects,
): Promise<StepRuns | null> {
  const steps = await readSteps(reader, objects, listed);
  if (!isAllThere(listed, steps)) return null;
  const { enumerated, converted, moves, edges, epochs, passing, parts } = steps;
  const last = epochs.at(-1);
  const joined = [enumerated, converted, moves, edges, ...epochs, ...passing.map(({ sent }) => sent)];
  const done = parts.map(({ step, parts: each }) => ({ step, did: each.map(({ did }) => did) }));
  const isOpen = (step: SliceStep) =>
    !isJoined(listed, step) && (plyOf(step) ?? Number.POSITIVE_INFINITY) >= (last?.to ?? 0);
  const needed = [
    enumerated?.mates,
    last === undefined && enumerated?.labels,
    converted === null && enumerated?.converting,
    converted?.events,
    edges === null && moves,
    last?.done !== true && edges,
    epochs.map(({ frontier }) => frontier),
    last?.labels,
    behindCommit(steps).map(({ sent }) => sent),
    done.filter(({ step }) => isOpen(step)),
  ];
  return {
    named: new Set([...joined, ...done].flatMap(runNamesIn)),
    needed: new Set(needed.flatMap(runNamesIn)),
  };
}

/**
 * Remains of jobs of ranks. Claims on solved slices (pipeline/engine/claims.ts) remain if their rank was lost before all ranks
 * were done; reports of ranks remain if no rank read them. A claim on an unsolved slice may belong to a rank at work, and
 * its job may be waiting for the reports.
 */
export function findJobGarbage(listing: readonly string[]): Garbage[] {
  const there = new Set(listing);
  const ofJobs = listing.flatMap((name) => {
    const [, job, rest] = /^(ranks\/[\w-]+)\/(.*)\.json$/.exec(name) ?? [];
    return job === undefined ? [] : [{ name, job, rest }];
  });
  const claims = ofJobs.flatMap(({ name, job, rest }) => {
    const [, slice, metric] = /^claims\/([^/]+\/([^/]+)\/[^/]+)$/.exec(rest) ?? [];
    if (slice === undefined || !metrics.includes(metric as Metric)) return [];
    return [{ name, job, isSolved: there.has(`${slice}/table.json`) }];
  });
  const atWork = new Set(claims.flatMap(({ job, isSolved }) => (isSolved ? [] : [job])));
  const solved = claims.filter(({ isSolved }) => isSolved);
  const reports = ofJobs.filter(({ job, rest }) => /^(ends\/\d+|problem)$/.test(rest) && !atWork.has(job));
  // A job is as old as the last that it wrote.
  return [...solved, ...reports].map(({ name, job }) => ({ name, why: 'left over', group: job }));
}
