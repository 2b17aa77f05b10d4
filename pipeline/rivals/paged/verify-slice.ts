/**
 * DoVerify (Lake, Schaeffer & Lu 1994, Appendix A). The value of every position is derived again from all its moves,
 * captures included. Successors are looked up in the finished tables through the page table.
 */

import { readStatus } from '../../game/fill-census.js';
import { type Emission, type Side, Status } from '../../game/game.js';
import { firstMajorBehind } from '../../game/majors.js';
import { countRepeats } from '../../game/repeats.js';
import { stipulations } from '../../game/stipulation.js';
import { addMismatch } from '../../game/wrong-values.js';
import { needTable } from '../../tables/table.js';
import { boundsByMajor, decided, valueOfCode } from './back-up.js';
import { bitsFor, DRAWN, UNKNOWN } from './codes.js';
import type { Visit } from './conversion-passes.js';
import { newPagedCounters, type PagedCounters } from './counters.js';
import { loadDependencies, loadOwn, longestAsked, longestIn, openDependencies } from './load-tables.js';
import { openPages, visitSide } from './session.js';
import type { PagedOptions } from './solve-slice.js';
import type { PassWork } from './work.js';

/** Its pages are for this call alone, and deleted at its end. */
export type PagedVerifyOptions = Omit<PagedOptions, 'checkpointRows'>;

/** A position whose value in the table is not what its moves give; null: broken. */
export interface PagedMismatch {
  readonly side: Side;
  readonly part: number;
  readonly key: number;
  readonly stored: number | null;
  readonly derived: number | null;
}

export interface PagedVerified {
  positions: number;
  /** Moves looked up. */
  requests: number;
  wrong: number;
  /** The first in index order, at most ten. */
  mismatches: PagedMismatch[];
  readonly counters: PagedCounters;
}

/** @throws UserError if the slice or a dependency is not solved, StorageError if a table is damaged. */
export async function verifyPagedSlice(options: PagedVerifyOptions): Promise<PagedVerified> {
  const { game, metric, store, budget, pages: folder, progress, buffers } = options;
  const slice = game.slice(options.slice);
  const table = await needTable(store, game, metric, slice.name);
  const dependencies = await openDependencies(store, game, metric, slice);
  const counters = newPagedCounters();
  const result: PagedVerified = { positions: 0, requests: 0, wrong: 0, mismatches: [], counters };
  // A value is backed up by a ply, which must have a code, too.
  const longest = 1 + Math.max(longestIn(table), longestAsked(slice, dependencies, metric));
  const bits = stipulations[metric].plies ? bitsFor(longest) : 2;
  const report = (done: number) => progress({ type: 'work', slice: slice.name, done });
  const work = openPages({ game, slice, metric, budget, buffers, folder, counters }, bits, true);
  try {
    const loaded = [table, ...dependencies].reduce((sum, each) => sum + 2 * each.slice.size, 0);
    progress({ type: 'phase', slice: slice.name, phase: 'load', total: loaded });
    await loadOwn(work, table, report);
    await loadDependencies(work, dependencies, report);
    progress({ type: 'phase', slice: slice.name, phase: 'verify', total: 2 * slice.size });
    const visit = verifier(work, result);
    for (const side of [0, 1] as const) visitSide(work, side, visit, report);
  } finally {
    work.file.close();
    folder.remove();
  }
  result.requests = counters.moves + counters.conversions;
  return result;
}

function verifier(work: PassWork, result: PagedVerified): Visit {
  const { slice, codec, space, values, batches, counters } = work;
  const { census, status: statuses, keys, best, rows } = batches;
  const bounds = boundsByMajor(work);
  const whenAll = decided(codec);

  function take(out: Emission): void {
    const { major, minor, source, length } = out;
    counters.lookups += length;
    for (let i = 0; i < length; i++) {
      const code = bounds[major[i]][values.get(major[i], minor[i])];
      if (codec.rankOf[code] > codec.rankOf[best[source[i]]]) best[source[i]] = code;
    }
  }

  function compare(side: Side, part: number, key: number, stored: number, derived: number): void {
    if (stored === derived) return;
    const text = (code: number) => (code === UNKNOWN ? null : valueOfCode(codec, code));
    addMismatch(result, () => ({ side, part, key, stored: text(stored), derived: text(derived) }));
  }

  return (side, part, first, length, place) => {
    slice.census(side, part, first, length, census);
    readStatus(census, first, length, statuses);
    const isPosition = (i: number) => statuses[i] !== Status.broken;
    result.positions += census.legal - countRepeats(slice, part, first, length, isPosition);
    let n = 0;
    for (let i = 0; i < length; i++) {
      const status = statuses[i];
      if (status === Status.open) keys[n++] = first + i;
      else {
        const derived = status === Status.broken ? UNKNOWN : status === Status.lost ? codec.loss(0) : DRAWN;
        compare(side, part, first + i, values.pinnedAt(place + i), derived);
      }
    }
    best.fill(UNKNOWN, 0, n);
    for (let from = 0; from < n; ) {
      rows.length = 0;
      from = slice.moves(side, part, keys, from, n, firstMajorBehind(slice, side), rows);
      counters.moves += rows.length;
      take(rows);
    }
    for (let from = 0; from < n && slice.dependencies.length > 0; ) {
      rows.length = 0;
      from = slice.conversions(side, part, keys, from, n, space.conversionBias, rows);
      counters.conversions += rows.length;
      take(rows);
    }
    for (let i = 0; i < n; i++) {
      compare(side, part, keys[i], values.pinnedAt(place + keys[i] - first), whenAll[best[i]]);
    }
  };
}
