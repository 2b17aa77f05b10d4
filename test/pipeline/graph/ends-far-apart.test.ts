/** Ends whose values lie thousands of plies apart: the rounds between them, in which nothing can happen, are not done. */

import { expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { PACE } from '../../../pipeline/engine/crew/pace.js';
import type { Solvable } from '../../../pipeline/engine/crew/slice-phases.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { openGraphProber } from '../../../pipeline/graph/graph-prober.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { solveByRanks } from '../../support/ranks.js';
import { MiB } from '../../support/solving.js';
import { type MemoryGraph, solving } from './memory-graph.js';

const end = (id: string, winner: 0 | 1, plies: number) =>
  ({ id, owner: 0, winner, plies, edges: [] }) as const;
const node = (id: string, owner: 0 | 1, ...edges: string[]) => ({ id, owner, winner: null, edges });

const graph: MemoryGraph = {
  nodes: [
    end('near', 0, 12),
    end('far', 0, 4000),
    node('wins soon', 0, 'near', 'far'),
    node('loses soon', 1, 'near'),
    node('holds out', 1, 'near', 'far'),
    node('wins at once', 0, 'loses soon', 'holds out'),
    node('wins late', 0, 'holds out'),
    node('walks in circles', 1, 'walks in circles', 'near'),
  ],
  edges: [],
  stuck: 'lost',
};
const values = {
  near: 12,
  far: 4000,
  'wins soon': 13,
  'loses soon': 13,
  'wins at once': 14,
  'holds out': 4001,
  'wins late': 4002,
  'walks in circles': null,
};
const PLIES = [1, 12, 13, 14, 15, 4000, 4001, 4002, 4003];

async function valuesIn(store: Store) {
  const prober = await openGraphProber(store, 'test', 'dtw');
  const found: [string, number | null][] = [];
  for (const { id } of graph.nodes) found.push([String(id), (await prober.node(id))!.plies]);
  return Object.fromEntries(found);
}

async function solved(mode: 'memory' | 'streaming', store: Store): Promise<number[]> {
  const asked = { ...solving(graph), store };
  const imported = await importGraph({ ...asked, report: () => {}, phase: () => {} });
  const whole = solvableGraph(imported);
  const game = { ...whole, phases: { ...whole.phases!, mode: () => ({ mode, why: 'tested' }) } } as Solvable;
  const plies: number[] = [];
  const scratch = newScratch(memoryStore(), 'scratch');
  const { verified, table } = await solveOne({
    ...asked,
    game,
    slice: 'test',
    strategy: 'count',
    engine: inlineEngine(game, store, scratch),
    progress: (event) => {
      if (event.type === 'round') plies.push(event.ply);
    },
  });
  expect(verified).toBe(graph.nodes.length);
  expect(table.rounds).toBe(PLIES.at(-1));
  return plies;
}

test.each(['memory', 'streaming'] as const)('mode %s', async (mode) => {
  const store = memoryStore();
  expect(await solved(mode, store)).toEqual(PLIES);
  expect(await valuesIn(store)).toEqual(values);
});

test.each([1, PACE.commitRounds])('two ranks that commit after %i rounds', async (commitRounds) => {
  const store = memoryStore();
  const asked = solving(graph, { store });
  const imported = await importGraph({ ...asked, report: () => {}, phase: () => {} });
  const plies: number[] = [];
  const whole = solvableGraph(imported);
  const phases = { ...whole.phases!, mode: () => ({ mode: 'streaming', why: 'tested' }) };
  await solveByRanks(
    { ...whole, phases } as Solvable,
    ['test'],
    {
      ranks: 2,
      memory: 8 * MiB,
      pace: { ...PACE, commitRounds },
      progress: (event) => {
        if (event.type === 'round') plies.push(event.ply);
      },
    },
    store,
  );
  expect([...new Set(plies)]).toEqual(PLIES);
  expect(await valuesIn(store)).toEqual(values);
});
