/**
 * `mergemate solve chess … --syzygy URI`: a set of endings as Syzygy's files. Ending after ending is solved, written
 * and verified. A ledger in the folder of the files says what was done. So an interrupted set goes on, and tables may
 * go when none needs them.
 */
import { UserError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Audited } from '../../pipeline/audit/audit.js';
import { Auditor } from '../../pipeline/audit/audit.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { type FiledEnding, filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { standingTables } from '../../pipeline/tables/standing-tables.js';
import { needTable } from '../../pipeline/tables/table.js';
import { slicePrefix, tableManifestName } from '../../pipeline/tables/table-names.js';
import { claimed, undoneSlices } from '../claimed.js';
import { coordinate } from '../engines/coordinator.js';
import { processMeter } from '../engines/meter.js';
import { scratchIn } from '../engines/scratch-store.js';
import { ExitCode, sayWhenInterrupted } from '../exit.js';
import { METRIC, makeFiles, type Written } from '../export/syzygy-files.js';
import { freeUnused } from '../heap.js';
import type { Job } from '../job.js';
import { breathe, print, printJson } from '../output.js';
import { referenceOf } from '../registry.js';
import { diskOf } from '../sets/disk.js';
import { type Ledger, putLedger, readLedger } from '../sets/ledger.js';
import { newSetTeller, type SetStep } from '../sets/progress.js';
import { budgetOf } from '../settings.js';
import { openStore } from '../stores.js';
import { bytes, duration, whole } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';
import { prepareRun } from '../watched-run.js';

export interface SetFlags {
  readonly store: string;
  readonly scratch?: string;
  readonly json?: boolean;
  /** Where the files go. */
  readonly syzygy: string;
  /** How files give plies; exactly unless given. */
  readonly plies?: Plies;
  readonly freeTables?: boolean;
  readonly disk?: number;
}

interface FileSet {
  readonly job: Job;
  readonly flags: SetFlags;
  readonly store: Store;
  readonly out: Store;
  readonly scratchFolder: string;
  readonly scratch: Scratch;
}

export async function solveSet(job: Job, flags: SetFlags): Promise<void> {
  if (job.game.name !== 'chess' || job.metric !== METRIC || job.engine !== 'local')
    throw new UserError('--syzygy: files are of chess under --metric dtz, solved by the local engine');
  const endings = job.endings.filter(({ class: all }) => !all.endsWith('ep'));
  const filed = filedEndings(job.game, endings);
  const [store, out] = [openStore(flags.store), openStore(flags.syzygy)];
  const folder = prepareRun(flags.store, flags.scratch);
  sayWhenInterrupted('the same command goes on with the ending that it was at');
  const scratch = scratchIn(folder.folder, 'set');
  const set: FileSet = { job, flags, store, out, scratchFolder: folder.folder, scratch };
  try {
    const done = new Map<string, Ledger>();
    for (const one of filed) {
      const ledger = await readLedger(out, one);
      if (ledger !== null) done.set(one.ending.name, ledger);
    }
    const left = filed.filter(({ ending }) => !done.has(ending.name));
    await stateDisk(set, left);
    await doEndings(set, filed, left, done);
    await report(
      set,
      filed.map(({ ending }) => done.get(ending.name)!),
    );
  } finally {
    folder.release();
  }
}

/** Does the endings that are left one after the other, adds their ledgers to those that are `done`, and reports to those who watch. */
async function doEndings(
  set: FileSet,
  filed: readonly FiledEnding[],
  left: readonly FiledEnding[],
  done: Map<string, Ledger>,
): Promise<void> {
  const { flags, out } = set;
  if (left.length === 0) return;
  const teller = newSetTeller(
    out,
    filed.map(({ material }) => material.name),
  );
  try {
    for (const [i, one] of left.entries()) {
      const { name } = one.material;
      say(flags, `${name} [${i + 1}/${left.length}]`);
      const ledger = await doEnding(set, one, (step) => teller.at(name, step));
      done.set(one.ending.name, ledger);
      await putLedger(out, one, ledger);
      if (flags.freeTables) await freeTables(set, filed, left.slice(i + 1));
      freeUnused(true);
    }
  } catch (error) {
    await teller.end('failed');
    throw error;
  }
  await teller.end('done');
}

const say = ({ json }: SetFlags, text: string) => void (json || process.stderr.write(`${text}\n`));

/** Says what space the endings take, and throws UserError if it is more than there may be. */
async function stateDisk({ job, flags, store }: FileSet, left: readonly FiledEnding[]): Promise<void> {
  const standing = await doneSlices(store, job);
  const { most, at, tables, scratch } = diskOf(job.game, left, standing, flags.freeTables === true);
  if (left.length === 0) return;
  say(
    flags,
    `${left.length} endings: at most about ${bytes(most)} at ${at}, ${bytes(tables)} of tables and ${bytes(scratch)} of scratch`,
  );
  if (flags.disk !== undefined && most > flags.disk) {
    const hint = flags.freeTables ? '' : '; --free-tables needs less';
    throw new UserError(
      `--disk: about ${bytes(most)} are needed at ${at}, ${bytes(flags.disk)} are allowed${hint}`,
    );
  }
}

