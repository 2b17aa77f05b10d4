/**
 * Solves a slice under dtm50, in memory. Round n finds up to which clock each position is won (n odd) or lost (n even) in n plies
 * or fewer. That clock can only rise from round to round. A rise is a rung of the position's ladder (tables/ladders.ts):
 *
 *   won:  a predecessor of a position lost until clock u is won until u - 1. A conversion to a lost position wins until 99
 *   lost: until the least of its moves: u - 1 for a move to a position won until u, 99 for a conversion to a won position
 *
 * So 101 clocks cost little more than one: a position is looked at again only when one of its successors has risen. This is
 * the counting down of Koistinen (2001, "What should the result be"), with the plies to mate as the rounds.
 */
import { assert, UserError } from '../../../operators/core/errors.js';
import { zeroesAlways } from '../../game/clocked.js';
import { censusOf } from '../../game/fill-census.js';
import type { Emission, Side, Slice, SliceIndex } from '../../game/game.js';
import { bitBytes, hasBit, setBit } from '../../game/labels.js';
import type { ClockRuns } from '../../game/manifest.js';
import { newEmission } from '../../game/run-kernel.js';
import type { ResidentPart } from '../../game/step-manifests.js';
import {
  brokenIn,
  fromPreference,
  newValueColumn,
  preference,
  RULE_PLIES,
  type ValueColumn,
} from '../../game/value.js';
import { writeClocks } from '../../tables/clock-runs.js';
import { BROKEN_LADDER, DRAWN_LADDER, LADDER_BYTES, Ladders, MATED_LADDER } from '../../tables/ladders.js';
import type { Context } from '../memory/context.js';
import { memoryOf } from '../memory/phase-memory.js';
import { raiseByConversions } from './clocked-conversions.js';
import { type DoneRound, doResidentRounds, type ResidentRounds } from './resident-rounds.js';

/** Bytes of memory for each position of a side: the arrays of {@link SideState}. */
const STATE_BYTES = 4 + 2 + 1 + 3 / 8;
/** Bytes for the requests of conversions, at least and at most. */
const LEAST_REQUESTS = 1 << 20;
const MOST_REQUESTS = 1 << 26;

/** Bytes that a slice needs: the state of both sides in the rounds, and the requests of conversions. */
export function clockedBytes({ size }: Pick<SliceIndex, 'size'>): number {
  return Math.ceil(2 * size * STATE_BYTES) + LEAST_REQUESTS;
}

function shareOf(memory: number) {
  const { slice, ladders } = memoryOf('clocked', { memory, fanIn: 2, batchRows: 1 });
  return { slice: slice.memory, ladders: ladders.memory };
}

/** Whether a slice fits a partition's memory. */
export function fitsClocked(slice: Pick<SliceIndex, 'size'>, memory: number): boolean {
  return clockedBytes(slice) <= shareOf(memory).slice;
}

/** @throws UserError with the memory that the largest slice needs, if that exceeds the memory of a partition. */
export function requireFitting(slices: readonly Pick<SliceIndex, 'name' | 'size'>[], memory: number): void {
  const [largest] = [...slices].sort((a, b) => b.size - a.size);
  if (largest === undefined || fitsClocked(largest, memory)) return;
  const least = Math.ceil((clockedBytes(largest) * memory) / shareOf(memory).slice / 2 ** 20);
  throw new UserError(
    `${largest.name} is solved in memory under dtm50, and needs ${least} MiB of it: give --memory ${least}MiB or more`,
  );
}

/**
 * What a partition's memory has room for: bytes of requests of conversions, and ladders.
 * @throws as {@link requireFitting}.
 */
export function clockedRoom(slice: SliceIndex, memory: number): { requests: number; ladders: number } {
  requireFitting([slice], memory);
  const share = shareOf(memory);
  return {
    requests: Math.min(share.slice - clockedBytes(slice) + LEAST_REQUESTS, MOST_REQUESTS),
    ladders: Math.min(2 ** 24 - 1, Math.floor(share.ladders / LADDER_BYTES)),
  };
}

/**
 * The last clock at which a conversion can be made. If conversions do not zero the clock, positions have the clock 0 alone, and their
 * values hold whatever is asked.
 */
export function lastConverting(slice: SliceIndex): number {
  return zeroesAlways(slice) ? RULE_PLIES - 1 : RULE_PLIES;
}

/** All parts of the slice are the context's. @throws UserError if the slice does not fit the memory. */
export async function solveClocked(
  context: Context<Slice>,
): Promise<ResidentPart & { readonly clocks: ClockRuns }> {
  const { slice, metric, tableStore: store, budget, report } = context;
  if (slice.unmoves === undefined)
    throw new UserError(`${slice.name} is not solved under ${metric}: its game takes no moves back`);
  const room = clockedRoom(slice, budget.memory);
  const conversions = [new Uint16Array(slice.size), new Uint16Array(slice.size)] as const;
  for (const side of [0, 1] as const) {
    await raiseByConversions(context, room.requests, side, conversions[side]);
    report(slice.size);
  }
  const rounds = new ClockedRounds(slice, new Ladders(room.ladders), conversions);
  const solved = await doResidentRounds(context, rounds);
  const { ladders, sides } = rounds;
  const env = { ...context, store, batchRows: budget.batchRows };
  return { ...solved, clocks: await writeClocks(env, ladders, [sides[0].ladders, sides[1].ladders]) };
}

