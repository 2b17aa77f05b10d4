/**
 * The pieces of an import (pieces.ts) for ranks. Rank 0 deals them out: a *deal* is an object that has a piece for each rank.
 * Each rank puts the result of its piece below the name of the deal, and rank 0 collects the results.
 *
 * A rank that is lost is started again, and does its piece again. A rank 0 that is started again makes a deal of its own.
 * The others do the deal of the greatest number, and runs have other names in every process. So nobody waits for a
 * result that a lost rank 0 wanted.
 */
import { z } from 'zod';
import type { Counters } from '../../operators/core/counters.js';
import { isMissing, StorageError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { objectName } from '../../operators/storage/object-names.js';
import { Overtaken } from '../engine/crew.js';
import { CountersRecord, commitManifest, FORMAT_VERSION, NamedRun, readManifest } from '../game/manifest.js';
import { putRecord } from '../game/record.js';
import { runNamesIn } from '../game/step-manifests.js';
import { folderOf, type ImportRank } from './import-rank.js';
import { readGraphManifest } from './manifest.js';
import { type DonePiece, doPiece, type ImportCrew, type ImportPiece, type PieceWorld } from './pieces.js';
import { isBegun } from './steps.js';

const count = z.int().nonnegative();
const runs = z.array(NamedRun).readonly();
const interval = z.object({ from: count, to: count });
/** Rows that lie in the store alone. */
const rows = z.object({ sources: z.array(z.never()).readonly(), kept: runs });

const head = { budget: z.object({ memory: z.number(), fanIn: z.number(), batchRows: z.number() }) };
const Piece = z.discriminatedUnion('kind', [
  z.object({ ...head, kind: z.literal('index'), keys: rows, majors: interval, name: z.string() }),
  z.object({
    ...head,
    kind: z.literal('edges'),
    targets: rows,
    majors: interval,
    index: runs,
    share: z.number().default(1),
    shift: count,
    nodes: count,
    keep: z.string().optional(),
  }),
  z.object({
    ...head,
    kind: z.literal('nodes'),
    edges: rows,
    read: z.object({
      nodes: count,
      edges: count,
      statuses: runs,
      parts: interval,
      stuck: z.enum(['lost', 'drawn']),
    }),
    names: z.object({ nodes: z.string(), successors: z.string(), hubs: z.string() }),
  }),
]);
const Deal = z.object({ version: z.literal(FORMAT_VERSION), pieces: z.array(Piece).readonly() });

const Result = z.union([
  z.null(),
  NamedRun,
  rows.extend({ rows: count, partRows: z.array(count).readonly() }),
  z.object({
    edges: count,
    partEdges: z.array(count).readonly(),
    hubs: count,
    scores: z.array(z.number()).readonly(),
    runs: z.object({ nodes: NamedRun, successors: NamedRun, hubs: NamedRun }),
  }),
]);
/** `done`: the rows of the progress display. */
const Part = z.object({
  version: z.literal(FORMAT_VERSION),
  value: Result,
  counters: CountersRecord,
  done: count,
});
type Part = z.infer<typeof Part>;

const dealsOf = (rank: ImportRank) => `${folderOf(rank)}/deals/`;
const partName = (deal: string, rank: number) =>
  `${deal.replace(/\.json$/, '')}/${String(rank).padStart(5, '0')}.json`;
const numberOf = (deal: string) => Number.parseInt(deal.slice(deal.lastIndexOf('/') + 1), 10);

/** The name of the deal of the greatest number, or null. */
async function latestDeal(rank: ImportRank): Promise<string | null> {
  const folder = dealsOf(rank);
  const deals = (await rank.store.list(folder)).filter((name) => !name.slice(folder.length).includes('/'));
  return deals.sort().at(-1) ?? null;
}

/** Looks of a rank that waits, after which it looks whether the others still want what it waits for. */
const LOOK_AROUND = 8;

/** For rank 0: all ranks, as those who do pieces. */
export function rankImportCrew(rank: ImportRank, world: Omit<PieceWorld, 'report'>): ImportCrew {
  const { store, waiting } = rank;

  async function deal(pieces: readonly ImportPiece[]): Promise<string> {
    const last = await latestDeal(rank);
    const number = last === null ? 0 : numberOf(last) + 1;
    const name = `${dealsOf(rank)}${String(number).padStart(5, '0')}${rank.attempt}.json`;
    await putRecord(store, name, Deal.parse({ version: FORMAT_VERSION, pieces }));
    return name;
  }

  async function partOf(deal: string, of: number): Promise<Part> {
    for (let times = 0; ; times++) {
      const part = await readManifest(store, partName(deal, of), Part);
      if (part !== null) return part;
      if (times % LOOK_AROUND === LOOK_AROUND - 1) {
        const latest = await latestDeal(rank);
        if (latest === null) throw new Overtaken(deal, 'is gone');
        if (latest !== deal)
          throw new StorageError(objectName(store, latest), 'another process imports the same graph');
      }
      await waiting.sayMissing('a piece of the import', times, async () => [of]);
      await waiting.pause(times);
    }
  }

  return {
    workers: rank.of,
    sharing: 'store',
    async pieces<Kind extends ImportPiece['kind']>(
      pieces: readonly (ImportPiece & { readonly kind: Kind })[],
      report: (done: number) => void,
    ) {
      const dealt = await deal(pieces);
      const done = [await doPiece(renamed(pieces[0], rank), { ...world, report })];
      for (let i = 1; i < pieces.length; i++) {
        const part = await partOf(dealt, i);
        report(part.done);
        done.push({ value: part.value, counters: part.counters as unknown as Counters });
      }
      return done as DonePiece<Kind>[];
    },
  };
}

/** For the other ranks: does pieces until the graph is there, or the first rank has thrown the steps away. @throws as doPiece. */
export async function doDealtPieces(rank: ImportRank, world: Omit<PieceWorld, 'report'>): Promise<void> {
  const { waiting } = rank;
  const isOver = overWhen(rank);
  /** The deal that this rank has done its part of. */
  let served: string | null = null;
  for (let times = 0; ; times++) {
    if (await isOver()) return;
    const deal = await latestDeal(rank);
    if (deal !== null && deal !== served && (await doOwnPart(rank, world, deal))) {
      served = deal;
      times = 0;
    }
    await waiting.sayMissing('the import', times, async () => [0]);
    await waiting.pause(times);
  }
}

/** Whether no piece comes any more. The first rank commits the end of reading later than others reach it. */
function overWhen({ store, name }: ImportRank): () => Promise<boolean> {
  let wasBegun = false;
  return async () => {
    if (!(await isBegun(store, name))) return wasBegun || (await readGraphManifest(store, name)) !== null;
    wasBegun = true;
    return false;
  };
}

/** @returns whether nothing is left to do. Runs that are gone were deleted by a rank 0 that was started again: a new deal comes. */
async function doOwnPart(
  rank: ImportRank,
  world: Omit<PieceWorld, 'report'>,
  deal: string,
): Promise<boolean> {
  try {
    await servePart(rank, world, deal);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function servePart(rank: ImportRank, world: Omit<PieceWorld, 'report'>, deal: string): Promise<void> {
  const { store, self } = rank;
  const name = partName(deal, self);
  if ((await store.size(name)) !== null) return;
  store.expect?.(deal);
  const piece = (await readManifest(store, deal, Deal))?.pieces[self];
  // There are fewer pieces than ranks, or the deal is gone.
  if (piece === undefined) return;
  let done = 0;
  const report = (more: number) => {
    done += more;
  };
  const { value, counters } = await doPiece(renamed(piece, rank), { ...world, report });
  const part = Part.parse({ version: FORMAT_VERSION, value, counters: { ...counters }, done });
  const isWanted = (await latestDeal(rank)) === deal;
  if (isWanted && (await commitManifest(store, name, part, Part)) === part) return;
  await deleteAll(store, runNamesIn(value));
}

/** The piece with runs of names that no other process has. */
function renamed(piece: ImportPiece, { attempt }: ImportRank): ImportPiece {
  const own = (name: string) => name.replace(/\.arrow$/, `${attempt}.arrow`);
  if (piece.kind === 'index') return { ...piece, name: own(piece.name) };
  if (piece.kind === 'edges') return { ...piece, ...(piece.keep && { keep: own(piece.keep) }) };
  const { nodes, successors, hubs } = piece.names;
  return { ...piece, names: { nodes: own(nodes), successors: own(successors), hubs: own(hubs) } };
}
