/** kill -9 over every command that writes, on folders and object storage; and disks that fill. */
import { join } from 'node:path';
import { type ChaosOutcome, chaos } from '../chaos/chaos.js';
import { fillDisks, noDisk } from '../chaos/full-disk.js';
import { makeFound, SCENARIOS } from '../chaos/scenarios.js';
import { startS3Server } from '../support/s3-server.js';

export const CHAOS_STORES = ['folder', 'tmpfs', 's3'] as const;
export type ChaosStore = (typeof CHAOS_STORES)[number];

export interface ChaosBench {
  readonly folder: string;
  readonly store: ChaosStore;
  /** Kills, or disks that are too small, in all: as many of each command. */
  readonly kills: number;
  readonly seed: number;
}

/** Throws an error that says why, where there is no such store. */
export async function benchChaos({ folder, store, kills, seed }: ChaosBench): Promise<ChaosOutcome[]> {
  if (store === 'tmpfs' && noDisk !== null) throw new Error(`--store tmpfs: ${noDisk}`);
  const server = store === 's3' ? await startS3Server() : null;
  const solving = SCENARIOS.filter(({ solves }) => solves);
  const scenarios = store === 's3' ? solving : SCENARIOS;
  const each = Math.ceil(kills / scenarios.length);
  const outcomes: ChaosOutcome[] = [];
  try {
    const found = await makeFound(join(folder, 'found'));
    for (const [i, scenario] of scenarios.entries()) {
      const common = { scenario, seed: seed + i, folder, found };
      const outcome =
        store === 'tmpfs'
          ? await fillDisks({ ...common, disks: each })
          : await chaos({ ...common, kills: each, ...(server === null ? {} : { newStore: server.newUri }) });
      outcomes.push(outcome);
      process.stderr.write(`${outcome.name}: ${outcome.kills} of ${outcome.starts} starts\n`);
      for (const line of outcome.wrong) process.stderr.write(`${line}\n`);
    }
    return outcomes;
  } finally {
    await server?.close();
  }
}
