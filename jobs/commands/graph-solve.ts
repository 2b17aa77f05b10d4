/** `mergemate solve` of graphs and keyed games: imports a graph, or reaches one from the roots of a keyed game, and solves it. */

import { resolve } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { GRAPH, graphs, requireGraphName } from '../../pipeline/graph/graph-game.js';
import { readGraphManifest } from '../../pipeline/graph/manifest.js';
import type { SolvedGraph } from '../../pipeline/graph/solve-graph.js';
import { type JobFlags, memoryOf } from '../asked/job.js';
import type { Worked } from '../cli/memory-limit.js';
import { breathe, print, printJson } from '../cli/output.js';
import { argumentsOf, DEFAULT_SETTINGS, type SettingValues } from '../cli/settings.js';
import { coordinate } from '../engines/coordinator.js';
import { processMeter } from '../engines/meter.js';
import type { GraphTask } from '../engines/protocol.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { graphTask } from '../engines/tasks.js';
import { requireSameKeyed } from '../game-module/same-rules.js';
import { digestOf } from '../graph/digest.js';
import { placeOfFile } from '../graph/graph-of-file.js';
import { copyOfStream } from '../graph/stream.js';
import { graphRemoval, remove } from '../run/removal.js';
import { watchedSolve } from '../run/watched-solve.js';
import { giveRulesRoom, keepHeapSmaller } from '../runtime/heap.js';
import { type AskedGraph, graphMetric, refuse } from '../solved/asked-graph.js';
import { openStored, rootValues } from '../solved/root-values.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';

interface AskedFlags extends JobFlags {
  readonly logs?: string;
  readonly again?: boolean;
  readonly explainMemory?: boolean;
}

type SolveFlags = Omit<AskedFlags, 'metric'> &
  Pick<SettingValues, 'memory' | 'workers' | 'engine'> & { readonly metric: Metric };

/** `mergemate solve` of a keyed game or graph, with those options that mean something to it. */
export async function solveGraph(
  asked: AskedGraph,
  names: readonly string[],
  flags: AskedFlags,
): Promise<void> {
  const { store, json, scratch, logs, again, name = asked.name, metric, verify, ...more } = flags;
  const { memory, workers, engine, explainMemory, atMost, ...others } = more;
  refuse(asked, names, asked.game === null ? { ...others, atMost } : others);
  const { workers: one, engine: here } = DEFAULT_SETTINGS;
  const given = { memory, workers: workers ?? one, engine: engine ?? here };
  const { workers: threads } = given;
  const work: Worked = asked.game === null ? { kind: 'graph' } : { kind: 'game', workers: threads };
  const settings = { ...given, memory: memoryOf(given, given.engine === 'local' ? work : undefined) };
  if (explainMemory) return (await import('./explain-memory.js')).explainGraph(name, settings, json === true);
  const all = { ...flags, ...settings, metric: graphMetric(asked, metric) };
  if (asked.by !== 'stream') return runSolve(asked, all);
  if (flags.name === undefined)
    throw new UserError(
      `${asked.name} has no name by which its graph could be found again: give it one with --name`,
    );
  requireGraphName(flags.name);
  if (settings.engine !== 'local')
    throw new UserError(`--engine ${settings.engine} reads a graph from a file, not from ${asked.name}`);
  const copies = claimScratch(scratchParent(flags.store, scratch));
  try {
    await runSolve({ ...asked, copy: await copyOfStream(asked.path, copies.folder) }, all);
  } finally {
    copies.release();
  }
}

