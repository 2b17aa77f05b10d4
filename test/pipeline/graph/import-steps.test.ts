/** An interrupted import goes on, and ends like one without interruption. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { DamageError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { seededRandom } from '../../../pipeline/game/sample.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { edgeNamesOf } from '../../../pipeline/graph/edge-names.js';
import { idText } from '../../../pipeline/graph/ids.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import type { ImportOptions } from '../../../pipeline/graph/import-options.js';
import { needGraph } from '../../../pipeline/graph/manifest.js';
import { openNames } from '../../../pipeline/graph/node-names.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import type { GraphBatch, GraphSource, Layer, ListedGraph, Place } from '../../../pipeline/graph/source.js';
import { LimitReached } from '../../../pipeline/graph/too-large.js';
import { environment } from '../../operators/model.js';
import { drawGraph, graphGame } from '../../support/keyed-graph.js';
import { keysOfOneHash } from '../../support/keyed-rows.js';
import { killed } from '../../support/killed-store.js';
import { LONG, LONGEST } from '../../support/long.js';
import { budgetOf } from '../../support/solving.js';
import { type MemoryGraph, memorySource, randomGraph } from './memory-graph.js';

const KiB = 1024;

/** A memory source that can go on from any batch. */
function placedSource(graph: MemoryGraph, batch = 20): ListedGraph & { batches: number } {
  const source = {
    ...memorySource(graph, batch),
    batches: 0,
    async *read(going?: { readonly from: Place | null }): AsyncIterable<GraphBatch> {
      const [skipped] = going?.from?.at ?? [0];
      let at = 0;
      for await (const each of memorySource(graph, batch).read()) {
        if (at++ < skipped) continue;
        source.batches++;
        const place = { at: [at], runs: [] };
        yield { ...each, place: async () => place };
      }
    },
  };
  return source;
}

type Asked = Partial<ImportOptions> & Pick<ImportOptions, 'source' | 'store'>;

function imported(asked: Asked) {
  return importGraph({
    name: 'g',
    fingerprint: '1',
    commitRows: 300,
    report: () => {},
    phase: () => {},
    scratch: newScratch(memoryStore(), 'scratch'),
    budget: budgetOf(256 * KiB),
    ...asked,
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Digests of all objects, and the graph without its counters. */
async function contents(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await store.list('')) {
    const bytes = Buffer.from((await readAll(store, name))!);
    found.set(
      name,
      name.endsWith('graph.json')
        ? JSON.stringify({ ...JSON.parse(bytes.toString()), counters: null, checksum: null })
        : sha256(bytes),
    );
  }
  return found;
}

/**
 * Kills at everything that is done to the store, once or again and again, and has another process go on. Returns how many things
 * an import does that is not killed.
 */
async function expectContinued(sourceOf: () => GraphSource, more: Partial<ImportOptions> = {}, objects = 6) {
  const whole = memoryStore();
  let done = 0;
  const counted = killed(whole, Number.POSITIVE_INFINITY, () => done++);
  await imported({ source: sourceOf(), store: counted, ...more });
  const expected = await contents(whole);
  expect([...expected.keys()].filter((name) => name.includes('/steps/'))).toEqual([]);
  expect(expected.size).toBe(objects);
  // Only the longest tests kill at everything that is done.
  for (let after = 0, ended = false; !ended; after += LONGEST ? 1 : LONG ? 5 : 11) {
    const store = memoryStore();
    const first = imported({ source: sourceOf(), store: killed(store, after), ...more });
    ended = await first.then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('killed');
        return false;
      },
    );
    // The graph is there as soon as it is committed; the next look at it deletes objects that have served.
    await imported({ source: sourceOf(), store, ...more });
    expect(await contents(store)).toEqual(expected);
  }
  for (const step of [17, 25]) {
    const store = memoryStore();
    let lives = 0;
    const live = () => imported({ source: sourceOf(), store: killed(store, step + lives), ...more });
    while (
      !(await live().then(
        () => true,
        () => false,
      ))
    )
      expect(lives++).toBeLessThan(100);
    await imported({ source: sourceOf(), store, ...more });
    expect(await contents(store)).toEqual(expected);
  }
  return done;
}

const graph = randomGraph({ nodes: 150, edges: 900, seed: 4 });

