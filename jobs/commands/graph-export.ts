/** Rows of a keyed game or graph, for other programs. */
import { UserError } from '../../operators/core/errors.js';
import { Defaults } from '../bounds.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { type Format, formatOf } from '../export/format.js';
import { GRAPH_FORMATS, type GraphFormat } from '../export/graph-formats.js';
import type { MetricOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { parseMemory } from '../sizes.js';
import { scratchParent, storeToRead } from '../stores.js';
import { count } from '../ui/numbers.js';
import { type AskedGraph, refuse, solvedGraph, storedGraph } from './asked-graph.js';
import { budgetOf, type GraphFlags } from './graph-options.js';

interface FileFlags {
  readonly out: string;
  readonly force?: boolean;
}

interface RowsFlags extends GraphFlags, FileFlags {
  readonly format?: GraphFormat;
  readonly memory: number;
}

interface ExportFlags extends MetricOptions, FileFlags {
  readonly format?: Format;
  readonly pieces?: number;
  readonly columns?: string;
}

/** `mergemate graph export`. */
export async function runExport(asked: string, flags: RowsFlags): Promise<void> {
  return writeRows(await storedGraph(asked, flags), flags);
}

/** `mergemate export` of a keyed game or graph. */
export async function exportGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, columns, ...flags }: ExportFlags,
): Promise<void> {
  refuse(asked, names, { pieces, columns });
  const memory = parseMemory(Defaults.memory, 'default');
  const { graph, metric } = await solvedGraph(asked, flags);
  await writeRows(graph, { ...flags, memory, metric });
}

async function writeRows({ name, game }: AskedGraph, flags: RowsFlags): Promise<void> {
  const { metric, out } = flags;
  const format = formatOf(GRAPH_FORMATS, out, flags.format, 'jsonl');
  if (out === '-' && format !== 'jsonl') throw new UserError(`--format ${format} needs --out FILE`);
  const { createOutput } = await import('../export/output-file.js');
  const { writeGraph } = await import('../export/graph.js');
  const budget = budgetOf(flags.memory);
  const parent = scratchParent(flags.store, undefined);
  const scratch = claimScratch(parent);
  try {
    const sink = out === '-' ? null : await createOutput(out, flags.force === true);
    const store = storeToRead(flags.store);
    const rows = await writeGraph({
      store,
      name,
      metric,
      format,
      sink,
      budget,
      scratchFolder: scratch.folder,
      game,
    });
    if (sink === null) return;
    if (flags.json) await printJson({ graph: name, metric, format, out, rows });
    else await print(`${out}: ${count(rows, 'row')}\n`);
  } finally {
    scratch.release();
  }
}
