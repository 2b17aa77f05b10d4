/**
 * The rounds of a slice under dtm50, in memory. Round n finds up to which clock each position is won (n odd) or lost
 * (n even) in n plies or fewer. That clock can only rise from round to round. A rise is a rung of the position's
 * ladder (ladders.ts):
 *
 *   won:  a predecessor of a position lost until clock u is won until u - 1. A conversion to a lost position wins until 99
 *   lost: until the least of its moves: u - 1 for a move to a position won until u, 99 for a conversion to a won position
 *
 * So 101 clocks cost little more than one: a position is looked at again only when one of its successors has risen. This is
 * the counting down of Koistinen (2001, "What should the result be"), with the plies to mate as the rounds.
 */
import { CENSUS_ROWS, newCensus } from '../game/fill-census.js';
import type { Emission, Side, Slice } from '../game/game.js';
import { bitBytes, hasBit, setBit } from '../game/labels.js';
import { newEmission } from '../game/new-emission.js';
import { fromPreference, preference, RULE_PLIES } from '../game/value.js';
import { BROKEN_LADDER, DRAWN_LADDER, type Ladders, MATED_LADDER } from '../tables/ladders.js';

/** The last clock at which a zeroing move can be made. */
export const LAST_ZEROING = RULE_PLIES - 1;

/** The state of the positions of a side, by index. */
export interface SideState {
  /** Numbers of ladders. */
  readonly ladders: Uint32Array;
  /** `preference` of the best conversion, 0 if there is none. */
  readonly conversions: Uint16Array;
  /** Moves that are not known to lead to positions that the opponent wins. */
  readonly escapes: Uint8Array;
  /** A bit of each position: it has risen in the round before, and in this one. */
  risen: Uint8Array;
  rising: Uint8Array;
  /** To be looked at in this round. */
  readonly suspects: Uint8Array;
}

/** Bytes of memory for each position of a side. */
export const STATE_BYTES = 4 + 2 + 1 + 3 / 8;

export interface ClockedRound {
  /** Positions that were won, or lost, at no clock before. */
  readonly decided: readonly [number, number];
  /** Positions that rose. */
  readonly rose: number;
  /** Moves that were made or taken back. */
  readonly requests: number;
}

export interface ClockedRounds {
  readonly ladders: Ladders;
  readonly sides: readonly [SideState, SideState];
  /** The last ply at which conversions decide anything. */
  readonly lastConversion: number;
  /** Rounds follow each other from 1 on. */
  round(plies: number): ClockedRound;
}

/** The state of a round, for the functions that do it. */
interface Work {
  readonly slice: Slice;
  readonly ladders: Ladders;
  readonly sides: readonly [SideState, SideState];
  /** The last clock at which a conversion can be made. */
  readonly zeroed: number;
  readonly keys: Uint32Array;
  readonly grouped: Uint32Array;
  readonly least: Uint8Array;
  readonly out: Emission;
  plies: number;
  decided: [number, number];
  rose: number;
  requests: number;
}

const BATCH = 1 << 11;
/** Above all clocks. */
const NO_LIMIT = RULE_PLIES + 2;

/**
 * @param conversions of both sides, by index: `preference` of the best conversion.
 * @param zeroes whether conversions zero the clock; if not, positions have the clock 0 alone, and their values hold whatever is asked.
 */
export function openRounds(
  slice: Slice,
  ladders: Ladders,
  conversions: readonly [Uint16Array, Uint16Array],
  zeroes: boolean,
): ClockedRounds {
  const rows = Math.max(1 << 13, 2 * slice.maxMoves);
  const work: Work = {
    slice,
    ladders,
    sides: [begin(slice, 0, conversions[0]), begin(slice, 1, conversions[1])],
    zeroed: zeroes ? LAST_ZEROING : RULE_PLIES,
    keys: new Uint32Array(BATCH),
    grouped: new Uint32Array(BATCH),
    least: new Uint8Array(BATCH),
    out: newEmission(rows),
    plies: 0,
    decided: [0, 0],
    rose: 0,
    requests: 0,
  };
  return {
    ladders,
    sides: work.sides,
    lastConversion: Math.max(...conversions.map(lastPlies)),
    round(plies) {
      Object.assign(work, { plies, decided: [0, 0], rose: 0, requests: 0 });
      for (const side of [0, 1] as const) ((plies & 1) === 1 ? raiseWins : raiseLosses)(work, side);
      for (const state of work.sides) {
        [state.risen, state.rising] = [state.rising, state.risen];
        state.rising.fill(0);
      }
      const { decided, rose, requests } = work;
      return { decided, rose, requests };
    },
  };
}

