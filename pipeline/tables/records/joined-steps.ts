/** The steps of a slice: which ones a listing shows, and their manifests, the joined ones and of ranks those of the parts. */
import { z } from 'zod';
import { sumCounters } from '../../game/counters-record.js';
import {
  ConvertManifest,
  EdgesManifest,
  EnumerateManifest,
  type ProcessRecord,
  RoundsManifest,
} from '../../game/manifest.js';
import {
  compareSteps,
  partName,
  type SliceStep,
  type StepName,
  stepAt,
  stepFolder,
  workObject,
} from '../../game/slice-objects.js';
import { RoundManifest, SentManifest, PartRecord, PartitionPlan } from '../../game/step-manifests.js';
import { type ManifestReader, objectOf, type SliceAt } from './slices.js';
import { strategies } from '../../game/strategy.js';

/** The steps that are in a store, by the names of their manifests. */
export interface StepObjects {
  /** The folder of the steps in that of the slice: "steps/count". */
  readonly folder: string;
  /** "count" or "lookup", or the name of another solver, whose steps have names of their own. */
  readonly strategy: string;
  /** Those whose joined manifest is there, and the plan, in their order. */
  readonly joined: readonly SliceStep[];
  /** Those of which parts are there, in their order. */
  readonly parts: readonly StepParts[];
}

export interface StepParts {
  readonly step: SliceStep;
  /** The partitions whose part is done, ascending. */
  readonly partitions: readonly number[];
}

const STRATEGIES: ReadonlySet<string> = new Set(strategies);

/** The steps among the names of a slice's objects, for each strategy or other solver that began it; known strategies first. */
export function stepsAmong(names: readonly string[]): StepObjects[] {
  const ofFolders = new Map<string, string[]>();
  for (const name of names) {
    const [, strategy, file] = /^steps\/([^/]+)\/(.*)$/.exec(name) ?? [];
    if (strategy === undefined) continue;
    const files = ofFolders.get(strategy);
    if (files === undefined) ofFolders.set(strategy, [file]);
    else files.push(file);
  }
  return [...ofFolders]
    .sort(([a], [b]) => Number(STRATEGIES.has(b)) - Number(STRATEGIES.has(a)))
    .map(([strategy, files]) => stepsOf(strategy, files));
}

function stepsOf(strategy: string, files: readonly string[]): StepObjects {
  const joined: SliceStep[] = [];
  const parts = new Map<string, { readonly step: SliceStep; readonly partitions: number[] }>();
  for (const file of files) {
    const object = file.endsWith('.json') ? workObject(file) : null;
    if (object?.is === 'joined') joined.push(object.step);
    if (object?.is !== 'part') continue;
    const { step, partition } = object;
    const folder = file.slice(0, file.indexOf('/'));
    const done = parts.get(folder);
    if (done === undefined) parts.set(folder, { step, partitions: [partition] });
    else done.partitions.push(partition);
  }
  return {
    folder: `steps/${strategy}`,
    strategy,
    joined: joined.sort(compareSteps),
    parts: [...parts.values()].sort((a, b) => compareSteps(a.step, b.step)),
  };
}

/** Whether its steps are those of a crew: other solvers have manifests of their own. */
export function isByCrew({ strategy }: Pick<StepObjects, 'strategy'>): boolean {
  return STRATEGIES.has(strategy);
}

/** The commits of labels, by the first plies of their epochs. */
export function commitsOf({ joined }: StepObjects): SliceStep[] {
  return joined.filter(({ name }) => name === 'commit');
}

/** The full name of the joined manifest of a step. */
export function manifestOf(at: SliceAt, { folder }: StepObjects, step: SliceStep): string {
  return objectOf(at, stepAt(folder, step).manifest);
}

/** A step of the rounds that rows pass in; `round` if it labelled. */
export interface PassingStep {
  readonly step: SliceStep;
  readonly ply: number;
  readonly sent: SentManifest | RoundManifest;
  readonly round: RoundManifest | null;
}

/** The parts of a step that are done. */
export interface DoneStep {
  readonly step: SliceStep;
  readonly parts: readonly DonePart[];
}

/** A part of a step: its partition, and the process that did it. */
export interface DonePart {
  readonly partition: number;
  readonly ran: ProcessRecord;
  /** Everything the part made; of joined steps in which rows pass the joined manifest says it. */
  readonly did?: unknown;
}

/** As {@link PartRecord}, with the result of the part. */
const Part = PartRecord.extend({ did: z.unknown() });

