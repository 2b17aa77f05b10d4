/** An import by ranks, which share nothing but the store: each has one partition. All call {@link importGraph} with the same source. */
import { share } from '../../operators/core/budget.js';
import { newAttempts, RankCrew, type Waiting } from '../engine/crew/rank-crew.js';
import { receivedSizes, StoreCarrier } from '../engine/phases/exchange.js';
import type { ProcessRecord } from '../game/manifest.js';
import { keyOwners } from './finder.js';
import { GRAPH } from './graph-game.js';
import { setupOf } from './import.js';
import type { ImportCrews } from './import-options.js';
import { type Importer, ImportPartition } from './import-partition.js';
import { graphManifestName } from './manifest.js';
import { folderOfRanks } from './steps.js';

export interface ImportRank {
  /** This rank's number, from 0 on, and how many import together. */
  readonly self: number;
  readonly of: number;
  /** Letters, digits and dashes, different in every process. */
  readonly attempt: string;
  readonly waiting: Waiting;
  readonly takeProcessRecord: () => ProcessRecord;
}

/** Shares of the memory: of the partition, and of what it receives. */
const MEMORY = { partition: 0.9, received: 0.1 };

export function rankCrews({ self, of, attempt, waiting, takeProcessRecord }: ImportRank): ImportCrews {
  const nextAttempt = newAttempts(attempt);
  return {
    ranks: { isLeading: self === 0, of },
    async open(options, steps) {
      const { store, name } = options;
      const own = nextAttempt();
      const work = folderOfRanks(steps, of);
      const prefix = `${work}/runs/${self}${own}-`;
      const partitions = keyOwners(of);
      const received = (options.budget.memory * MEMORY.received) / of;
      const carrier = new StoreCarrier({
        store,
        runName: (what) => `${prefix}${what}.arrow`,
        slice: name,
        partitions,
        own: self,
        ...receivedSizes(received, options.budget),
        keeps: true,
      });
      const budget = share(options.budget, MEMORY.partition);
      const setup = setupOf(steps, { self, of, budget, prefix, attempt: own, shared: false });
      const member = new ImportPartition(setup, { ...options, carrier });
      return new RankCrew<Importer>({
        store,
        work,
        table: graphManifestName(name),
        game: GRAPH,
        slice: name,
        partitions,
        members: new Map([[self, member]]),
        takeProcessRecord,
        waiting,
      });
    },
  };
}
