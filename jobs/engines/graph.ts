/** Solving a graph, in the thread that leads a run. */
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { type SolvedGraph, solveGraph } from '../../pipeline/graph/solve-graph.js';
import type { ProgressListener } from '../../pipeline/progress.js';
import { openSource } from '../graph/open-source.js';
import { openStore } from '../registry.js';
import { processMeter as meter } from './meter.js';
import type { GraphTask } from './protocol.js';

export async function runGraph(task: GraphTask, progress: ProgressListener): Promise<SolvedGraph> {
  const store = openStore(task.store);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'graph');
  const opened = await openSource(task.path);
  return solveGraph({ ...task, ...opened, store, scratch, progress, meter });
}