describe('an import that is killed at any operation continues', () => {
  it('in strides', async () => {
    expect(await expectContinued(() => placedSource(graph))).toBeGreaterThan(60);
  });

  it('in strides, the first of which has no names of edges', async () => {
    const nodes = graph.nodes.map((node, i) =>
      i < 60 || i % 2 === 0
        ? node
        : { ...node, names: node.edges.map((_, k) => (k % 3 === 0 ? null : `${i}/${k}`)) },
    );
    await expectContinued(() => placedSource({ ...graph, nodes }), {}, 7);
    const store = memoryStore();
    const { runs } = await imported({ source: placedSource({ ...graph, nodes }), store });
    const texts = await openNames(store, runs.moves!, newCounters());
    for (const [i, { names = [], edges, winner }] of nodes.entries()) {
      const found = edgeNamesOf(await texts.of(i));
      const given = names.flatMap((name, k) =>
        name === null || winner !== null ? [] : [[idText(edges[k]), name]],
      );
      expect([...found].flatMap(([to, all]) => all.map((name) => [to, name])).sort()).toEqual(given.sort());
    }
  });

  it('of a source without places, with rows that are spilled', async () => {
    const budget = budgetOf(64 * KiB);
    expect(await expectContinued(() => memorySource(graph), { budget })).toBeGreaterThan(20);
  });

  it('of one step, in memory', async () => {
    const more = { commitRows: 1 << 20, budget: budgetOf(1 << 20) };
    expect(await expectContinued(() => memorySource(graph), more)).toBeLessThan(25);
  });

  it('of a keyed game, behind the last layer', async () => {
    // Two of the wide keys have each hash, so that the import begins again by another.
    for (const [memory, game] of [
      [6 * KiB, keyed(120)],
      [256 * KiB, keyed(120, keysOfOneHash(120, 130, 2))],
    ] as const) {
      const sourceOf = () => reachableGraph(game, environment(memory, 3, 1000));
      expect(await expectContinued(sourceOf, { commitRows: 120 })).toBeGreaterThan(60);
    }
  });
});

/** A game with layers of some ten positions. */
function keyed(
  count: number,
  keys: readonly bigint[] = Array.from(
    { length: count },
    (_, i) => (BigInt(i) * 0x9e37_79b9_7f4a_7c15n) % 2n ** 64n,
  ),
): KeyedRules<number> {
  const random = seededRandom(8);
  return graphGame(drawGraph(keys, 6, 30, random));
}

describe('finished work is not repeated', () => {
  it('of reading a source', async () => {
    const store = memoryStore();
    const source = placedSource(graph);
    await imported({ source, store: memoryStore() });
    const all = source.batches;
    await expect(imported({ source, store: killed(store, 'stride-00001.json') })).rejects.toThrow('killed');
    source.batches = 0;
    const again = await imported({ source, store });
    expect(source.batches).toBeGreaterThan(0);
    expect(source.batches).toBeLessThan(all / 2);
    expect(again.edgesRead).toBe(
      graph.edges.length + graph.nodes.reduce((sum, { edges }) => sum + edges.length, 0),
    );
  });

  it('of the moves of a game', async () => {
    const asked = countingMoves(keyed(120));
    const layers: number[] = [];
    const sourceOf = () => reachableGraph(asked.game, environment(64 * KiB, 3, 1000));
    const found = ({ positions }: Layer) => void layers.push(positions);
    const store = memoryStore();
    await imported({ source: sourceOf(), store: memoryStore(), commitRows: 150, found });
    const [whole, all] = [asked.calls, layers.splice(0)];
    await expect(
      imported({ source: sourceOf(), store: killed(store, 'stride-00001.json'), commitRows: 150, found }),
    ).rejects.toThrow();
    asked.calls = 0;
    layers.length = 0;
    await imported({ source: sourceOf(), store, commitRows: 150, found });
    expect(asked.calls).toBeGreaterThan(0);
    expect(asked.calls).toBeLessThan(whole);
    // Layers that an earlier process found are reported again, so that all are known in the end.
    expect(layers).toEqual(all);
  });
});

/** The game, and how often its moves were listed. */
function countingMoves(game: KeyedRules<number>) {
  const asked = {
    calls: 0,
    game: {
      ...game,
      listMoves: (position, out) => {
        asked.calls++;
        return game.listMoves(position, out);
      },
    } as KeyedRules<number>,
  };
  return asked;
}

