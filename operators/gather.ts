/**
 * External distribution sort, second half: reads the rows that distributions left for a range of majors, in order. Where
 * the order in a major does not matter (the rows are applied to rows in the cache), it orders by majors only.
 *
 * Input: segments and their pools, from any number of distributions (of this thread or, with shared pools and a common
 * scratch store, of others). Output: the rows of majors [from, to) ascending by (major, minor); equal keys in the order of
 * the sources and, in each, as they came. Batches have at most `budget.batchRows`.
 *
 * Algorithm: takes a few neighbouring majors at a time, as many as make reads long enough. Their rows are copied from pages
 * and spills into arrays, and each major is radix-sorted in cache-sized pieces when it is asked for. While these go out,
 * the spilled rows of the next majors are read. No merge.
 *
 * Memory: twice the rows of a group (arrays, scratch), thrice if any are read from spills, and what radixSort takes for them:
 * at most `budget.memory`. A major that does not fit is sorted by the external merge sort, within the same memory. By majors
 * only, it is once the rows and what is read, and no major needs to fit. I/O: reads each spilled row once.
 * Degenerate cases: no rows; an empty range. Segments stay as they are, to be gathered again or released.
 */

import { type Arrays, newArrays } from './core/arrays.js';
import type { Columns } from './core/columns.js';
import { copyWords } from './core/copy-words.js';
import type { Interval } from './core/interval.js';
import { firstAtLeast } from './core/search.js';
import { distinctMajors, type Group, planGroups, type Source } from './distribute/groups.js';
import { keptRows, readKept } from './distribute/kept.js';
import { readWords, spillPart } from './distribute/spill.js';
import { newBatch, newRows, views } from './runs/rows.js';
import type { Batch, Cursor, Grouped, RowSource } from './runs/types.js';
import type { SortEnv } from './sort/env.js';
import { numberWords, radixSort } from './sort/radix.js';
import { sort } from './sort/sort.js';

export type { Source } from './distribute/groups.js';

/** See the top of this file. `payload` is that of all sources. */
export function gather(sources: readonly Source[], range: Interval, payload: number, env: SortEnv): Cursor {
  const { batchRows } = env.budget;
  return gatherGroups(sources, range, payload, env, 2, {
    fits: (group, buffers) => inOrder(group, buffers.columns(), buffers.spare(), batchRows),
    exceeds: (group) => sort(majorRows(sources, group, payload, env), payload, env),
  });
}

/** Gathers without ordering the rows of a major. */
export function gatherByMajor(
  sources: readonly Source[],
  range: Interval,
  payload: number,
  env: SortEnv,
): Grouped {
  const { batchRows } = env.budget;
  return gatherGroups(sources, range, payload, env, 1, {
    fits: (group, buffers) => asTheyAre(group, buffers.columns(), batchRows),
    exceeds: (group) => inBatches(group.from, majorRows(sources, group, payload, env)),
  });
}

interface Handling {
  /** A group whose rows are in buffers.columns(), major after major. */
  fits(group: Group, buffers: GroupBuffers): Generator<Batch>;
  /** One major with more rows than memory holds. */
  exceeds(group: Group): Grouped;
}

