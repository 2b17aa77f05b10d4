/** Graphs in JSON, solved by sorting in little memory and the plain way, in processes of their own. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LargeGraph, writeLargeGraph } from './large-graph.js';
import { runForJson } from './run-for-json.js';

const PLAIN = fileURLToPath(new URL('./in-memory-graph.js', import.meta.url));

interface Found {
  readonly nodes: number;
  readonly edges: number;
  readonly won: readonly number[];
  readonly nobody: number;
  readonly longestWin: readonly (number | null)[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssBytes: number;
}

interface Solved extends Found {
  readonly rounds: number;
  readonly requests: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly phases: readonly { readonly phase: string; readonly wallMs: number }[];
}

export interface GraphBench {
  readonly cli: string;
  readonly folder: string;
  readonly quick: boolean;
  print(title: string, head: string[], rows: (string | number)[][]): void;
}

/** With the last, all the process takes stays below 128 MiB. */
const MEMORY = ['128MiB', '32MiB', '16MiB'] as const;

export function benchGraphs({ cli, folder, quick, print }: GraphBench) {
  const path = join(folder, 'graph.jsonl');
  const edges = quick ? 4_000_000 : 52_000_000;
  const nodes = edges / 8;
  const shape: LargeGraph = {
    nodes,
    edges,
    shape: 'corridor',
    reach: nodes / 20,
    seed: 1,
    text: false,
    separateEdges: false,
  };
  const { bytes } = writeLargeGraph(path, shape);
  const plain = runForJson<Found>(['--max-old-space-size=16384', PLAIN, path]);
  const solved = MEMORY.map((memory) => {
    const store = join(folder, `graph-${memory}`);
    const found = runForJson<Solved>([cli, 'solve', path, '--store', store, '--memory', memory, '--json']);
    rmSync(store, { recursive: true, force: true });
    for (const field of ['nodes', 'edges', 'won', 'nobody', 'longestWin'] as const) {
      const [ours, theirs] = [JSON.stringify(found[field]), JSON.stringify(plain[field])];
      if (ours !== theirs) throw new Error(`${field}: ${ours} by sorting, ${theirs} in memory`);
    }
    return { memory, found };
  });
  rmSync(path);
  const row = (way: string, { wallMs, cpuMs, peakRssBytes }: Found, io: readonly string[]) => [
    way,
    (wallMs / 1000).toFixed(1),
    (cpuMs / 1000).toFixed(1),
    (wallMs / plain.wallMs).toFixed(2),
    (peakRssBytes / 2 ** 20).toFixed(0),
    ...io,
  ];
  print(
    `A graph of ${plain.nodes} nodes and ${plain.edges} edges (${(bytes / 1e6).toFixed(0)} MB of JSON Lines), ${solved[0].found.rounds} rounds; reading and verification included`,
    ['', 'wall s', 'CPU s', 'wall / plain', 'MiB resident', 'MB read', 'MB written'],
    [
      row('in memory', plain, ['', '']),
      ...solved.map(({ memory, found }) =>
        row(`by sorting, ${memory}`, found, [
          (found.bytesRead / 1e6).toFixed(0),
          (found.bytesWritten / 1e6).toFixed(0),
        ]),
      ),
    ],
  );
  return { bytes, plain, solved };
}