/** The most plies to mate that any of the conversions takes. */
function lastPlies(ranks: Uint16Array): number {
  let last = 0;
  for (let i = 0; i < ranks.length; i++) {
    if (ranks[i] === 0) continue;
    const code = fromPreference(ranks[i]);
    last = Math.max(last, code > 0 ? code : -code - 1);
  }
  return last;
}

/** The state before the first round: mates have risen. */
function begin(slice: Slice, side: Side, conversions: Uint16Array): SideState {
  const { size, width } = slice;
  const bits = bitBytes(size);
  const state: SideState = {
    ladders: new Uint32Array(size),
    conversions,
    escapes: new Uint8Array(size),
    risen: new Uint8Array(bits),
    rising: new Uint8Array(bits),
    suspects: new Uint8Array(bits),
  };
  const { ladders, escapes, risen } = state;
  const census = newCensus(CENSUS_ROWS);
  for (let part = 0; part < slice.parts; part++) {
    for (let first = 0; first < slice.partSize(part); first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, slice.partSize(part) - first);
      const at = part * width + first;
      slice.census(side, part, first, length, census);
      const { counts, lostKeys, lost } = census;
      for (let i = 0; i < length; i++) {
        if (counts[i] === 0) ladders[at + i] = BROKEN_LADDER;
        const rank = conversions[at + i];
        // Conversions that all lose are no escapes.
        const losing = rank !== 0 && fromPreference(rank) < 0 ? census.conversions[i] : 0;
        escapes[at + i] = counts[i] - losing;
      }
      for (let i = 0; i < lost; i++) {
        const mated = part * width + lostKeys[i];
        ladders[mated] = MATED_LADDER;
        setBit(risen, mated);
      }
    }
  }
  return state;
}

/** Calls `visit` with batches of keys of a part whose bits are set, ascending. */
function eachSet(
  { slice, keys }: Work,
  bits: Uint8Array,
  visit: (part: number, count: number) => void,
): void {
  for (let part = 0; part < slice.parts; part++) {
    const from = part * slice.width;
    const to = from + slice.partSize(part);
    let count = 0;
    for (let at = from; at < to; ) {
      if ((at & 7) === 0 && bits[at >>> 3] === 0) {
        at += 8;
        continue;
      }
      if (hasBit(bits, at)) {
        keys[count++] = at - from;
        if (count === BATCH) {
          visit(part, count);
          count = 0;
        }
      }
      at++;
    }
    if (count > 0) visit(part, count);
  }
}

function raise(work: Work, side: Side, at: number, until: number): void {
  const { ladders, plies } = work;
  const state = work.sides[side];
  const ladder = state.ladders[at];
  if (ladders.until[ladder] >= until) return;
  if (ladder === DRAWN_LADDER) work.decided[side]++;
  if (!hasBit(state.rising, at)) {
    work.rose++;
    setBit(state.rising, at);
  }
  state.ladders[at] = ladders.raised(ladder, plies, until);
}