describe('a game with more positions than a limit allows', () => {
  const limited = (
    store: Store,
    game: KeyedRules<number>,
    atMost: number,
    more: Partial<ImportOptions> = {},
  ) => imported({ source: reachableGraph(game, environment(64 * KiB, 3, 1000)), store, atMost, ...more });

  it.each([
    ['sorted', { commitRows: 150 }],
    ['found in memory first', { commitRows: 1 << 20, budget: budgetOf(1 << 20) }],
  ] as const)('stops, and goes on with a larger limit: %s', async (_, more) => {
    const game = keyed(120);
    const asked = countingMoves(game);
    const whole = memoryStore();
    const { nodes } = await limited(whole, asked.game, 120, more);
    const all = asked.calls;
    const store = memoryStore();
    // Layers are found as a whole: how many positions there were is said.
    for (const atMost of [nodes - 40, nodes - 20])
      await expect(limited(store, game, atMost, more)).rejects.toThrow(
        new RegExp(
          `^drawn: [0-9]+ positions within [0-9]+ moves, more than the limit of ${atMost}: they are kept, and solving with a larger limit goes on from them$`,
        ),
      );
    asked.calls = 0;
    await limited(store, asked.game, nodes, more);
    expect(asked.calls).toBeGreaterThan(0);
    expect(asked.calls).toBeLessThan(all);
    // The same graph, but for how it was divided on the way.
    const graphOf = async (from: Store) => {
      const found = await contents(from);
      return [...found.keys()].sort();
    };
    expect(await graphOf(store)).toEqual(await graphOf(whole));
    expect((await needGraph(store, 'g')).layers).toEqual((await needGraph(whole, 'g')).layers);
  });

  it('is refused again by the same limit, without asking for a move', async () => {
    const store = memoryStore();
    const game = keyed(120);
    await expect(limited(store, game, 60)).rejects.toThrow(LimitReached);
    const mute = { ...game, listMoves: () => expect.unreachable('moves are known') };
    await expect(limited(store, mute, 60)).rejects.toThrow(LimitReached);
  });
});

/** A store in which an import was killed. */
async function interrupted(after: number | string): Promise<Store> {
  const store = memoryStore();
  await expect(imported({ source: placedSource(graph), store: killed(store, after) })).rejects.toThrow(
    'killed',
  );
  return store;
}

async function copyOf(store: Store): Promise<Store> {
  const copy = memoryStore();
  for (const name of await store.list(''))
    await copy.putIfAbsent(name, (await readAll(store, name))!.slice());
  return copy;
}

/**
 * Ways in which a removal may end early. The first manifest goes first and the others in no order: so with it goes one other object, or all
 * others but one.
 */
function* partsOfRemoval(objects: readonly string[]): Generator<(name: string) => boolean> {
  const first = objects.find((name) => name.endsWith('/stride-00000.json'));
  yield () => false;
  for (const one of objects) {
    if (one === first) continue;
    yield (name) => name === first || name === one;
    yield (name) => name === first || name !== one;
  }
}

/** Deletes these objects; the process is killed instead of deleting another one, but what it has begun happens. */
function removing(store: Store, isRemoved: (name: string) => boolean): Store['delete'] {
  return (name) => (isRemoved(name) ? store.delete(name) : Promise.reject(new Error('killed')));
}

