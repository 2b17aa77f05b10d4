/** Runs of one kind whose majors follow each other, as the partitions of an import write them, read as one. */
import { type Counters, newCounters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { type DenseBlock, type OpenOptions, openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { Cursor, DenseCursor, RunRef } from '../../operators/runs/types.js';
import type { Store } from '../../operators/storage/store.js';
import type { GraphManifest } from './manifest.js';
import { HUBS, NODES, SUCCESSORS } from './node-writer.js';

export type JoinedRuns = Pick<RunReader, 'cursor' | 'denseCursor' | 'denseBlock'>;

/** @param refs in the order of their majors. @throws as openRun. */
export async function openJoined(
  store: Store,
  refs: readonly RunRef[],
  options: OpenOptions,
): Promise<JoinedRuns> {
  const runs: RunReader[] = [];
  for (const ref of refs) runs.push(await openRun(store, ref, options));
  if (runs.length === 1) return runs[0];
  return new SeveralRuns(runs);
}

const KINDS = { nodes: NODES, successors: SUCCESSORS, hubs: HUBS } as const;

/** The nodes of a graph, its edges, or the nodes with more edges than a byte counts. */
export function openGraphRuns(
  store: Store,
  { runs }: Pick<GraphManifest, 'runs'>,
  what: keyof typeof KINDS,
  counters: Counters = newCounters(),
): Promise<JoinedRuns> {
  return openJoined(store, runs[what], { counters, expect: { kind: KINDS[what] } });
}

/** A class, as core/keep-shape.ts explains. */
class SeveralRuns implements JoinedRuns {
  /** The last major of each run. */
  private readonly lasts: readonly number[];

  constructor(private readonly runs: readonly RunReader[]) {
    this.lasts = runs.map((run) => run.majors().at(-1) ?? -1);
  }

  async *cursor(range = ALL): Cursor {
    for (const run of this.within(range)) yield* run.cursor(range);
  }

  async *denseCursor(range = ALL, reading?: Reading): DenseCursor {
    for (const run of this.within(range)) yield* run.denseCursor(range, reading);
  }

  denseBlock(major: number, row: number): Promise<DenseBlock> {
    const run = this.lasts.findIndex((last) => last >= major);
    return this.runs[run < 0 ? this.runs.length - 1 : run].denseBlock(major, row);
  }

  private *within(range: Interval): Generator<RunReader> {
    let before = -1;
    for (const [i, run] of this.runs.entries()) {
      if (before + 1 < range.to && this.lasts[i] >= range.from) yield run;
      before = Math.max(before, this.lasts[i]);
    }
  }
}

const ALL: Interval = { from: 0, to: 2 ** 32 };
