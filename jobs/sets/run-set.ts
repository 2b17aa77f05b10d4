/**
 * Makes a set of Syzygy files: threads do the steps that the schedule gives, and the ledger notes each that is done. So a set that was
 * interrupted at any instant goes on with the steps that it was at.
 */

import { UserError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Store } from '../../operators/storage/store.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { fileName } from '../../pipeline/games/chess/syzygy/format.js';
import type { Material } from '../../pipeline/games/chess/syzygy/material.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';
import { standingTables } from '../../pipeline/tables/standing-tables.js';
import { slicePrefix, tableManifestName } from '../../pipeline/tables/table-names.js';
import type { Job } from '../asked/job.js';
import { ExitCode, endWith } from '../cli/exit.js';
import { processMeter } from '../engines/meter.js';
import { measureFolder } from '../engines/scratch-folder.js';
import { crewTask } from '../engines/tasks.js';
import {
  BEAT_MS,
  type Cost,
  type Ledger,
  newLedger,
  putLedger,
  readLedger,
  SetReporter,
  type SetStep,
  sumOf,
  withStep,
} from '../progress/set-records.js';
import { claimed, undoneSlices } from '../run/claimed.js';
import { openStore, storeFolder } from '../stores.js';
import { bytes, duration } from '../ui/numbers.js';
import { Crew, type CrewListener, type StepResults } from './crew.js';
import { SetPace } from './pace.js';
import { type Assignment, diskNeeds, SetSchedule } from './schedule.js';
import { type Unit, unitsOf } from './units.js';

export interface SetOptions {
  readonly job: Job;
  readonly filed: readonly FiledEnding[];
  /** URIs of the store of tables, and of the folder of the files. */
  readonly store: string;
  readonly out: string;
  readonly plies: Plies;
  readonly scratchFolder: string;
  readonly freesTables: boolean;
  /** Bytes of space that are allowed; undefined: all there is. */
  readonly disk: number | undefined;
  /** Takes lines for people. */
  readonly say: (line: string) => void;
  /** Called after each ending whose files are done. */
  readonly finished: () => Promise<void>;
}

/** What a step found out, for the ledger. */
type Found = Partial<Ledger>;

export class SetRun {
  readonly #options: SetOptions;
  readonly #store: Store;
  readonly #out: Store;
  readonly #units: readonly Unit[];
  /** All slices of the set. The store may have tables of other slices, too, which must not be freed. */
  readonly #slices: ReadonlySet<string>;
  readonly #ledgers = new Map<Unit, Ledger>();
  /** Slices of the set that have tables. */
  readonly #standing = new Set<string>();
  readonly #crew: Crew;
  /** What each step at work reported last. */
  readonly #atWork = new Map<Unit, string>();
  readonly #pace = new SetPace();

  constructor(options: SetOptions) {
    this.#options = options;
    this.#store = openStore(options.store);
    this.#out = openStore(options.out);
    this.#units = unitsOf(options.job.game, options.filed);
    this.#slices = new Set(this.#units.flatMap(({ slices }) => slices));
    const { job, store, out, plies, scratchFolder } = options;
    const memory = Math.floor(job.memory / job.workers);
    this.#crew = new Crew({ store, out, plies, memory, scratchFolder, together: null }, job.workers);
  }

