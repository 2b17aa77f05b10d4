/** Events in runs: those that conversions bring and rounds record, and the frontiers of a partition from round to round. */

import { type Arrays, newArrays } from '../../../operators/core/arrays.js';
import type { Budget } from '../../../operators/core/budget.js';
import type { Interval } from '../../../operators/core/interval.js';
import { interleave } from '../../../operators/interleave.js';
import { openRun, type RunReader } from '../../../operators/runs/reader.js';
import { newBatch } from '../../../operators/runs/rows.js';
import { Spool } from '../../../operators/runs/spool.js';
import type { Batch, Column, ColumnSpec, Cursor, Grouped } from '../../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../../operators/runs/writer.js';
import { eventNumber, FLOWS, plyOf } from '../../game/events.js';
import type { RowKernels } from '../../game/game.js';
import { firstMajor, firstMajorOfEvent, groupOf, majorOf } from '../../game/majors.js';
import type { EventRun } from '../../game/manifest.js';
import type { WorkRun } from '../../game/slice-objects.js';
import { type Context, runName } from './context.js';
import { memoryOf } from './phase-memory.js';
import { areSets, columnsOf, payloadOf, positionsIn, RowReader, SET_COLUMNS, setsOf } from './rows.js';

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

/**
 * Batches of keys, cut between rows of 64: a row that lies in two batches would come twice, and where sets come once for each digit, out
 * of order. Batches of sets are passed on. A batch is valid until the next.
 */
