/** Solved graphs as rows: values as a naive solver has them, and moves that keep those values, in every format. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRAPH_COLUMNS } from '../../jobs/export/columns.js';
import { FORMATS, type Format, loadFormat } from '../../jobs/export/formats.js';
import { writeGraph } from '../../jobs/export/graph-rows.js';
import { createOutput } from '../../jobs/export/output-file.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { solveGraph } from '../../pipeline/graph/solve-graph.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { compressors } from '../support/parquet.js';
import { budgetOf, MiB } from '../support/solving.js';
import { type MemoryGraph, memorySource, randomGraph, solveNaively } from './memory-graph.js';

const folder = mkdtempSync(join(tmpdir(), 'mergemate-graph-'));
afterAll(() => rmSync(folder, { recursive: true }));

const store = memoryStore();
const players = ['zero', 'one'] as const;

interface Line {
  readonly id: NodeId;
  readonly owner: string | null;
  readonly wdl: string | null;
  readonly winner: string | null;
  readonly plies: number | null;
  readonly move: NodeId | null;
  readonly weight: number;
}

const solving = (graph: MemoryGraph, name: string, metric: 'dtw' | 'wdl' = 'dtw') =>
  solveGraph({
    source: memorySource(graph, 64),
    name,
    fingerprint: '1',
    metric,
    verify: false,
    store,
    scratch: newScratch(memoryStore(), 'scratch'),
    budget: budgetOf(2 * MiB),
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });

async function exported(name: string, format: Format, metric: 'dtw' | 'wdl' = 'dtw'): Promise<string> {
  const path = join(folder, `${name}.${metric}.${format}`);
  const sink = await createOutput(path, false);
  const scratchFolder = join(folder, 'scratch');
  await writeGraph({
    store,
    name,
    metric,
    columns: GRAPH_COLUMNS,
    format: await loadFormat(format),
    sink,
    budget: budgetOf(MiB),
    scratchFolder,
    game: null,
  });
  return path;
}

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('rows of a graph', () => {
  const graph = randomGraph({ nodes: 3000, edges: 9000, seed: 4, reach: 30 });
  const expected = solveNaively(graph);
  beforeAll(() => solving(graph, 'mixed'));

  it('come in the order of the source, with values and moves', async () => {
    const rows = linesOf(await exported('mixed', 'jsonl'));
    expect(rows.map(({ id }) => id)).toEqual(graph.nodes.map(({ id }) => id));
    const byId = new Map(rows.map((row) => [row.id, row]));
    const successors = new Map(graph.nodes.map(({ id, edges }) => [id, new Set(edges)]));
    for (const { from, to } of graph.edges) successors.get(from)!.add(to);
    for (const { id, owner, wdl, winner, plies, move } of rows) {
      const value = expected.get(id)!;
      expect({ id, winner, plies }).toEqual({
        id,
        winner: value.winner === null ? null : players[value.winner],
        plies: value.plies,
      });
      if (move === null) {
        expect([owner, wdl]).toEqual([null, null]);
        continue;
      }
      expect(wdl).toBe(winner === null ? 'draw' : winner === owner ? 'win' : 'loss');
      expect(successors.get(id)!.has(move)).toBe(true);
      const after = byId.get(move)!;
      expect(after.winner).toBe(winner);
      if (plies !== null) expect(after.plies).toBe(plies - 1);
    }
  });

  it.each(FORMATS)('are the same in %s, where names are text as the source writes it', async (format) => {
    const lines = linesOf(
      await exported('mixed', 'jsonl', 'dtw').catch(() => join(folder, 'mixed.dtw.jsonl')),
    );
    expect(new Set(lines.map(({ id }) => typeof id))).toEqual(new Set(['string', 'number']));
    const named = lines.map((line) => ({
      ...line,
      id: String(line.id),
      move: line.move === null ? null : String(line.move),
    }));
    if (format === 'jsonl') return;
    const path = await exported('mixed', format);
    if (format === 'csv') {
      const [head, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(head).toBe(GRAPH_COLUMNS.join());
      // Text with a quote is in quotes, in which each quote is doubled (RFC 4180).
      const field = (cell: unknown) =>
        /"/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? '');
      return expect(rows).toEqual(named.map((row) => Object.values(row).map(field).join()));
    }
    if (format === 'arrow') {
      const table = tableFromIPC(readFileSync(path));
      return expect(table.toArray().map((row) => ({ ...row.toJSON() }))).toEqual(named);
    }
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
    const orNull = (row: Record<string, unknown>) =>
      Object.fromEntries(GRAPH_COLUMNS.map((name) => [name, row[name] ?? null]));
    expect(rows.map(orNull)).toEqual(named);
  });

  it('tell no distances under wdl', async () => {
    await solving(graph, 'mixed', 'wdl');
    for (const { id, winner, plies } of linesOf(await exported('mixed', 'jsonl', 'wdl'))) {
      const value = expected.get(id)!;
      expect({ id, winner, plies }).toEqual({
        id,
        winner: value.winner === null ? null : players[value.winner],
        plies: null,
      });
    }
  });

  it('have text as it is where all names are text', async () => {
    await solving(
      {
        nodes: [
          { id: 'ä', owner: 0, winner: null, edges: ['"'] },
          { id: '"', owner: 1, winner: 1, edges: [] },
        ],
        edges: [],
        stuck: 'lost',
      },
      'text',
    );
    const table = tableFromIPC(readFileSync(await exported('text', 'arrow')));
    expect(table.toArray().map((row) => ({ ...row.toJSON() }))).toEqual([
      { id: 'ä', owner: 'zero', wdl: 'loss', winner: 'one', plies: 1, move: '"', weight: 1 },
      { id: '"', owner: null, wdl: null, winner: 'one', plies: 0, move: null, weight: 1 },
    ]);
  });
});
