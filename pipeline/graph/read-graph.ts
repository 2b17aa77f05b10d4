/** Reading a source, once, in strides that are committed; whoever comes later goes on behind the last. */

import type { Counters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { openKept } from '../../operators/distribute/kept.js';
import type { Source } from '../../operators/gather.js';
import type { RunRef } from '../../operators/runs/types.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Gatherable } from './row-collector.js';
import type { GraphSource } from './source.js';
import type { ImportSteps, StrideRuns } from './steps.js';
import {
  type ImportEnv,
  newStride,
  type PerKind,
  ROW_KINDS,
  type RowKind,
  type SourceCounts,
} from './stride.js';

/**
 * Nodes and edges after which a stride is committed, if the source can go on from there. Fixed, so that strides are the same
 * everywhere: an interruption loses some ten seconds of reading.
 */
export const COMMIT_ROWS = 2 ** 23;

export interface ReadEnv extends ImportEnv {
  readonly commitRows: number;
}

export interface ReadGraph {
  readonly nodes: number;
  /** Edges told of. */
  readonly edges: number;
  readonly idKind: 'text' | 'integer' | 'mixed';
  /** As that of {@link SourceCounts}. */
  readonly compared?: number;
  readonly boards?: number;
  /** (key | rest and side, node), two payload columns. Null if keys have served. */
  readonly keys: Gatherable | null;
  /** (key of the target | rest, source node). */
  readonly targets: Gatherable;
  /** Edges told apart: (key of either end | rest, number of the edge). */
  readonly looseEdges: { readonly from: Gatherable; readonly to: Gatherable } | null;
  /** Runs of the names and the statuses of all nodes, stride after stride. */
  readonly names: readonly RunRef[];
  readonly statuses: readonly RunRef[];
  /** Everything is committed; else it is in memory, and an interruption loses it. */
  readonly isCommitted: boolean;
}

/** Reads on to the end of the source. @throws UserError as the source does, and if there are no nodes, or too many. */
export async function readGraph(source: GraphSource, steps: ImportSteps, env: ReadEnv): Promise<ReadGraph> {
  const { store, counters, commitRows } = env;
  const before = steps.read.at(-1);
  if (before !== undefined && before.place === null) return openCommitted(steps, store, counters);

  const told: SourceCounts = { nodes: 0, edges: 0, apart: 0, texts: 0, ...before?.told };
  const pools = {};
  const begin = () => {
    const prefix = `${steps.prefix}read-${String(steps.read.length).padStart(5, '0')}`;
    return newStride({ source, seed: steps.seed, prefix, told, pools }, env);
  };
  const going = {
    from: before?.place ?? null,
    kept: newScratch(store, `${steps.prefix}place-${steps.read.length}`),
  };
  let stride = await begin();
  try {
    for await (const batch of source.read(going)) {
      await stride.add(batch);
      env.report((batch.packed ?? batch.nodes).length + batch.edges.length);
      if (batch.place === undefined || stride.rows < commitRows) continue;
      const place = await batch.place();
      await steps.commitRead({ told: { ...told }, runs: await stride.commit(), place }, counters);
      stride = await begin();
    }
    if (told.nodes === 0) throw new UserError(`${source.name}: there are no nodes`);
    // A small graph that fits memory is not worth writing.
    if (steps.read.length === 0 && stride.isHeld && stride.rows < commitRows) {
      const { rows, names, statuses } = await stride.hold();
      return {
        ...readSoFar(told, (kind) => rows[kind]),
        names: [names],
        statuses: [statuses],
        isCommitted: false,
      };
    }
    await steps.commitRead({ told, runs: await stride.commit(), place: null }, counters);
  } catch (error) {
    await stride.abort();
    throw error;
  }
  return openCommitted(steps, store, counters);
}

/** Throws DamageError if what was committed is not there, or not as it was written. */
async function openCommitted(steps: ImportSteps, store: Store, counters: Counters): Promise<ReadGraph> {
  const strides = steps.read.map(({ runs }) => runs);
  const rows: PerKind<Gatherable> = {};
  for (const kind of ROW_KINDS)
    if (!(kind === 'keys' && steps.indexed !== null))
      rows[kind] = await keptRows(strides, kind, store, counters);
  return {
    ...readSoFar(steps.read.at(-1)!.told, (kind) => rows[kind]),
    names: strides.map(({ names }) => names),
    statuses: strides.map(({ statuses }) => statuses),
    isCommitted: true,
  };
}

function readSoFar(
  { nodes, edges, apart, texts, compared, boards }: SourceCounts,
  rowsOf: (kind: RowKind) => Gatherable | undefined,
) {
  return {
    nodes,
    ...(compared === undefined ? {} : { compared }),
    ...(boards === undefined ? {} : { boards }),
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
    async release() {
      for (const { name } of kept) await store.delete(name);
    },
  };
}
