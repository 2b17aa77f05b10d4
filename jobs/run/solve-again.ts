/** Solves slices and graphs again whose tables were damaged. */

import { existsSync } from 'node:fs';
import { StorageError } from '../../operators/core/errors.js';
import { solveOne } from '../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { digestsOf } from '../../pipeline/game/manifest.js';
import type { Metric } from '../../pipeline/game/value.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import { needGraph, readGraphManifest } from '../../pipeline/graph/manifest.js';
import type { SliceInStore } from '../../pipeline/share/scrub/consequences.js';
import type { Repairing } from '../../pipeline/share/scrub/repair.js';
import { complain, sayWhenInterrupted } from '../cli/exit.js';
import { budgetOf } from '../cli/settings.js';
import { coordinate } from '../engines/coordinator.js';
import { solveKeyedHere } from '../engines/graph-here.js';
import { processMeter as meter } from '../engines/meter.js';
import { scratchIn } from '../engines/scratch-store.js';
import { crewTask, graphTask } from '../engines/tasks.js';
import { prepareRun } from '../engines/watched-run.js';
import { digestOf } from '../graph/digest.js';
import type { AskedGraph } from '../solved/asked-graph.js';
import { openStore } from '../stores.js';
import { findKeyedGame } from '../user-game.js';
import { claimed, undoneSlices } from './claimed.js';
import { whoWorks } from './claims.js';

interface RepairOptions {
  readonly uri: string;
  readonly memory: number;
  readonly workers: number;
  readonly scratch?: string;
  /** Keyed games and graphs that were named: their files are the sources of graphs. */
  readonly graphs: readonly AskedGraph[];
}

/** How the command line makes damaged tables again. */
export function repairing(options: RepairOptions): Repairing {
  return {
    isAtWork: (at) => isAtWork(options.uri, at),
    solveAgain: (at) => solveAgain(options, at),
    sourceOf: (graph) => sourceOf(options, graph),
    solveGraphAgain: (graph, metric, source) => solveGraphAgain(options, graph, metric, source),
  };
}

/** Whether a process is at work on a slice or graph; if so, a line says which. */
async function isAtWork(uri: string, at: SliceInStore | string): Promise<boolean> {
  const [game, slice, claim] =
    typeof at === 'string'
      ? [GRAPH, at, at]
      : [at.game.name, at.slice, at.game.name === GRAPH ? at.slice : `${at.metric}/${at.slice}`];
  const worker = await whoWorks(openStore(uri), game, (claimed) => claimed === claim);
  if (worker !== null) complain(`${game} ${slice}: ${worker} is at work on it: it is left alone`);
  return worker !== null;
}

type Digests = readonly string[];

/** Solves and verifies a slice, or the table of a graph that is imported, whose objects were deleted. */
async function solveAgain(options: RepairOptions, at: SliceInStore): Promise<Digests> {
  const { uri, memory, workers } = options;
  const { game, metric, slice } = at;
  if (game.name === GRAPH) return solveImported(options, slice, metric);
  return withScratch(options, async (scratchFolder) => {
    const undone = undoneSlices(uri, game.name, metric, [slice], true);
    const summaries = await claimed(uri, { game: game.name, undone }, () =>
      coordinate(
        {
          ...crewTask('solve', { game, store: uri, slices: [slice], metric, memory, workers }),
          scratchFolder,
        },
        () => {},
      ),
    );
    return digestsOf(summaries.at(-1)!.table);
  });
}

async function solveImported(options: RepairOptions, name: string, metric: Metric): Promise<Digests> {
  const { uri, memory } = options;
  return withScratch(options, (scratchFolder) =>
    claimed(uri, { game: GRAPH, undone: async () => [name] }, async () => {
      const store = openStore(uri);
      const game = solvableGraph(await needGraph(store, name));
      const engine = inlineEngine(game, store, scratchIn(scratchFolder, 'graph'));
      const { table } = await solveOne({
        game,
        slice: name,
        metric,
        strategy: 'count',
        verify: true,
        store,
        budget: budgetOf(memory),
        engine,
        progress: () => {},
        meter,
      }).finally(() => engine.close());
      return table.digests;
    }),
  );
}

async function solveGraphAgain(
  options: RepairOptions,
  name: string,
  metric: Metric,
  path: string,
): Promise<Digests> {
  const { uri, memory, workers } = options;
  return withScratch(options, (scratchFolder) =>
    claimed(uri, { game: GRAPH, undone: async () => [name] }, async () => {
      const task = { ...graphTask({ path, name, store: uri, metric, memory, workers }), scratchFolder };
      const isKeyed = (await findKeyedGame(path)) !== null;
      const { summary } = await (isKeyed ? solveKeyedHere : coordinate)(task, () => {});
      return summary.table.digests;
    }),
  );
}

/** The file that was named for a graph, else the one that its import names, if that has not changed. */
async function sourceOf({ uri, graphs }: RepairOptions, graph: string): Promise<string | null> {
  const named = graphs.find(({ name }) => name === graph);
  if (named !== undefined) return named.path;
  try {
    const manifest = await readGraphManifest(openStore(uri), graph);
    if (manifest === null) return null;
    const paths = [...graphs.map(({ path }) => path), manifest.source].filter((path) => existsSync(path));
    for (const path of paths) if ((await digestOf(path)) === manifest.fingerprint) return path;
    return null;
  } catch (error) {
    // The manifest may be what is damaged.
    if (error instanceof StorageError) return null;
    throw error;
  }
}

async function withScratch<T>(
  { uri, scratch }: RepairOptions,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const prepared = prepareRun(uri, scratch);
  sayWhenInterrupted('damaged tables were deleted: solve their endings again');
  try {
    return await work(prepared.folder);
  } finally {
    prepared.release();
  }
}
