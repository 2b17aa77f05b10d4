/** Rows of a keyed game or graph, for other programs. */

import { claimScratch } from '../engines/scratch-folder.js';
import { GRAPH_COLUMNS, KEYED_COLUMNS, type NodeColumn, readColumns } from '../export/columns.js';
import { FORMATS, type Format, formatOf, loadFormat } from '../export/formats.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import type { MetricOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { budgetOf } from '../settings.js';
import { scratchParent, storeToRead } from '../stores.js';
import { count } from '../ui/numbers.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';
import type { GraphFlags } from './graph-options.js';

interface FileFlags {
  readonly out: string;
  readonly format?: Format;
  readonly columns?: string;
  readonly force?: boolean;
}

interface RowsFlags extends GraphFlags, FileFlags {
  readonly memory: number;
}

interface ExportFlags extends MetricOptions, FileFlags {
  readonly memory: number;
  readonly pieces?: number;
}

/** `mergemate export` of a keyed game or graph. */
export async function exportGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, ...flags }: ExportFlags,
): Promise<void> {
  refuse(asked, names, { pieces });
  const { graph, metric } = await solvedGraph(asked, flags);
  await writeRows(graph, { ...flags, metric });
}

async function writeRows({ name, game }: AskedGraph, flags: RowsFlags): Promise<void> {
  const { metric, out } = flags;
  const format = formatOf(FORMATS, out, flags.format);
  const all: readonly NodeColumn[] = game === null ? GRAPH_COLUMNS : KEYED_COLUMNS;
  const columns = readColumns(
    flags.columns,
    all.filter((column) => column !== 'score' || metric === 'score'),
  );
  const { writeGraph } = await import('../export/graph-rows.js');
  const scratch = claimScratch(scratchParent(flags.store, undefined));
  try {
    const rows = await writeGraph({
      store: storeToRead(flags.store),
      name,
      metric,
      columns,
      format: await loadFormat(format),
      sink: out === '-' ? standardOutput : await createOutput(out, flags.force === true),
      budget: budgetOf(flags.memory),
      scratchFolder: scratch.folder,
      game,
    });
    if (out === '-') return;
    if (flags.json) await printJson({ graph: name, metric, format, out, columns, rows });
    else await print(`${out}: ${count(rows, 'row')}\n`);
  } finally {
    scratch.release();
  }
}
