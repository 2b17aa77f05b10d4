/** Reading a source, once, in strides that are committed; whoever comes later goes on behind the last. */

import type { Counters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { openKept } from '../../operators/distribute/kept.js';
import type { Source } from '../../operators/gather.js';
import type { RunRef } from '../../operators/runs/types.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Store } from '../../operators/storage/store.js';
import {
  beginningOf,
  type EndedStride,
  layersOf,
  placed,
  type ReadEnv,
  type Readers,
  readStrides,
  readTogether,
  sumOf,
} from './read-share.js';
import type { Gatherable } from './row-collector.js';
import type { GraphSource, SourceCounts } from './source.js';
import { joinStatuses } from './statuses.js';
import { type ImportSteps, type StrideRuns, sharesOf } from './steps.js';
import { type PerKind, ROW_KINDS, type RowKind } from './stride.js';
import type { StrideColumns } from './stride-columns.js';

/**
 * Nodes and edges after which a stride is committed, if the source can go on from there. Fixed, so that strides are the same
 * everywhere: an interruption loses some ten seconds of reading.
 */
export const COMMIT_ROWS = 2 ** 23;

export interface ReadGraph {
  readonly nodes: number;
  /** Edges that were read. */
  readonly edges: number;
  readonly idKind: 'text' | 'integer' | 'mixed';
  /** As that of {@link SourceCounts}. */
  readonly compared?: number;
  readonly boards?: number;
  /** As those of the manifest of the graph. */
  readonly layers?: number[];
  /** (key | rest and side, node), two payload columns. Null if keys have served. */
  readonly keys: Gatherable | null;
  /** (key of the target | rest, source node). */
  readonly targets: Gatherable;
  /** Separate edges: (key of either end | rest, number of the edge). */
  readonly looseEdges: { readonly from: Gatherable; readonly to: Gatherable } | null;
  /** Runs of the names and the statuses of all nodes, stride after stride. */
  readonly names: readonly StrideColumns[];
  readonly statuses: readonly RunRef[];
  /** Everything is committed; else it is in memory, and an interruption loses it. */
  readonly isCommitted: boolean;
}

/** Reads on to the end of the source. @throws UserError as the source does, and if there are no nodes, or too many. */
export async function readGraph(
  source: GraphSource,
  steps: ImportSteps,
  env: ReadEnv,
  readers?: Readers,
): Promise<ReadGraph> {
  const { store, counters, commitRows } = env;
  const last = steps.read.at(-1);
  if (last !== undefined && last.place === null) return openCommitted(steps, store, counters);
  if (readers !== undefined) {
    await readTogether(source, steps, env, readers);
    return openCommitted(steps, store, counters);
  }
  const beginning = beginningOf(steps);
  let { counts } = beginning;
  const commit = async ({ counts: more, runs, place }: EndedStride): Promise<void> => {
    counts = sumOf([counts, more]);
    await steps.commitRead({ told: counts, runs, ...placed(source, place) }, counters);
  };
  const { last: stride, counts: more } = await readStrides(source, beginning, env, commit);
  try {
    if (counts.nodes + more.nodes === 0) throw new UserError(`${source.name}: there are no nodes`);
    // A small graph that fits memory is not worth writing.
    if (steps.read.length === 0 && stride.isHeld && stride.rows < commitRows) {
      const { rows, names, statuses } = await stride.hold();
      return {
        ...readSoFar(more, (kind) => rows[kind], layersOf(source)),
        names: [{ runs: [names] }],
        statuses: [statuses],
        isCommitted: false,
      };
    }
    await commit({ counts: more, runs: await stride.commit(), place: null });
  } catch (error) {
    await stride.abort();
    throw error;
  }
  return openCommitted(steps, store, counters);
}

/** Throws DamageError if what was committed is not there, or not as it was written. */
async function openCommitted(steps: ImportSteps, store: Store, counters: Counters): Promise<ReadGraph> {
  const strides = steps.read.map(sharesOf);
  const last = steps.read.at(-1)!;
  const rows: PerKind<Gatherable> = {};
  for (const kind of ROW_KINDS)
    if (!(kind === 'keys' && steps.indexed !== null))
      rows[kind] = await keptRows(strides.flat(), kind, store, counters);
  const columnsOf = (of: 'names' | 'statuses'): StrideColumns[] =>
    strides.map((shares) => ({
      runs: shares.map((share) => share[of]),
      pieces: shares.flatMap(({ pieces }) => (pieces === undefined ? [] : [pieces])),
    }));
  return {
    ...readSoFar(last.told, (kind) => rows[kind], last.layers),
    names: columnsOf('names'),
    statuses: await joinStatuses(store, columnsOf('statuses'), `${steps.prefix}statuses.arrow`, counters),
    isCommitted: true,
  };
}

function readSoFar(
  { nodes, edges, apart, texts, compared, boards }: SourceCounts,
  rowsOf: (kind: RowKind) => Gatherable | undefined,
  layers: number[] | undefined,
) {
  return {
    nodes,
    ...(compared === undefined ? {} : { compared }),
    ...(boards === undefined ? {} : { boards }),
    ...(layers === undefined ? {} : { layers }),
    edges: edges + apart,
    idKind: texts === nodes ? 'text' : texts === 0 ? 'integer' : 'mixed',
    keys: rowsOf('keys') ?? null,
    targets: rowsOf('targets')!,
    looseEdges: apart === 0 ? null : { from: rowsOf('from')!, to: rowsOf('to')! },
  } as const;
}

/** The rows of all strides. To release them is to delete their runs. */
async function keptRows(
  strides: readonly StrideRuns[],
  kind: RowKind,
  store: Store,
  counters: Counters,
): Promise<Gatherable> {
  const kept = strides.flatMap((runs) => runs[kind] ?? []);
  const sources: Source[] = [];
  for (const run of kept)
    sources.push({
      segments: await openKept(store, run, counters),
      pool: { words: new Uint32Array(0) },
    });
  return {
    sources,
    rows: sources.reduce((sum, { segments }) => sum + segments.rows, 0),
    kept,
    release: () =>
      deleteAll(
        store,
        kept.map(({ name }) => name),
      ),
  };
}
