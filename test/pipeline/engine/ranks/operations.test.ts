/** Operations of ranks on the store as their number grows: objects with the ranks, reads of each rank with the ranks. */

import { expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { PACE } from '../../../../pipeline/engine/crew/pace.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { type Strategy, strategies } from '../../../../pipeline/game/strategy.js';
import { withoutUnmoves } from '../../../support/forward-only.js';
import { graphGame, randomGraph } from '../../../support/graph-game.js';
import { sweep } from '../../../support/long.js';
import { solveByRanks } from '../../../support/ranks.js';
import { digestsOf } from '../../../support/solving.js';

const graph = randomGraph(7, {
  name: 'above',
  size: 600,
  width: 23,
  ladder: false,
  dependency: randomGraph(8, { name: 'below', size: 90, width: 40, ladder: false }),
});
const game = graphGame(graph.dependency!, graph) as Game;
const NUMBERS = sweep([2, 4], [8, 16]);

/** Operations of a rank; sizes and reads of absent objects are waiting, and not counted. */
interface Asked {
  created: number;
  reads: number;
  sizes: number;
  lists: number;
}

const nothing = (): Asked => ({ created: 0, reads: 0, sizes: 0, lists: 0 });

/** Operations by rank, or by rank and shipment. */
type Tally = Map<string, Asked>;

function tallied(store: Store, keysOf: (name: string) => readonly string[], tally: Tally): Store {
  const count = (name: string, field: keyof Asked) => {
    for (const key of keysOf(name)) {
      const asked = tally.get(key) ?? nothing();
      asked[field]++;
      tally.set(key, asked);
    }
  };
  return {
    ...store,
    async create(name) {
      count(name, 'created');
      return store.create(name);
    },
    async putIfAbsent(name, bytes) {
      const isFirst = await store.putIfAbsent(name, bytes);
      if (isFirst) count(name, 'created');
      return isFirst;
    },
    async read(name, offset, into) {
      count(name, 'reads');
      await store.read(name, offset, into);
    },
    async size(name) {
      const size = await store.size(name);
      if (size !== null) count(name, 'sizes');
      return size;
    },
    async list(prefix) {
      count(prefix, 'lists');
      return store.list(prefix);
    },
  };
}

/** Shipment of a bundle, e.g. "requests-7"; null if the object is no bundle. */
const shipmentOf = (name: string) =>
  /\/((?:requests|asked|answers)-\d+|moves)-\d+-\d+-[^/]*\.arrow$/.exec(name)?.[1] ?? null;

/** Solves the graph by `ranks` ranks, one partition each, all rounds by all. */
async function solve(of: Game, strategy: Strategy, ranks: number) {
  const byRank: Tally = new Map();
  const byShipment: Tally = new Map();
  const all = memoryStore();
  // The slice below is of one part, and does not matter here.
  await solveByRanks(of, ['below'], { strategy, ranks: 1 }, all);
  const steps = new Set<string>();
  const seenBy = (store: Store, rank: number) => {
    const ships = tallied(
      store,
      (name) => {
        const shipment = shipmentOf(name);
        return shipment === null ? [] : [`${shipment} ${rank}`];
      },
      byShipment,
    );
    return tallied(
      ships,
      (name) => {
        const step = /\/steps\/\w+\/([\w-]+)\/\d+\.json$/.exec(name)?.[1];
        if (step !== undefined) steps.add(step);
        return [String(rank)];
      },
      byRank,
    );
  };
  const pace = { ...PACE, fewRequests: 0 };
  const { summaries } = await solveByRanks(of, ['above'], { strategy, ranks, seenBy, pace }, all);
  return { digests: digestsOf(summaries), byRank, byShipment, steps: steps.size };
}

const sum = (tally: Tally, field: keyof Asked) =>
  [...tally.values()].reduce((so, asked) => so + asked[field], 0);

const cases = [
  ...strategies.map((strategy) => ({ what: strategy as string, of: game, strategy })),
  { what: 'count, by edges', of: withoutUnmoves(game), strategy: 'count' as const },
];

test.each(cases)(
  `$what: ${NUMBERS.join(', ')} ranks need no more operations than promised`,
  { timeout: 300_000 },
  async ({ of, strategy }) => {
    const solved = [];
    for (const ranks of NUMBERS) solved.push({ ranks, ...(await solve(of, strategy, ranks)) });
    const shipments = (tally: Tally) => new Set([...tally.keys()].map((key) => key.split(' ')[0])).size;
    for (const { ranks, byRank, byShipment, steps, digests } of solved) {
      expect(digests).toEqual(solved[0].digests);
      expect(steps).toBe(solved[0].steps);
      // A sender makes one object; a receiver reads once of each other sender, and asks nothing else.
      for (const [shipment, { created, reads, sizes }] of byShipment) {
        expect(created, shipment).toBeLessThanOrEqual(1);
        expect(reads, shipment).toBeLessThanOrEqual(ranks - 1);
        expect(sizes, shipment).toBe(0);
      }
      expect(shipments(byShipment)).toBeGreaterThan(10);
      expect(sum(byShipment, 'reads')).toBeGreaterThan(0);
      // Barriers included. A few steps have neither bundles nor partners: they read tables, labels and the plan.
      for (const [rank, { reads, sizes, lists }] of byRank) {
        const perStep = (reads + sizes) / steps;
        // The leading rank reads the manifests of all parts, too: their sizes and their bytes.
        expect(perStep, `rank ${rank} of ${ranks}`).toBeLessThanOrEqual(
          (rank === '0' ? 3 * ranks : ranks) + 12,
        );
        if (rank !== '0') expect(lists, `rank ${rank} of ${ranks}`).toBeLessThanOrEqual(1);
      }
    }
    // Twice the ranks: not quite twice the objects.
    for (const [i, { byRank }] of solved.slice(1).entries())
      expect(sum(byRank, 'created')).toBeLessThan(2.05 * sum(solved[i].byRank, 'created'));
    // Most of the senders have rows for some receivers, or all of this would hold of nothing.
    const { byShipment } = solved.at(-1)!;
    const most = Math.max(...[...byShipment.values()].map(({ reads }) => reads));
    expect(most).toBeGreaterThan(NUMBERS.at(-1)! / 2);
  },
);
