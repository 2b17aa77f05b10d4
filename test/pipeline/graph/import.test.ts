/** Imports refuse wrong graphs, keep right ones, and continue where they were interrupted. */
import { describe, expect, it } from 'vitest';
import { openGraphProber } from '../../../pipeline/graph/graph-prober.js';
import { idOf, idText, keyOf } from '../../../pipeline/graph/ids.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import type { GraphNode, NodeId } from '../../../pipeline/graph/source.js';
import { ifShort, LONG } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { type MemoryGraph, memorySource, solveNaively, solving } from './memory-graph.js';

const node = (id: NodeId, edges: readonly NodeId[] = [], owner: 0 | 1 = 0): GraphNode => ({
  id,
  owner,
  winner: null,
  edges,
});
const graphOf = (nodes: GraphNode[], edges: MemoryGraph['edges'] = []): MemoryGraph => ({
  nodes,
  edges,
  stuck: 'lost',
});

describe('an import refuses', () => {
  it.each([
    [
      'a node that is there twice',
      graphOf([node('a'), node(7), node('a')]),
      'a graph: node 2: the node is listed already, node 0',
    ],
    ['an edge to no node', graphOf([node('a', ['a', 'b'])]), 'a graph: node 0: there is no node "b"'],
    ['text in place of an integer', graphOf([node(7, ['7'])]), 'a graph: node 0: there is no node "7"'],
    [
      'an edge from no node',
      graphOf([node('a')], [{ from: 3, to: 'a' }]),
      'a graph: edge 0: there is no node 3',
    ],
    ['no nodes', graphOf([]), 'a graph: there are no nodes'],
    [
      'names that no key tells apart',
      graphOf([node(-1), node(2n ** 64n - 1n)]),
      'a graph: two names of nodes cannot be told apart',
    ],
  ])('%s', async (_, graph, message) => {
    const asked = solving(graph);
    await expect(solveGraph(asked)).rejects.toThrow(message);
    // Spilled and unfinished objects are gone from scratch.
    expect(await asked.scratch.store.list('')).toEqual([]);
  });

  it('another graph under a name in use, and an impossible name', async () => {
    const asked = solving(graphOf([node('a')]));
    await solveGraph(asked);
    await expect(solveGraph({ ...asked, fingerprint: '2' })).rejects.toThrow(
      'has a graph test that was made from another a graph',
    );
    await expect(solveGraph({ ...asked, name: '../x' })).rejects.toThrow("cannot be a graph's name");
  });
});

describe('an import', () => {
  it('counts a repeated edge once, and none from a node where the play is over', async () => {
    const over: GraphNode = { id: 'end', owner: 0, winner: 1, edges: ['a'] };
    const graph = graphOf(
      [node('a', ['end', 'b', 'end']), node('b', ['b']), over],
      [
        { from: 'a', to: 'b' },
        { from: 'end', to: 'b' },
      ],
    );
    const asked = solving(graph);
    const { graph: made } = await solveGraph(asked);
    expect(made).toMatchObject({ nodes: 3, edges: 3, edgesRead: 7, idKind: 'text' });
    const prober = await openGraphProber(asked.store, 'test', 'dtw');
    expect(await prober.edges(2)).toEqual([]);
  });

  it('is not done again', async () => {
    const asked = solving(graphOf([node('a', ['b']), node('b')]));
    await solveGraph(asked);
    const broken = {
      ...memorySource(graphOf([])),
      read: () => Promise.reject(new Error('read again')) as never,
    };
    const { summary } = await solveGraph({ ...asked, source: broken });
    expect(summary.found).toBe(true);
  });

  it('is read with names of all kinds', async () => {
    const names: NodeId[] = [
      '',
      '7',
      7,
      -7,
      'ä"\\\n',
      '\u{1f600}',
      2 ** 53 - 1,
      2n ** 63n,
      'x'.repeat(70_000),
    ];
    const graph = graphOf(names.map((id, i) => node(id, [names[(i + 1) % names.length]])));
    const asked = solving(graph);
    await solveGraph(asked);
    const prober = await openGraphProber(asked.store, 'test', 'dtw');
    for (const [i, id] of names.entries()) {
      expect(await prober.node(id)).toMatchObject({ number: i, id, winner: null });
      expect((await prober.edges(i)).map((after) => after.id)).toEqual([names[(i + 1) % names.length]]);
    }
    expect(await prober.node('y')).toBeNull();
  });
});

