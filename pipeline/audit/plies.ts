/**
 * Derives the plies of a slice's positions. A win is one ply from the best reply, a loss one from the longest; what zeroing moves are
 * worth is known from outcomes. Plies that files leave out are derived from the other side's, and those that they hold from these.
 *
 * Plies are codes: 2 * plies, and one more if there may be one more; of losses -1 - that. So codes of both sides' intervals are ordered
 * by what the player before prefers. Their ordinals in that order get ranks of a byte, on as many scales (engine/memory/scales.ts) as that takes.
 */
import { assert } from '../../operators/core/errors.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import { ordinalIn, rankOn, scalesFor } from '../engine/memory/scales.js';
import { CENSUS_ROWS, piecesOf } from '../game/fill-census.js';
import type { Side, Slice } from '../game/game.js';
import { countRepeats } from '../game/repeats.js';
import { SIDES } from '../game/side.js';
import { RULE, SyzygyOutcome } from '../games/chess/syzygy/format.js';
import { storedPlies } from '../games/chess/syzygy/read/search.js';
import {
  type CellsOptions,
  NO_CELL,
  type SliceCells,
  TWO_CELLS,
  UNKNOWN_CELL,
  VALUE_BITS,
  Want,
} from '../games/chess/syzygy/read/slice-cells.js';
import { Column, fenOf, partsInOrder, type Wrong } from './columns.js';
import { AuditMoves } from './moves.js';
import { byZeroing, Fact, outcomeOfRank, word } from './outcomes.js';

/** What is known of the positions of a slice when its plies are derived, by side: ranks, and facts (outcomes.ts). */
export interface KnownSlice {
  readonly slice: Slice;
  readonly outcomes: readonly Column[];
  readonly facts: readonly Column[];
}

export interface PliesOptions {
  /** All of an ending. */
  readonly slices: readonly KnownSlice[];
  readonly cells: (side: Side, want: CellsOptions['want']) => Promise<SliceCells>;
  readonly memory: number;
  readonly scratch: Scratch;
  readonly pause: () => Promise<void>;
}

/** Neither won nor lost, or not known. */
const NO_PLIES = 0;
/** Values of cells. */
const VALUES = 1 << VALUE_BITS;

export class PliesAudit {
  /** Positions whose plies the file holds, of those that were derived. */
  positions = 0;
  readonly #options: PliesOptions;
  /** By slice and side: codes of plies. */
  readonly #plies: ReadonlyMap<Slice, readonly Column[]>;
  readonly #known: ReadonlyMap<Slice, KnownSlice>;
  /** By side: whether the file has the plies of some of its positions, and whether it leaves some out. */
  readonly #has = [false, false];
  readonly #leavesOut = [false, false];
  /** Codes that occur, by their 16 bits. */
  readonly #occurs = new Uint8Array(1 << 16);
  readonly #ranks = new Uint8Array(CENSUS_ROWS);
  readonly #facts = new Uint8Array(CENSUS_ROWS);
  readonly #codes = new Int16Array(CENSUS_ROWS);

