/** Requests by rows from rank to rank: sets go without an order, and with one where runs are kept for people. */
import { expect, test } from 'vitest';
import { newCounters } from '../../../../operators/core/counters.js';
import { openBundled } from '../../../../operators/runs/bundle.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { readManifest } from '../../../../pipeline/game/manifest.js';
import { SentManifest } from '../../../../pipeline/game/step-manifests.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { sweep } from '../../../support/long.js';
import { solveByRanks } from '../../../support/ranks.js';
import { digestsOf, MiB, solveGame } from '../../../support/solving.js';

const game = chess as Game;

/** For every bundle of requests that is joined in a first round: whether its runs are dense. */
function watched(store: Store): { readonly seen: Store; readonly dense: Set<boolean> } {
  const dense = new Set<boolean>();
  const seen: Store = {
    ...store,
    async putIfAbsent(name, bytes) {
      const isFirst = await store.putIfAbsent(name, bytes);
      if (!/KRKN.*\/expand-\d+\.json$/.test(name)) return isFirst;
      for (const parcel of (await readManifest(store, name, SentManifest))!.sent) {
        if (!('runs' in parcel) || parcel.runs === null) continue;
        for (const i of parcel.runs.ends.keys()) {
          const opened = await openBundled(store, parcel.runs, i, { counters: newCounters(), window: MiB });
          if (opened !== null) dense.add(opened.run.spec.dense);
        }
      }
      return isFirst;
    },
  };
  return { seen, dense };
}

test('tables are the same, whether sets are sent with an order or without', {
  timeout: 600_000,
}, async () => {
  const expected = digestsOf((await solveGame(game, ['KRKN'], {})).summaries);
  for (const keepRuns of sweep([false], [true])) {
    const { seen, dense } = watched(memoryStore());
    const solving = { ranks: 3, partitions: 3, memory: 4 * MiB, keepRuns, verify: false };
    const { summaries } = await solveByRanks(game, ['KRKN'], solving, seen);
    expect(digestsOf(summaries)).toEqual(expected);
    expect([...dense]).toEqual([!keepRuns]);
  }
});
