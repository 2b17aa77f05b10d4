/** The options of `mergemate graph`. */
import { type Command, Option } from 'commander';
import { FORMATS } from '../export/formats.js';
import { addGraphRank, addGraphSolve } from './graph-solve.js';
import { addGraphStats } from './graph-stats.js';
import { addGraphVerify } from './graph-verify.js';
import { needSubcommand, withGraphMetric, withMemory, withStore } from './options.js';

export function addGraph(program: Command): void {
  const graph = program
    .command('graph')
    .summary('solve, list, probe, count, verify and export graphs in JSON')
    .description(
      'Games, or anything else with two players, written down as a graph: nodes with an owner or a winner, and edges\n' +
        '(docs/graphs.md). Who wins from each node, in how many edges, and by which.',
    );
  needSubcommand(graph);
  addGraphSolve(graph);
  addGraphRank(graph);
  withGraphMetric(withStore(graph.command('probe <name> <node>')))
    .summary('look a node up, with all its edges')
    .description(
      'Looks a node of a solved graph up, with all its edges, best first for the player who chooses there. A node that is called by\n' +
        'text whose characters are digits is given in quotes of its own: \'"7"\'. With the module of a keyed game in place of the\n' +
        'name, the node is a position as the game writes it.',
    )
    .action(async (name, node, flags) => (await import('../commands/graph.js')).runProbe(name, node, flags));
  withStore(graph.command('list'))
    .summary('list the graphs of a store')
    .description(
      'Lists the graphs of a store: their nodes and edges, the metrics they are solved for, and the file or game they were made from.',
    )
    .action(async (flags) => (await import('../commands/graph.js')).runList(flags));
  addGraphStats(graph);
  addGraphVerify(graph);
  withGraphMetric(withMemory(withStore(graph.command('export <name>'))))
    .summary('write all nodes with value, distance and strategy')
    .description(
      'Writes a row for each node of a solved graph, in the order of its file: id, owner (who chooses; null where the play is\n' +
        'over), wdl (for the owner), winner (null: nobody), plies (edges until the play is over), move (the node to go to: who wins\n' +
        'gets nearer, who loses holds out longest), weight. Rows of a keyed game are described in "mergemate export --help".',
    )
    .addOption(
      new Option(
        '--format <format>',
        'how to write them (default: as the name of the file ends; jsonl on standard output)',
      ).choices(FORMATS),
    )
    .option('--columns <names>', 'columns, with commas between them (default: all)')
    .requiredOption('--out <file>', 'the file to write; "-" is standard output (jsonl, csv)')
    .option('--force', 'overwrite the file if there is one')
    .action(async (asked, flags) => (await import('../commands/graph-export.js')).runExport(asked, flags));
}
