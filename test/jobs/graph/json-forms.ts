/** Graphs as JSON texts in many styles, and the meaning of a text, read by JSON.parse and checked naively. */
import type { Random } from '../../../pipeline/game/sample.js';
import type { GraphEdge, GraphNode, ListedGraph, NodeId } from '../../../pipeline/graph/source.js';

export interface PlainGraph {
  readonly players: readonly [string, string];
  readonly stuck: 'lost' | 'drawn';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export async function readAll(source: ListedGraph): Promise<PlainGraph> {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for await (const batch of source.read()) {
    nodes.push(...batch.nodes);
    edges.push(...batch.edges);
  }
  return { players: source.head.players, stuck: source.stuck, nodes, edges };
}

export function newRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const GAPS = ['', '', '', ' ', '\n', '\t', '\r\n  '];
const LINE_GAPS = ['', '', ' ', '\t'];

/** The graph as a text, in a style that the random numbers choose. */
export function written(graph: PlainGraph, lines: boolean, random: Random): string {
  const gaps = lines ? LINE_GAPS : GAPS;
  const gap = () => gaps[random(gaps.length)];
  const list = (items: string[]) => `[${gap()}${items.join(`${gap()},${gap()}`)}${gap()}]`;
  const object = (fields: [string, string][], shuffled: boolean) => {
    if (shuffled) fields.sort(() => random(3) - 1);
    const items = fields.map(([key, value]) => `${text(key)}${gap()}:${gap()}${value}`);
    return `{${gap()}${items.join(`${gap()},${gap()}`)}${gap()}}`;
  };
  const text = (value: string) =>
    `"${[...value]
      .map((sign) => {
        const plain = JSON.stringify(sign).slice(1, -1);
        if (random(6) > 0) return plain;
        if (sign === '/') return '\\/';
        const units = sign.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
        return units.map((hex) => `\\u${random(2) === 0 ? hex : hex.toUpperCase()}`).join('');
      })
      .join('')}"`;
  const id = (value: NodeId) => {
    if (typeof value === 'string') return text(value);
    if (random(8) === 0) return `${value}.0`;
    return random(8) === 0 ? `${value}e0` : `${value}`;
  };
  const player = (side: number) => (random(2) === 0 ? `${side}` : text(graph.players[side]));
  const node = ({ id: name, owner, winner, edges }: GraphNode) => {
    const fields: [string, string][] = [['id', id(name)]];
    if (winner === null || owner !== (winner === 0 ? 1 : 0) || random(2) === 0)
      fields.push(['owner', player(owner)]);
    if (winner !== null) fields.push(['winner', winner === 'nobody' ? 'null' : player(winner)]);
    if (edges.length > 0 || random(2) === 0) fields.push(['edges', list(edges.map(id))]);
    return object(fields, true);
  };
  const edge = ({ from, to }: GraphEdge) =>
    random(2) === 0
      ? list([id(from), id(to)])
      : object(
          [
            ['from', id(from)],
            ['to', id(to)],
          ],
          true,
        );
  const head: [string, string][] = [];
  const unusual = graph.players[0] !== '0' || graph.players[1] !== '1';
  if (unusual || random(2) === 0) head.push(['players', list(graph.players.map(text))]);
  if (graph.stuck !== 'lost' || random(2) === 0) head.push(['stuck', text(graph.stuck)]);
  const nodes = graph.nodes.map(node);
  const edges = graph.edges.map(edge);
  if (!lines) {
    const rest: [string, string][] = [['nodes', list(nodes)]];
    if (edges.length > 0 || random(2) === 0) rest.splice(random(2), 0, ['edges', list(edges)]);
    return `${gap()}${object([...head, ...rest], false)}${gap()}`;
  }
  // Nodes and edges in their own order, but mixed.
  const mixed: string[] = [];
  while (nodes.length + edges.length > 0)
    mixed.push((edges.length === 0 || (nodes.length > 0 && random(2) === 0) ? nodes : edges).shift()!);
  if (head.length > 0) mixed.unshift(object(head, true));
  const end = random(2) === 0 ? '\n' : '\r\n';
  return (
    mixed.map((line) => `${random(5) === 0 ? end : ''}${gap()}${line}${gap()}`).join(end) +
    (random(2) === 0 ? end : '')
  );
}

const WRONG = Symbol('wrong');
function must(condition: unknown): asserts condition {
  if (!condition) throw WRONG;
}

/** The graph that the bytes stand for; null: they are no graph. */
export function meaning(bytes: Uint8Array, lines: boolean): PlainGraph | null {
  try {
    return graphOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes), lines);
  } catch (error) {
    if (error === WRONG || error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function graphOf(text: string, lines: boolean): PlainGraph {
  const values = valuesIn(text);
  must(values.length > 0 && keysOf(values) === colonsIn(text));
  const first = values[0];
  const graph = { players: ['0', '1'] as [string, string], stuck: 'lost', nodes: [], edges: [] };
  must(typeof first === 'object' && first !== null);
  if (values.length === 1 && !lines && 'nodes' in first) readDocument(graph, first);
  else {
    // If the name does not say that they are lines, a first line of a pair or of edges does not either.
    must(lines || (!Array.isArray(first) && Object.keys(first)[0] !== 'edges'));
    const keys = Object.keys(first);
    const isHead = keys.length > 0 && keys.every((key) => key === 'players' || key === 'stuck');
    if (isHead) readHead(graph, first);
    for (const value of values.slice(isHead ? 1 : 0)) readElement(graph, value);
  }
  must(graph.nodes.length > 0);
  return graph as unknown as PlainGraph;
}

type Building = { players: [string, string]; stuck: string; nodes: GraphNode[]; edges: GraphEdge[] };

function readDocument(graph: Building, document: object): void {
  const keys = Object.keys(document);
  must(keys.every((key) => ['$schema', 'players', 'stuck', 'nodes', 'edges'].includes(key)));
  const body = keys.findIndex((key) => key === 'nodes' || key === 'edges');
  must(keys.slice(body).every((key) => key !== 'players' && key !== 'stuck'));
  const { $schema, nodes, edges } = document as Record<string, unknown>;
  must($schema === undefined || typeof $schema === 'string');
  readHead(graph, document);
  must(Array.isArray(nodes) && (edges === undefined || Array.isArray(edges)));
  for (const value of nodes) readElement(graph, value, 'node');
  for (const value of edges ?? []) readElement(graph, value, 'edge');
}

function readHead(graph: Building, head: object): void {
  if ('players' in head) {
    const { players } = head;
    must(Array.isArray(players) && players.length === 2 && players[0] !== players[1]);
    for (const name of players)
      must(
        typeof name === 'string' &&
          name.length > 0 &&
          name.length <= 64 &&
          !/[\p{Cc}\p{Surrogate}]/u.test(name),
      );
    graph.players = players as [string, string];
  }
  if ('stuck' in head) {
    must(head.stuck === 'lost' || head.stuck === 'drawn');
    graph.stuck = head.stuck;
  }
}

function readElement(graph: Building, value: unknown, only?: 'node' | 'edge'): void {
  must(typeof value === 'object' && value !== null);
  const keys = Object.keys(value);
  if (Array.isArray(value) || keys[0] === 'from' || keys[0] === 'to') {
    must(only !== 'node' && keys.length === 2);
    if (!Array.isArray(value)) must('from' in value && 'to' in value);
    const { from, to } = value as { from: unknown; to: unknown };
    const ends = Array.isArray(value) ? value : [from, to];
    graph.edges.push({ from: nameOf(ends[0]), to: nameOf(ends[1]) });
    return;
  }
  must(only !== 'edge' && keys.every((key) => ['id', 'owner', 'winner', 'edges'].includes(key)));
  const { id, owner, winner, edges } = value as Record<string, unknown>;
  must(owner !== undefined || winner !== undefined);
  const side = (player: unknown) => {
    const found = typeof player === 'string' ? graph.players.indexOf(player) : player;
    must(found === 0 || found === 1);
    return found === 0 ? 0 : 1;
  };
  must(edges === undefined || Array.isArray(edges));
  const won = winner === undefined ? null : winner === null ? 'nobody' : side(winner);
  graph.nodes.push({
    id: nameOf(id),
    owner: owner === undefined ? (won === 0 ? 1 : 0) : side(owner),
    winner: won,
    edges: ((edges ?? []) as unknown[]).map(nameOf),
  });
}

function nameOf(value: unknown): NodeId {
  if (typeof value === 'number') {
    must(Number.isSafeInteger(value));
    return value === 0 ? 0 : value;
  }
  must(typeof value === 'string' && value.length <= 1024 && !/\p{Surrogate}/u.test(value));
  return value;
}

/** The values that the text has one after the other: no beginning of an object or array is one itself. */
export function valuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (let rest = text; /[^ \t\r\n]/.test(rest); ) {
    const value = firstValue(rest);
    values.push(value.value);
    rest = rest.slice(value.end);
  }
  return values;
}

export function firstValue(text: string): { value: unknown; end: number } {
  for (let end = 1; end <= text.length; end++) {
    if (text[end - 1] !== '}' && text[end - 1] !== ']') continue;
    try {
      return { value: JSON.parse(text.slice(0, end)), end };
    } catch {}
  }
  throw WRONG;
}

/** Fewer than colons if an object has a field twice. */
function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + keysOf(inner), own);
}

function colonsIn(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
}