describe('an interrupted import', () => {
  it('of another source is discarded', async () => {
    const other = randomGraph({ nodes: 100, edges: 700, seed: 5 });
    const whole = memoryStore();
    await imported({ source: placedSource(other), store: whole, fingerprint: '2' });
    for (const after of [20, 'stride-00001.json', 'index.json']) {
      const store = await interrupted(after);
      // Killed while it throws away, too.
      await imported({ source: placedSource(graph), store: killed(store, 3), fingerprint: '2' }).catch(
        () => {},
      );
      await imported({ source: placedSource(other), store, fingerprint: '2' });
      expect(await contents(store)).toEqual(await contents(whole));
    }
  });

  it('is removed object by object, and begins anew wherever that stops', async () => {
    const wide = keyed(120, keysOfOneHash(120, 130, 2));
    const sources: [() => GraphSource, Partial<ImportOptions>][] = [
      [() => placedSource(graph), {}],
      // The index is there under the second seed: two keys have one hash under the first.
      [() => reachableGraph(wide, environment(256 * KiB, 3, 1000)), { commitRows: 120, inMemory: 'never' }],
    ];
    for (const [sourceOf, more] of sources) {
      const whole = memoryStore();
      await imported({ source: sourceOf(), store: whole, ...more });
      const expected = await contents(whole);
      const begun = memoryStore();
      for (const end of [0, 1].slice(more.commitRows === undefined ? 1 : 0))
        await expect(
          imported({ source: sourceOf(), store: killed(begun, 'index.json'), ...more }),
          `the end of seed ${end}`,
        ).rejects.toThrow('killed');
      for (const isRemoved of partsOfRemoval(await begun.list(''))) {
        const store = await copyOf(begun);
        const stopping = { ...store, delete: removing(store, isRemoved) };
        await expect(
          imported({ source: memorySource(graph), store: stopping, fingerprint: '2' }),
        ).rejects.toThrow('killed');
        await imported({ source: sourceOf(), store, ...more });
        expect(await contents(store)).toEqual(expected);
      }
    }
  });

  it('leaves nothing if its source is wrong', async () => {
    const { nodes } = graph;
    const wrong = {
      ...graph,
      nodes: [...nodes, { ...nodes[9], id: 'wrong', winner: null, edges: ['nowhere'] }],
    };
    const store = memoryStore();
    const refused = () => imported({ source: placedSource(wrong), store });
    await expect(refused()).rejects.toThrow('no node "nowhere"');
    expect(await store.list('')).toEqual([]);
    // The same if the removal itself is interrupted.
    const begun = memoryStore();
    await expect(
      imported({ source: placedSource(wrong), store: killed(begun, 'index.json') }),
    ).rejects.toThrow('killed');
    for (const isRemoved of partsOfRemoval(await begun.list(''))) {
      const stopping = await copyOf(begun);
      const deletes = removing(stopping, isRemoved);
      await expect(
        imported({ source: placedSource(wrong), store: { ...stopping, delete: deletes } }),
      ).rejects.toThrow('killed');
      await expect(imported({ source: placedSource(wrong), store: stopping })).rejects.toThrow(
        'no node "nowhere"',
      );
      expect(await stopping.list('')).toEqual([]);
    }
  });

  it('names the object that is damaged, cut short or gone', async () => {
    const whole = memoryStore();
    await imported({ source: placedSource(graph), store: whole });
    const expected = await contents(whole);
    let refused = 0;
    for (const after of ['stride-00001.json', 'index.json']) {
      const sound = await interrupted(after);
      const objects = await sound.list('');
      // The names are not read again; a lookup finds the damage.
      for (const name of objects.filter((each) => !each.endsWith('/names.arrow'))) {
        for (const damage of name.endsWith('.json') ? ['cut', 'gone'] : ['flip', 'cut', 'gone']) {
          const store = memoryStore();
          for (const each of objects) await store.putIfAbsent(each, (await readAll(sound, each))!.slice());
          const bytes = (await readAll(store, name))!.slice();
          await store.delete(name);
          bytes[bytes.length >> 1] ^= 8;
          if (damage !== 'gone')
            await store.putIfAbsent(name, damage === 'cut' ? bytes.slice(0, bytes.length - 9) : bytes);
          const error = await imported({ source: placedSource(graph), store }).then(
            () => null,
            (thrown: Error) => thrown,
          );
          if (error === null) expect(await contents(store)).toEqual(expected);
          else {
            expect(error).toBeInstanceOf(DamageError);
            expect(error.message).toContain(name);
            refused++;
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(30);
  });
});

it('gives up the runs of the stride that it reads when the source fails, not those of the first', async () => {
  const store = memoryStore();
  const first = 'graph/import/g/steps/stride-00000.json';
  const whole = placedSource(graph);
  const failing: ListedGraph = {
    ...whole,
    async *read(going) {
      for await (const batch of whole.read(going)) {
        if ((await store.size(first)) !== null) throw new Error('the source fails');
        yield batch;
      }
    },
  };
  /** Objects that were begun, and neither published nor given up. */
  const open = new Set<string>();
  const create: Store['create'] = async (name) => {
    const sink = await store.create(name);
    open.add(name);
    const ended = <T>(end: () => Promise<T>) => {
      open.delete(name);
      return end();
    };
    return { ...sink, close: () => ended(() => sink.close()), abort: () => ended(() => sink.abort()) };
  };
  await expect(imported({ source: failing, store: { ...store, create } })).rejects.toThrow(
    'the source fails',
  );
  expect(await store.list('')).toContain(first);
  expect([...open]).toEqual([]);
});
