/**
 * The order in which a pass goes over the pages of a side. Pages that moves join follow each other, so those that a pass looks into are
 * still in their buffers. A game numbers positions for other ends: chess puts pairs of kings that are alike far apart.
 *
 * Runs of pages are nodes of a graph, and sampled moves its edges. The order is that of a depth-first search.
 */
import { readStatus } from '../../game/fill-census.js';
import { type Side, Status } from '../../game/game.js';
import { firstMajor } from '../../game/majors.js';
import type { PassWork } from './work.js';

/** Most pages of a run, and the runs that a side should have: in small slices a page has several things that move apart. */
const MOST_PAGES = 8;
const RUNS = 512;
/** Positions of a page are sampled in so many places, so many in each. */
const PLACES = 16;
const SAMPLED = 8;
/** Runs that fewer moves lead to than this share of the most are no neighbours. */
const LEAST_SHARE = 0.1;
const NONE = -1;

/** Bytes that orders take for each page. */
export const ORDER_BYTES = 4;

export type SampledWork = Pick<PassWork, 'slice' | 'space' | 'batches'>;

/** Where a page of a side lies. */
interface PagePlace {
  readonly part: number;
  /** Its first key. */
  readonly first: number;
}

/** The place of page number `page` of a side. */
export function pagePlace({ slice, space }: SampledWork, side: Side, page: number): PagePlace {
  const { firstPage } = space;
  const bias = firstMajor(slice, side);
  const wanted = firstPage[bias] + page;
  let part = 0;
  for (let end = slice.parts; end - part > 1; ) {
    const middle = (part + end) >> 1;
    if (firstPage[bias + middle] <= wanted) part = middle;
    else end = middle;
  }
  return { part, first: (wanted - firstPage[bias + part]) * space.perPage };
}

/** The numbers of the pages of a side, in the order in which to go over them; the same for every call. */
export function scanOrder(work: SampledWork, side: Side): Int32Array {
  const pages = pagesOf(work, side);
  const length = Math.max(1, Math.min(MOST_PAGES, Math.floor(pages / RUNS)));
  const runs = Math.ceil(pages / length);
  const waiting = new WaitingRuns(runs);
  const order = new Int32Array(pages);
  const moves = new Int32Array(runs);
  let n = 0;
  // Runs that no sampled move leads to are taken in their order.
  for (let run = runs - 1; run >= 0; run--) waiting.put(run);
  for (let run = waiting.take(); run !== NONE; run = waiting.take()) {
    const end = Math.min(pages, (run + 1) * length);
    moves.fill(0);
    for (let page = run * length; page < end; page++) {
      order[n++] = page;
      sampleMoves(work, side, page, (there) => moves[Math.floor(there / length)]++);
    }
    moves[run] = 0;
    const most = moves.reduce((a, b) => Math.max(a, b), 0);
    for (let other = runs - 1; other >= 0; other--) {
      if (moves[other] > 0 && moves[other] >= LEAST_SHARE * most) waiting.put(other);
    }
  }
  return order;
}

function pagesOf({ slice, space }: SampledWork, side: Side): number {
  return space.firstPage[firstMajor(slice, side + 1)] - space.firstPage[firstMajor(slice, side)];
}

/** Reports the page that each sampled move from a page leads to. */
function sampleMoves(work: SampledWork, side: Side, page: number, report: (there: number) => void): void {
  const { slice, space, batches } = work;
  const { census, status, keys, rows } = batches;
  const { part, first } = pagePlace(work, side, page);
  const size = Math.min(space.perPage, slice.partSize(part) - first);
  const end = first + size;
  let n = 0;
  let behind = first;
  for (let place = 0; place < PLACES; place++) {
    // Places differ in the last digit, too.
    const start = first + Math.floor((size * place) / PLACES) + ((place * SAMPLED) & 63);
    if (start < behind || start >= end) continue;
    const length = Math.min(SAMPLED, end - start);
    behind = start + length;
    slice.census(side, part, start, length, census);
    readStatus(census, start, length, status);
    for (let i = 0; i < length; i++) if (status[i] !== Status.broken) keys[n++] = start + i;
  }
  for (let from = 0; from < n; ) {
    rows.length = 0;
    from = slice.moves(side, part, keys, from, n, 0, rows);
    for (let i = 0; i < rows.length; i++) {
      report(space.firstPage[rows.major[i]] + (rows.minor[i] >>> space.pageShift));
    }
  }
}

/** Runs that wait to be taken, the one put last first. Each is taken once, and put where it was put last. */
class WaitingRuns {
  private readonly below: Int32Array;
  private readonly above: Int32Array;
  private readonly state: Uint8Array;
  private top = NONE;

  constructor(runs: number) {
    this.below = new Int32Array(runs).fill(NONE);
    this.above = new Int32Array(runs).fill(NONE);
    this.state = new Uint8Array(runs);
  }

  put(run: number): void {
    if (this.state[run] === 2) return;
    if (this.state[run] === 1) this.unlink(run);
    this.below[run] = this.top;
    this.above[run] = NONE;
    if (this.top !== NONE) this.above[this.top] = run;
    this.top = run;
    this.state[run] = 1;
  }

  take(): number {
    const run = this.top;
    if (run === NONE) return NONE;
    this.unlink(run);
    this.state[run] = 2;
    return run;
  }

  private unlink(run: number): void {
    const below = this.below[run];
    const above = this.above[run];
    if (above === NONE) this.top = below;
    else this.below[above] = below;
    if (below !== NONE) this.above[below] = above;
  }
}
