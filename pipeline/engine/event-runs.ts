/** Events in runs: those that conversions bring and rounds record, and the frontiers of a partition from round to round. */

import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import { interleave } from '../../operators/interleave.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { newBatch } from '../../operators/runs/rows.js';
import { Spool } from '../../operators/runs/spool.js';
import type { Batch, Column, ColumnSpec, Grouped } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { eventNumber, FLOWS } from '../game/events.js';
import type { RowKernels } from '../game/game.js';
import { firstMajor, firstMajorOfEvent, majorOf } from '../game/majors.js';
import type { EventRun } from '../game/manifest.js';
import { type Context, runName } from './context.js';
import { columnsOf, payloadOf, RowReader } from './rows.js';

/** Reads the events of one ply and flow out of a set of event runs of any layout; they may overlap. */
export class EventRuns {
  private constructor(
    private readonly context: Context,
    private readonly opened: readonly { readonly run: EventRun; readonly reader: RunReader }[],
  ) {}

  /** Opens those of the runs that may have events of the context's parts. */
  static async open(context: Context, runs: readonly EventRun[]): Promise<EventRuns> {
    const { store, counters, parts } = context;
    const opened: { run: EventRun; reader: RunReader }[] = [];
    const options = { counters, expect: { kind: 'events' }, arrays: newArrays() };
    for (const run of runs)
      if (run.rows > 0 && run.from < parts.to && parts.from < run.to)
        opened.push({ run, reader: await openRun(store, run, options) });
    return new EventRuns(context, opened);
  }

  /**
   * Keys or sets of the event in `parts`, by part; majors are parts. They ascend in a part if a single run has them.
   * Conversions lie in a run of every partition. To apply them to labels needs no order in a part, and to merge them
   * cost a tenth of a solve.
   */
  cursor(ply: number, flowNumber: number, parts: Interval): Grouped {
    const base = firstMajorOfEvent(this.context.slice, ply, flowNumber);
    const due = this.opened.filter(
      ({ run }) => run.first <= ply && ply <= run.last && run.from < parts.to && parts.from < run.to,
    );
    const cursors = due.map(({ reader }) => reader.cursor({ from: base + parts.from, to: base + parts.to }));
    return shifted(interleave(cursors), -base);
  }

  /** Whether the event might have any keys (by the manifests only). */
  mayHold(ply: number): boolean {
    return this.opened.some(({ run }) => run.first <= ply && ply <= run.last);
  }
}

/** The same rows under majors greater by `by`. */
export async function* shifted(source: Grouped, by: number): AsyncGenerator<Batch> {
  for await (const batch of source)
    yield newBatch(batch.major + by, batch.length, batch.minor, batch.payload);
}

/** A run of events to be written. @param columns of its rows. @param strict whether an event of a position comes once. */
export function createEvents(
  { slice, store, counters }: Context,
  name: string,
  { columns, strict, batchRows }: { columns: readonly ColumnSpec[]; strict: boolean; batchRows: number },
): Promise<RunWriter> {
  const spec = { kind: 'events', dense: false, columns, strict, meta: { slice: slice.name } };
  return createRun(store, name, spec, { batchRows, counters });
}

/** Labelled positions, majors of flows, to be read again and again. */
export type Frontier = Pick<Spool, 'cursor'>;

/** Sets are fewer than keys, and `finish` reads the batches of a ply again and again: a batch of sets has fewer rows. */
const SETS_OF_BATCH = 1 / 8;

/** The positions that the last round labelled, those that this round labels, and the events since the last commit. */
export class Frontiers {
  readonly #context: Context;
  readonly #rows: RowKernels;
  readonly #memory: number;
  readonly #batchRows: number;
  readonly #arrays: Arrays = newArrays();
  #current: Spool;
  #next: Spool;
  #output: RunWriter | undefined;
  #outputFrom = 0;

  private constructor(context: Context, rows: RowKernels, { memory, batchRows }: Budget) {
    this.#context = context;
    this.#rows = rows;
    this.#memory = memory;
    this.#batchRows = rows.width === 1 ? batchRows : Math.max(1, Math.floor(batchRows * SETS_OF_BATCH));
    this.#current = this.empty();
    this.#next = this.empty();
  }

  /** Opens the frontiers before round `nextPly`. `events` hold all that was labelled before it. */
  static async open(
    context: Context,
    rows: RowKernels,
    { events, nextPly }: { readonly events: readonly EventRun[]; readonly nextPly: number },
    budget: Budget,
  ): Promise<Frontiers> {
    const frontiers = new Frontiers(context, rows, budget);
    const last = events.filter(({ last }) => last === nextPly - 1);
    await frontiers.#load(await EventRuns.open(context, last), nextPly - 1);
    await frontiers.#begin(nextPly);
    return frontiers;
  }

  async #load(runs: EventRuns, ply: number): Promise<void> {
    const { slice, parts } = this.#context;
    const reader = new RowReader(this.#rows);
    for (const flowNumber of FLOWS) {
      const first = firstMajor(slice, flowNumber);
      for await (const batch of runs.cursor(ply, flowNumber, parts)) {
        const sets = reader.read(batch);
        const payload = payloadOf(this.#rows, sets);
        await this.#current.append(first + batch.major, sets.length, sets.minor, payload);
      }
    }
    await this.#current.seal();
  }

  /** Begins the run of what is labelled from round `ply` on. */
  async #begin(ply: number): Promise<void> {
    this.#outputFrom = ply;
    this.#output = await createEvents(this.#context, runName(this.#context, `frontier-${ply}`), {
      columns: columnsOf(this.#rows),
      strict: true,
      batchRows: this.#batchRows,
    });
  }

  /** The positions that the last round labelled. */
  get current(): Spool {
    return this.#current;
  }

  /** An empty frontier of the same columns, for the caller to dispose. */
  empty(): Spool {
    const { scratch, counters } = this.#context;
    return new Spool({
      payload: columnsOf(this.#rows),
      memory: this.#memory,
      scratch,
      batchRows: this.#batchRows,
      counters,
      arrays: this.#arrays,
    });
  }

  /** Adds what a round labels in a part to the next frontier, and to the events. Rows ascend, also from call to call. */
  async record(
    ply: number,
    flowNumber: number,
    part: number,
    length: number,
    minor: Uint32Array,
    payload: readonly Column[],
  ): Promise<void> {
    const { slice } = this.#context;
    await this.#next.append(majorOf(slice, flowNumber, part), length, minor, payload);
    await this.#output!.append(majorOf(slice, eventNumber(ply, flowNumber), part), length, minor, payload);
  }

  /** The recorded positions become the current frontier. */
  async advance(): Promise<void> {
    await this.#next.seal();
    await this.#current.dispose();
    this.#current = this.#next;
    this.#next = this.empty();
  }

  /** Writes the events since the last commit durably. */
  async commit(nextPly: number): Promise<EventRun[]> {
    const { name, crc, rows } = await this.#output!.close();
    const run = { name, crc, ...this.#context.parts, first: this.#outputFrom, last: nextPly - 1, rows };
    await this.#begin(nextPly);
    return [run];
  }

  async close(): Promise<void> {
    await this.#output?.abort();
    await this.#current.dispose();
    await this.#next.dispose();
  }
}