export interface JoinedSteps {
  /** How the slice is cut for ranks; null if one process solves it. */
  readonly plan: PartitionPlan | null;
  readonly enumerated: EnumerateManifest | null;
  readonly converted: ConvertManifest | null;
  /** The moves of a slice without unmoves that ranks sent each other, and the edge runs that were made of them. */
  readonly moves: SentManifest | null;
  readonly edges: EdgesManifest | null;
  /** The commits of labels, ascending. */
  readonly epochs: readonly RoundsManifest[];
  /** In the order in which they are done; those of all epochs, as far as they are there. */
  readonly passing: readonly PassingStep[];
  /** The parts that ranks did; each step is there once. */
  readonly parts: readonly DoneStep[];
  /** Counters of the parts of the verification. */
  readonly verified: readonly Readonly<Record<string, number>>[];
}

/** Reads those manifests of a listing that are still there. @throws DamageError */
export async function readSteps(
  reader: ManifestReader,
  at: SliceAt,
  objects: StepObjects,
): Promise<JoinedSteps> {
  const of = async <T>(steps: readonly SliceStep[], shape: z.ZodType<T>): Promise<T[]> =>
    reader.read(
      steps.map((step) => manifestOf(at, objects, step)),
      shape,
    );
  const one = async <T>(name: StepName, shape: z.ZodType<T>): Promise<T | null> =>
    (
      await of(
        objects.joined.filter((step) => step.name === name),
        shape,
      )
    )[0] ?? null;
  const passing = await readPassing(objects, of);
  const moves = await one('moves', SentManifest);
  // The joined manifest of a step in which rows pass states its parts, too.
  const parts = passing.map(({ step, sent }): DoneStep => ({ step, parts: ranParts(sent) }));
  if (moves !== null) parts.push({ step: { name: 'moves' }, parts: ranParts(moves) });
  const stated = new Set(parts.map(({ step }) => stepFolder(step)));
  const verified: Record<string, number>[] = [];
  for (const { step, partitions } of objects.parts) {
    const name = stepFolder(step);
    if (stated.has(name)) continue;
    const read = await reader.read(
      partitions.map((partition) => objectOf(at, `${objects.folder}/${partName(name, partition)}`)),
      Part,
    );
    parts.push({ step, parts: read });
    if (step.name === 'verify') verified.push(...read.map(({ counters }) => counters));
  }
  return {
    plan: await one('plan', PartitionPlan),
    enumerated: await one('enumerate', EnumerateManifest),
    converted: await one('convert', ConvertManifest),
    moves,
    edges: await one('edges', EdgesManifest),
    epochs: await of(commitsOf(objects), RoundsManifest),
    passing,
    parts,
    verified,
  };
}

function ranParts({ ran }: Pick<SentManifest, 'ran'>): DonePart[] {
  return ran.map((each, partition) => ({ partition, ran: each }));
}

async function readPassing(
  { joined }: StepObjects,
  of: <T>(steps: readonly SliceStep[], shape: z.ZodType<T>) => Promise<T[]>,
): Promise<PassingStep[]> {
  const read = await Promise.all(
    joined.map(async (step): Promise<PassingStep | null> => {
      const { name, ply } = step;
      if (ply === undefined || name === 'commit') return null;
      const labels = name === 'round' || name === 'last';
      const [round = null] = labels ? await of([step], RoundManifest) : [];
      const [sent = null] = labels ? [round] : await of([step], SentManifest);
      return sent === null ? null : { step, ply, sent, round };
    }),
  );
  return read.filter((step) => step !== null);
}

/** Whether all manifests of a listing were still there: else another process clears the steps away, or goes on, now. */
export function isAllThere(objects: StepObjects, steps: JoinedSteps): boolean {
  const { plan, enumerated, converted, moves, edges, epochs, passing, parts } = steps;
  const single = [plan, enumerated, converted, moves, edges].filter((step) => step !== null);
  if (single.length + epochs.length + passing.length < objects.joined.length) return false;
  const read = new Map(parts.map((each) => [stepFolder(each.step), each.parts.length]));
  return objects.parts.every(({ step, partitions }) => read.get(stepFolder(step))! >= partitions.length);
}

/** Whether all parts of a step are joined, so that the next step may begin. The last two are joined to the table and its verification. */
export function isJoined({ joined }: StepObjects, { name, ply }: SliceStep): boolean {
  return joined.some((step) => step.name === name && step.ply === ply);
}

/** Passing steps behind the last commit of labels. */
export function behindCommit({ epochs, passing }: JoinedSteps): readonly PassingStep[] {
  const from = epochs.at(-1)?.to ?? 0;
  return passing.filter(({ ply }) => ply >= from);
}

/** The sum over all steps that are joined; null if none is. */
export function countersOf(steps: JoinedSteps): Record<string, number> | null {
  const { enumerated, converted, moves, edges, epochs } = steps;
  const joined = [
    ...[enumerated, converted, moves, edges, ...epochs],
    ...behindCommit(steps).map(({ sent }) => sent),
  ];
  const counters = joined.flatMap((step) => (step === null ? [] : [step.counters]));
  return counters.length === 0 ? null : sumCounters(counters);
}
