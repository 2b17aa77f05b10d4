import { newCounters } from '../../operators/core/counters.js';
import { outcomesOf } from '../../pipeline/graph/outcomes.js';
import { coordinate } from '../engines/coordinator.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { complain, ExitCode } from '../exit.js';
import type { VerifyCommandOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { budgetOf } from '../settings.js';
import { scratchParent, storeToRead } from '../stores.js';
import { mismatchJson, mismatchText } from '../ui/graph-text.js';
import { wordsOf } from '../ui/graph-words.js';
import { whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';
import type { GraphFlags } from './graph-options.js';

interface VerifyFlags extends GraphFlags {
  readonly memory: number;
  readonly scratch?: string;
  readonly workers?: number;
}

/** `mergemate verify` of a keyed game or graph. */
export async function verifyGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, published, ...flags }: VerifyCommandOptions,
): Promise<void> {
  refuse(asked, names, { pieces, published });
  const { graph, metric } = await solvedGraph(asked, flags);
  await verify(graph, { ...flags, metric });
}

async function verify({ name }: AskedGraph, flags: VerifyFlags): Promise<void> {
  const { store: uri, metric, workers = 1 } = flags;
  const budget = budgetOf(flags.memory);
  const store = storeToRead(uri);
  const { openNames } = await import('../../pipeline/graph/node-names.js');
  const { needSolvedGraph } = await import('../../pipeline/graph/solved-graph.js');
  // Asked here already, so that nothing is begun or shown for a graph that is not there.
  const { graph, game, table } = await needSolvedGraph(store, name, metric);
  const outcomes = outcomesOf(graph, table.manifest);
  const scratch = claimScratch(scratchParent(uri, flags.scratch));
  const display = await newDisplay([name], true);
  const task = { kind: 'verify graph', name, store: uri, scratchFolder: scratch.folder } as const;
  const verified = await coordinate({ ...task, metric, budget, workers }, display.listen).finally(() =>
    scratch.release(),
  );
  await display.close(false);

  const { positions, requests, wrong } = verified;
  const { title, node, edge } = wordsOf(graph);
  const what = `${title}, ${metric}`;
  const names = await openNames(store, graph.runs.names, newCounters());
  const mismatches = [];
  for (const mismatch of verified.mismatches)
    mismatches.push({ ...mismatch, id: await names.of(game.board(mismatch)) });
  if (flags.json) {
    const located = mismatches.map((mismatch) => mismatchJson(mismatch, outcomes, graph.players));
    await printJson({ graph: name, metric, nodes: positions, edges: requests, wrong, mismatches: located });
  } else if (wrong === 0) {
    await print(
      `${what}: ${whole(positions)} ${node}s checked by ${whole(requests)} ${edge}s, all values are right\n`,
    );
  }
  if (wrong === 0) return;
  for (const mismatch of mismatches) complain(`${name}, ${mismatchText(mismatch, outcomes, graph.players)}`);
  complain(`${what}: ${whole(wrong)} of ${whole(positions)} values are wrong`);
  process.exitCode = ExitCode.no;
}