/** The slices that have tables, verified if that is wanted. */
async function doneSlices(store: Store, { game, verify }: Job): Promise<ReadonlySet<string>> {
  const { slices, verified } = await standingTables(store, game.name, METRIC);
  return verify ? verified : slices;
}

async function doEnding(set: FileSet, one: FiledEnding, begin: (step: SetStep) => void): Promise<Ledger> {
  const { job, flags, store, out, scratch } = set;
  const { game, memory } = job;
  const { plies = 'exact' } = flags;
  const [wall, cpu] = [performance.now(), processMeter.cpu()];
  begin('solve');
  await solveSlices(set, one);
  begin('write');
  const note = (text: string) => say(flags, `${one.material.name} ${text}`);
  const work = { game, store, out, plies, memory, scratch, note, warn: note };
  const written = await makeFiles({ ...work, breathe }, one, false);
  begin('verify');
  const audited = await verifyFiles(set, one);
  let longestWin: number | null = null;
  let tablePositions: number | null = 0;
  for (const slice of one.ending.slices) {
    store.expect?.(tableManifestName(game.name, METRIC, slice));
    const { manifest } = await needTable(store, game, METRIC, slice);
    for (const plies of manifest.longestWin) longestWin = Math.max(longestWin ?? 0, plies ?? 0) || null;
    if (tablePositions !== null) tablePositions += manifest.positions[0] + manifest.positions[1];
  }
  if (!job.verify) tablePositions = null;
  const record = <T>(all: readonly T[], pairOf: (one: T) => [string, number]) =>
    Object.fromEntries(all.map(pairOf));
  return {
    ending: one.material.name,
    wallMs: Math.round(performance.now() - wall),
    cpuMs: Math.round(processMeter.cpu() - cpu),
    bytes: record<Written>(written, (file) => [file.name, file.bytes]),
    longestWin,
    tablePositions,
    filePositions: record<Audited>(audited, (file) => [file.name, file.positions]),
  };
}

/** Solves what the files of an ending are made of and has no table. */
async function solveSlices({ job, flags, store, scratchFolder }: FileSet, one: FiledEnding): Promise<void> {
  const { game, metric, propagate, verify, workers } = job;
  const standing = await doneSlices(store, job);
  const missing = one.slices.filter((slice) => !standing.has(slice));
  if (missing.length === 0) return;
  const task = {
    kind: 'solve' as const,
    game: referenceOf(game),
    store: flags.store,
    scratchFolder,
    workers,
    slices: missing,
    standing: [...standing],
    metric,
    strategy: propagate,
    verify,
    budget: budgetOf(job.memory, job),
  };
  const undone = undoneSlices(flags.store, game.name, metric, missing, verify);
  await claimed(flags.store, { game: game.name, undone }, () => coordinate(task, () => {}));
}

/** Bytes that are kept of files besides the memory. */
const CACHE = 16 << 20;

/** Throws UserError if a value of the files is wrong. */
async function verifyFiles({ job, out, scratch }: FileSet, { material }: FiledEnding): Promise<Audited[]> {
  const tables = openSyzygyTables(out, CACHE);
  const auditor = new Auditor({ tables, memory: job.memory, scratch, pause: breathe });
  try {
    const audited = await auditor.audit(material);
    const found = audited.find(({ wrong }) => wrong !== null);
    if (found?.wrong) {
      const { fen, says, derived } = found.wrong;
      process.exitCode = ExitCode.no;
      throw new UserError(`${found.name} is wrong: ${fen}: the file says ${says}, its moves ${derived}`);
    }
    return audited;
  } finally {
    auditor.keepFor([]);
  }
}

/** Deletes the tables of this set that no ending that is left is made of. */
async function freeTables(
  { job: { game }, store }: FileSet,
  filed: readonly FiledEnding[],
  left: readonly FiledEnding[],
): Promise<void> {
  const needed = new Set(left.flatMap(({ slices }) => slices));
  const done = filed.filter((one) => !left.includes(one)).flatMap(({ slices }) => slices);
  for (const slice of new Set(done)) {
    if (needed.has(slice)) continue;
    // Without its manifest a table is none, so that goes first.
    await store.delete(tableManifestName(game.name, METRIC, slice));
    await deleteAll(store, await store.list(`${slicePrefix(game.name, METRIC, slice)}/`));
  }
}

async function report({ flags }: FileSet, ledgers: readonly Ledger[]): Promise<void> {
  if (flags.json) return printJson({ out: flags.syzygy, endings: ledgers });
  const sum = (numbers: Readonly<Record<string, number>>) =>
    Object.values(numbers).reduce((a, b) => a + b, 0);
  const rows = ledgers.map(({ ending, bytes: files, longestWin, filePositions, wallMs }) => [
    ending,
    whole(sum(files)),
    longestWin === null ? '-' : String(longestWin),
    whole(sum(filePositions)),
    duration(wallMs),
  ]);
  const head = ['ending', 'bytes', 'longest win', 'verified', 'time'];
  await print(`${flags.syzygy}\n\n${textTable(head, rows)}\n`);
}
