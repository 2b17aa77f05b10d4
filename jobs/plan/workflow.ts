/** The steps of a plan for engines that want all of them beforehand: what to run, how often, after what. */
import type { CutSlice } from '../../pipeline/cut.js';
import { type Phase, phaseFolder, phaseName } from '../../pipeline/steps/names.js';
import type { Metric } from '../../pipeline/value.js';
import { storeUriOf } from '../store-uri.js';

export interface WorkflowOptions {
  readonly game: string;
  /** The path, on every machine, of the module of a game that is not built in. */
  readonly module: string | undefined;
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

/** A name as part of a phase's: lower case letters, digits and single hyphens. */
export function labelOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

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

/** The phases of a slice that is cut, in order. */
function phasesOf(rounds: number, verify: boolean): Phase[] {
  const numbered = Array.from({ length: rounds }, (_, i): Phase => ({ type: 'round', ply: i + 1 }));
  const verifying: Phase[] = verify ? [{ type: 'verify' }] : [];
  return [{ type: 'start' }, ...numbered, { type: 'finish' }, ...verifying];
}

function wholeSlice(cut: CutSlice, after: string[], options: WorkflowOptions): WorkflowPhase {
  const { game, module, metric, store, verify, workers } = options;
  const flags = ['--store', store, '--metric', metric, ...resources(cut, options)];
  return {
    name: labelOf(cut.slice),
    slice: cut.slice,
    after,
    verb: ['solve', module ?? game, cut.slice],
    step: null,
    flags: verify ? flags : [...flags, '--no-verify'],
    memory: cut.memory + PROCESS_BYTES,
    workers,
  };
}

function cutSlice(cut: CutSlice, after: string[], options: WorkflowOptions): WorkflowPhase[] {
  const { game, module, metric, store, rounds, verify } = options;
  const phases = phasesOf(rounds(2 * cut.size), verify);
  const nameOf = (phase: Phase) => `${labelOf(cut.slice)}-${phaseName(phase)}`;
  return phases.map((phase, i) => {
    const uri = storeUriOf(store, phaseFolder({ game: { name: game }, metric, slice: cut.slice }, phase));
    return {
      name: nameOf(phase),
      slice: cut.slice,
      after: i === 0 ? after : [nameOf(phases[i - 1]!)],
      verb: ['step'],
      step: { uri, tasks: cut.partitions },
      flags: [...resources(cut, options), ...(module === undefined ? [] : ['--game', module])],
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
