/**
 * Which steps of a slice are in a store, by the names of their manifests alone. Every step that is done has a joined
 * manifest. Steps of ranks have a folder with the parts of their partitions (pipeline/partition/rank-crew.ts).
 */
import { strategies } from '../phases/context.js';

export interface StepNames {
  /** The folder of the steps in that of the slice: "steps/count". */
  readonly folder: string;
  /** "count" or "lookup", or the name of another solver. */
  readonly strategy: string;
  /** Joined manifests, and the plan: "plan", "enumerate", "rounds-00001", "round-00003". */
  readonly joined: readonly string[];
  /** The partitions whose part is done, ascending, by step. */
  readonly parts: ReadonlyMap<string, readonly number[]>;
}

/** Steps in which rows pass between partitions, in the order of a round. */
const PASSING = 'expand|ask|answer|round|last';
const JOINED = new RegExp(
  `^(plan|enumerate|convert|moves|edges|rounds-\\d{5,}|(?:${PASSING})-\\d{5,})\\.json$`,
);
const PART = new RegExp(
  `^(enumerate|convert|moves|edges|finish|verify|(?:${PASSING})-\\d{5,}|commit-\\d{5,}-\\d{5,})/(\\d{5,})\\.json$`,
);
const OF_A_PLY = new RegExp(`^(${PASSING}|commit)-(?:\\d{5,}-)?(\\d{5,})$`);
const ORDER: readonly string[] = [...PASSING.split('|'), 'commit'];
const STRATEGIES: ReadonlySet<string> = new Set(strategies);

/** The steps among the names of a slice's objects, one for each strategy or other solver that began it; known strategies first. */
export function stepsAmong(names: readonly string[]): StepNames[] {
  const folders = new Set(names.flatMap((name) => /^steps\/([^/]+)\//.exec(name)?.[1] ?? []));
  return [...folders]
    .sort((a, b) => Number(STRATEGIES.has(b)) - Number(STRATEGIES.has(a)))
    .map((strategy) => stepsOf(names, strategy));
}

function stepsOf(names: readonly string[], strategy: string): StepNames {
  const folder = `steps/${strategy}`;
  const joined: string[] = [];
  const parts = new Map<string, number[]>();
  for (const name of names) {
    if (!name.startsWith(`${folder}/`)) continue;
    const rest = name.slice(folder.length + 1);
    const step = JOINED.exec(rest)?.[1];
    if (step !== undefined) joined.push(step);
    const part = PART.exec(rest);
    if (part === null) continue;
    const done = parts.get(part[1]) ?? [];
    done.push(Number(part[2]));
    parts.set(part[1], done);
  }
  return { folder, strategy, joined, parts };
}

/** Whether its steps are those of a crew: other solvers have manifests of their own. */
export function isByCrew({ strategy }: StepNames): boolean {
  return STRATEGIES.has(strategy);
}

/** Whether a name in the folder of the steps is that of a manifest of a crew. */
export function isManifest(name: string): boolean {
  return JOINED.test(name) || PART.test(name);
}

export function partOf(step: string, partition: number): string {
  return `${step}/${String(partition).padStart(5, '0')}`;
}

/** Where a step of the rounds stands: steps of a smaller number come first. Null for steps that are not of the rounds. */
export function placeInRounds(step: string): { readonly ply: number; readonly place: number } | null {
  const match = OF_A_PLY.exec(step);
  if (match === null) return null;
  // A commit is named by the round behind it.
  const ply = Number(match[2]) - (match[1] === 'commit' ? 1 : 0);
  return { ply, place: ply * ORDER.length + ORDER.indexOf(match[1]) };
}

/**
 * The joined manifest of a step, if that is among the steps of the slice. The last two are joined to the table and
 * its verification.
 */
export function joinedName(step: string): string {
  const commit = /^commit-(\d{5,})-/.exec(step);
  return commit === null ? step : `rounds-${commit[1]}`;
}