/** `copies`: arrays for the rows of a group, in addition to the one for rows that are read. */
async function* gatherGroups(
  sources: readonly Source[],
  range: Interval,
  payload: number,
  env: SortEnv,
  copies: number,
  { fits, exceeds }: Handling,
): Grouped {
  const reads = sources.some(({ segments }) => segments.spills.length > 0) ? 1 : 0;
  const words = (copies + reads) * (1 + payload) + (copies > 1 ? numberWords(payload) : 0);
  const capacity = Math.max(1, Math.floor(env.budget.memory / (4 * words)));
  const groups = planGroups(sources, distinctMajors(sources, range), capacity);
  const buffers = newGroupBuffers(groups, payload, capacity, env.arrays ?? newArrays());
  let reading: Promise<void> | null = null;
  try {
    for (let g = 0; g < groups.length; g++) {
      const group = groups[g];
      if (group.rows > capacity) {
        buffers.giveBack();
        yield* exceeds(group);
        continue;
      }
      await (reading ?? readSpilled(sources, group, buffers.stage(), env));
      collect(sources, group, buffers.columns(), buffers.stage());
      const next = groups[g + 1];
      reading = null;
      if (next !== undefined && next.rows <= capacity) {
        reading = readSpilled(sources, next, buffers.stage(), env);
        // A failure is reported where it is awaited; until then it must not count as unhandled.
        reading.catch(() => {});
      }
      // A loop in place of `yield*`, which makes three promises for each batch.
      for (const batch of fits(group, buffers)) yield batch;
    }
  } finally {
    await reading?.catch(() => {});
    buffers.giveBack();
  }
}

type GroupBuffers = ReturnType<typeof newGroupBuffers>;

/** Arrays for the largest group that is not sorted externally; taken when first asked for. */
function newGroupBuffers(groups: readonly Group[], payload: number, capacity: number, arrays: Arrays) {
  let rows = 0;
  let words = 0;
  for (const group of groups) {
    if (group.rows > capacity) continue;
    rows = Math.max(rows, group.rows);
    words = Math.max(words, group.spilledWords);
  }
  let columns: Columns | null = null;
  let spare: Columns | null = null;
  let stage: Uint32Array | null = null;
  // Rounded up, so that groups that grow from one gather to the next do not each ask for a new array.
  const room = Math.min(capacity, 2 ** Math.ceil(Math.log2(rows)));
  const take = (): Columns => ({
    minor: arrays.take(room),
    payload: Array.from({ length: payload }, () => arrays.take(room)),
  });
  const giveBack = (): void => {
    for (const taken of [columns, spare]) if (taken) [taken.minor, ...taken.payload].forEach(arrays.give);
    if (stage) arrays.give(stage);
    columns = spare = stage = null;
  };
  return {
    columns: () => (columns ??= take()),
    spare: () => (spare ??= take()),
    stage: () => (stage ??= arrays.take(words)),
    giveBack,
  };
}

/** Reads the spilled rows of a group into `stage`, spill after spill. */
async function readSpilled(
  sources: readonly Source[],
  group: Group,
  stage: Uint32Array,
  { scratch, counters }: SortEnv,
): Promise<void> {
  if (group.spilledWords === 0) return;
  const reads: Promise<void>[] = [];
  let at = 0;
  for (const { segments } of sources) {
    const { run } = segments;
    if (run !== null) {
      const words = segments.spills.reduce(
        (sum, each) => sum + spillPart(each, group.from, group.to).words,
        0,
      );
      // One after the other, as each needs a buffer.
      if (words > 0) await readKept({ ...segments, run }, group, stage.subarray(at, at + words));
      at += words;
      continue;
    }
    for (const spill of segments.spills) {
      const { first, words } = spillPart(spill, group.from, group.to);
      if (words === 0) continue;
      const into = stage.subarray(at, at + words);
      reads.push(readWords(scratch.store, segments.object!, spill.words[first], into, counters));
      at += words;
    }
  }
  await Promise.all(reads);
}

/** Puts the rows of a group's majors behind each other; group.ends says where each major's rows end. */
function collect(sources: readonly Source[], group: Group, columns: Columns, stage: Uint32Array): void {
  // Where the next row of each major goes.
  const cursors = new Uint32Array(group.majors.length);
  for (let i = 1; i < cursors.length; i++) cursors[i] = group.ends[i - 1];
  let read = 0;
  for (const { segments, pool } of sources) {
    const columnCount = 1 + segments.payload;
    for (const spill of segments.spills) {
      const { first, last } = spillPart(spill, group.from, group.to);
      for (let s = first, i = 0; s < last; s++) {
        while (group.majors[i] !== spill.majors[s]) i++;
        const rows = (spill.words[s + 1] - spill.words[s]) / columnCount;
        copyColumns(stage, read, rows, rows, columns, cursors[i]);
        cursors[i] += rows;
        read += rows * columnCount;
      }
    }
    const { held } = segments;
    for (let h = firstAtLeast(held.majors, group.from), i = 0; held.majors[h] < group.to; h++) {
      while (group.majors[i] !== held.majors[h]) i++;
      let rest = held.rows[h];
      for (let p = held.starts[h]; p < held.starts[h + 1]; p++) {
        const rows = Math.min(rest, held.pageRows);
        copyColumns(pool.words, held.pages[p], held.pageRows, rows, columns, cursors[i]);
        cursors[i] += rows;
        rest -= rows;
      }
    }
  }
}