  constructor(options: PliesOptions) {
    this.#options = options;
    const { slices, scratch } = options;
    this.#known = new Map(slices.map((known) => [known.slice, known]));
    this.#plies = new Map(
      slices.map(({ slice }) => [slice, SIDES.map(() => new Column(slice, scratch.swap()))]),
    );
  }

  dispose(): void {
    for (const columns of this.#plies.values()) for (const column of columns) column.remove();
  }

  async audit(): Promise<Wrong | null> {
    for (const side of SIDES) {
      const wrong = await this.#decode(side);
      if (wrong !== null) return wrong;
    }
    for (const isLeftOut of [true, false]) {
      for (const { slice } of this.#options.slices) {
        const wrong = await this.#byMoves(slice, isLeftOut);
        if (wrong !== null) return wrong;
      }
    }
    return null;
  }

  /** Reads a piece of what is known of positions before. */
  #read(slice: Slice, side: Side, part: number, first: number, length: number): void {
    const { outcomes, facts } = this.#known.get(slice)!;
    outcomes[side].read(part, first, this.#ranks.subarray(0, length));
    facts[side].read(part, first, this.#facts.subarray(0, length));
  }

  /** Wants the cells of positions whose plies follow from no rule. */
  #want(side: Side): CellsOptions['want'] {
    return (slice, part, first, wanted) => {
      this.#read(slice, side, part, first, wanted.length);
      const [ranks, facts] = [this.#ranks, this.#facts];
      for (let i = 0; i < wanted.length; i++) {
        if (ranks[i] === 0) wanted[i] = Want.nothing;
        else wanted[i] = plainCode(outcomeOfRank(ranks[i]), facts[i]) === null ? Want.cell : Want.presence;
      }
    };
  }

  /** Makes plies of cells. */
  async #decode(side: Side): Promise<Wrong | null> {
    const { slices } = this.#options;
    const cells = await this.#options.cells(side, this.#want(side));
    this.#has[side] = cells.subtables.some((subtable) => subtable);
    this.#leavesOut[side] = !cells.subtables.every((subtable) => subtable);
    const meanings = meaningsOf(cells);
    try {
      for (const { slice } of slices) {
        const wrong = await this.#decodeSlice(slice, side, cells, meanings);
        if (wrong !== null) return wrong;
      }
    } finally {
      cells.dispose();
    }
    return null;
  }

  async #decodeSlice(
    slice: Slice,
    side: Side,
    cells: SliceCells,
    meanings: Int16Array,
  ): Promise<Wrong | null> {
    const found = new Uint16Array(CENSUS_ROWS);
    const [ranks, facts, codes] = [this.#ranks, this.#facts, this.#codes];
    for (let part = 0; part < slice.parts; part++) {
      for (const { first, length } of piecesOf(slice, part)) {
        const some = found.subarray(0, length);
        cells.next(some);
        this.#read(slice, side, part, first, length);
        for (let i = 0; i < length; i++) {
          const cell = some[i];
          codes[i] = NO_PLIES;
          if (cell === NO_CELL) continue;
          facts[i] |= Fact.hasPlies;
          const outcome = outcomeOfRank(ranks[i]);
          if (cell === UNKNOWN_CELL) codes[i] = plainCode(outcome, facts[i])!;
          else {
            const file = (cell >> VALUE_BITS) & 3;
            codes[i] = meanings[(file * 5 + outcome) * VALUES + (cell & (VALUES - 1))];
            if (cell >= TWO_CELLS || codes[i] === NO_PLIES) {
              const says = cell >= TWO_CELLS ? 'other plies of its mirror image' : 'no plies';
              return { fen: fenOf(slice, side, part, first + i), says, derived: word(outcome) };
            }
          }
          this.#occurs[codes[i] & 0xffff] = 1;
        }
        this.#known.get(slice)!.facts[side].write(part, first, facts.subarray(0, length));
        this.#plies.get(slice)![side].write(part, first, codes.subarray(0, length));
      }
      await this.#options.pause();
    }
    return null;
  }

  /** Derives the plies that the file leaves out, or compares those that it has with what moves say. */
  async #byMoves(slice: Slice, isLeftOut: boolean): Promise<Wrong | null> {
    const { memory, pause } = this.#options;
    const plies = this.#plies.get(slice)!;
    const order = codesInOrder(this.#occurs);
    const ranksOf = ranksByScale(order);
    const bounds = boundsOf(order);
    const noPlies = order.indexOf(NO_PLIES);
    const tables = [plies, ...slice.dependencies.map(() => undefined)];
    const moves = new AuditMoves({ slice, tables, rank: rankPlies(ranksOf), scales: ranksOf.length, memory });
    const [ranks, facts] = [this.#ranks, this.#facts];
    try {
      for (const side of SIDES) {
        if (!(isLeftOut ? this.#leavesOut : this.#has)[side]) continue;
        for (const part of partsInOrder(slice, side)) {
          const bests: Uint8Array[] = [];
          for (const { first, length } of piecesOf(slice, part)) {
            const codes = this.#codes.subarray(0, length);
            this.#read(slice, side, part, first, length);
            let isRead = false;
            const isDerived = (i: number) =>
              ranks[i] !== 0 && ((facts[i] & Fact.hasPlies) === 0) === isLeftOut;
            if (!isLeftOut) this.positions -= countRepeats(slice, part, first, length, isDerived);
            for (let i = 0; i < length; i++) {
              if (!isDerived(i)) continue;
              if (!isLeftOut) this.positions++;
              const outcome = outcomeOfRank(ranks[i]);
              if (outcome === SyzygyOutcome.draw) continue;
              if (!isRead) plies[side].read(part, first, codes);
              isRead = true;
              for (let scale = bests.length; scale < ranksOf.length; scale++) {
                bests.push(await moves.quiet(side, part, scale));
              }
              const bound =
                bounds[boundAt(outcome, facts[i] & Fact.zeroing, ordinalIn(bests, first + i) ?? noPlies)];
              const [least, most] = [bound >> 16, bound & 0xffff];
              let isRight = least <= most;
              if (!isLeftOut) {
                const plies = pliesOf(codes[i]);
                isRight &&= plies >> 1 <= most && (plies + 1) >> 1 >= least;
              } else if (isRight) {
                codes[i] = codeOf(outcome, 2 * least + (most > least ? 1 : 0));
                this.#occurs[codes[i] & 0xffff] = 1;
              }
              // Who wins by no move: the position before it shows it.
              if (isRight || (isLeftOut && least === NEVER)) continue;
              const says = isLeftOut ? word(outcome) : `${word(outcome)} in ${pliesOf(codes[i]) >> 1}`;
              const fen = fenOf(slice, side, part, first + i);
              return { fen, says, derived: derivedBy(outcome, least, most, isLeftOut) };
            }
            if (isLeftOut && isRead) plies[side].write(part, first, codes);
          }
          await pause();
        }
      }
    } finally {
      moves.close();
    }
    return null;
  }
}

/** More plies than any win has: no move keeps it. */
const NEVER = 0x7fff;

function isCursed(outcome: number): boolean {
  return outcome === SyzygyOutcome.cursedWin || outcome === SyzygyOutcome.blessedLoss;
}

/** The code of plies that need no file: of draws, of mates, and where a zeroing move wins as much; null of others. */
function plainCode(outcome: number, facts: number): number | null {
  if (outcome === SyzygyOutcome.draw) return NO_PLIES;
  if ((facts & Fact.mated) !== 0) return -1;
  if (outcome < SyzygyOutcome.draw || byZeroing(facts & Fact.zeroing) !== outcome) return null;
  return outcome === SyzygyOutcome.win ? 2 : 2 * (RULE + 1);
}

const pliesOf = (code: number) => (code < 0 ? -code - 1 : code);
const codeOf = (outcome: number, plies: number) => (outcome > SyzygyOutcome.draw ? plies : -plies - 1);

/** Codes are fewer. */
const MOST_CODES = 1 << 11;

const boundAt = (outcome: number, zeroing: number, ordinal: number) =>
  ((outcome << 3) | zeroing) * MOST_CODES + ordinal;

/** By outcome, best zeroing move and best reply to a quiet one: the least plies that moves say << 16, and the most. */
function boundsOf(order: Int16Array): Int32Array {
  assert(order.length <= MOST_CODES, 'plies are few');
  const bounds = new Int32Array(5 * 8 * MOST_CODES);
  for (const outcome of [0, 1, 3, 4]) {
    for (let zeroing = 0; zeroing < 6; zeroing++) {
      for (const [ordinal, after] of order.entries()) {
        const [least, most] = bound(outcome, byZeroing(zeroing), after);
        bounds[boundAt(outcome, zeroing, ordinal)] = (least << 16) | most;
      }
    }
  }
  return bounds;
}

/** @param zeroed the outcome by the best zeroing move, -1 without one. @param after code of the best reply to a quiet move. */
function bound(outcome: number, zeroed: number, after: number): readonly [number, number] {
  const byZero = zeroed === SyzygyOutcome.win || zeroed === SyzygyOutcome.loss ? 1 : RULE + 1;
  let least = (pliesOf(after) >> 1) + 1;
  let most = ((pliesOf(after) + 1) >> 1) + 1;
  if (outcome > SyzygyOutcome.draw) {
    if (after >= 0) least = most = NEVER;
    if (zeroed > SyzygyOutcome.draw) {
      least = Math.min(least, byZero);
      most = Math.min(most, byZero);
    }
    if (least === NEVER) return [NEVER, 0];
  } else {
    if (after <= 0) least = most = 0;
    if (zeroed >= 0 && zeroed < SyzygyOutcome.draw) {
      least = Math.max(least, byZero);
      most = Math.max(most, byZero);
    }
  }
  return isCursed(outcome) ? [Math.max(least, RULE + 1), most] : [least, Math.min(most, RULE)];
}

/** What moves say of a position whose plies they contradict. */
function derivedBy(outcome: number, least: number, most: number, isLeftOut: boolean): string {
  if (least === NEVER) return 'no move that keeps it';
  // The outcome is on the other side of the 50-move rule.
  if (isLeftOut)
    return `${outcome > SyzygyOutcome.draw ? 'a win' : 'a loss'} in ${isCursed(outcome) ? most : least}`;
  return least <= most ? `${word(outcome)} in ${least}` : 'no move that keeps it';
}

/** By file of the leading pawn, outcome and value: the code of plies; NO_PLIES if the file has none. */
function meaningsOf({ subtables }: SliceCells): Int16Array {
  const meanings = new Int16Array(4 * 5 * VALUES);
  for (const [file, subtable] of subtables.entries()) {
    if (subtable === undefined) continue;
    for (const outcome of Object.values(SyzygyOutcome)) {
      if (outcome === SyzygyOutcome.draw) continue;
      for (let value = 0; value < VALUES; value++) {
        const stored = storedPlies(subtable, outcome, value);
        if (stored === null) continue;
        const plies = 2 * stored.plies + (stored.precise ? 0 : 1);
        meanings[(file * 5 + outcome) * VALUES + value] = codeOf(outcome, plies);
      }
    }
  }
  return meanings;
}

/** The codes that occur, in the order of what the player before prefers: short wins first, then draws, then long losses. */
function codesInOrder(occurs: Uint8Array): Int16Array {
  const codes = new Int16Array(1 << 16).map((_, bits) => bits).filter((code) => occurs[code & 0xffff] === 1);
  const wins = codes.filter((code) => code > 0).sort();
  const losses = codes.filter((code) => code < 0).sort();
  return Int16Array.of(...wins, NO_PLIES, ...losses);
}

/** By scale: the ranks of codes. */
function ranksByScale(order: Int16Array): Uint8Array[] {
  return Array.from({ length: scalesFor(order.length) }, (_, scale) => {
    const ranks = new Uint8Array(1 << 16);
    for (const [ordinal, code] of order.entries()) ranks[code & 0xffff] = rankOn(scale, ordinal);
    return ranks;
  });
}

/** Ranks of the codes of a part. @param ranksOf by scale: the ranks of codes. */
function rankPlies(ranksOf: readonly Uint8Array[]) {
  const codes = new Int16Array(CENSUS_ROWS);
  return (column: Column, part: number, scale: number, ranks: Uint8Array) => {
    const rankOf = ranksOf[scale];
    for (const { first, length } of piecesOf(column.slice, part)) {
      const some = codes.subarray(0, length);
      column.read(part, first, some);
      for (let i = 0; i < length; i++) ranks[first + i] = rankOf[some[i] & 0xffff];
    }
  };
}
