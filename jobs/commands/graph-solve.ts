/** `mergemate graph solve`: imports a graph, or reaches one from the roots of a keyed game, and solves it. */
import type { Command } from 'commander';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import { claimed } from '../claimed.js';
import { lead } from '../engines/lead.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { keepHeapSmaller } from '../heap.js';
import { print, printJson } from '../output.js';
import { openRecorder } from '../recorder/recorder.js';
import { withStore } from '../store-option.js';
import { solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';
import { newDisplay } from '../ui/progress.js';
import { needKeyedGame } from '../user-game.js';
import { prepareRun, watchRun } from '../watched-run.js';
import { budgetOf, type GraphFlags, withGraphMetric, withMemory } from './graph-options.js';

interface SolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: string;
  readonly scratch?: string;
  readonly verify: boolean;
}

export function addGraphSolve(graph: Command): void {
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
}

async function runSolve(path: string, flags: SolveFlags): Promise<void> {
  keepHeapSmaller();
  const { store: uri, metric, verify } = flags;
  const budget = budgetOf(flags.memory);
  const name = flags.name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
  const ending = graphs.ending(name);
  const scratch = prepareRun(uri, flags.scratch);
  const display = await newDisplay([name], flags.json === true);
  const recorder = openRecorder(uri, {
    ...{ kind: 'solve', engine: 'local', memory: budget.memory, workers: 1, verify },
    ...{ game: { name: GRAPH }, metric, endings: [ending], solves: true },
  });
  const began = performance.now();
  try {
    const task = { kind: 'graph', path, name, store: uri, scratchFolder: scratch.folder } as const;
    const solved = await claimed(uri, { game: GRAPH, undone: async () => [name] }, () =>
      watchRun({ display, recorder }, (listen) => lead({ ...task, metric, verify, budget }, listen)),
    );
    const { user, system } = process.cpuUsage();
    const wallMs = performance.now() - began;
    if (flags.json) await printJson(solvedGraphJson(solved, wallMs, (user + system) / 1000));
    else await print(solvedGraphText(solved, wallMs));
  } finally {
    scratch.release();
  }
}
