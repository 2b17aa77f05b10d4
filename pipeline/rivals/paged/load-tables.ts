import type { Store } from '../../../operators/storage/store.js';
import type { Game, Side, Slice } from '../../game/game.js';
import { firstMajor, majorsIn } from '../../game/majors.js';
import { asksPlies, brokenIn, type Metric, type ValueColumn } from '../../game/value.js';
import { needTable, type Table } from '../../tables/table.js';
import { codeOfValue } from './back-up.js';
import { UNKNOWN } from './codes.js';
import type { PassWork } from './work.js';

/** The tables of all dependencies; a missing one is a UserError. */
export async function openDependencies(
  store: Store,
  game: Game,
  metric: Metric,
  slice: Slice,
): Promise<Table[]> {
  return Promise.all(
    slice.dependencies.map((dependency) => needTable(store, game, metric, dependency.slice)),
  );
}

/** The longest win or loss of a table in plies. */
export function longestIn(table: Table): number {
  // The slowest loser lasts a ply more than the slowest winner, or starts from being mated.
  return Math.max(0, ...table.manifest.longestWin.map((plies) => plies ?? 0)) + 1;
}

/** The longest among the tables of those `slice.dependencies` whose plies are asked for. */
export function longestAsked(slice: Slice, tables: readonly Table[], metric: Metric): number {
  const asked = tables.filter((_, d) => asksPlies(metric, slice.dependencies[d].restarts.includes(metric)));
  return Math.max(0, ...asked.map(longestIn));
}

/** Copies the finished table of the slice itself into the page file. */
export async function loadOwn(work: PassWork, table: Table, report: (done: number) => void): Promise<void> {
  await loadTable(work, table, 0, true, report);
}

/**
 * Copies the finished tables of the dependencies into the page file, in order: from there they are looked up at random
 * like everything else.
 */
export async function loadDependencies(
  work: PassWork,
  tables: readonly Table[],
  report: (done: number) => void,
): Promise<void> {
  const { slice, metric, space } = work;
  let major = space.ownMajors;
  for (const [d, table] of tables.entries()) {
    const plies = asksPlies(metric, slice.dependencies[d].restarts.includes(metric));
    await loadTable(work, table, major, plies, report);
    major += majorsIn(table.slice, 2);
  }
}

/** @param start major of the table's first part. */
async function loadTable(
  work: PassWork,
  table: Table,
  start: number,
  plies: boolean,
  report: (done: number) => void,
): Promise<void> {
  for (const side of [0, 1] as const) {
    await loadSide(work, table, side, start + firstMajor(table.slice, side), plies, report);
  }
}

async function loadSide(
  work: PassWork,
  table: Table,
  side: Side,
  start: number,
  plies: boolean,
  report: (done: number) => void,
): Promise<void> {
  const { values, space, counters } = work;
  const codes = new Map<number, Uint16Array>();
  for await (const batch of table.values(side, 0, table.slice.parts)) {
    const column = batch.columns[0] as ValueColumn;
    const width = column.BYTES_PER_ELEMENT;
    if (!codes.has(width)) codes.set(width, codeTable(work, column, plies));
    const codeOf = codes.get(width)!;
    const zero = codeOf.length >> 1;
    for (let i = 0; i < batch.length; ) {
      const key = batch.first + i;
      const place = key & (space.perPage - 1);
      const end = Math.min(batch.length, i + space.perPage - place);
      // A page that another batch has begun is not fresh.
      values.pin(start + batch.major, key - place, place === 0);
      for (let at = place; i < end; i++, at++) values.setPinned(at, codeOf[zero + column[i]]);
      values.buffers.release();
    }
    counters.tableBytesRead += batch.length * width;
    report(batch.length);
  }
}

/** Codes by value + half the length of the table. */
function codeTable(work: PassWork, column: ValueColumn, plies: boolean): Uint16Array {
  const half = column.BYTES_PER_ELEMENT === 1 ? 128 : 32768;
  const broken = brokenIn(column);
  const { codec } = work;
  return Uint16Array.from({ length: 2 * half }, (_, i) => {
    const value = i - half;
    // Such values are not in the table: the width was chosen to hold its longest.
    if (plies && Math.abs(value) > codec.maxPly) return UNKNOWN;
    return codeOfValue(codec, value, broken, plies);
  });
}
