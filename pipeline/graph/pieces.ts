/**
 * An import in pieces, for several threads or ranks. Each makes the index of an interval of keys, and finds the nodes of that
 * interval that edges lead to. Then it writes the nodes of an interval of parts. Rows lie in shared memory, in one
 * scratch folder, or in runs of the store; what is posted says where. Ranks share the store alone (deals.ts). What the
 * pieces write is what one thread would write, cut in several runs.
 */

import { allOf } from '../../operators/core/all-of.js';
import { type Budget, share, split } from '../../operators/core/budget.js';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openKept } from '../../operators/distribute/kept.js';
import type { Source } from '../../operators/gather.js';
import type { RunRef } from '../../operators/runs/types.js';
import { closeRead, type Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { findNodes, type TakeFound } from './find-nodes.js';
import { PART_NODES, PART_SHIFT } from './graph-layout.js';
import { writeIndexOf } from './index-run.js';
import type { WrittenSuccessors } from './node-writer.js';
import { type Gatherable, newRowCollector, poolOf, putWords } from './row-collector.js';
import type { ImportEnv } from './stride.js';
import { type NodesToWrite, writeSuccessors } from './successors.js';

/** Rows, and where they are: their pools are shared. */
export interface PostedRows {
  readonly sources: readonly Source[];
  readonly kept: readonly RunRef[];
}

/** Pieces have the same budget each. */
export type ImportPiece = { readonly budget: Budget } & (
  | { readonly kind: 'index'; readonly keys: PostedRows; readonly majors: Interval; readonly name: string }
  | {
      readonly kind: 'edges';
      readonly targets: PostedRows;
      readonly majors: Interval;
      readonly index: readonly RunRef[];
      /** The share that it has of the rows that all pieces hold in memory. */
      readonly share: number;
      /** Edges are distributed by 2^shift nodes that they come from. */
      readonly shift: number;
      readonly nodes: number;
      /** The run that takes all edges found, for whoever shares the store alone. */
      readonly keep?: string | undefined;
    }
  | {
      readonly kind: 'nodes';
      readonly edges: PostedRows;
      readonly read: NodesToWrite;
      readonly names: Readonly<Record<keyof WrittenSuccessors['runs'], string>>;
    }
);

/** Null: something is wrong, and who reads all of it can say what. */
export interface PieceResults {
  index: RunRef | null;
  /** `partRows`: by the part of the node that they come from. */
  edges: (PostedRows & { readonly rows: number; readonly partRows: readonly number[] }) | null;
  nodes: WrittenSuccessors;
}

export interface DonePiece<Kind extends ImportPiece['kind']> {
  readonly value: PieceResults[Kind];
  readonly counters: Counters;
}

/** A crew does pieces, as many at once as it has workers. */
export interface ImportCrew {
  readonly workers: number;
  /** Those who share the memory divide it. Those who share the store alone have as much each, and read no rows that lie elsewhere. */
  readonly sharing: 'memory' | 'store';
  pieces<Kind extends ImportPiece['kind']>(
    pieces: readonly (ImportPiece & { readonly kind: Kind })[],
    report: (done: number) => void,
  ): Promise<DonePiece<Kind>[]>;
}

/** Shares of the memory, while names are looked up. */
export const FINDING = { edges: 0.15, order: 0.25, from: 0.04, to: 0.04, apartOrder: 0.1 };

export interface PieceWorld {
  readonly store: Store;
  readonly scratch: Scratch;
  readonly report: (done: number) => void;
  /** See {@link ImportEnv}. */
  readonly written?: () => void;
}

/** Does a piece in this thread. @throws StorageError, DamageError. */
export async function doPiece(
  piece: ImportPiece,
  world: PieceWorld,
): Promise<DonePiece<ImportPiece['kind']>> {
  const counters = newCounters();
  const env = { ...world, budget: piece.budget, counters };
  try {
    return { value: await resultOf(piece, env), counters };
  } finally {
    closeRead(world);
  }
}

/** A piece that was done, of those with numbers. */
export type NumberedPiece = DonePiece<ImportPiece['kind']> & { readonly number: number };

/**
 * Does pieces in this thread, while others who share `next` do others. `next` is a word with the number of the first piece that nobody
 * has begun. A piece begins when the rows of the one before are written, and that one is published meanwhile. @throws as doPiece; then
 * nobody begins another.
 */
export async function doPieces(
  pieces: readonly ImportPiece[],
  next: Int32Array,
  world: PieceWorld,
): Promise<NumberedPiece[]> {
  const begun: Promise<NumberedPiece>[] = [];
  const stop = (): void => void Atomics.store(next, 0, pieces.length);
  for (;;) {
    const number = Atomics.add(next, 0, 1);
    if (number >= pieces.length) return allOf(begun);
    await new Promise<void>((written) => {
      const done = doPiece(pieces[number], { ...world, written });
      const numbered = done.then((each) => ({ number, ...each }));
      numbered.catch(stop).finally(written);
      begun.push(numbered);
    });
  }
}

async function resultOf(piece: ImportPiece, env: ImportEnv): Promise<PieceResults[ImportPiece['kind']]> {
  if (piece.kind === 'index') {
    const written = await writeIndexOf(await opened(piece.keys, env), piece.majors, piece.name, env);
    return 'first' in written ? null : written;
  }
  if (piece.kind === 'nodes')
    return writeSuccessors(piece.read, await opened(piece.edges, env), (what) => piece.names[what], env);
  const { targets, majors, index, share: held, shift, nodes, keep } = piece;
  const shares = split(env.budget, FINDING);
  const spec = {
    majors: Math.ceil(nodes / 2 ** shift),
    payload: 1,
    pool: poolOf(share(shares.edges, held), keep === undefined),
    ...(keep !== undefined && { keeping: { store: env.store, name: keep } }),
  } as const;
  const edges = newRowCollector(spec, env);
  return orAbort(edges, async () => {
    const partRows = new Float64Array(Math.ceil(nodes / PART_NODES));
    const put: TakeFound = (from, words, length) => {
      countParts(from, length, partRows);
      return putWords(edges, from, words, length, shift);
    };
    const finding = { ...env, order: shares.order };
    if ((await findNodes(await opened(targets, env), majors, index, finding, put)) !== null) {
      await edges.abort();
      return null;
    }
    if (keep !== undefined) await edges.spill();
    const { sources, kept, rows } = await edges.finish();
    return { sources: keep === undefined ? sources : [], kept, rows, partRows: [...partRows] };
  });
}

/** Counts the rows of each part of the nodes that edges come from. */
function countParts(nodes: Uint32Array, length: number, counts: Float64Array): void {
  for (let i = 0; i < length; i++) counts[nodes[i] >>> PART_SHIFT]++;
}

/** The form of rows that can be posted. */
export function posted({ sources, kept }: Gatherable): PostedRows {
  return { kept, sources: sources.filter(({ segments }) => segments.run === null) };
}

async function opened(
  { sources, kept }: PostedRows,
  { store, counters }: ImportEnv,
): Promise<Pick<Gatherable, 'sources'>> {
  const all = [...sources];
  for (const run of kept)
    all.push({ segments: await openKept(store, run, counters), pool: { words: new Uint32Array(0) } });
  return { sources: all };
}
