/** Reads the manifests of a slice's steps: the joined ones, and of ranks those of the parts. */
import { z } from 'zod';
import { sumCounters } from '../formats/counters-record.js';
import {
  ConvertManifest,
  EdgesManifest,
  EnumerateManifest,
  type ProcessRecord,
  RoundsManifest,
} from '../formats/manifest.js';
import { PartitionPlan } from '../partition/plan.js';
import { PartRecord } from '../partition/rank-crew.js';
import { RoundManifest, SentManifest } from '../solvers/external/parts.js';
import { type ManifestReader, objectOf, type SliceAt } from './slices.js';
import { joinedName, partOf, placeInRounds, type StepNames } from './step-names.js';

/** A step of the rounds that rows pass in; `round` if it labelled. */
export interface PassingStep {
  readonly step: string;
  readonly ply: number;
  readonly sent: SentManifest | RoundManifest;
  readonly round: RoundManifest | null;
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
  /** The parts that ranks did, by step. */
  readonly parts: ReadonlyMap<string, readonly DonePart[]>;
  /** Counters of the parts of the verification. */
  readonly verified: readonly Readonly<Record<string, number>>[];
}

/** Reads those manifests of a listing that are still there. @throws DamageError */
export async function readSteps(reader: ManifestReader, at: SliceAt, names: StepNames): Promise<JoinedSteps> {
  const full = (name: string) => objectOf(at, `${names.folder}/${name}.json`);
  const one = async <T>(step: string, shape: z.ZodType<T>): Promise<T | null> =>
    names.joined.includes(step) ? ((await reader.read([full(step)], shape))[0] ?? null) : null;
  const commits = names.joined.filter((step) => step.startsWith('rounds-')).sort();
  const passing = await readPassing(names, one);
  const parts = new Map<string, DonePart[]>(passing.map(({ step, sent }) => [step, ranParts(sent)]));
  const moves = await one('moves', SentManifest);
  if (moves !== null) parts.set('moves', ranParts(moves));
  const verified: Record<string, number>[] = [];
  for (const [step, partitions] of names.parts) {
    // The joined manifest of such a step says it, too.
    if (parts.has(step)) continue;
    const read = await reader.read(
      partitions.map((partition) => full(partOf(step, partition))),
      Part,
    );
    parts.set(step, read);
    if (step === 'verify') verified.push(...read.map(({ counters }) => counters));
  }
  return {
    plan: await one('plan', PartitionPlan),
    enumerated: await one('enumerate', EnumerateManifest),
    converted: await one('convert', ConvertManifest),
    moves,
    edges: await one('edges', EdgesManifest),
    epochs: await reader.read(commits.map(full), RoundsManifest),
    passing,
    parts,
    verified,
  };
}

function ranParts({ ran }: Pick<SentManifest, 'ran'>): DonePart[] {
  return ran.map((each, partition) => ({ partition, ran: each }));
}

async function readPassing(
  { joined }: StepNames,
  one: <T>(step: string, shape: z.ZodType<T>) => Promise<T | null>,
): Promise<PassingStep[]> {
  const steps = joined.flatMap((step) => {
    const at = placeInRounds(step);
    return at === null ? [] : [{ step, ...at }];
  });
  const read = await Promise.all(
    steps
      .sort((a, b) => a.place - b.place)
      .map(async ({ step, ply }): Promise<PassingStep | null> => {
        const labels = step.startsWith('round-') || step.startsWith('last-');
        const round = labels ? await one(step, RoundManifest) : null;
        const sent = round ?? (labels ? null : await one(step, SentManifest));
        return sent === null ? null : { step, ply, sent, round };
      }),
  );
  return read.filter((step) => step !== null);
}

/** Whether all manifests of a listing were still there: else another process clears the steps away, or goes on, now. */
export function isAllThere(names: StepNames, steps: JoinedSteps): boolean {
  const { plan, enumerated, converted, moves, edges, epochs, passing, parts } = steps;
  const single = [plan, enumerated, converted, moves, edges].filter((step) => step !== null);
  if (single.length + epochs.length + passing.length < names.joined.length) return false;
  return [...names.parts].every(([step, partitions]) => parts.get(step)!.length >= partitions.length);
}

/** Whether all parts of a step are joined, so that the next step may begin. The last two are joined to the table and its verification. */
export function isJoined({ joined }: StepNames, step: string): boolean {
  return joined.includes(joinedName(step));
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
