/**
 * The bit-parallel solver (Wendroff et al. 1993; Koistinen 2001), the classic rival in memory. Sets of positions are
 * words of 64 squares, and unmoves are shifts and motions of words. It shares the rules, the index and the finished
 * tables with the external solver, and nothing else. All sets lie in memory, or it does not start.
 */

import type { Budget } from '../../../operators/core/budget.js';
import { type Counters, newCounters } from '../../../operators/core/counters.js';
import { assert, UserError } from '../../../operators/core/errors.js';
import { orAbort } from '../../../operators/core/or-abort.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import type { Game } from '../../game/game.js';
import { commitManifest, readManifest, TableManifest } from '../../game/manifest.js';
import type { ProgressListener } from '../../game/progress.js';
import { isDirectMate } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { manifestHead } from '../../tables/manifest-head.js';
import { slicePrefix, tableManifestName } from '../../tables/table-names.js';
import {
  type Conversions,
  conversionBytes,
  loadConversions,
  openTables,
  type Tables,
} from './conversions.js';
import {
  appendPly,
  createDifferences,
  type Differences,
  DifferencesManifest,
  encoderBytes,
  LIST_BYTES,
  loadPly,
  newEncoder,
} from './differences.js';
import { kernelBytes, newKernels, type SetKernels } from './kernels.js';
import { giveBack, mates, newRounds, nextFrontier, type RoundState, setsNeeded, settle } from './rounds.js';
import { whyNot } from './scope.js';
import { layoutBytes, layoutOf, type SetLayout, setBytes } from './set-layout.js';
import { tableBytes, writeTable } from './write-table.js';

/** A checkpoint is made when so many bytes of differences were written, or so many words combined, since the last. */
const COMMIT_BYTES = 1 << 22;
const COMMIT_WORDS = 2 ** 31;
/** Men besides the kings, beyond which the sets do not fit the 4 GiB of a linear memory. */
const MOST_MEN = 3;

export interface BitboardOptions {
  /** Must be chess: the layout of sets is that of its board. */
  readonly game: Game;
  /** Canonical name; the tables of its dependencies must be in `store`. */
  readonly slice: string;
  readonly metric: Metric;
  readonly store: Store;
  readonly budget: Budget;
  readonly progress: ProgressListener;
  /** Milliseconds from any origin; for the time of each iteration. */
  readonly wall?: () => number;
  /** Bytes of differences between checkpoints, instead of 4 MiB. */
  readonly commitBytes?: number;
}

export interface BitboardCounters {
  /** Bytes of the sets in use at once at most, and of all that is held. */
  readonly setBytes: number;
  readonly memory: number;
  /** 64-bit words read and combined by elementary unmoves. */
  readonly words: number;
  readonly iterations: number;
  readonly differenceBytes: number;
  readonly checkpoints: number;
  readonly restarts: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

export interface BitboardResult {
  readonly table: TableManifest;
  /** Counts this call and interrupted ones before it; all zero if the table was there already. */
  readonly counters: BitboardCounters;
  /** Wall time of each iteration of this call, in milliseconds; empty without `wall`. */
  readonly iterationMs: readonly number[];
}

type Tally = { -readonly [K in keyof BitboardCounters]: BitboardCounters[K] };

const newTally = (): Tally => ({
  setBytes: 0,
  memory: 0,
  words: 0,
  iterations: 0,
  differenceBytes: 0,
  checkpoints: 0,
  restarts: 0,
  bytesRead: 0,
  bytesWritten: 0,
});

/**
 * Solves one slice and writes its table; continues where an interrupted call with the same store left off.
 * @throws UserError if a dependency is not solved or the memory is too small, StorageError for the outside world.
 */
export async function solveBitboardSlice(options: BitboardOptions): Promise<BitboardResult> {
  const { game, metric, store } = options;
  const prefix = slicePrefix(game.name, metric, options.slice);
  const work = `${prefix}/steps/bitboard`;
  const tableName = tableManifestName(game.name, metric, options.slice);
  const counters = newTally();
  const iterationMs: number[] = [];
  let table = await readManifest(store, tableName, TableManifest);
  if (table === null) {
    const refusal = whyNot(game.name, options.slice);
    if (refusal !== null) throw new UserError(`the bit-parallel solver solves ${refusal}`);
    const solved = await new Solving(options, work, newCounters(), counters, iterationMs).run(prefix);
    table = await commitManifest(store, tableName, solved, TableManifest);
  }
  await deleteAll(store, await store.list(`${work}/`));
  return { table, counters, iterationMs };
}

/** Resources of a call: the memory of all sets, in which the table is put together at the end. */
interface Opened {
  readonly kernels: SetKernels;
  readonly tables: Tables;
  readonly memory: Uint8Array;
}

class Solving {
  private readonly steps: DifferencesManifest[] = [];

  constructor(
    private readonly options: BitboardOptions,
    private readonly work: string,
    private readonly io: Counters,
    private readonly tally: Tally,
    private readonly iterationMs: number[],
  ) {}

  async run(prefix: string): Promise<TableManifest> {
    const { game, metric, store, budget, progress } = this.options;
    const slice = game.slice(this.options.slice);
    const opened = await this.open();
    const { kernels, memory } = opened;
    if (!this.steps.at(-1)?.done) await this.iterate(opened);
    progress({ type: 'phase', slice: slice.name, phase: 'finish', total: 2 * slice.size });
    const facts = await writeTable({
      kernels,
      slice,
      metric,
      store,
      prefix,
      differences: this.steps,
      memory,
      batchRows: budget.batchRows,
      counters: this.io,
      report: (done) => progress({ type: 'work', slice: slice.name, done }),
    });
    this.takeIo();
    return {
      ...manifestHead(game.name, slice, metric),
      ...facts,
      rounds: this.steps.at(-1)!.to - 1,
      requests: 0,
      counters: { ...this.tally },
    };
  }

