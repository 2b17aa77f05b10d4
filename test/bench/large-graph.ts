/**
 * `tsx test/bench/large-graph.ts FILE --nodes N --edges E [--shape corridor|random] [--reach R] [--seed S] [--text] [--separate-edges]`
 * writes a large graph, as JSON Lines if FILE is named so, else as a JSON document. The same arguments write the same bytes.
 *
 * Places are 0 to N - 1; identifiers are places in scattered order, so that they have to be sorted.
 * - `corridor`: the play ends only at the first hundredth of the places. Edges lead at most `reach` places on or back, so wins
 *   are about N / reach moves long.
 * - `random`: the play ends at a hundredth of the places, anywhere, and edges lead anywhere: wins are short.
 * Both players own half the nodes each and have won at half the ends each.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface LargeGraph {
  readonly nodes: number;
  /** About so many edges: a node has a random number of them, one at least. */
  readonly edges: number;
  readonly shape: 'corridor' | 'random';
  /** How many places an edge of a corridor leads on or back. */
  readonly reach: number;
  readonly seed: number;
  /** Identifiers are text, not integers. */
  readonly text: boolean;
  /** Edges are written separately from their nodes, each by itself. */
  readonly separateEdges: boolean;
}

const WRITE_CHARS = 1 << 20;

/** Mulberry32: 32 random bits a call. */
function newRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return (bits ^ (bits >>> 14)) >>> 0;
  };
}

/** A multiplier with which all of 0 to n - 1 are met once: about n times the golden ratio, without a common divisor. */
function scatterer(n: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let multiplier = Math.max(1, Math.floor(n * 0.6180339887));
  while (divisor(multiplier, n) !== 1) multiplier++;
  return multiplier;
}

/** How many nodes and edges were written, and how many bytes. Up to 2^26 nodes, so that products are exact. */
export function writeLargeGraph(path: string, graph: LargeGraph): { edges: number; bytes: number } {
  const { nodes, shape, reach, text, separateEdges } = graph;
  if (!(nodes >= 1 && nodes <= 2 ** 26)) throw new Error(`nodes: 1 to 2^26, not ${nodes}`);
  const lines = /\.(jsonl|ndjson)$/.test(path);
  const random = newRandom(graph.seed);
  const below = (n: number) => Math.floor((random() / 2 ** 32) * n);
  const multiplier = scatterer(nodes);
  const id = text
    ? (place: number) => `"n${(place * multiplier) % nodes}"`
    : (place: number) => `${(place * multiplier) % nodes}`;
  const ends = Math.max(2, Math.ceil(nodes / 100));
  const isEnd = shape === 'corridor' ? (place: number) => place < ends : () => below(100) === 0;
  const target =
    shape === 'corridor'
      ? (place: number) => {
          const to = place + 1 + below(reach) - (random() & 1) * (reach + 1);
          return Math.min(Math.max(to, 0), nodes - 1);
        }
      : () => below(nodes);
  // One edge for sure, and the others by an even distribution.
  const more = 2 * Math.max(0, graph.edges / (nodes * 0.99) - 1);

  const file = openSync(path, 'w');
  let held = '';
  let bytes = 0;
  const put = (piece: string) => {
    held += piece;
    if (held.length < WRITE_CHARS) return;
    bytes += writeSync(file, held);
    held = '';
  };
  let edges = 0;
  const head = '"players":["even","odd"],"stuck":"lost"';
  put(lines ? `{${head}}\n` : `{${head},\n"nodes":[\n`);
  const between = lines ? '\n' : ',\n';
  /** Separate edges come after all nodes in a document, so their nodes are walked through once more. */
  const walk = (each: (place: number, owner: number, targets: string[] | null) => string | null) => {
    let first = true;
    for (let place = 0; place < nodes; place++) {
      const owner = random() & 1;
      const count = isEnd(place) ? 0 : 1 + Math.floor((random() / 2 ** 32) * (more + 1));
      const targets = count === 0 ? null : Array.from({ length: count }, () => id(target(place)));
      const written = each(place, owner, targets);
      if (written === null) continue;
      put(first ? written : between + written);
      first = false;
    }
  };
  walk((place, owner, targets) => {
    edges += targets?.length ?? 0;
    if (targets === null) return `{"id":${id(place)},"winner":${owner}}`;
    return `{"id":${id(place)},"owner":${owner}${separateEdges ? '' : `,"edges":[${targets.join(',')}]`}}`;
  });
  if (separateEdges) {
    edges = 0;
    put(lines ? '\n' : '],\n"edges":[\n');
    walk((place, _owner, targets) => {
      if (targets === null) return null;
      edges += targets.length;
      return targets.map((to) => `[${id(place)},${to}]`).join(between);
    });
  }
  put(lines ? '\n' : ']}\n');
  bytes += writeSync(file, held);
  closeSync(file);
  return { edges, bytes };
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replace(/^.*\//, '/'))) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      nodes: { type: 'string', default: '1000000' },
      edges: { type: 'string', default: '5000000' },
      shape: { type: 'string', default: 'corridor' },
      reach: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      text: { type: 'boolean', default: false },
      'separate-edges': { type: 'boolean', default: false },
    },
  });
  const written = writeLargeGraph(positionals[0], {
    nodes: Number(values.nodes),
    edges: Number(values.edges),
    shape: values.shape === 'random' ? 'random' : 'corridor',
    reach: Number(values.reach),
    seed: Number(values.seed),
    text: values.text,
    separateEdges: values['separate-edges'],
  });
  process.stdout.write(`${JSON.stringify(written)}\n`);
}