/** Copies `rows` rows whose columns are `stride` words apart. */
function copyColumns(
  words: Uint32Array,
  from: number,
  stride: number,
  rows: number,
  columns: Columns,
  at: number,
): void {
  copyWords(words, from, rows, columns.minor, at);
  for (let c = 0; c < columns.payload.length; c++) {
    copyWords(words, from + (c + 1) * stride, rows, columns.payload[c], at);
  }
}

function* inOrder(group: Group, columns: Columns, spare: Columns, batchRows: number): Generator<Batch> {
  for (let i = 0, from = 0; i < group.majors.length; from = group.ends[i++]) {
    const sorted = radixSort(columns, spare, from, group.ends[i]);
    yield* cut(group.majors[i], sorted, from, group.ends[i], batchRows);
  }
}

function* asTheyAre(group: Group, columns: Columns, batchRows: number): Generator<Batch> {
  for (let i = 0, from = 0; i < group.majors.length; from = group.ends[i++]) {
    yield* cut(group.majors[i], columns, from, group.ends[i], batchRows);
  }
}

function* cut(
  major: number,
  { minor, payload }: Columns,
  from: number,
  end: number,
  batchRows: number,
): Generator<Batch> {
  for (let to: number; from < end; from = to) {
    to = Math.min(end, from + batchRows);
    yield newBatch(major, to - from, minor.subarray(from, to), views(payload, from, to));
  }
}

async function* inBatches(major: number, rows: RowSource): Grouped {
  for await (const { length, minor, payload } of rows) yield newBatch(major, length, minor, payload);
}

/** The rows of the one major of a group, unordered, a small batch at a time. */
async function* majorRows(
  sources: readonly Source[],
  group: Group,
  payload: number,
  { budget, scratch, counters }: SortEnv,
): RowSource {
  const rows = newRows(Math.max(1, Math.min(budget.batchRows, 1 << 14)), payload);
  const capacity = rows.minor.length;
  rows.major.fill(group.from);
  for (const { segments, pool } of sources) {
    if (segments.run !== null) yield* keptRows({ ...segments, run: segments.run }, group, rows);
    else
      for (const spill of segments.spills) {
        const { first, words } = spillPart(spill, group.from, group.to);
        const total = words / (1 + payload);
        for (let from = 0; from < total; from += capacity) {
          rows.length = Math.min(capacity, total - from);
          for (let c = 0; c <= payload; c++) {
            const column = c === 0 ? rows.minor : rows.payload[c - 1];
            const word = spill.words[first] + c * total + from;
            await readWords(scratch.store, segments.object!, word, column.subarray(0, rows.length), counters);
          }
          yield rows;
        }
      }
    const { held } = segments;
    const h = firstAtLeast(held.majors, group.from);
    if (held.majors[h] !== group.from) continue;
    let rest = held.rows[h];
    for (let p = held.starts[h]; p < held.starts[h + 1]; p++) {
      const used = Math.min(rest, held.pageRows);
      rest -= used;
      for (let from = 0; from < used; from += capacity) {
        rows.length = Math.min(capacity, used - from);
        copyColumns(pool.words, held.pages[p] + from, held.pageRows, rows.length, rows, 0);
        yield rows;
      }
    }
  }
}