export async function* wholeRows(source: Grouped): AsyncGenerator<Batch> {
  /** The keys of the last row, at most 64. */
  let held: Batch | null = null;
  for await (const batch of source) {
    if (areSets(batch)) {
      yield batch;
      continue;
    }
    let keys = batch.minor.subarray(0, batch.length);
    if (held !== null && held.major !== batch.major) yield held;
    else if (held !== null) keys = joined(held.minor, keys);
    const last = keys[keys.length - 1] >>> 6;
    let cut = keys.length;
    while (cut > 0 && keys[cut - 1] >>> 6 === last) cut--;
    held = newBatch(batch.major, keys.length - cut, keys.slice(cut), []);
    if (cut > 0) yield newBatch(batch.major, cut, keys.subarray(0, cut), []);
  }
  if (held !== null) yield held;
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** A run of events to be written. @param columns of its rows. @param strict whether an event of a position comes once. */
function createEvents(
  context: Context,
  what: WorkRun,
  { columns, strict, batchRows }: { columns: readonly ColumnSpec[]; strict: boolean; batchRows: number },
): Promise<RunWriter> {
  const { slice, store, counters } = context;
  const spec = { kind: 'events', dense: false, columns, strict, meta: { slice: slice.name } };
  return createRun(store, runName(context, what), spec, { batchRows, counters });
}

/**
 * Writes events that come in order, of `parts`: keys and sets to runs of their own. Returns these, the numbers of the events, ascending, and
 * how many positions they have.
 * A batch of a run is no larger than lets rounds read one of each partition.
 */
export async function writeEvents(
  context: Context,
  rows: Pick<RowKernels, 'width'>,
  parts: Interval,
  batches: Cursor,
): Promise<{ readonly runs: EventRun[]; readonly numbers: number[]; readonly positions: number }> {
  const { slice, budget } = context;
  const opened = new Map<WorkRun, { readonly writer: RunWriter; last: number }>();
  const partitions = Math.ceil(slice.parts / (context.parts.to - context.parts.from));
  // Two runs are read together where some hold sets.
  const rowBytes = rows.width === 1 ? KEY_BYTES : 2 * KEY_BYTES + SET_BYTES;
  const { memory } = memoryOf('rounds', budget).conversions;
  const batchRows = Math.max(1, Math.min(budget.batchRows, Math.floor(memory / (rowBytes * partitions))));
  const numbers: number[] = [];
  let positions = 0;
  try {
    for await (const batch of batches) {
      const { major, length, minor, payload } = batch;
      const what = areSets(batch) ? 'conversion-sets' : 'conversions';
      let run = opened.get(what);
      if (run === undefined) {
        const columns = areSets(batch) ? SET_COLUMNS : [];
        const writer = await createEvents(context, what, { columns, strict: false, batchRows });
        opened.set(what, (run = { writer, last: 0 }));
      }
      run.last = plyOf(groupOf(slice, major));
      if (run.last !== numbers.at(-1)) numbers.push(run.last);
      positions += areSets(batch) ? positionsIn(setsOf(batch), length) : length;
      await run.writer.append(major, length, minor, payload);
    }
    const runs: EventRun[] = [];
    for (const { writer, last } of opened.values()) {
      const { name, crc, rows } = await writer.close();
      runs.push({ name, crc, ...parts, first: 1, last, rows });
    }
    return { runs, numbers, positions };
  } catch (error) {
    for (const { writer } of opened.values()) await writer.abort();
    throw error;
  }
}

const KEY_BYTES = 4;
const SET_BYTES = 8;

/** Labelled positions, majors of flows, to be read again and again. */
export type Frontier = Pick<Spool, 'cursor'>;

/** Sets are fewer than keys, and `finish` reads the batches of a ply again and again: a batch of sets has fewer rows. */
const SETS_OF_BATCH = 1 / 8;

/** The positions that the last round labelled, those that this round labels, and the events since the last commit. */
export class Frontiers {
  private readonly context: Context;
  private readonly rows: RowKernels;
  private readonly memory: number;
  private readonly batchRows: number;
  private readonly arrays: Arrays = newArrays();
  /** The positions that the last round labelled. */
  current: Spool;
  private next: Spool;
  private output: RunWriter | undefined;
  private outputFrom = 0;

  private constructor(context: Context, rows: RowKernels, { memory, batchRows }: Budget) {
    this.context = context;
    this.rows = rows;
    this.memory = memory;
    this.batchRows = rows.width === 1 ? batchRows : Math.max(1, Math.floor(batchRows * SETS_OF_BATCH));
    this.current = this.empty();
    this.next = this.empty();
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
    await frontiers.load(await EventRuns.open(context, last), nextPly - 1);
    await frontiers.begin(nextPly);
    return frontiers;
  }

  private async load(runs: EventRuns, ply: number): Promise<void> {
    const { slice, parts } = this.context;
    const reader = new RowReader(this.rows);
    for (const flowNumber of FLOWS) {
      const first = firstMajor(slice, flowNumber);
      const events = runs.cursor(ply, flowNumber, parts);
      for await (const batch of this.rows.width === 1 ? events : wholeRows(events)) {
        const sets = reader.read(batch);
        const payload = payloadOf(this.rows, sets);
        await this.current.append(first + batch.major, sets.length, sets.minor, payload);
      }
    }
    await this.current.seal();
  }

  /** Begins the run of what is labelled from round `ply` on. */
  private async begin(ply: number): Promise<void> {
    this.outputFrom = ply;
    this.output = await createEvents(this.context, `frontier-${ply}`, {
      columns: columnsOf(this.rows),
      strict: true,
      batchRows: this.batchRows,
    });
  }

  /** An empty frontier of the same columns, for the caller to dispose. */
  empty(): Spool {
    const { scratch, counters } = this.context;
    return new Spool({
      payload: columnsOf(this.rows),
      memory: this.memory,
      scratch,
      batchRows: this.batchRows,
      counters,
      arrays: this.arrays,
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
    const { slice } = this.context;
    await this.next.append(majorOf(slice, flowNumber, part), length, minor, payload);
    await this.output!.append(majorOf(slice, eventNumber(ply, flowNumber), part), length, minor, payload);
  }

  /** The recorded positions become the current frontier. */
  async advance(): Promise<void> {
    await this.next.seal();
    await this.current.dispose();
    this.current = this.next;
    this.next = this.empty();
  }

  /** Writes the events since the last commit durably. */
  async commit(nextPly: number): Promise<EventRun[]> {
    const { name, crc, rows } = await this.output!.close();
    const run = { name, crc, ...this.context.parts, first: this.outputFrom, last: nextPly - 1, rows };
    await this.begin(nextPly);
    return [run];
  }

  async close(): Promise<void> {
    await this.output?.abort();
    await this.current.dispose();
    await this.next.dispose();
  }
}