async function runSolve(asked: AskedGraph, flags: SolveFlags): Promise<void> {
  const { path, copy, game } = asked;
  const { store: uri, metric, verify, engine, workers, memory, atMost } = flags;
  if (game === null) keepHeapSmaller();
  // Where there may be several threads, those that expand get room when they are started: what one has, it keeps.
  else if (workers === 1) giveRulesRoom();
  const name = await makePlace(asked, flags);
  const isLocal = engine === 'local';
  const began = performance.now();
  const { solved, cpuMs } = await watchedSolve<Solved>(
    {
      store: uri,
      scratch: flags.scratch,
      slices: [name],
      quiet: flags.json === true,
      recorded: {
        game: { name: GRAPH },
        metric,
        endings: [graphs.ending(name)],
        engine,
        memory,
        workers,
        verify,
      },
      undone: async () => [name],
    },
    (listen, scratchFolder) =>
      isLocal
        ? solveHere(
            asked,
            {
              ...graphTask({
                ...{ name, store: uri, metric, verify, memory, workers, atMost },
                path: copy ?? path,
                ...(copy !== undefined && { stream: asked.name }),
              }),
              scratchFolder,
            },
            listen,
          )
        : launch(path, name, flags, listen),
  );
  const wallMs = performance.now() - began;
  const hasRoots = game !== null || solved.graph.roots !== undefined;
  const store = storeToRead(uri);
  const roots = hasRoots ? await rootValues(await openStored(game, name, store, metric)) : null;
  const { graphStats } = await import('../../pipeline/graph/graph-stats.js');
  const stats = await graphStats(store, name, metric, breathe);
  if (flags.json) await printJson({ ...solvedGraphJson(solved, stats, wallMs, cpuMs), roots: roots?.json });
  else await print(`${solvedGraphText(solved, stats, wallMs)}${roots === null ? '' : `\n${roots.text}`}`);
}

/** The name by which a graph is solved. With `--again`, what is solved by it, or was of an earlier state of its file, is deleted. */
async function makePlace(asked: AskedGraph, flags: SolveFlags): Promise<string> {
  const store = openStore(flags.store);
  const { name, replaced, problem } = await placeOf(asked, flags, store);
  if (flags.again !== true) {
    if (problem !== null) throw new UserError(problem);
    return name;
  }
  for (const old of new Set([...replaced, name])) await remove(store, await graphRemoval(store, old));
  return name;
}

interface Place {
  readonly name: string;
  /** Graphs whose place this one takes. */
  readonly replaced: readonly string[];
  /** Why it cannot be solved while they are there. */
  readonly problem: string | null;
}

async function placeOf(
  { path, copy, game, name: called }: AskedGraph,
  { name: named, again }: SolveFlags,
  store: Store,
): Promise<Place> {
  if (game === null && named === undefined) {
    const { name, replaced } = await placeOfFile(path, store);
    const problem = `${path} was changed since graph ${replaced[0]} in ${store.uri} was made from it: run "mergemate solve ${path} --again", which replaces that graph`;
    return { name, replaced, problem: replaced.length > 0 ? problem : null };
  }
  const name = named ?? game!.name;
  requireGraphName(name);
  // Whatever is there goes, and its manifest may be damaged.
  if (again === true) return { name, replaced: [name], problem: null };
  const found = await readGraphManifest(store, name);
  if (found === null) return { name, replaced: [], problem: null };
  try {
    if (game !== null) requireSameKeyed({ game, path }, found, store);
    else if (found.fingerprint !== (await digestOf(copy ?? path)))
      throw new UserError(
        `graph ${name} in ${store.uri} was not made from ${copy === undefined ? path : called} as it is now: --again replaces it, another --name leaves it`,
      );
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name, replaced: [name], problem: error.message };
  }
  return { name, replaced: [], problem: null };
}

interface Solved {
  readonly solved: SolvedGraph;
  readonly cpuMs: number | null;
}

/** Keyed games that fit memory are solved in this thread, however many workers there may be. */
async function solveHere({ game }: AskedGraph, task: GraphTask, listen: ProgressListener): Promise<Solved> {
  const solve = game === null ? coordinate : (await import('../engines/graph-here.js')).solveKeyedHere;
  return { solved: await solve(task, listen), cpuMs: processMeter.cpu() };
}

async function launch(
  path: string,
  name: string,
  flags: SolveFlags,
  listen: ProgressListener,
): Promise<Solved> {
  const { metric, verify, memory, workers, atMost } = flags;
  const { launchedSolve } = await import('../run/launched-solve.js');
  const { graphPrefix } = await import('../../pipeline/graph/graph-layout.js');
  const { graphManifestName, needGraph } = await import('../../pipeline/graph/manifest.js');
  const given = ['--name', name, ...argumentsOf({ metric, memory, verify, atMost })];
  const job = {
    ranks: workers,
    metric,
    verify,
    game: { name: GRAPH },
    slices: [name],
    args: ['rank', resolve(path), ...given],
    folders: [`${GRAPH}/${metric}/${name}/`, `${graphPrefix(name)}/`],
  };
  const { summaries, cpuMs } = await launchedSolve(job, flags, listen);
  const store = openStore(flags.store);
  store.expect?.(graphManifestName(name));
  const graph = await needGraph(store, name);
  return { solved: { graph, summary: summaries[0] }, cpuMs };
}
