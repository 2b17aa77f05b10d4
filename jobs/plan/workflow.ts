/** The steps of a plan for engines that want all of them beforehand: what to run, how often, after what. */
import type { CutSlice } from '../../pipeline/cut.js';
import { slicePrefix } from '../../pipeline/table/table.js';
import type { Metric } from '../../pipeline/value.js';

export interface WorkflowOptions {
  readonly game: string;
  readonly metric: Metric;
  /** URI of the store, as every machine reaches it. */
  readonly store: string;
  readonly image: string;
  readonly workers: number;
  /** A folder of the machine for runs that do not outlive a task. */
  readonly scratch: string;
  readonly verify: boolean;
  /** Tasks that run at once. */
  readonly machines: number;
  /** Round steps of a slice of so many positions: those after its last round find nothing to do. */
  readonly rounds: (positions: number) => number;
}

/** Tasks without dependencies on each other. */
export interface WorkflowPhase {
  /** Lower case letters, digits and hyphens; unique in the workflow. */
  readonly name: string;
  readonly slice: string;
  /** Names of the phases that must be done before. */
  readonly after: readonly string[];
  /** What is run, `mergemate VERB`; a step has its phase's URI and its task's number behind it, then the flags. */
  readonly verb: readonly string[];
  /** Null: one process that solves the slice whole. */
  readonly step: { readonly uri: string; readonly tasks: number } | null;
  readonly flags: readonly string[];
  /** Bytes of a process: buffers, and what the runtime needs beside. */
  readonly memory: number;
  readonly workers: number;
}

/** The command line of a phase; `task` is what the engine will put the task's number for. */
export function commandOf({ verb, step, flags }: WorkflowPhase, task: string, uri = step?.uri): string[] {
  return ['mergemate', ...verb, ...(uri === undefined ? [] : [uri, '--task', task]), ...flags];
}

/** What Node, its threads and libraries take beside the buffers, with something to spare. */
const PROCESS_BYTES = 192 * 2 ** 20;

/** Phases in an order in which they can be run one by one. */
export function workflowOf(cuts: readonly CutSlice[], options: WorkflowOptions): WorkflowPhase[] {
  const last = new Map<string, string>();
  return cuts.flatMap((cut) => {
    const after = cut.dependencies.map((slice) => last.get(slice)!);
    const phases = cut.partitions === 1 ? [wholeSlice(cut, after, options)] : cutSlice(cut, after, options);
    last.set(cut.slice, phases.at(-1)!.name);
    return phases;
  });
}

/** The phases of a slice that is cut, in order: names of its folders in the store. */
export function phaseNames(rounds: number, verify: boolean): string[] {
  const numbered = Array.from({ length: rounds }, (_, i) => `round-${String(i + 1).padStart(5, '0')}`);
  return ['start', ...numbered, 'finish', ...(verify ? ['verify'] : [])];
}

function wholeSlice(cut: CutSlice, after: string[], options: WorkflowOptions): WorkflowPhase {
  const { game, metric, store, verify, workers } = options;
  const flags = ['--store', store, '--metric', metric, ...resources(cut, options)];
  return {
    name: cut.slice.toLowerCase(),
    slice: cut.slice,
    after,
    verb: ['solve', game, cut.slice],
    step: null,
    flags: verify ? flags : [...flags, '--no-verify'],
    memory: cut.memory + PROCESS_BYTES,
    workers,
  };
}

function cutSlice(cut: CutSlice, after: string[], options: WorkflowOptions): WorkflowPhase[] {
  const { game, metric, store, rounds, verify } = options;
  const names = phaseNames(rounds(2 * cut.size), verify);
  const nameOf = (phase: string) => `${cut.slice.toLowerCase()}-${phase}`;
  return names.map((phase, i) => {
    const uri = inStore(store, `${slicePrefix(game, metric, cut.slice)}/steps/count/${phase}`);
    return {
      name: nameOf(phase),
      slice: cut.slice,
      after: i === 0 ? after : [nameOf(names[i - 1]!)],
      verb: ['step'],
      step: { uri, tasks: cut.partitions },
      flags: resources(cut, options),
      memory: cut.memory + PROCESS_BYTES,
      workers: options.workers,
    };
  });
}

const resources = ({ memory }: CutSlice, { workers, scratch }: WorkflowOptions): string[] => [
  ...['--memory', String(memory)],
  ...['--workers', String(workers)],
  ...['--scratch', scratch],
];

/** The URI of a name in a store. Where URIs have queries (s3://bucket/prefix?endpoint=…), these stay at the end. */
export function inStore(store: string, name: string): string {
  const query = /^s3:/i.test(store) ? store.indexOf('?') : -1;
  const [path, rest] = query < 0 ? [store, ''] : [store.slice(0, query), store.slice(query)];
  return `${path.replace(/\/+$/, '')}/${name}${rest}`;
}
