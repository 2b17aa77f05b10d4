/** A thread that does steps of a set of Syzygy files: see crew.ts. */

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { localStore } from '../../operators/storage/local.js';
import { Auditor } from '../../pipeline/audit/audit.js';
import type { Progress } from '../../pipeline/game/progress.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import { sideOf, viewsOf } from '../../pipeline/game/views.js';
import { type FiledEnding, filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import type { EndingWriter } from '../../pipeline/games/chess/syzygy/tasks.js';
import { newWriter, newWritingMemory, type WritingMemory } from '../../pipeline/games/chess/syzygy/writer.js';
import { needTable } from '../../pipeline/tables/table.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { breathe } from '../cli/output.js';
import { processMeter, threadCpu } from '../engines/meter.js';
import { answerCalls, notify } from '../engines/remote.js';
import { scratchIn } from '../engines/scratch-store.js';
import { newEndingWriter, rightFiles, type SyzygyPlace } from '../export/syzygy-files.js';
import { AtWork } from '../progress/at-work.js';
import type { Counted } from '../progress/set-records.js';
import { findGame } from '../registry.js';
import { freeAll, freeUnused } from '../runtime/heap.js';
import { openStore, storeToRead } from '../stores.js';
import type { CrewNotice, CrewPlace, SolveCall, StepCall, StepResults, TaskCall } from './crew.js';

const { number, store, out, plies, memory, scratchFolder, together } = workerData as CrewPlace;
const tell = (notice: CrewNotice) => notify(parentPort!, notice);
const note = (text: string) => tell({ type: 'note', text });
const game = await findGame('chess');
const ownScratch = join(scratchFolder, `worker-${number}`);
const scratch = scratchIn(ownScratch, 'syzygy');

/** Bytes that are kept of files besides the memory. */
const CACHE = 16 << 20;
/** An audit keeps the outcomes of endings of so many men for the next: those of all four men take 0.2 GB of scratch. */
const KEPT_MEN = 4;
const keptEndings = (): FiledEnding[] =>
  filedEndings(
    game,
    game.endingsUpTo(KEPT_MEN).filter(({ class: all }) => !all.endsWith('ep')),
  );
let auditor: Auditor | undefined;

function pause(): Promise<void> {
  freeUnused(false);
  return breathe();
}

function filedOf(name: string): FiledEnding {
  return filedEndings(game, [game.ending(name)]).find(({ ending }) => ending.name === name)!;
}

/** Solves what is not solved, and counts the ending's tables; null for the two kings alone. */
async function solve(call: SolveCall): Promise<StepResults['solve']> {
  const { ending: name, task } = call;
  if (task.slices.length > 0) {
    const { runGameTask } = await import('../engines/game-task.js');
    const atWork = new AtWork(() => performance.now());
    const listen = (progress: Progress): void => {
      freeUnused(progress.type === 'phase');
      atWork.follow(progress);
      note(atWork.brief(progress.slice));
    };
    await runGameTask({ ...task, scratchFolder: ownScratch }, listen);
  }
  const ending = game.ending(name);
  return ending.pieces < 3
    ? null
    : { white: await countedOf(name, 'white'), black: await countedOf(name, 'black') };
}

async function countedOf(ending: string, colour: 'white' | 'black'): Promise<Counted> {
  const counted = { positions: 0, wins: 0, losses: 0, longestWin: null as number | null };
  const tables = openStore(store);
  for (const { slice, flipped } of viewsOf(game, game.ending(ending))) {
    tables.expect?.(tableManifestName(game.name, SYZYGY_METRIC, slice));
    const { manifest } = await needTable(tables, game, SYZYGY_METRIC, slice);
    const side = sideOf(game, colour, flipped);
    counted.positions += manifest.positions[side];
    counted.wins += manifest.wins[side];
    counted.losses += manifest.losses[side];
    const plies = manifest.longestWin[side];
    if (plies) counted.longestWin = Math.max(counted.longestWin ?? 0, plies);
  }
  return counted;
}

/** The place of work for the files of endings, with this memory. */
function filesPlace(writing: WritingMemory): SyzygyPlace {
  return {
    game,
    plies,
    store: storeToRead(store),
    out: openStore(out),
    writer: newWriter(writing, scratch),
    warn: (text) => tell({ type: 'warn', text }),
    breathe: pause,
  };
}

/** Where this thread writes, from the first task on; until it rests, if the memory is its own. */
let writingPlace: SyzygyPlace | undefined;
/** The ending of the last task: another thread may do those of another. */
let atWork: { readonly ending: string; readonly writing: EndingWriter } | undefined;

function openPlace(): SyzygyPlace {
  return (writingPlace ??= filesPlace(together ?? newWritingMemory(memory, 1)));
}

function doTask({ ending, task }: TaskCall): Promise<StepResults['task']> {
  if (atWork?.ending !== ending) {
    const tapes = localStore(scratchFolder, { durable: false });
    atWork = { ending, writing: newEndingWriter(openPlace(), filedOf(ending), tapes) };
  }
  return atWork.writing.do(task);
}

/** Frees the memory for writing, which other steps have other uses for. */
function rest(): void {
  if (writingPlace === undefined) return;
  writingPlace = atWork = undefined;
  freeAll();
}

async function verify(ending: string): Promise<StepResults['verify']> {
  auditor ??= new Auditor({ tables: openSyzygyTables(openStore(out), CACHE), memory, scratch, pause });
  try {
    return await auditor.audit(filedOf(ending).material);
  } finally {
    auditor.keepFor(keptEndings().map(({ material }) => material));
  }
}

async function doStep(call: StepCall): Promise<StepResults[StepCall['step']]> {
  switch (call.step) {
    case 'check':
      return rightFiles(openPlace(), filedOf(call.ending));
    case 'task':
      return doTask(call);
    case 'solve':
      rest();
      return solve(call);
    case 'verify':
      rest();
      return verify(call.ending);
    case 'rest':
      rest();
      return null;
  }
}

answerCalls(parentPort!, async (call: StepCall) => {
  const began = performance.now();
  // Where several threads solve together, nothing else is at work.
  const cpu = call.step === 'solve' && call.task.workers > 1 ? processMeter.cpu : threadCpu;
  const cpuBegan = cpu();
  const result = await doStep(call);
  freeUnused(true);
  return { result, cost: { wallMs: performance.now() - began, cpuMs: cpu() - cpuBegan } };
});
