import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import { claimed } from '../claimed.js';
import { lead } from '../engines/lead.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { keepHeapSmaller } from '../heap.js';
import { print, printJson } from '../output.js';
import { openRecorder } from '../recorder/recorder.js';
import { solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';
import { newDisplay } from '../ui/progress.js';
import { needKeyedGame } from '../user-game.js';
import { prepareRun, watchRun } from '../watched-run.js';
import { budgetOf, type GraphFlags } from './graph-options.js';

interface SolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: number;
  readonly scratch?: string;
  readonly verify: boolean;
}

export async function runSolve(path: string, flags: SolveFlags): Promise<void> {
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