describe('names', () => {
  it('are read as they are written', () => {
    for (const id of ['', '7', 7, -3, 'a"b', 2n ** 64n - 1n]) expect(idOf(idText(id))).toBe(id);
  });

  it('that are integers have keys of their own, spread over the majors', () => {
    const seen = new Set<string>();
    const majors = new Map<number, number>();
    const key = { major: 0, minor: 0, rest: 0 };
    for (let i = 0; i < 200_000; i++) {
      keyOf(i < 100_000 ? i : i * 2 ** 20, 3, key);
      seen.add(`${key.major} ${key.minor} ${key.rest}`);
      majors.set(key.major, (majors.get(key.major) ?? 0) + 1);
    }
    expect(seen.size).toBe(200_000);
    // 195 of a major on average: six standard deviations.
    expect(Math.max(...majors.values())).toBeLessThan(280);
    expect(majors.size).toBe(1024);
  });
});

describe.skipIf(!LONG)(`a solve that is interrupted${ifShort}`, () => {
  /** A corridor of one player's nodes whose wins are long, with hubs that lose only when all their edges do. */
  function corridor(): MemoryGraph {
    const length = 320;
    const nodes: GraphNode[] = [];
    for (let i = 0; i < length; i++)
      nodes.push({ id: i, owner: 0, winner: i === 0 ? 0 : null, edges: i === 0 ? [] : [i - 1] });
    // One owner throughout; the other's hubs lead to all of the corridor's nodes, or to all and one that is safe.
    for (let h = 0; h < 5; h++) {
      const edges = Array.from({ length: length - h * 10 }, (_, i) => i as NodeId);
      nodes.push({ id: `hub ${h}`, owner: 1, winner: null, edges: h === 3 ? [...edges, 'safe'] : edges });
    }
    nodes.push({ id: 'safe', owner: 1, winner: null, edges: ['safe'] });
    // More than a part, so that steps are kept.
    for (let i = nodes.length; i < (1 << 18) + 100; i++)
      nodes.push({ id: `other ${i}`, owner: 0, winner: null, edges: [`hub ${i % 5}`] });
    return graphOf(nodes);
  }

  it('continues with the counts of hubs', async () => {
    const graph = corridor();
    const source = memorySource(graph, 1 << 14);
    // In more memory the graph would be solved without rounds.
    const asked = solving(graph, { source, budget: budgetOf(4 * MiB) });
    let stopped = 0;
    // Rounds are kept every 256: stop behind that.
    const stopping = solveGraph({
      ...asked,
      progress: (event) => {
        if (event.type === 'round' && event.ply === 290) {
          stopped++;
          throw new Error('stop');
        }
      },
    });
    await expect(stopping).rejects.toThrow('stop');
    expect(stopped).toBe(1);
    let rounds = 0;
    const { summary } = await solveGraph({
      ...asked,
      progress: (event) => {
        if (event.type === 'round') rounds++;
      },
    });
    expect(rounds).toBeLessThan(80);
    expect(summary.verified).toBe(graph.nodes.length);
    const prober = await openGraphProber(asked.store, 'test', 'dtw');
    for (const [id, winner, plies] of [
      ['hub 0', 0, 320],
      ['hub 1', 0, 310],
      ['hub 3', null, null],
      [319, 0, 319],
    ] as const)
      expect(await prober.node(id)).toMatchObject({ winner, plies });
    expect(solveNaively(graphOf(graph.nodes.slice(0, 326) as GraphNode[])).get('hub 2')).toEqual({
      winner: 0,
      plies: 300,
    });
    expect(await prober.node('hub 2')).toMatchObject({ winner: 0, plies: 300 });
  });
});
