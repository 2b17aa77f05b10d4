/** Graphs in JSON, written in random styles and damaged at random. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonGraph } from '../../../jobs/graph/json-graph.js';
import { UserError } from '../../../operators/core/errors.js';
import type { GraphNode, NodeId } from '../../../pipeline/graph/source.js';
import { LONG } from '../../support/long.js';
import { firstValue, meaning, newRandom, type PlainGraph, readAll, written } from './json-forms.js';

const id: fc.Arbitrary<NodeId> = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.maxSafeInteger(),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('é', '漢', '😀', '7', '-0', '__proto__', 'a:b', '"', '\\', '\u2028', '\u0000', '/'),
);
const node: fc.Arbitrary<GraphNode> = fc
  .record({
    id,
    owner: fc.constantFrom(0 as const, 1 as const),
    winner: fc.constantFrom(null, null, 0 as const, 1 as const, 'nobody' as const),
    edges: fc.array(id, { maxLength: 4 }),
  })
  .map((node) => node);
const name = fc.oneof(
  fc.constantFrom('0', '1', 'cop', 'robber', 'Müller', '👮'),
  fc.stringMatching(/^[ -~]{1,5}$/),
);
const graph: fc.Arbitrary<PlainGraph> = fc.record({
  players: fc.oneof(
    fc.constant(['0', '1'] as const),
    fc.tuple(name, name).filter(([a, b]) => a !== b),
  ),
  stuck: fc.constantFrom('lost', 'drawn'),
  nodes: fc.array(node, { minLength: 1, maxLength: 6 }),
  edges: fc.array(fc.record({ from: id, to: id }), { maxLength: 4 }),
});

/** The bytes in pieces of at most this length. */
const input = (bytes: Buffer, lines: boolean, most: number) => ({
  name: lines ? 'g.jsonl' : 'g.json',
  async *bytes() {
    for (let at = 0; at < bytes.length; at += most) yield bytes.subarray(at, at + most);
  },
});

const seed = fc.integer({ min: 0, max: 2 ** 31 });
const pieces = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 3, arbitrary: fc.integer({ min: 10, max: 1000 }) },
);

test('a graph in any style, read in any pieces, is read back with the right places', async () => {
  await fc.assert(
    fc.asyncProperty(graph, fc.boolean(), seed, pieces, async (graph, lines, seed, most) => {
      const random = newRandom(seed);
      const mark = random(10) === 0 ? '\ufeff' : '';
      const bytes = Buffer.from(mark + written(graph, lines, random));
      const source = await jsonGraph(input(bytes, lines, most));
      expect(await readAll(source)).toEqual(graph);
      const number = random(graph.nodes.length);
      const { id, edges } = graph.nodes[number];
      const where = await source.whereNode(number);
      const value = firstValue(bytes.subarray(Number(/byte (\d+)$/.exec(where)![1])).toString()).value;
      expect((value as GraphNode).id).toBe(id);
      const last = edges.at(-1) ?? id;
      expect(await source.nameAtNode(number, (name) => name === last)).toBe(last);
      if (graph.edges.length === 0) return;
      const edge = random(graph.edges.length);
      const { from, to } = graph.edges[edge];
      const at = /^edge \d+ at line \d+, byte (\d+)$/.exec(await source.whereEdge(edge))!;
      const found = firstValue(bytes.subarray(Number(at[1])).toString()).value as object;
      expect(Object.values(found)).toEqual(expect.arrayContaining([from, to]));
      expect(await source.nameAtEdge(edge, (name) => name === to)).toBe(to);
    }),
    { numRuns: LONG ? 300 : 50 },
  );
});

test('a text may be cut into two pieces at every byte', async () => {
  const text =
    '{"players":["a\\u00e9","漢😀"],"nodes":[{"id":-12.0e0,"owner":"漢😀","edges":["\\ud83d\\ude00"]},{"id":"😀","winner":null}]}';
  const bytes = Buffer.from(text);
  const whole = await readAll(await jsonGraph(input(bytes, false, bytes.length)));
  expect(whole.nodes).toHaveLength(2);
  for (let cut = 1; cut < bytes.length; cut++) {
    const twoPieces = {
      name: 'g.json',
      async *bytes() {
        yield bytes.subarray(0, cut);
        yield bytes.subarray(cut);
      },
    };
    expect(await readAll(await jsonGraph(twoPieces))).toEqual(whole);
  }
});

type Damage = (bytes: Buffer, random: (below: number) => number) => Buffer;
const SIGNS = [...'{}[]",:\\ \n0123456789-+.eEtfnu', '\u0000', '\u007f', '\ufeff', 'é', '😀'];
const VALUES = [
  'null',
  'true',
  '-1',
  '1e400',
  '9007199254740993',
  '0.5',
  '""',
  '"x"',
  '[]',
  '{}',
  '[[]]',
  '{"a":1}',
  '"\\ud800"',
];
const DAMAGES: Damage[] = [
  (bytes, random) => {
    const flipped = Buffer.from(bytes);
    flipped[random(bytes.length)] ^= 1 << random(8);
    return flipped;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    const at = random(bytes.length + 1);
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(SIGNS[random(SIGNS.length)]),
      bytes.subarray(at),
    ]);
  },
  (bytes, random) => {
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(random(4) === 0 ? 30 : 1))]);
  },
  // A piece of it once more, elsewhere.
  (bytes, random) => {
    const from = random(bytes.length);
    const at = random(bytes.length + 1);
    const piece = bytes.subarray(from, from + 1 + random(20));
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  },
  // Another value in the place of one.
  (bytes, random) => {
    const text = bytes.toString();
    const found = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.0|e0)?|null/g)];
    if (found.length === 0) return bytes.subarray(1);
    const { index, 0: old } = found[random(found.length)];
    return Buffer.from(text.slice(0, index) + VALUES[random(VALUES.length)] + text.slice(index + old.length));
  },
];

/** Whether a number of JSON is an integer, whatever a double makes of it. */
function isWhole(text: string): boolean {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)!;
  const places = Math.min(fraction.length - Number(exponent), 5000);
  return places <= 0 || BigInt(whole + fraction) % 10n ** BigInt(places) === 0n;
}

test('damaged text is refused with its place, or read as JSON.parse reads it', async () => {
  let refused = 0;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(graph, fc.boolean(), seed, pieces, async (graph, lines, seed, most) => {
      const random = newRandom(seed);
      let bytes: Buffer = Buffer.from(written(graph, lines, random));
      for (let times = 1 + random(2); times > 0 && bytes.length > 0; times--) {
        bytes = DAMAGES[random(DAMAGES.length)](bytes, random);
      }
      const expected = meaning(bytes, lines);
      runs++;
      let found: PlainGraph;
      try {
        found = await readAll(await jsonGraph(input(bytes, lines, most)));
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
        const { message } = error as UserError;
        const place = /^graph g\.jsonl?: (?:line \d+, )?byte (\d+): [^\p{Cc}\u2028\u2029]+$/u.exec(message);
        expect(place, message).not.toBeNull();
        expect(Number(place![1])).toBeLessThanOrEqual(bytes.length);
        // JSON.parse rounds what is no integer as it is written.
        const number = / is (-?\d[\d.eE+-]*)(…?), which is not an integer /.exec(message);
        const isRounded = number !== null && (number[2] !== '' || !isWhole(number[1]));
        if (!isRounded) expect(expected, message).toBeNull();
        refused++;
        return;
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: LONG ? 1200 : 150 },
  );
  // Most damage shows, and some makes another graph.
  expect(refused).toBeGreaterThan(runs / 2);
  expect(refused).toBeLessThan(runs);
});