  /** Does all that is left to do. Rejects with the error of the first step to fail; UserError if more space is needed than is allowed. */
  async run(): Promise<void> {
    const schedule = await this.#plan();
    if (schedule !== null) await this.#runBy(schedule);
    if (this.#options.freesTables) await this.#freeRest();
  }

  async #runBy(schedule: SetSchedule): Promise<void> {
    const { filed, say } = this.#options;
    const reporter = new SetReporter({
      out: this.#out,
      endings: filed.map(({ material }) => material.name),
      cpu: processMeter.cpu,
      left: () => this.#leftMs(schedule),
    });
    const beat = setInterval(() => {
      this.#noteDisk();
      say(this.#progressText(schedule));
    }, BEAT_MS);
    beat.unref();
    try {
      await this.#doAll(schedule, reporter);
    } catch (error) {
      await reporter.end('failed');
      throw error;
    } finally {
      clearInterval(beat);
    }
    await reporter.end('done');
  }

  /** The schedule of what is left to do; null if that is nothing. */
  async #plan(): Promise<SetSchedule | null> {
    const { job, disk, freesTables: frees, say } = this.#options;
    const { game, verify, workers } = job;
    const tables = await standingTables(this.#store, game.name, SYZYGY_METRIC);
    for (const slice of verify ? tables.verified : tables.slices)
      if (this.#slices.has(slice)) this.#standing.add(slice);
    const steps = new Map<Unit, SetStep[]>();
    for (const unit of this.#units) steps.set(unit, await this.#filesToDo(unit));
    const isUncounted = (unit: Unit) =>
      steps.get(unit)!.length > 0 && this.#ledgers.get(unit)!.sides === null;
    const sources = this.#units.filter((unit) => steps.get(unit)!.includes('write') || isUncounted(unit));
    const wanted = sources.flatMap(({ filed }) => filed!.slices);
    const missing = new Set(planSlices(game, wanted, this.#standing).map(({ slice }) => slice));
    for (const unit of this.#units) {
      if (isUncounted(unit) || unit.slices.some((slice) => missing.has(slice)))
        steps.get(unit)!.unshift('solve');
    }
    const left = this.#units.filter((unit) => unit.filed !== null && steps.get(unit)!.length > 0);
    if (left.length === 0) return null;
    const plan = { game, units: this.#units, steps, standing: this.#standing, frees };
    const { most, at, scratch } = diskNeeds(plan);
    say(`${left.length} endings: at most about ${bytes(most)} at ${at}, ${bytes(scratch)} of that scratch`);
    if (disk !== undefined && most > disk) {
      const hint = frees ? '' : '; --free-tables needs less';
      throw new UserError(
        `--disk: about ${bytes(most)} are needed at ${at}, ${bytes(disk)} are allowed${hint}`,
      );
    }
    return new SetSchedule({ ...plan, workers, disk });
  }

  /** Reads the ledger of an ending. Returns the steps of its files that are not done, or have to be done again. */
  async #filesToDo(unit: Unit): Promise<SetStep[]> {
    if (unit.filed === null) return [];
    const ledger = (await readLedger(this.#out, unit.name)) ?? newLedger(unit.name);
    this.#ledgers.set(unit, ledger);
    if (!(await hasFiles(this.#out, unit.filed.material, ledger))) return ['write', 'verify'];
    return ledger.doneAt === null ? ['verify'] : [];
  }

  async #doAll(schedule: SetSchedule, reporter: SetReporter): Promise<void> {
    let abort = (_: unknown): void => {};
    const aborted = new Promise<never>((_, reject) => (abort = reject));
    aborted.catch(() => {});
    const running = new Set<Promise<void>>();
    try {
      for (;;) {
        for (let next = schedule.next(); next !== null; next = schedule.next()) {
          const step = this.#do(next, schedule, reporter, aborted);
          running.add(step);
          step.then(
            () => running.delete(step),
            () => {},
          );
        }
        if (running.size === 0) return;
        await Promise.race(running);
      }
    } catch (error) {
      await this.#crew.end();
      // Threads that have ended answer no more. Claims of the slices that they were at are given up.
      abort(error);
      await Promise.allSettled(running);
      throw error;
    } finally {
      await this.#crew.end();
    }
  }

  async #do(
    next: Assignment,
    schedule: SetSchedule,
    reporter: SetReporter,
    aborted: Promise<never>,
  ): Promise<void> {
    const { unit, step } = next;
    const { say, finished } = this.#options;
    if (unit.filed !== null) reporter.begin(unit.name, step);
    this.#atWork.set(unit, step);
    const { found, cost } = await this.#doStep(next, aborted);
    this.#pace.add(unit, step, cost.wallMs);
    this.#noteDisk();
    this.#atWork.delete(unit);
    reporter.finish(unit.name);
    const ledger = this.#ledgers.get(unit);
    if (ledger !== undefined) {
      const after = withStep(ledger, step, cost, found);
      this.#ledgers.set(unit, after);
      await putLedger(this.#out, after);
    }
    await this.#freeTables(schedule.finish(unit));
    if (step === 'solve' || !schedule.isDone(unit)) return;
    say(this.#doneText(unit, schedule));
    await finished();
  }

  async #doStep(
    { unit, step, isSole }: Assignment,
    aborted: Promise<never>,
  ): Promise<{ found: Found; cost: Cost }> {
    const listen: CrewListener = ({ type, text }) => {
      if (type === 'warn') this.#options.say(text);
      else this.#atWork.set(unit, `${step}: ${text}`);
    };
    if (step === 'solve') {
      const { result, cost } = await this.#solve(unit, isSole, listen, aborted);
      return { found: result === null ? {} : this.#foundBySolving(result), cost };
    }
    if (step === 'write') {
      const writing = this.#crew.write(unit.filed!, false, listen);
      const { result, cost } = await Promise.race([writing, aborted]);
      const sizes = Object.fromEntries(result.map((file) => [file.name, file.bytes]));
      return { found: { bytes: sizes, filePositions: {}, doneAt: null }, cost };
    }
    const verifying = this.#crew.do({ step, ending: unit.filed!.ending.name }, listen);
    const { result, cost } = await Promise.race([verifying, aborted]);
    const bad = result.find(({ wrong }) => wrong !== null);
    if (bad?.wrong) {
      const { fen, says, derived } = bad.wrong;
      endWith(ExitCode.no);
      throw new UserError(`${bad.name} is wrong: ${fen}: the file says ${says}, its moves ${derived}`);
    }
    const positions = Object.fromEntries(result.map((file) => [file.name, file.positions]));
    return { found: { filePositions: positions, doneAt: Date.now() }, cost };
  }

  async #solve(
    unit: Unit,
    isSole: boolean,
    listen: CrewListener,
    aborted: Promise<never>,
  ): Promise<{ result: StepResults['solve']; cost: Cost }> {
    const { job, store } = this.#options;
    const { game, verify, memory } = job;
    const workers = isSole && unit.indices >= MANY_INDICES ? job.workers : 1;
    if (workers > 1) await this.#crew.rest();
    const slices = unit.slices.filter((slice) => !this.#standing.has(slice));
    const call = {
      step: 'solve' as const,
      ending: unit.filed?.ending.name ?? unit.name,
      task: crewTask('solve', {
        ...job,
        store,
        slices,
        standing: [...this.#standing],
        metric: SYZYGY_METRIC,
        memory: workers > 1 ? memory : Math.floor(memory / job.workers),
        workers,
      }),
    };
    const undone = undoneSlices(store, game.name, SYZYGY_METRIC, slices, verify);
    const solved = await claimed(store, { game: game.name, undone }, () =>
      Promise.race([this.#crew.do(call, listen), aborted]),
    );
    for (const slice of slices) this.#standing.add(slice);
    return solved;
  }

  #foundBySolving(sides: NonNullable<StepResults['solve']>): Found {
    const { white, black } = sides;
    return {
      sides,
      longestWin: Math.max(white.longestWin ?? 0, black.longestWin ?? 0) || null,
      tablePositions: this.#options.job.verify ? white.positions + black.positions : null,
    };
  }

  async #freeTables(slices: readonly string[]): Promise<void> {
    const { game } = this.#options.job;
    for (const slice of slices) {
      this.#standing.delete(slice);
      // Without its manifest a table is none, so that goes first.
      await this.#store.delete(tableManifestName(game.name, SYZYGY_METRIC, slice));
      await deleteAll(
        this.#store,
        await this.#store.list(`${slicePrefix(game.name, SYZYGY_METRIC, slice)}/`),
      );
    }
  }

  /** When all is done: frees the tables that a process was killed before it had freed, or while it did. */
  async #freeRest(): Promise<void> {
    const { game } = this.#options.job;
    const names = await this.#store.list(`${game.name}/${SYZYGY_METRIC}/`);
    const there = new Set(names.map((name) => name.split('/')[2]));
    await this.#freeTables([...this.#slices].filter((slice) => there.has(slice)));
  }

  /** Notes the space that is taken now, where it can be seen, in the ledgers of the endings at work. */
  #noteDisk(): void {
    const { store, out, scratchFolder } = this.#options;
    const folders = [store, out].map(storeFolder);
    if (folders.includes(null)) return;
    const all = [...new Set([...(folders as string[]), scratchFolder])];
    const outer = all.filter((one) => !all.some((other) => one !== other && one.startsWith(`${other}/`)));
    const taken = outer.reduce((sum, folder) => sum + measureFolder(folder).bytes, 0);
    for (const unit of this.#atWork.keys()) {
      const ledger = this.#ledgers.get(unit);
      if (ledger !== undefined)
        this.#ledgers.set(unit, { ...ledger, diskBytes: Math.max(taken, ledger.diskBytes ?? 0) });
    }
  }

  #leftMs(schedule: SetSchedule): number {
    return Math.round(this.#pace.of(schedule.left, this.#options.job.workers));
  }

  #progressText(schedule: SetSchedule): string {
    const steps = [...this.#atWork].map(([{ name }, text]) => `${name} ${text}`);
    return `${steps.join('; ')} [${this.#leftText(schedule)}]`;
  }

  #leftText(schedule: SetSchedule): string {
    const filed = this.#units.filter((unit) => unit.filed !== null);
    const done = filed.filter((unit) => schedule.isDone(unit)).length;
    return `${done} of ${filed.length} done, about ${duration(this.#leftMs(schedule))} left`;
  }

  #doneText(unit: Unit, schedule: SetSchedule): string {
    const { bytes: files, longestWin, cpuMs } = this.#ledgers.get(unit)!;
    const longest = longestWin === null ? 'no win' : `longest win ${longestWin} plies`;
    return `${unit.name} done: ${bytes(sumOf(files))}, ${longest}, ${duration(cpuMs)} of CPU [${this.#leftText(schedule)}]`;
  }

  /** The ledgers of the endings, in their order. */
  get ledgers(): Ledger[] {
    const byEnding = new Map(this.#units.map((unit) => [unit.filed?.ending.name, this.#ledgers.get(unit)]));
    return this.#options.filed.flatMap(({ ending }) => byEnding.get(ending.name) ?? []);
  }
}

/** Indices of an ending from which on several threads solve it together sooner than one, if nothing else is to be done meanwhile. */
const MANY_INDICES = 2 ** 24;

/** Whether both files of an ending are there and whole, and those that its ledger has. */
async function hasFiles(out: Store, material: Material, { bytes }: Ledger): Promise<boolean> {
  for (const kind of ['wdl', 'dtz'] as const) {
    if (bytes[fileName(material, kind)] === undefined) return false;
    const checked = await checkFile(out, kind, material);
    if (checked?.isSound !== true || checked.bytes !== bytes[fileName(material, kind)]) return false;
  }
  return true;
}
