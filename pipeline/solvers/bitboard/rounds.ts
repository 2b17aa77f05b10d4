/**
 * Rounds: at ply n the positions that are won or lost in n plies, as sets. Wins are applied before losses; what a ply
 * finds counts from the next ply on.
 */
import { Kind, opponent } from '../../events.js';
import type { Side } from '../../game.js';
import { PAIRS } from '../../games/chess/geometry.js';
import { addDue, type Conversions } from './conversions.js';
import type { Layout } from './layout.js';
import { keepChecks, legalPositions } from './legality.js';
import { newSet, newSetPool, type PositionSet, type SetPool, subtract } from './position-set.js';
import { newStriker, type Striker, strike } from './strike.js';

/** By kind (win, loss), by side to move; null: no position. */
export type Frontier = [[PositionSet | null, PositionSet | null], [PositionSet | null, PositionSet | null]];

export interface Rounds {
  readonly layout: Layout;
  readonly striker: Striker;
  readonly pool: SetPool;
  /** By side to move: not known to be won, positions after captures included. */
  readonly unwon: readonly [PositionSet, PositionSet];
  /** By side to move: legal and not labelled. */
  readonly open: readonly [PositionSet, PositionSet];
  /** What the last ply labelled, and the conversions of that ply. */
  frontier: Frontier;
  /** Two blocks of one pair of kings. */
  readonly wanted: Int32Array;
  readonly candidates: Int32Array;
}

/**
 * Sets that may be in use at once: unwon and open, the frontiers of two plies. Plies of mates alternate, even for
 * losses and odd for wins, so under DTM a frontier has one kind; plies to a conversion do not.
 */
export function setsNeeded(plies: boolean): number {
  return plies ? 8 : 12;
}

export const emptyFrontier = (): Frontier => [
  [null, null],
  [null, null],
];

/** All legal positions are open; `unwon` must have the positions after captures added. */
export function newRounds(layout: Layout): Rounds {
  const rounds: Rounds = {
    layout,
    striker: newStriker(layout),
    pool: newSetPool(layout),
    unwon: [newSet(layout), newSet(layout)],
    open: [newSet(layout), newSet(layout)],
    frontier: emptyFrontier(),
    wanted: new Int32Array(2 * layout.configs),
    candidates: new Int32Array(2 * layout.configs),
  };
  for (const side of [0, 1] as const) {
    for (let pair = 0; pair < PAIRS; pair++) {
      legalPositions(layout, pair, side, block(rounds, rounds.open[side], pair));
    }
    rounds.open[side].some.fill(1);
    rounds.unwon[side].halves.set(rounds.open[side].halves);
    rounds.unwon[side].some.fill(1);
  }
  return rounds;
}

function block({ layout }: Rounds, set: PositionSet, pair: number): Int32Array {
  return set.halves.subarray(pair * 2 * layout.configs, (pair + 1) * 2 * layout.configs);
}

/** Ply 0: in check, and no unmove from any position leads here. To be called before any conversion is due. */
export function mates(rounds: Rounds): Frontier {
  const { layout, striker, unwon, open, wanted } = rounds;
  const found = emptyFrontier();
  for (const side of [0, 1] as const) {
    for (let pair = 0; pair < PAIRS; pair++) {
      wanted.set(block(rounds, open[side], pair));
      keepChecks(layout, pair, side, wanted);
      if (strike(striker, side, pair, unwon[opponent(side)], wanted)) {
        record(rounds, found, Kind.loss, side, pair, wanted);
      }
    }
  }
  return found;
}

/** The positions labelled by the frontier; they are closed in `open`. */
export function nextFrontier(rounds: Rounds): Frontier {
  const { striker, unwon, open, frontier, wanted, candidates } = rounds;
  const found = emptyFrontier();
  for (const side of [0, 1] as const) {
    const won = frontier[Kind.win][opponent(side)];
    const lost = frontier[Kind.loss][opponent(side)];
    if (won === null && lost === null) continue;
    for (let pair = 0; pair < PAIRS; pair++) {
      const unlabelled = block(rounds, open[side], pair);
      if (lost !== null) {
        wanted.set(unlabelled);
        strike(striker, side, pair, lost, wanted);
        if (struckOff(unlabelled, wanted, candidates))
          record(rounds, found, Kind.win, side, pair, candidates);
      }
      if (won !== null) {
        wanted.set(unlabelled);
        strike(striker, side, pair, won, wanted);
        if (!struckOff(unlabelled, wanted, candidates)) continue;
        if (strike(striker, side, pair, unwon[opponent(side)], candidates)) {
          record(rounds, found, Kind.loss, side, pair, candidates);
        }
      }
    }
  }
  return found;
}

/** What was struck off: all less what is left. False if nothing. */
function struckOff(all: Int32Array, left: Int32Array, out: Int32Array): boolean {
  let some = 0;
  for (let i = 0; i < all.length; i++) some |= out[i] = all[i] & ~left[i];
  return some !== 0;
}

function record(
  rounds: Rounds,
  found: Frontier,
  kind: Kind,
  side: Side,
  pair: number,
  positions: Int32Array,
): void {
  const set = (found[kind][side] ??= rounds.pool.take());
  block(rounds, set, pair).set(positions);
  set.some[pair] = 1;
  const open = block(rounds, rounds.open[side], pair);
  for (let i = 0; i < open.length; i++) open[i] &= ~positions[i];
}

/** Makes `found` the frontier, with the conversions that are due at `ply`. */
export function settle(rounds: Rounds, conversions: Conversions, ply: number, found: Frontier): void {
  const { layout, pool, frontier, unwon } = rounds;
  for (const set of frontier.flat()) if (set !== null) pool.give(set);
  for (const side of [0, 1] as const) {
    for (const kind of [Kind.win, Kind.loss]) {
      addDue(layout, conversions, ply, side, kind, () => (found[kind][side] ??= pool.take()));
    }
    const won = found[Kind.win][side];
    if (won !== null) subtract(layout, unwon[side], won);
  }
  rounds.frontier = found;
}
