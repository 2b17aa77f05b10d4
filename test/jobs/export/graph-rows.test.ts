/** Solved graphs as rows: values as a naive solver has them, and moves that keep those values, in every format. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS_OF } from '../../../jobs/export/columns.js';
import { FORMATS, type Format, loadFormat } from '../../../jobs/export/formats.js';
import { graphRows } from '../../../jobs/export/graph-rows.js';
import { createOutput } from '../../../jobs/export/output-file.js';
import { writeRows } from '../../../jobs/export/rows.js';
import { writeNodeId } from '../../../jobs/graph/node-id.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { needGraph } from '../../../pipeline/graph/manifest.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import {
  type MemoryGraph,
  memorySource,
  randomGraph,
  solveNaively,
} from '../../pipeline/graph/memory-graph.js';
import { budgetOf, MiB } from '../../support/solving.js';

/** Those of tables without scores. */
const COLUMNS = COLUMNS_OF.graphs.filter((name) => name !== 'score' && name !== 'best');
const folder = mkdtempSync(join(tmpdir(), 'mergemate-graph-'));
afterAll(() => rmSync(folder, { recursive: true }));

const store = memoryStore();
const players = ['zero', 'one'] as const;

interface Line {
  readonly position: string;
  readonly mover: string;
  readonly outcome: string;
  readonly plies: number | null;
  readonly move: string | null;
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
  const source = { store, name, metric, budget: budgetOf(MiB), scratchParent: folder, game: null };
  const rows = graphRows(source, COLUMNS, await needGraph(store, name), () => {});
  await writeRows(rows, await loadFormat(format), sink);
  return path;
}

/** Null: nobody wins. */
function winnerOf({ mover, outcome }: Line): string | null {
  if (outcome === 'draw') return null;
  return (outcome === 'win') === (mover === players[0]) ? players[0] : players[1];
}

const wonIn = ({ winner, plies }: { winner: 0 | 1 | null; plies: number | null }) => ({
  winner: winner === null ? null : players[winner],
  plies,
});

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
    expect(rows.map(({ position }) => position)).toEqual(graph.nodes.map(({ id }) => writeNodeId(id)));
    const byName = new Map(rows.map((row) => [row.position, row]));
    const ids = new Map(graph.nodes.map(({ id }) => [writeNodeId(id), id]));
    const successors = new Map(graph.nodes.map(({ id, edges }) => [id, new Set(edges)]));
    for (const { from, to } of graph.edges) successors.get(from)!.add(to);
    for (const row of rows) {
      const { position, outcome, plies, move } = row;
      const id = ids.get(position)!;
      expect({ id, winner: winnerOf(row), plies }).toEqual({ id, ...wonIn(expected.get(id)!) });
      if (move === null) {
        // Only where the play is over can the owner have won without a move.
        if (plies !== 0) expect(outcome).not.toBe('win');
        continue;
      }
      expect(successors.get(id)!.has(ids.get(move)!)).toBe(true);
      const after = byName.get(move)!;
      expect(winnerOf(after)).toBe(winnerOf(row));
      if (plies !== null) expect(after.plies).toBe(plies - 1);
    }
  });

  it.each(FORMATS)('are the same in %s, where nodes are text as probe reads it', async (format) => {
    const lines = linesOf(
      await exported('mixed', 'jsonl', 'dtw').catch(() => join(folder, 'mixed.dtw.jsonl')),
    );
    if (format === 'jsonl') return;
    const path = await exported('mixed', format);
    if (format === 'csv') {
      const [head, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(head).toBe(COLUMNS.join());
      // Text with a quote is in quotes, in which each quote is doubled (RFC 4180).
      const field = (cell: unknown) =>
        /"/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? '');
      return expect(rows).toEqual(lines.map((row) => Object.values(row).map(field).join()));
    }
    if (format === 'arrow') {
      const table = tableFromIPC(readFileSync(path));
      return expect(table.toArray().map((row) => ({ ...row.toJSON() }))).toEqual(lines);
    }
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    const orNull = (row: Record<string, unknown>) =>
      Object.fromEntries(COLUMNS.map((name) => [name, row[name] ?? null]));
    expect(rows.map(orNull)).toEqual(lines);
  });

  it('have no distances under wdl', async () => {
    await solving(graph, 'mixed', 'wdl');
    const rows = linesOf(await exported('mixed', 'jsonl', 'wdl'));
    for (const [i, { id }] of graph.nodes.entries())
      expect({ winner: winnerOf(rows[i]), plies: rows[i].plies }).toEqual({
        ...wonIn(expected.get(id)!),
        plies: null,
      });
  });

  it('have names as plain text where all names are text', async () => {
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
      { position: 'ä', mover: 'zero', outcome: 'loss', plies: 1, move: '"\\""', weight: 1 },
      { position: '"\\""', mover: 'one', outcome: 'win', plies: 0, move: null, weight: 1 },
    ]);
  });
});
