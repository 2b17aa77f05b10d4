/**
 * Finding the positions of a keyed game as one of several ranks. Rank 0 imports the graph (import.ts), and reads the first share of its
 * source meanwhile. The others read theirs, and give it their part of each stride. Objects that no step of the import names yet lie in a folder of
 * its own, for these ranks and this source. A rank that is started again needs what the others have sent.
 */

import { z } from 'zod';
import { addCounters, type Counters, newCounters, takeCounters } from '../../operators/core/counters.js';
import { cutEvenly } from '../../operators/core/interval.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { type Crew, contested, type Step } from '../engine/crew.js';
import { RankCrew } from '../engine/rank-crew.js';
import { FORMAT_VERSION, type ProcessRecord } from '../game/manifest.js';
import { doDealtPieces } from './deals.js';
import { GRAPH } from './graph-game.js';
import { folderOf, type ImportRank } from './import-rank.js';
import { graphManifestName, readGraphManifest } from './manifest.js';
import {
  type Beginning,
  beginningOf,
  type EndedStride,
  type ReadEnv,
  type Readers,
  readShare,
} from './read-share.js';
import type { GraphSource } from './source.js';
import { MAJORS } from './spread.js';
import { ShareOfStride, seeSteps } from './steps.js';
import { type Finder, layerOfObject, storeExchange } from './store-exchange.js';

export interface FindingRank extends ImportRank {
  readonly takeProcessRecord: () => ProcessRecord;
  /** For what is sent and received. */
  readonly exchange: SortEnv;
}

const prefixOf = (rank: FindingRank) => `${folderOf(rank)}/runs/${rank.self}${rank.attempt}-`;

interface Opened {
  readonly crew: Crew<Finder>;
  readonly exchange: ReturnType<typeof storeExchange>;
}

/** The layer with which reading begins; null: before the first. */
function firstLayer({ place }: Pick<Beginning, 'place'>): number | null {
  return place === null ? null : place.at.length - 1;
}

function openRank(rank: FindingRank, beginning: Beginning): Opened {
  const { store, name, self, of, waiting, takeProcessRecord, exchange: env } = rank;
  const work = folderOf(rank);
  const crew = new RankCrew<Finder>({
    store,
    work,
    table: graphManifestName(name),
    game: GRAPH,
    slice: name,
    partitions: cutEvenly(MAJORS, of),
    members: new Map([[self, { takeCounters: newCounters }]]),
    takeProcessRecord,
    waiting,
  });
  return {
    crew,
    exchange: storeExchange({
      store,
      crew,
      self,
      of,
      work,
      prefix: prefixOf(rank),
      layer: firstLayer(beginning),
      env,
    }),
  };
}

type Share = z.infer<typeof ShareOfStride>;
const Shares = z.object({ version: z.literal(FORMAT_VERSION), shares: z.array(ShareOfStride) });

/** Gives the others this rank's part of a stride. @returns the parts of all. */
async function shareStride(
  rank: FindingRank,
  crew: Crew<Finder>,
  stride: number,
  { counts, runs, place }: EndedStride,
  counters: Counters,
): Promise<readonly Share[]> {
  const name = `stride-${String(stride).padStart(5, '0')}`;
  const step: Step<Share, z.infer<typeof Shares>, Finder> = {
    name,
    manifest: `${folderOf(rank)}/${name}.json`,
    kind: 'passing',
    part: ShareOfStride,
    whole: Shares,
    run: async () => ({ counts, runs, place, counters: { ...takeCounters(counters) } }),
    join: (shares) => ({ version: FORMAT_VERSION, shares: [...shares] }),
  };
  return (await crew.step(step)).shares;
}

/** For rank 0: the other ranks, as those who read the other shares. */
export function rankReaders(rank: FindingRank): Readers {
  return {
    workers: 1,
    place: { kept: folderOf(rank), prefix: prefixOf(rank) },
    start(beginning, { report }) {
      const { crew, exchange } = openRank(rank, beginning);
      let { stride } = beginning;
      // From the beginning on, the first meeting is needed, too.
      let layer = firstLayer(beginning) ?? -1;
      return {
        exchange,
        report,
        async ended(first, counters) {
          const shares = await shareStride(rank, crew, stride++, first, newCounters());
          for (const share of shares.slice(1)) addCounters(counters, share.counters as unknown as Counters);
          // All are behind this stride, and the one before is committed: nobody needs what was sent until it began.
          await forget(rank, layer);
          layer = firstLayer(first) ?? layer;
          return shares as readonly EndedStride[];
        },
        fault: async () => new Error('assertion failed: ranks do not halt for each other'),
        close: () => exchange.close(),
      };
    },
  };
}

/** Deletes what was sent and said before the positions of a layer were known. */
async function forget(rank: FindingRank, layer: number): Promise<void> {
  const { store } = rank;
  const before = (await store.list(`${folderOf(rank)}/`)).filter((name) => {
    const of = layerOfObject(name);
    return of !== null && (of.layer < layer || (of.layer === layer && !of.isSaid));
  });
  await deleteAll(store, before);
}

/**
 * For other ranks: reads shares until all positions are found, by this process or by one before it. Then it does pieces of the
 * rest of the import, until the graph is there. Other ranks that are further, or that began again, have deleted objects that
 * this one needs. Then it begins again with the last commit.
 * @throws UserError for what is wrong with the game.
 */
export function findAsRank(source: GraphSource, rank: FindingRank, env: ReadEnv): Promise<void> {
  const { store, name, fingerprint } = rank;
  const find = async (): Promise<void> => {
    while ((await readGraphManifest(store, name)) === null) {
      const steps = await seeSteps(store, name, fingerprint);
      const last = steps.read.at(-1);
      if (last === undefined || last.place !== null) await read(beginningOf(steps, prefixOf(rank)));
      // Behind it the graph is there, or the first rank has thrown the steps away.
      await doDealtPieces(rank, env);
    }
  };
  const read = async (beginning: Beginning): Promise<void> => {
    const { crew, exchange } = openRank(rank, beginning);
    let { stride } = beginning;
    try {
      await readShare(source, beginning, { ...env, shared: false }, exchange, async (ended) => {
        await shareStride(rank, crew, stride++, ended, env.counters);
      });
    } finally {
      await exchange.close();
    }
  };
  // The first rank says what was opened again.
  return contested(find, () => {});
}
