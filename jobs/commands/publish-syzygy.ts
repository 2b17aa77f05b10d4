/** `mergemate publish --as syzygy`: the files that chess programs probe. */
import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { type FiledEnding, filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { askEndings, type MetricOptions } from '../cli/options.js';
import { breathe, print, printJson } from '../cli/output.js';
import { askedWords, needTables } from '../cli/tables.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { removeRemains } from '../export/remains.js';
import { METRIC, makeFiles, type Written } from '../export/syzygy-files.js';
import { findGame } from '../registry.js';
import { freeUnused } from '../run/heap.js';
import { type CrewNotice, makeByCrew } from '../sets/crew.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { bytes } from '../ui/numbers.js';
import { tableText } from '../ui/document.js';

export interface SyzygyFlags extends MetricOptions {
  readonly pieces?: number;
  /** Where the files go. */
  readonly to: string;
  readonly plies?: Plies;
  readonly force?: boolean;
  readonly memory: number;
  readonly workers: number;
  readonly scratch?: string;
}

const LINE_MS = 5000;

export async function publishSyzygy(names: string[], given: SyzygyFlags): Promise<void> {
  const flags = { ...given, out: given.to, plies: given.plies ?? ('exact' as const) };
  if (flags.metric !== undefined && flags.metric !== METRIC)
    throw new UserError(
      `Syzygy files hold plies under the metric ${METRIC}: --as syzygy goes without another --metric`,
    );
  const game = await findGame('chess');
  const filed = filedEndings(game, askedFor(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  const out = openStore(flags.out);
  sayWhenInterrupted('files that were finished are there, and the same command makes the others');
  const slices = [...new Set(filed.flatMap((one) => one.slices))];
  await needTables(store, game, METRIC, slices, askedWords(names, flags.pieces));
  await removeRemains(out, (name) => !name.includes('/'));
  const folder = claimScratch(scratchParent(flags.store, flags.scratch));
  const task = { ...flags, out: flags.out, scratchFolder: folder.folder };
  const files: Written[] = [];
  try {
    files.push(...(await (flags.workers > 1 ? makeByThreads(task, filed) : makeHere(game, task, filed))));
  } finally {
    folder.release();
  }
  if (flags.json)
    await printJson({ game: game.name, metric: METRIC, out: flags.out, plies: flags.plies, files });
  else await print(summary(flags.out, files));
}

interface FilesTask extends SyzygyFlags {
  readonly out: string;
  readonly plies: Plies;
  readonly scratchFolder: string;
}

async function makeHere(game: Game, task: FilesTask, filed: readonly FiledEnding[]): Promise<Written[]> {
  const { plies, memory, json, force, scratchFolder } = task;
  const [store, out] = [storeToRead(task.store), openStore(task.out)];
  const scratch = scratchIn(scratchFolder, 'syzygy');
  const files: Written[] = [];
  for (const [i, one] of filed.entries()) {
    const note = newNote(`${one.material.name} [${i + 1}/${filed.length}]`, json === true);
    const work = { game, store, out, plies, memory, scratch, note, warn, breathe: breatheAndFree };
    files.push(...(await makeFiles(work, one, force === true)));
    freeUnused(true);
  }
  return files;
}

function makeByThreads(task: FilesTask, filed: readonly FiledEnding[]): Promise<Written[]> {
  const { store, out, plies, memory, workers, json, force = false, scratchFolder } = task;
  const own = Math.floor(memory / workers);
  const place = { store, out, plies, force, memory: own, scratchFolder };
  const listen = (one: FiledEnding, { type, text }: CrewNotice) =>
    type === 'note' ? newNote(one.material.name, json === true)(text) : warn(text);
  return makeByCrew(place, workers, filed, listen);
}

/** Endings with a right to capture en passant are no files of their own. */
function askedFor(game: Game, names: readonly string[], men: number | undefined): Ending[] {
  const named = new Set(names.map((name) => game.ending(name).name));
  return askEndings(game, names, men).filter(
    ({ name, class: whole }) => named.has(name) || !whole.endsWith('ep'),
  );
}

function breatheAndFree(): Promise<void> {
  freeUnused(false);
  return breathe();
}

const warn = (text: string) => void process.stderr.write(`${text}\n`);

let lastNote = Number.NEGATIVE_INFINITY;

/** Prints the present step on stderr now and then. */
function newNote(what: string, quiet: boolean): (text: string) => void {
  return (text) => {
    const now = performance.now();
    if (quiet || now - lastNote < LINE_MS) return;
    lastNote = now;
    process.stderr.write(`${what} ${text}\n`);
  };
}

function summary(out: string, files: readonly Written[]): string {
  const rows = files.map((file) => [file.name, file.bytes, file.written ? 'written' : 'was there']);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${out}\n\n${tableText({ columns: ['file', 'bytes', ''], rows })}\n${files.length} files, ${bytes(total)}\n`;
}