/** Wins of a side: by conversions, and as predecessors of lost positions that have risen. */
function raiseWins(work: Work, side: Side): void {
  const { slice, ladders, plies, zeroed, keys, grouped, out } = work;
  const state = work.sides[side];
  const there = work.sides[1 - side];
  const rank = preference(plies);
  const { conversions } = state;
  for (let at = conversions.indexOf(rank); at >= 0; at = conversions.indexOf(rank, at + 1))
    raise(work, side, at, zeroed);
  const behind = (1 - side) as Side;
  eachSet(work, there.risen, (part, count) => {
    const first = part * slice.width;
    // Unmoves do not say whose they are, so those of all positions with the same clock are made at once.
    const limits = new Set<number>();
    for (let i = 0; i < count; i++) limits.add(ladders.until[there.ladders[first + keys[i]]]);
    for (const until of limits) {
      let n = 0;
      for (let i = 0; i < count; i++)
        if (ladders.until[there.ladders[first + keys[i]]] === until) grouped[n++] = keys[i];
      for (let from = 0; from < n; ) {
        out.length = 0;
        from = slice.unmoves!(behind, part, grouped, from, n, 0, out);
        work.requests += out.length;
        for (let i = 0; i < out.length; i++)
          raise(work, side, out.major[i] * slice.width + out.minor[i], until - 1);
      }
    }
  });
}

/** Losses of a side: positions all of whose moves lose, where one of these has risen. */
function raiseLosses(work: Work, side: Side): void {
  const { plies } = work;
  const state = work.sides[side];
  const { conversions, suspects } = state;
  const rank = preference(-plies - 1);
  for (let at = conversions.indexOf(rank); at >= 0; at = conversions.indexOf(rank, at + 1))
    setBit(suspects, at);
  suspectPredecessors(work, side);
  eachSet(work, suspects, (part, count) => lookAt(work, side, part, count));
  suspects.fill(0);
}

/** Counts the escapes that the round before has taken from a side, and marks the positions whose moves have risen. */
function suspectPredecessors(work: Work, side: Side): void {
  const { slice, ladders, keys, grouped, out } = work;
  const { escapes, suspects } = work.sides[side];
  const there = work.sides[1 - side];
  const behind = (1 - side) as Side;
  eachSet(work, there.risen, (part, count) => {
    const first = part * slice.width;
    for (const isFirst of [true, false]) {
      let n = 0;
      for (let i = 0; i < count; i++) {
        const isNew = ladders.parent[there.ladders[first + keys[i]]] === DRAWN_LADDER;
        if (isNew === isFirst) grouped[n++] = keys[i];
      }
      for (let from = 0; from < n; ) {
        out.length = 0;
        from = slice.unmoves!(behind, part, grouped, from, n, 0, out);
        work.requests += out.length;
        const { major, minor, length } = out;
        for (let i = 0; i < length; i++) {
          const at = major[i] * slice.width + minor[i];
          // Those of broken indices and mates are 0 from the beginning.
          if (isFirst && escapes[at] !== 0) escapes[at]--;
          if (escapes[at] === 0) setBit(suspects, at);
        }
      }
    }
  });
}

/** Raises positions that are lost: `keys` of a part. */
function lookAt(work: Work, side: Side, part: number, count: number): void {
  const { slice, ladders, keys, grouped, least, out, zeroed, plies } = work;
  const state = work.sides[side];
  const successors = work.sides[1 - side].ladders;
  const first = part * slice.width;
  let n = 0;
  for (let i = 0; i < count; i++) {
    const at = first + keys[i];
    if (state.escapes[at] !== 0) continue;
    const until = ladders.until[state.ladders[at]];
    // Nothing raises these any more; broken indices are among them.
    if (until >= zeroed) continue;
    const rank = state.conversions[at];
    // Conversions that take longer are looked at when their ply comes.
    if (rank !== 0 && -fromPreference(rank) - 1 > plies) continue;
    least[n] = rank === 0 ? NO_LIMIT : zeroed + 1;
    grouped[n++] = keys[i];
  }
  for (let from = 0; from < n; ) {
    out.length = 0;
    from = slice.moves(side, part, grouped, from, n, 0, out);
    work.requests += out.length;
    const { major, minor, source, length } = out;
    for (let i = 0; i < length; i++) {
      const until = ladders.until[successors[major[i] * slice.width + minor[i]]];
      if (until < least[source[i]]) least[source[i]] = until;
    }
  }
  for (let i = 0; i < n; i++) if (least[i] > 0) raise(work, side, first + grouped[i], least[i] - 1);
}