/** The state of the positions of a side, by index. */
interface SideState {
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

const BATCH = 1 << 11;
/** Above all clocks. */
const NO_LIMIT = RULE_PLIES + 2;

class ClockedRounds implements ResidentRounds {
  /** The plies at which conversions decide anything. */
  readonly events: readonly number[];
  readonly ladders: Ladders;
  readonly sides: readonly [SideState, SideState];
  readonly #slice: Slice;
  readonly #lastConverting: number;
  readonly #keys = new Uint32Array(BATCH);
  readonly #groups = new Int8Array(BATCH);
  readonly #grouped = new Uint32Array(BATCH);
  /** Signed: a drawn successor has -1. */
  readonly #least = new Int16Array(BATCH);
  readonly #out: Emission;
  /** Of this round: its plies, the positions that were won or lost at no clock before, those that rose, and the moves made or taken back. */
  #ply = 0;
  #labelled = 0;
  #rose = 0;
  #requests = 0;

  /** @param conversions of both sides, by index: `preference` of the best conversion. */
  constructor(slice: Slice, ladders: Ladders, conversions: readonly [Uint16Array, Uint16Array]) {
    this.#slice = slice;
    this.ladders = ladders;
    this.#lastConverting = lastConverting(slice);
    this.sides = [begin(slice, 0, conversions[0]), begin(slice, 1, conversions[1])];
    this.events = pliesOf(conversions);
    this.#out = newEmission(Math.max(1 << 13, 2 * slice.maxMoves));
  }

  round(ply: number): DoneRound {
    this.#ply = ply;
    this.#labelled = this.#rose = this.#requests = 0;
    const isWon = (ply & 1) === 1;
    for (const side of [0, 1] as const) {
      if (isWon) this.#raiseWins(side);
      else this.#raiseLosses(side);
    }
    for (const state of this.sides) {
      [state.risen, state.rising] = [state.rising, state.risen];
      state.rising.fill(0);
    }
    const labelled = this.#labelled;
    return {
      won: isWon ? labelled : 0,
      lost: isWon ? 0 : labelled,
      requests: this.#requests,
      hasChanged: this.#rose > 0,
    };
  }

  openColumn(type: 'i8' | 'i16', positions: number): ValueColumn {
    return newValueColumn(type, positions);
  }

  /** The values of the table are those at clock 0. */
  fill(column: ValueColumn, side: Side, part: number, size: number): void {
    const broken = brokenIn(column);
    const first = part * this.#slice.width;
    const { ladders } = this.sides[side];
    for (let key = 0; key < size; key++) {
      const ladder = ladders[first + key];
      column[key] = ladder === BROKEN_LADDER ? broken : this.ladders.codeAt(ladder, 0);
    }
  }

  #raise(side: Side, at: number, until: number): void {
    const { ladders } = this;
    const state = this.sides[side];
    const ladder = state.ladders[at];
    if (ladders.until[ladder] >= until) return;
    if (ladder === DRAWN_LADDER) this.#labelled++;
    if (!hasBit(state.rising, at)) {
      this.#rose++;
      setBit(state.rising, at);
    }
    state.ladders[at] = ladders.raised(ladder, this.#ply, until);
  }

  /** Wins of a side: by conversions, and as predecessors of lost positions that have risen. */
  #raiseWins(side: Side): void {
    const { width } = this.#slice;
    for (const at of placesOf(this.sides[side].conversions, preference(this.#ply)))
      this.#raise(side, at, this.#lastConverting);
    const { ladders } = this;
    this.#unmove(
      (1 - side) as Side,
      (ladder) => ladders.until[ladder],
      ({ major, minor, length }, until) => {
        for (let i = 0; i < length; i++) this.#raise(side, major[i] * width + minor[i], until - 1);
      },
    );
  }

  /** Losses of a side: positions all of whose moves lose, where one of these has risen. */
  #raiseLosses(side: Side): void {
    const { width } = this.#slice;
    const { conversions, escapes, suspects } = this.sides[side];
    for (const at of placesOf(conversions, preference(-this.#ply - 1))) setBit(suspects, at);
    const { ladders } = this;
    this.#unmove(
      (1 - side) as Side,
      // A position that is won for the first time is one escape less for its predecessors.
      (ladder) => (ladders.parent[ladder] === DRAWN_LADDER ? 1 : 0),
      ({ major, minor, length }, isFirst) => {
        for (let i = 0; i < length; i++) {
          const at = major[i] * width + minor[i];
          // Those of broken indices and mates are 0 from the beginning.
          if (isFirst === 1 && escapes[at] !== 0) escapes[at]--;
          if (escapes[at] === 0) setBit(suspects, at);
        }
      },
    );
    this.#eachSet(suspects, (part, count) => this.#lookAt(side, part, count));
    suspects.fill(0);
  }

  /**
   * Calls `visit` with the predecessors of the positions of a side that have risen. Unmoves do not say whose they are, so those of all
   * positions of a group are made at once.
   */
  #unmove(
    side: Side,
    groupOf: (ladder: number) => number,
    visit: (predecessors: Emission, group: number) => void,
  ): void {
    const slice = this.#slice;
    const { risen, ladders } = this.sides[side];
    this.#eachSet(risen, (part, count) => {
      const keys = this.#keys;
      const groups = this.#groups;
      const grouped = this.#grouped;
      const out = this.#out;
      for (let i = 0; i < count; i++) groups[i] = groupOf(ladders[part * slice.width + keys[i]]);
      for (const group of new Set(groups.subarray(0, count))) {
        let n = 0;
        for (let i = 0; i < count; i++) if (groups[i] === group) grouped[n++] = keys[i];
        for (let from = 0; from < n; ) {
          out.length = 0;
          from = slice.unmoves!(side, part, grouped, from, n, 0, out);
          this.#requests += out.length;
          visit(out, group);
        }
      }
    });
  }

