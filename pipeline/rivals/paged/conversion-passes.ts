/**
 * The passes that look into finished tables (Lake, Schaeffer & Lu 1994, section 3.3 and Appendix A), adapted to chess, where
 * a capture is not forced. DoCaptures resolves the positions that the rules or their captures alone decide (mates,
 * stalemates, and positions in which every legal move takes something). DoLookups stores, for the positions that also have
 * other moves, the lower bound that their conversions give. After these two passes no dependency is looked up again.
 */
import { readStatus } from '../../game/fill-census.js';
import { type Side, Status } from '../../game/game.js';
import { firstMajorBehind } from '../../game/majors.js';
import { boundsByMajor, decided } from './back-up.js';
import { CodeKind, DRAWN, UNKNOWN } from './codes.js';
import type { PassWork } from './work.js';

/** One pass over `length` positions from key `first` of a part; they lie in the pinned page from `place` on. */
export type Visit = (side: Side, part: number, first: number, length: number, place: number) => void;

/** DoCaptures, for positions whose page is fresh. */
export function captures(work: PassWork): Visit {
  const { slice, codec, values, batches } = work;
  const { census, status: statuses, keys, best } = batches;
  const result = decided(codec);
  const lookUp = bestConversions(work);
  return (side, part, first, length, place) => {
    slice.census(side, part, first, length, census);
    readStatus(census, first, length, statuses);
    let forced = 0;
    for (let i = 0; i < length; i++) {
      const status = statuses[i];
      if (status === Status.broken) values.setPinned(place + i, codec.broken);
      else if (status === Status.lost) values.setPinned(place + i, codec.loss(0));
      else if (status === Status.drawn) values.setPinned(place + i, DRAWN);
      else if (census.counts[i] === census.conversions[i]) keys[forced++] = first + i;
    }
    if (forced === 0) return;
    lookUp(side, part, forced);
    for (let i = 0; i < forced; i++) values.setPinned(place + keys[i] - first, result[best[i]]);
  };
}

/** DoLookups. */
export function lookups(work: PassWork): Visit {
  const { values, batches } = work;
  const { keys, best } = batches;
  const lookUp = bestConversions(work);
  return (side, part, first, length, place) => {
    let n = 0;
    for (let i = 0; i < length; i++) if (values.pinnedAt(place + i) === UNKNOWN) keys[n++] = first + i;
    if (n === 0) return;
    lookUp(side, part, n);
    for (let i = 0; i < n; i++) if (best[i] !== UNKNOWN) values.setPinned(place + keys[i] - first, best[i]);
  };
}

/** Puts the best bound by conversions of the positions batches.keys[0..n) in batches.best; unknown: they have none. */
function bestConversions(work: PassWork): (side: Side, part: number, n: number) => void {
  const { slice, codec, space, values, batches, counters } = work;
  const { keys, best, rows } = batches;
  const { rankOf } = codec;
  const bounds = boundsByMajor(work);
  return (side, part, n) => {
    best.fill(UNKNOWN, 0, n);
    if (slice.dependencies.length === 0) return;
    for (let from = 0; from < n; ) {
      rows.length = 0;
      from = slice.conversions(side, part, keys, from, n, space.conversionBias, rows);
      const { major, minor, source, length } = rows;
      counters.conversions += length;
      counters.lookups += length;
      for (let i = 0; i < length; i++) {
        const code = bounds[major[i]][values.get(major[i], minor[i])];
        const asker = source[i];
        if (rankOf[code] > rankOf[best[asker]]) best[asker] = code;
      }
    }
  };
}

/**
 * DoWinningMoves: predecessors of positions that are lost are won. With distances only those lost at once, because a win
 * in one ply cannot be bettered.
 */
export function winningMoves(work: PassWork): Visit {
  const { slice, codec, values, batches, counters } = work;
  const { keys, rows } = batches;
  const lost = codec.loss(0);
  const won = codec.win(1);
  return (side, part, first, length, place) => {
    let n = 0;
    for (let i = 0; i < length; i++) if (values.pinnedAt(place + i) === lost) keys[n++] = first + i;
    for (let from = 0; from < n; ) {
      rows.length = 0;
      from = slice.unmoves!(side, part, keys, from, n, firstMajorBehind(slice, side), rows);
      const { major, minor } = rows;
      counters.unmoves += rows.length;
      counters.lookups += rows.length;
      for (let i = 0; i < rows.length; i++) {
        const code = values.get(major[i], minor[i]);
        if (code === won || codec.kindOf[code] === CodeKind.broken) continue;
        values.set(major[i], minor[i], won);
        counters.lookups++;
      }
    }
  };
}
