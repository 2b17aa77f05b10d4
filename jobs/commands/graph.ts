/** `mergemate graph`: graphs whose nodes and edges are written down, solved, looked up and written as rows. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-game.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { openGraphProber } from '../../pipeline/graph/graph-prober.js';
import { openKeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { listGraphs } from '../../pipeline/graph/manifest.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { tableManifestName } from '../../pipeline/table/names.js';
import type { Metric } from '../../pipeline/value.js';
import { Bounds, Defaults } from '../bounds.js';
import { lead } from '../engines/lead.js';
import { claimScratch, tidyParts } from '../engines/scratch-folder.js';
import { sayWhenInterrupted } from '../exit.js';
import { formatOf } from '../export/format.js';
import { GRAPH_FORMATS, type GraphFormat, writeGraph } from '../export/graph.js';
import { createOutput } from '../export/output-file.js';
import { nameOfFile } from '../graph/open-source.js';
import { type CommonOptions, withStore } from '../options.js';
import { print, printJson } from '../output.js';
import { needKeyedGame, openStore, scratchParent, storeFolder } from '../registry.js';
import { parseSize } from '../sizes.js';
import { probedNodeJson, probedNodeText, solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';
import { probedPositionJson, probedPositionText } from '../ui/keyed-text.js';
import { count, whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';
import { textTable } from '../ui/text-table.js';

const GRAPH_METRICS = ['dtw', 'wdl'] as const;

interface GraphFlags extends CommonOptions {
  readonly metric: Metric;
}

interface SolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: string;
  readonly scratch?: string;
  readonly verify: boolean;
}

interface ExportFlags extends GraphFlags {
  readonly format?: GraphFormat;
  readonly out: string;
  readonly force?: boolean;
  readonly memory: string;
}

export function addGraph(program: Command): void {
  const graph = program
    .command('graph')
    .summary('solve, list, probe and export graphs in JSON')
    .description(
      'Games, or anything else with two players, written down as a graph: nodes with an owner or a winner, and edges\n' +
        '(docs/graphs.md). Who wins from each node, in how many edges, and by which.',
    );
  withGraphMetric(withMemory(withStore(graph.command('solve <file>'))))
    .summary('solve a graph')
    .description(
      'Solves a graph: a file in JSON (.json) or JSON Lines (.jsonl, .ndjson), which may be larger than memory, or a\n' +
        'module with a keyed game of your own (.ts, .mts, .js, .mjs), whose positions are found from its roots.\n' +
        'Run again after an interruption, it continues with the last finished step.',
    )
    .option('--name <name>', 'what the graph is called in the store (default: the name of the file)')
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the values by the edges')
    .action(runSolve);
  withGraphMetric(withStore(graph.command('probe <name> <node>')))
    .summary('look a node up, with all its edges')
    .description(
      'Looks a node of a solved graph up, with all its edges, best first for who chooses there. A node that is called by\n' +
        'text whose characters are digits is given in quotes of its own: \'"7"\'. With the module of a keyed game in place of the\n' +
        'name, the node is a position as the game writes it.',
    )
    .action(runProbe);
  withStore(graph.command('list'))
    .summary('list the graphs of a store')
    .description(
      'Lists the graphs of a store: their nodes and edges, the metrics they are solved for, and the file or game they were made from.',
    )
    .action(runList);
  withGraphMetric(withMemory(withStore(graph.command('export <name>'))))
    .summary('write all nodes with value, distance and strategy')
    .description(
      'Writes a row for each node of a solved graph, in the order of its file: id, owner, winner (null: nobody), plies (edges\n' +
        'until the play is over), move (the node to go to: who wins gets nearer, who loses holds out longest).',
    )
    .addOption(
      new Option(
        '--format <format>',
        'how to write them (default: as the name of the file ends, else jsonl)',
      ).choices(GRAPH_FORMATS),
    )
    .requiredOption('--out <file>', 'the file to write; "-" is standard output (jsonl)')
    .option('--force', 'overwrite the file if there is one')
    .action(runExport);
}

async function runList({ store: uri, json }: CommonOptions): Promise<void> {
  const store = openStore(uri);
  const graphs = [];
  for (const { name, source, players, nodes, edges } of await listGraphs(store)) {
    const solved: Metric[] = [];
    for (const metric of GRAPH_METRICS)
      if ((await store.size(tableManifestName(GRAPH, metric, name))) !== null) solved.push(metric);
    graphs.push({ graph: name, source, players, nodes, edges, solved });
  }
  if (json) return printJson(graphs);
  if (graphs.length === 0) return print(`${store.uri}: no graphs\n`);
  const rows = graphs.map(({ graph, nodes, edges, solved, source }) => [
    graph,
    whole(nodes),
    whole(edges),
    solved.join(', ') || 'not yet',
    source,
  ]);
  return print(textTable(['graph', 'nodes', 'edges', 'solved', 'made from'], rows));
}

function withMemory(command: Command): Command {
  return command.option('--memory <size>', 'memory for buffers, at least 1MiB', Defaults.memory);
}

function withGraphMetric(command: Command): Command {
  const option = new Option('--metric <metric>', 'what its table holds: edges to the end, or who wins only');
  return command.addOption(option.choices(GRAPH_METRICS).default('dtw'));
}

function budgetOf(memory: string) {
  const bytes = parseSize(memory, '--memory');
  if (bytes < Bounds.memory.least)
    throw new UserError(`--memory: ${bytes} bytes are too few, at least 1MiB is needed`);
  return { memory: bytes, fanIn: Defaults.fanIn, batchRows: Defaults.batch };
}

async function runSolve(path: string, flags: SolveFlags): Promise<void> {
  const { store: uri, metric, verify } = flags;
  const budget = budgetOf(flags.memory);
  const name = flags.name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
  const store = openStore(uri);
  const folder = storeFolder(uri);
  const parent = scratchParent(uri, flags.scratch);
  const scratch = claimScratch(parent);
  if (folder !== null) tidyParts(folder);
  sayWhenInterrupted(`all finished steps are kept in ${store.uri}: the same command continues from there`);
  const display = await newDisplay([name], flags.json === true);
  const began = performance.now();
  let failed = true;
  try {
    const task = { kind: 'graph', path, name, store: uri, scratchFolder: scratch.folder } as const;
    const solved = await lead({ ...task, metric, verify, budget }, display.listen);
    failed = false;
    await display.close(false);
    const { user, system } = process.cpuUsage();
    const wallMs = performance.now() - began;
    if (flags.json) await printJson(solvedGraphJson(solved, wallMs, (user + system) / 1000));
    else await print(solvedGraphText(solved, wallMs));
  } finally {
    if (failed) await display.close(true);
    scratch.release();
  }
}

/** Text in quotes, integers; all else is text as it stands. */
function readId(text: string): NodeId {
  if (/^-?\d+$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new UserError(`node ${text}: the quotes do not close`);
  }
}

