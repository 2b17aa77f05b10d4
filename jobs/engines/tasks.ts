/** The one place where a game, its slices and the settings of a command become tasks of the coordinating thread (protocol.ts). */
import { budgetOf, DEFAULT_SETTINGS, type SettingValues } from '../cli/settings.js';
import { referenceOf } from '../registry.js';
import type { CrewTask, GraphRankTask, GraphTask, GraphVerifyTask, RankTask } from './protocol.js';

/** Without the folder for scratch, which is claimed when the task begins. */
export type Unplaced<T> = Omit<T, 'scratchFolder'>;

type Given = Pick<SettingValues, 'memory'> & Partial<Pick<SettingValues, 'fanIn' | 'batch' | 'verify'>>;

/** What is solved; settings that are not given are those of commands. */
interface Asked extends Given, Pick<CrewTask, 'slices' | 'metric' | 'store'> {
  readonly game: { readonly name: string };
  readonly propagate?: CrewTask['strategy'];
}

/** All that tasks of slices share. */
function sliceTask({ game, slices, metric, store, memory, fanIn, batch, propagate, verify }: Asked) {
  return {
    game: referenceOf(game),
    store,
    slices,
    metric,
    strategy: propagate ?? DEFAULT_SETTINGS.propagate,
    verify: verify ?? DEFAULT_SETTINGS.verify,
    budget: budgetOf(memory, { fanIn, batch }),
  };
}

/** Has threads of this process solve slices and all that these convert to, or derive their tables again. */
export function crewTask<Kind extends CrewTask['kind']>(
  kind: Kind,
  asked: Asked &
    Pick<CrewTask, 'standing'> & {
      readonly workers?: number | undefined;
      readonly fromPublished?: string | undefined;
    },
): Unplaced<CrewTask> & { readonly kind: Kind } {
  const { workers = DEFAULT_SETTINGS.workers, standing, fromPublished } = asked;
  return {
    kind,
    ...sliceTask(asked),
    workers,
    ...(standing !== undefined && { standing }),
    ...(fromPublished !== undefined && { fromPublished }),
  };
}

/** The part of one rank in solving slices. */
export function rankTask(
  asked: Asked & Partial<Pick<RankTask, 'partitions'>> & Pick<RankTask, 'wholeBelow' | 'keepRuns'>,
  self: RankTask['self'],
): Unplaced<RankTask> {
  const { partitions, wholeBelow, keepRuns } = asked;
  return { kind: 'rank', self, ...sliceTask(asked), partitions, wholeBelow, keepRuns };
}

type AskedGraph = Given &
  Pick<GraphTask, 'path' | 'stream' | 'name' | 'store' | 'metric' | 'atMost' | 'workers'>;

function importTask({ path, stream, name, store, metric, memory, verify, atMost }: AskedGraph) {
  return {
    path,
    ...(stream !== undefined && { stream }),
    name,
    store,
    metric,
    verify: verify ?? DEFAULT_SETTINGS.verify,
    budget: budgetOf(memory),
    atMost,
  };
}

/** Imports a graph, or finds the positions of a keyed game, and solves it. */
export function graphTask(asked: AskedGraph): Unplaced<GraphTask> {
  return { kind: 'graph', ...importTask(asked), workers: asked.workers ?? DEFAULT_SETTINGS.workers };
}

/** The part of one rank in that. */
export function graphRankTask(asked: AskedGraph, self: GraphRankTask['self']): Unplaced<GraphRankTask> {
  return {
    kind: 'graph rank',
    self,
    ...importTask(asked),
    partitions: self.ranks,
    wholeBelow: 0,
    keepRuns: false,
  };
}

/** Derives the table of a graph again. */
export function graphVerification({
  name,
  store,
  metric,
  memory,
  workers = DEFAULT_SETTINGS.workers,
}: Omit<AskedGraph, 'path'>): Unplaced<GraphVerifyTask> {
  return { kind: 'verify graph', name, store, metric, budget: budgetOf(memory), workers };
}