  private async open(): Promise<Opened> {
    const { game, slice, metric, store } = this.options;
    if (slice.length - 2 > MOST_MEN) {
      throw new UserError(`${slice}: the bit-parallel solver takes ${MOST_MEN + 2} men at most`);
    }
    const layout = layoutOf(slice);
    const tables = await openTables(layout, game, metric, store, this.io);
    this.count(layout, tables);
    await this.readSteps();
    const kernels = newKernels(layout, this.tally.setBytes + encoderBytes(layout));
    return { kernels, tables, memory: kernels.take(this.tally.setBytes) };
  }

  /** All iterations that are not done yet. */
  private async iterate({ kernels, tables, memory }: Opened): Promise<void> {
    const { slice, metric, store, progress } = this.options;
    progress({ type: 'phase', slice, phase: 'load', total: null });
    const rounds = newRounds(kernels, memory);
    const conversions = await loadConversions(kernels.layout, tables, metric, rounds.unwon);
    // Mates are listed, stalemates are not: those are found again.
    if (this.steps.length > 0) giveBack(rounds, mates(rounds));
    for (const step of this.steps) {
      for (let ply = step.from; ply < step.to; ply++) {
        settle(rounds, conversions, ply, await loadPly(store, step, this.io, rounds, ply));
      }
    }
    progress({ type: 'phase', slice, phase: 'rounds', total: null });
    const encoder = newEncoder(kernels);
    for (let ply = this.steps.at(-1)?.to ?? 0; !this.steps.at(-1)?.done; ) {
      const lists = await createDifferences(store, this.work, ply, encoder, this.env());
      ply = (await this.iterations(rounds, conversions, lists, ply)).to;
    }
  }

  /** Iterations up to the next checkpoint. */
  private async iterations(
    rounds: RoundState,
    conversions: Conversions,
    lists: Differences,
    from: number,
  ): Promise<DifferencesManifest> {
    const { game, slice, store, progress, wall, commitBytes = COMMIT_BYTES } = this.options;
    let ply = from;
    let longest = this.steps.at(-1)?.longest ?? 0;
    let done = false;
    const { wasm } = rounds.kernels;
    let words = 0;
    await orAbort(lists.writer, async () => {
      for (; !done && lists.writer.rows < commitBytes && words < COMMIT_WORDS; ply++) {
        const start = wall?.() ?? 0;
        const found = ply === 0 ? mates(rounds) : nextFrontier(rounds);
        const labelled = await appendPly(lists, ply, found);
        settle(rounds, conversions, ply, found);
        if (wall) this.iterationMs.push(wall() - start);
        if (labelled > 0) longest = ply;
        done = labelled === 0 && ply > Math.max(0, conversions.last);
        this.tally.iterations++;
        words += wasm.takeWords();
        progress({ type: 'round', slice, ply, requests: 0, labelled });
      }
    });
    const { name, crc, rows } = await lists.writer.close();
    this.tally.words += words;
    this.tally.differenceBytes += rows;
    this.tally.checkpoints++;
    this.takeIo();
    const step: DifferencesManifest = {
      version: FORMAT_VERSION,
      game: game.name,
      slice,
      step: 'differences',
      from,
      to: ply,
      run: { name, crc },
      bytes: rows,
      longest,
      done,
      counters: { ...this.tally },
    };
    this.steps.push(await commitManifest(store, this.manifestName(from), step, DifferencesManifest));
    return step;
  }

  private async readSteps(): Promise<void> {
    const { memory, setBytes: sets } = this.tally;
    for (let from = 0; ; ) {
      const step = await readManifest(this.options.store, this.manifestName(from), DifferencesManifest);
      if (step === null) break;
      assert(step.to > from, 'a step has an iteration');
      this.steps.push(step);
      from = step.to;
    }
    if (this.steps.length === 0) return;
    Object.assign(this.tally, this.steps.at(-1)!.counters, { memory, setBytes: sets });
    this.tally.restarts++;
  }

  private count(layout: SetLayout, tables: Tables): void {
    const { budget, metric, slice } = this.options;
    const { men } = layout.space;
    this.tally.setBytes = setsNeeded(isDirectMate(metric)) * setBytes(men);
    const conversions = conversionBytes(layout, tables);
    const solving = conversions.kept + Math.max(conversions.passing, LIST_BYTES + budget.batchRows);
    const linear = kernelBytes(men) + this.tally.setBytes + encoderBytes(layout);
    this.tally.memory = layoutBytes(men) + linear + Math.max(solving, tableBytes(layout));
    if (this.tally.memory <= budget.memory) return;
    const mebi = (bytes: number) => Math.ceil(bytes / 2 ** 20);
    throw new UserError(
      `the bit-parallel solver needs ${mebi(this.tally.memory)} MiB for ${slice}; the budget is ${Math.floor(budget.memory / 2 ** 20)} MiB`,
    );
  }

  private manifestName(from: number): string {
    return `${this.work}/differences-${String(from).padStart(5, '0')}.json`;
  }

  private env(): { batchRows: number; counters: Counters } {
    return { batchRows: this.options.budget.batchRows, counters: this.io };
  }

  private takeIo(): void {
    this.tally.bytesRead += this.io.bytesRead;
    this.tally.bytesWritten += this.io.bytesWritten;
    Object.assign(this.io, newCounters());
  }
}