async function runProbe(name: string, node: string, flags: GraphFlags): Promise<void> {
  const { store, metric, json } = flags;
  const game = await needKeyedGame(name);
  if (game !== null) return probePosition(game, node, flags);
  const prober = await openGraphProber(openStore(store), name, metric);
  const found = await prober.node(readId(node));
  if (found === null) throw new UserError(`graph ${name} has no node ${node}`);
  const after = await prober.edges(found.number);
  const { players } = prober.graph;
  if (json) await printJson(probedNodeJson(found, after, players));
  else await print(probedNodeText(found, after, players));
}

async function probePosition(
  game: KeyedRules,
  text: string,
  { store, metric, json }: GraphFlags,
): Promise<void> {
  const position = game.parse(text);
  const prober = await openKeyedProber(game, openStore(store), metric);
  const probed = await prober.probe(position);
  if (json) await printJson(probedPositionJson(game, position, probed));
  else await print(probedPositionText(game, position, probed));
}

async function runExport(asked: string, flags: ExportFlags): Promise<void> {
  const { metric, out } = flags;
  const format = formatOf(GRAPH_FORMATS, out, flags.format, 'jsonl');
  const name = (await needKeyedGame(asked))?.name ?? asked;
  if (out === '-' && format !== 'jsonl') throw new UserError(`--format ${format} needs --out FILE`);
  const budget = budgetOf(flags.memory);
  const parent = scratchParent(flags.store, undefined);
  const scratch = claimScratch(parent);
  try {
    const sink = out === '-' ? null : await createOutput(out, flags.force === true);
    const store = openStore(flags.store);
    const rows = await writeGraph({
      store,
      name,
      metric,
      format,
      sink,
      budget,
      scratchFolder: scratch.folder,
    });
    if (sink === null) return;
    if (flags.json) await printJson({ graph: name, metric, format, out, rows });
    else await print(`${out}: ${count(rows, 'row')}\n`);
  } finally {
    scratch.release();
  }
}
