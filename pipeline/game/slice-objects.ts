/**
 * The names of the steps and runs of a slice, and of the steps in which a graph is imported. One table of shapes is used to write names and to read them, so a listing
 * alone tells which step, ply, partition or run an object is: `status` and `scrub` list a store and read few of its objects.
 *
 *   steps/STRATEGY/STEP[-PLY].json                         what the parts of a step were joined to
 *   steps/STRATEGY/STEP[-PLY[-TO]]/PARTITION.json          a part of a step, by ranks
 *   steps/STRATEGY/RUN[-NUMBER...]-FROM-TO[ATTEMPT].arrow  a run that is needed until the table is finished
 *   RUN[-NUMBER]-FROM-TO[ATTEMPT].arrow                    a run of the table
 *   graph/import/NAME/steps/STEP[-NUMBER].json             a step of an import (graph/steps.ts)
 *
 * FROM and TO are parts. ATTEMPT is of one process; it may be empty, else it begins with a dash.
 */
import type { Interval } from '../../operators/core/interval.js';

/** In the order in which they are done, those of one ply in theirs; and how many plies the names of their parts have. */
const STEPS = {
  plan: 0,
  enumerate: 0,
  convert: 0,
  moves: 0,
  edges: 0,
  expand: 1,
  ask: 1,
  answer: 1,
  round: 1,
  last: 1,
  commit: 2,
  finish: 0,
  verify: 0,
} as const;

export type StepName = keyof typeof STEPS;
const ORDER = Object.keys(STEPS);

/** The steps of an import. Layers, strides and what is read for them are numbered. */
export type ImportStepName =
  | 'roots'
  | 'read'
  | 'layer'
  | 'expand'
  | 'stride'
  | 'index'
  | 'ends'
  | 'edges'
  | 'nodes';

export interface SliceStep<Name extends string = StepName> {
  readonly name: Name;
  /** Of rounds: the ply, or the first of the plies that are committed together. Of imports: the number of the step. */
  readonly ply?: number | undefined;
  /** The first ply of the next epoch, in the names of parts of a commit. The joined commit has it in its manifest. */
  readonly to?: number | undefined;
}

/** Runs, and how many numbers (of plies, sides, runs) stand between the word and the parts. */
const WORK_RUNS = {
  mates: 0,
  converting: 0,
  conversions: 0,
  'conversion-sets': 0,
  moves: 0,
  edges: 0,
  frontier: 1,
  requests: 1,
  asked: 1,
  answers: 1,
  counts: 3,
  unwon: 3,
} as const;
const TABLE_RUNS = { values: 1, clocks: 1, numbers: 1, ladders: 0 } as const;

interface Numbers {
  0: '';
  1: `-${number}`;
  3: `-${number}-${number}-${number}`;
}
type RunIn<Shapes extends Readonly<Record<string, keyof Numbers>>> = {
  [Word in keyof Shapes & string]: `${Word}${Numbers[Shapes[Word]]}`;
}[keyof Shapes & string];
/** A run, without its parts: "mates", "frontier-12". */
export type WorkRun = RunIn<typeof WORK_RUNS>;
export type TableRun = RunIn<typeof TABLE_RUNS>;

export type SliceObject =
  | { readonly is: 'joined'; readonly step: SliceStep }
  | { readonly is: 'part'; readonly step: SliceStep; readonly partition: number }
  | { readonly is: 'run'; readonly run: string; readonly parts: Interval; readonly attempt: string };

export function runObject(run: WorkRun | TableRun, { from, to }: Interval, attempt: string): string {
  return `${run}-${from}-${to}${attempt}.arrow`;
}

const padded = (number: number): string => String(number).padStart(5, '0');

function worded(word: string, ...plies: readonly (number | undefined)[]): string {
  return [word, ...plies.flatMap((ply) => (ply === undefined ? [] : padded(ply)))].join('-');
}

/** The name of a step, which is that of the folder of its parts: "round-00003". */
export function stepFolder({ name, ply, to }: SliceStep<string>): string {
  return worded(name, ply, to);
}

/** @param step as {@link stepFolder} names it, or another step that partitions share. */
export function partName(step: string, partition: number): string {
  return `${step}/${padded(partition)}.json`;
}

/** A step in the folder of the steps, and the full name of its joined manifest: "…/round-00003.json". */
export function stepAt(
  work: string,
  { name, ply, to }: SliceStep<StepName | ImportStepName>,
): { readonly name: string; readonly ply: number | undefined; readonly manifest: string } {
  const joined = worded(name === 'commit' ? 'rounds' : name, ply);
  return { name: worded(name, ply, to), ply, manifest: `${work}/${joined}.json` };
}

const STEP = /^([a-z]+)((?:-\d{5,})*)(?:\/(\d{5,}))?\.json$/;

/** The object of a name in the folder of the steps of a strategy; null if it is none of ours. */
export function workObject(name: string): SliceObject | null {
  const [, word, digits, partition] = STEP.exec(name) ?? [];
  if (word === undefined) return runOf(name, WORK_RUN);
  const isPart = partition !== undefined;
  const step = (word === 'rounds' && !isPart ? 'commit' : word) as StepName;
  const plies = digits === '' ? [] : digits.slice(1).split('-').map(Number);
  const many = isPart ? STEPS[step] : Math.min(STEPS[step], 1);
  if (!ORDER.includes(step) || plies.length !== many || (word === 'commit' && !isPart)) return null;
  const found = { name: step, ply: plies[0], to: plies[1] };
  return isPart ? { is: 'part', step: found, partition: Number(partition) } : { is: 'joined', step: found };
}

/** The run of a table of a name in the folder of the slice; null if it is none. */
export function tableRun(name: string): SliceObject | null {
  return runOf(name, TABLE_RUN);
}

function patternOf(shapes: Readonly<Record<string, number>>): RegExp {
  const words = Object.entries(shapes).map(([word, many]) => `${word}(?:-\\d+){${many}}`);
  return new RegExp(`^(${words.join('|')})-(\\d+)-(\\d+)((?:-[\\w-]+)?)\\.arrow$`);
}

const WORK_RUN = patternOf(WORK_RUNS);
const TABLE_RUN = patternOf(TABLE_RUNS);

function runOf(file: string, pattern: RegExp): SliceObject | null {
  const [, run, from, to, attempt] = pattern.exec(file) ?? [];
  return run === undefined
    ? null
    : { is: 'run', run, parts: { from: Number(from), to: Number(to) }, attempt };
}

/** The last ply that a step of the rounds is about. A commit stands behind the last round of its epoch. */
export function plyOf({ ply, to }: SliceStep): number | undefined {
  return to === undefined ? ply : to - 1;
}

/** The order in which steps are done. */
export function compareSteps(a: SliceStep, b: SliceStep): number {
  const byOrder = ORDER.indexOf(a.name) - ORDER.indexOf(b.name);
  return (plyOf(a) ?? Number.NaN) - (plyOf(b) ?? Number.NaN) || byOrder;
}