  /** Calls `visit` with a part and how many keys of it, whose bits are set, are in `keys`, ascending. */
  #eachSet(bits: Uint8Array, visit: (part: number, count: number) => void): void {
    const keys = this.#keys;
    const slice = this.#slice;
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

  /** Raises those of the positions in `keys` that are lost. */
  #lookAt(side: Side, part: number, count: number): void {
    const { ladders } = this;
    const keys = this.#keys;
    const grouped = this.#grouped;
    const least = this.#least;
    const out = this.#out;
    const slice = this.#slice;
    const state = this.sides[side];
    const successors = this.sides[1 - side].ladders;
    const first = part * slice.width;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const at = first + keys[i];
      if (state.escapes[at] !== 0) continue;
      // Nothing raises these any more; broken indices are among them.
      if (ladders.until[state.ladders[at]] >= this.#lastConverting) continue;
      const rank = state.conversions[at];
      // Conversions that take longer are looked at when their ply comes.
      if (rank !== 0 && -fromPreference(rank) - 1 > this.#ply) continue;
      least[n] = rank === 0 ? NO_LIMIT : this.#lastConverting + 1;
      grouped[n++] = keys[i];
    }
    for (let from = 0; from < n; ) {
      out.length = 0;
      from = slice.moves(side, part, grouped, from, n, 0, out);
      this.#requests += out.length;
      const { major, minor, source, length } = out;
      for (let i = 0; i < length; i++) {
        const until = ladders.until[successors[major[i] * slice.width + minor[i]]];
        if (until < least[source[i]]) least[source[i]] = until;
      }
    }
    for (let i = 0; i < n; i++) {
      // Escapes count every move to a position that the opponent does not win yet, so none is left where they are zero.
      assert(least[i] >= 0, `${slice.name}: a position without escapes has no move to a drawn position`);
      if (least[i] > 0) this.#raise(side, first + grouped[i], least[i] - 1);
    }
  }
}

/** The indices with a rank, ascending. */
function* placesOf(ranks: Uint16Array, rank: number): Generator<number> {
  for (let at = ranks.indexOf(rank); at >= 0; at = ranks.indexOf(rank, at + 1)) yield at;
}

/** The plies to mate that conversions of either side take, ascending. */
function pliesOf(conversions: readonly Uint16Array[]): number[] {
  const found = new Uint8Array(2 ** 16);
  for (const ranks of conversions) for (let i = 0; i < ranks.length; i++) found[ranks[i]] = 1;
  const plies = new Set<number>();
  for (let rank = 1; rank < found.length; rank++) {
    if (found[rank] === 0) continue;
    const code = fromPreference(rank);
    if (code !== 0) plies.add(code > 0 ? code : -code - 1);
  }
  return [...plies].sort((a, b) => a - b);
}

/** The state before the first round: mates have risen. */
function begin(slice: Slice, side: Side, conversions: Uint16Array): SideState {
  const bits = () => new Uint8Array(bitBytes(slice.size));
  const ladders = new Uint32Array(slice.size);
  const escapes = new Uint8Array(slice.size);
  const risen = bits();
  for (const { part, first, length, census } of censusOf(slice, side)) {
    const at = part * slice.width + first;
    const { counts, lostKeys, lost } = census;
    for (let i = 0; i < length; i++) {
      if (counts[i] === 0) ladders[at + i] = BROKEN_LADDER;
      const rank = conversions[at + i];
      // Conversions that all lose are no escapes.
      const losing = rank !== 0 && fromPreference(rank) < 0 ? census.conversions[i] : 0;
      escapes[at + i] = counts[i] - losing;
    }
    for (let i = 0; i < lost; i++) {
      const mated = part * slice.width + lostKeys[i];
      ladders[mated] = MATED_LADDER;
      setBit(risen, mated);
    }
  }
  return { ladders, conversions, escapes, risen, rising: bits(), suspects: bits() };
}
