/**
 * What in the folder of a slice nothing needs any more: runs of attempts that died or came second, and what was not
 * cleared away because its driver was killed. Only `values-*.arrow` and what lies in `steps/count` is looked at; the
 * folders of other strategies and solvers are theirs, and what has another name than ours is not ours.
 *
 * An attempt at work has runs that no manifest names yet. They look like remains here: only their age tells.
 */
import {
  ConvertManifest,
  EdgesManifest,
  EnumerateManifest,
  RoundsManifest,
  TableManifest,
  VerifiedManifest,
} from '../manifest.js';
import { isOf } from '../table/verified.js';
import { noteOf } from './attempts.js';
import { passingRuns } from './clear.js';
import { FinishTask, PartitionTask } from './manifests.js';
import { phaseName, phaseOf, taskOf } from './names.js';
import { StepPlan } from './plan.js';
import { completeRounds, doneAmong } from './schedule.js';
import { type ManifestReader, objectOf, type SliceObjects } from './slices.js';

export interface Garbage {
  /** Full name of the object. */
  readonly name: string;
  readonly why: 'passing' | 'orphan' | 'superseded' | 'note' | 'left over';
  /** Objects of one group were written by one attempt, and are as old as the newest of them. Null: it is alone. */
  readonly group: string | null;
}

const FOLDER = 'steps/count/';
const VALUES = /^values-[01]-\d+-\d+(-[\w-]+)?\.arrow$/;
const PASSING = /^(mates|converting|conversions|edges|frontier|changes|requests|counts|unwon)-[\w-]+\.arrow$/;
const CREW = /^(enumerate|convert|edges|rounds-\d+)\.json$/;

/** @throws StorageError if a manifest is damaged: then nothing can be said of the slice. */
export async function findGarbage(reader: ManifestReader, objects: SliceObjects): Promise<Garbage[]> {
  const steps = objects.names.flatMap((name) => (name.startsWith(FOLDER) ? [name.slice(FOLDER.length)] : []));
  const runs = [
    ...objects.names.filter((name) => VALUES.test(name)),
    ...steps.filter((name) => PASSING.test(name)).map((name) => FOLDER + name),
  ].map((name) => objectOf(objects, name));
  const full = (names: readonly string[]) => names.map((name) => objectOf(objects, FOLDER + name));

  if (objects.names.includes('table.json')) {
    const [table] = await reader.read([objectOf(objects, 'table.json')], TableManifest);
    if (table === undefined) return [];
    const needed = new Set(table.values.flat().map((run) => run.name));
    const passing = runs.filter((name) => !needed.has(name)).map(because('passing'));
    return (await isVerified(reader, objects, table))
      ? [...passing, ...full(steps.filter(isStepFile)).map(because('left over'))]
      : passing;
  }

  const progress = await inProgress(reader, objects, steps);
  if (progress === null) return [];
  const { named, superseded, complete } = progress;
  const notes = steps.filter((name) => complete.has(name.split('/')[0]!) && isNoteFile(name));
  return [
    ...runs
      .filter((name) => !named.has(name))
      .map<Garbage>((name) => ({ name, why: 'orphan', group: objectOf(objects, attemptOf(name)) })),
    ...runs.filter((name) => superseded.has(name)).map(because('superseded')),
    ...full(notes).map(because('note')),
  ];
}

const because =
  (why: Garbage['why']) =>
  (name: string): Garbage => ({ name, why, group: null });

/** What follows the last dash: of steps the attempt, else the end of an interval. */
function attemptOf(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}

function isNoteFile(name: string): boolean {
  const [phase, file, ...more] = name.split('/');
  return more.length === 0 && file !== undefined && phaseOf(phase!) !== null && noteOf(file) !== null;
}

function isStepFile(name: string): boolean {
  const [phase, file, ...more] = name.split('/');
  if (file === undefined) return name === 'plan.json' || CREW.test(name);
  return isNoteFile(name) || (more.length === 0 && phaseOf(phase!) !== null && taskOf(file) !== null);
}

async function isVerified(
  reader: ManifestReader,
  objects: SliceObjects,
  table: TableManifest,
): Promise<boolean> {
  if (!objects.names.includes('verified.json')) return false;
  const [verified] = await reader.read([objectOf(objects, 'verified.json')], VerifiedManifest);
  return verified !== undefined && isOf(verified, table);
}

interface InProgress {
  /** Runs that any manifest names. */
  readonly named: Set<string>;
  /** Those of them that later manifests replace. */
  readonly superseded: Set<string>;
  /** Folders of the phases all of whose tasks are done. */
  readonly complete: Set<string>;
}

/** Null if manifests went away since they were listed: somebody finishes the slice now. */
async function inProgress(
  reader: ManifestReader,
  objects: SliceObjects,
  steps: readonly string[],
): Promise<InProgress | null> {
  let asked = 0;
  const all = <T>(what: RegExp, shape: Parameters<typeof reader.read<T>>[1]): Promise<T[]> => {
    const names = steps.filter((name) => what.test(name));
    asked += names.length;
    return reader.read(
      names.map((name) => objectOf(objects, FOLDER + name)),
      shape,
    );
  };
  const plans = await all(/^plan\.json$/, StepPlan);
  const crew = [
    ...(await all(/^enumerate\.json$/, EnumerateManifest)),
    ...(await all(/^convert\.json$/, ConvertManifest)),
    ...(await all(/^edges\.json$/, EdgesManifest)),
    ...(await all(/^rounds-\d+\.json$/, RoundsManifest)),
  ];
  const labelled = await all(/^(start|round-\d+)\/task-\d+\.json$/, PartitionTask);
  const finished = await all(/^finish\/task-\d+\.json$/, FinishTask);
  if (plans.length + crew.length + labelled.length + finished.length < asked) return null;

  const partitions = plans[0]?.partitions.length ?? 1;
  const done = doneAmong(steps);
  const complete = new Set(
    [...done].filter(([, tasks]) => tasks.size === partitions).map(([phase]) => phase),
  );
  const named = new Set([...crew, ...finished, ...labelled].flatMap(runsNamedIn));
  const superseded = complete.has(phaseName({ type: 'start' }))
    ? supersededRuns(labelled, completeRounds(done, partitions))
    : new Set<string>();
  return { named, superseded, complete };
}

/** Labels, changes and requests that tasks before round `now` left and nothing names that is needed to go on from it. */
function supersededRuns(tasks: readonly PartitionTask[], now: number): Set<string> {
  const superseded = new Set(tasks.filter(({ ply }) => ply < now).flatMap(passingRuns));
  for (const task of tasks) {
    const { ply, events, conversions } = task;
    const needed = ply < now ? [...conversions, events].flatMap((run) => run?.name ?? []) : runsNamedIn(task);
    for (const name of needed) superseded.delete(name);
  }
  return superseded;
}

/** Whatever in a manifest looks like the name of a run. */
function runsNamedIn(manifest: unknown): string[] {
  if (typeof manifest === 'string') return manifest.endsWith('.arrow') ? [manifest] : [];
  return typeof manifest === 'object' && manifest !== null
    ? Object.values(manifest).flatMap(runsNamedIn)
    : [];
}
