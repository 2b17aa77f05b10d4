/**
 * Spills that outlast the process: all spills of one distribution as a run in a store, with a directory and checksums.
 *
 * The run is dense, as its rows are in no order. The columns are minors and payload. A major stands for a spill and a
 * major of its rows: spill * majors + major.
 */

import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { openRun, type RunReader } from '../runs/reader.js';
import type { RowSource, Rows, RunRef } from '../runs/types.js';
import { createRun } from '../runs/writer.js';
import type { Store } from '../storage/store.js';
import type { DistributedRows, Held, Spill } from './segments.js';
import { type Spilled, type SpillWriter, spillPart } from './spill.js';

const SPILLS = 'spills';
/** Rows of a record batch: a group reads some four of each spill, so that little is read twice at its borders. */
const BATCH_ROWS = 1 << 12;
const COLUMNS = ['minor', 'first', 'second'] as const;

/** Segments whose spills are in a run. */
export interface KeptSegments extends DistributedRows {
  readonly run: RunReader;
}

/** Where spills are to be kept. */
export interface Keeping {
  readonly store: Store;
  /** The run's name; there is no such run if nothing is spilled. */
  readonly name: string;
}

/** Starts the run that takes all spills of one distribution. */
export async function startKeeping(
  keeping: Keeping,
  words: Uint32Array,
  { majors, payload }: { majors: number; payload: number },
  counters: Counters,
): Promise<SpillWriter> {
  assert(payload < COLUMNS.length, 'spills that are kept have at most two payload columns');
  const run = await createRun(
    keeping.store,
    keeping.name,
    {
      kind: SPILLS,
      dense: true,
      columns: COLUMNS.slice(0, 1 + payload).map((column) => ({ name: column, type: 'u32' })),
      strict: true,
      meta: { majors: String(majors) },
    },
    { batchRows: BATCH_ROWS, counters },
  );
  // Pages may be short: the run gets more rows at once.
  const stage = Array.from({ length: 1 + payload }, () => new Uint32Array(BATCH_ROWS));
  let spill = 0;
  return {
    async write({ majors: held, rows, starts, pages, pageRows }) {
      const before = run.rows;
      for (let i = 0; i < held.length; i++) {
        const major = spill * majors + held[i];
        let rest = rows[i];
        let staged = 0;
        for (let p = starts[i]; p < starts[i + 1]; p++) {
          const length = Math.min(rest, pageRows);
          rest -= length;
          if (staged + length > BATCH_ROWS) {
            await run.append(major, staged, null, stage);
            staged = 0;
          }
          for (let c = 0; c <= payload; c++) {
            const from = pages[p] + c * pageRows;
            stage[c].set(words.subarray(from, from + length), staged);
          }
          staged += length;
        }
        await run.append(major, staged, null, stage);
      }
      spill++;
      counters.spills++;
      counters.rowsSpilled += run.rows - before;
    },
    async close(): Promise<Spilled> {
      const opened = await openSpills(keeping.store, await run.close(), counters);
      return { object: null, run: opened, spills: spillsOf(opened, majors, payload) };
    },
    abort: () => run.abort(),
  };
}

/** The run of a distribution that spilled all its rows. Throws DamageError if it is not there, or not as it was written. */
export async function openKept(store: Store, ref: RunRef, counters: Counters): Promise<DistributedRows> {
  const run = await openSpills(store, ref, counters);
  const majors = Number(run.spec.meta.majors);
  const payload = run.spec.columns.length - 1;
  return {
    majors,
    payload,
    rows: run.rows,
    held: NONE_HELD,
    object: null,
    run,
    spills: spillsOf(run, majors, payload),
  };
}

function openSpills(store: Store, ref: RunRef, counters: Counters): Promise<RunReader> {
  return openRun(store, ref, { counters, expect: { kind: SPILLS } });
}

const NONE = new Uint32Array(0);
const NONE_HELD: Held = { pageRows: 1, majors: NONE, rows: NONE, starts: NONE, pages: NONE };

/** The directory as if the columns of a major stood behind each other, and the majors. */
function spillsOf(run: RunReader, majors: number, payload: number): Spill[] {
  const all = run.majors();
  const spills: Spill[] = [];
  let words = 0;
  for (let from = 0; from < all.length; ) {
    const base = Math.floor(all[from] / majors) * majors;
    let to = from;
    while (to < all.length && all[to] < base + majors) to++;
    const directory = new Float64Array(to - from + 1);
    for (let i = from; i < to; i++) {
      directory[i - from] = words;
      words += run.segmentRows(all[i]) * (1 + payload);
    }
    directory[to - from] = words;
    spills.push({ majors: all.subarray(from, to).map((major) => major - base), words: directory });
    from = to;
  }
  return spills;
}

/** Reads the rows of a group's majors into `into`, spill after spill: of each major its minors, then its payload columns. */
export async function readKept(
  { run, spills, majors }: KeptSegments,
  group: Interval,
  into: Uint32Array,
): Promise<void> {
  const read = run.rowBlocks();
  let base = 0;
  for (let s = 0; s < spills.length; s++) {
    const { first, words } = spillPart(spills[s], group.from, group.to);
    if (words === 0) continue;
    const directory = spills[s].words;
    let i = first;
    for await (const { row, length, columns } of read(rangeOf(s, majors, group))) {
      const width = columns.length;
      for (let at = 0; at < length; ) {
        while (directory[i + 1] <= (row + at) * width) i++;
        const rows = (directory[i + 1] - directory[i]) / width;
        const before = row + at - directory[i] / width;
        const to = Math.min(length, at + rows - before);
        const place = base + directory[i] - directory[first] + before;
        for (let c = 0; c < width; c++) into.set(columns[c].subarray(at, to), place + c * rows);
        at = to;
      }
    }
    base += words;
  }
}

/** The rows of the one major of a group, in batches of at most what `rows` holds; its majors are set. */
export async function* keptRows(
  { run, spills, majors }: KeptSegments,
  group: Interval,
  rows: Rows,
): RowSource {
  const capacity = rows.minor.length;
  const read = run.rowBlocks();
  for (let s = 0; s < spills.length; s++) {
    for await (const { length, columns } of read(rangeOf(s, majors, group))) {
      for (let from = 0; from < length; from += capacity) {
        rows.length = Math.min(capacity, length - from);
        for (let c = 0; c < columns.length; c++) {
          const into = c === 0 ? rows.minor : rows.payload[c - 1];
          into.set(columns[c].subarray(from, from + rows.length));
        }
        yield rows;
      }
    }
  }
}

/** The majors of a spill that are majors of the group, as the run numbers them. */
function rangeOf(spill: number, majors: number, { from, to }: Interval): Interval {
  return { from: spill * majors + from, to: spill * majors + Math.min(to, majors) };
}
