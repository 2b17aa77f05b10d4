/** A worker thread of the local engine: holds one partition at a time, of a slice or of an import, or does a slice alone; one call after the other. */

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../operators/core/errors.js';
import type { Counted } from '../../pipeline/engine/crew/crew.js';
import { solveOne } from '../../pipeline/engine/crew/do-slice.js';
import { type AloneResults, type AloneTask, inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { callMember, LocalPartition, type PartitionWorld } from '../../pipeline/engine/crew/partition.js';
import type { Solvable } from '../../pipeline/engine/crew/slice-phases.js';
import { verifySlice } from '../../pipeline/engine/crew/verify-slice.js';
import { memoryCarrier } from '../../pipeline/engine/phases/exchange.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import type { ImportSetup } from '../../pipeline/graph/import-partition.js';
import { graphManifestName, needGraph } from '../../pipeline/graph/manifest.js';
import { freeUnused } from '../runtime/heap.js';
import { openStore } from '../stores.js';
import { newGathering } from './gathering.js';
import { processMeter as meter } from './meter.js';
import type { Answered, Call, PostedSource, WorkerPlace, WorkerStart } from './protocol.js';
import { answerCalls, notify } from './remote.js';
import { scratchIn } from './scratch-store.js';

const port = parentPort!;
const { game: known, path } = workerData as WorkerStart;

interface World extends Omit<PartitionWorld, 'game'> {
  /** Undefined for a graph that is not imported yet. */
  game: Solvable | undefined;
}

let place: WorkerPlace;
let world: World;

async function settle(at: WorkerPlace): Promise<void> {
  place = at;
  world = {
    game: place.isGraph === true ? undefined : await gameOf(place.game),
    store: openStore(place.store),
    scratch: scratchIn(place.scratchFolder, place.scratchPrefix),
    report: (done: number) => {
      freeUnused(false);
      unreported += done;
      if (performance.now() - reported >= REPORT_MS) report();
    },
  };
}

async function gameOf(name: string): Promise<Solvable> {
  const { findGame } = await import('../registry.js');
  return (await findGame(name)) as Solvable;
}

/** Until a thread that was started early has its first call. */
async function loaded(): Promise<void> {
  if (known !== undefined) await gameOf(known);
  if (path === undefined) return;
  await import('../../pipeline/graph/import-partition.js');
  await (await import('../user-game.js')).findKeyedGame(path);
}

async function worldWithGame(): Promise<PartitionWorld> {
  world.store.expect?.(graphManifestName(place.game));
  world.game ??= solvableGraph(await needGraph(world.store, place.game));
  return { ...world, game: world.game };
}

/** A message costs more than a batch: reports are gathered. */
const REPORT_MS = 100;
let unreported = 0;
let reported = 0;

function report(): void {
  if (unreported > 0) place.reports.postMessage(unreported);
  unreported = 0;
  reported = performance.now();
}

/** The partition of a slice or of an import. */
let member: Counted | undefined;

async function doAlone(task: AloneTask): Promise<AloneResults[AloneTask['kind']]> {
  freeUnused(true);
  member = undefined;
  const { game, store, scratch } = await worldWithGame();
  const engine = inlineEngine(game, store, scratch, { attempt: place.attempt });
  const gathering = newGathering((progress) => notify(port, progress));
  const progress = (event: Progress): void => {
    freeUnused(event.type === 'phase');
    gathering.listen(event);
  };
  try {
    const options = { ...task, game, store, engine, meter, progress };
    return await (options.kind === 'solve' ? solveOne(options) : verifySlice(options));
  } finally {
    gathering.flush();
  }
}

async function openImport(setup: ImportSetup, { game: module, ...facts }: PostedSource): Promise<Counted> {
  const { ImportPartition } = await import('../../pipeline/graph/import-partition.js');
  const { findKeyedGame } = await import('../user-game.js');
  const game = module === null ? undefined : ((await findKeyedGame(module)) ?? undefined);
  return new ImportPartition(setup, {
    ...world,
    source: { ...facts, game },
    carrier: memoryCarrier(setup.shared),
  });
}

async function answer(call: Call): Promise<Answered | undefined> {
  switch (call.type) {
    case 'settle':
      await settle(call.place);
      return undefined;
    case 'open':
      freeUnused(true);
      member = new LocalPartition(call.setup, await worldWithGame());
      return { value: undefined, counters: null };
    case 'import':
      freeUnused(true);
      member = await openImport(call.setup, call.source);
      return { value: undefined, counters: null };
    case 'alone':
      return { value: await doAlone(call.task), counters: null };
    case 'call': {
      assert(member !== undefined, 'a partition is opened before it is called');
      if (call.method === 'openRounds' || call.method === 'finish') freeUnused(true);
      const value = await callMember(member, call.method, call.args);
      report();
      return { value, counters: member.takeCounters() };
    }
  }
}

// A partition is called while it is opened.
answerCalls(port, answer, { ready: loaded() });
