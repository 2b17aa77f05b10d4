/**
 * Rounds: at ply n the positions that are won or lost in n plies, as sets. Wins are applied before losses; the positions found
 * at a ply count from the next ply on.
 */

import type { Side } from '../../contract/game.js';
import { Kind, opponent } from '../../formats/events.js';
import { PAIRS } from '../../games/chess/geometry.js';
import { addDue, type Conversions } from './conversions.js';
import type { SetLayout } from './layout.js';
import { keepChecks, legalPositions } from './legality.js';
import { newSetPool, type PositionSet, type SetPool, subtract } from './position-set.js';
import { newStriker, type Striker, someLeft, strike } from './strike.js';

/** By kind (win, loss), by side to move; null: no position. */
export type FrontierSets = [
  [PositionSet | null, PositionSet | null],
  [PositionSet | null, PositionSet | null],
];

export interface RoundState {
  readonly layout: SetLayout;
  readonly striker: Striker;
  readonly pool: SetPool;
  /** By side to move: not known to be won, positions after captures included. */
  readonly unwon: readonly [PositionSet, PositionSet];
  /** By side to move: legal, not labelled and no stalemate. */
  readonly open: readonly [PositionSet, PositionSet];
  /** Positions that the last ply labelled, and the conversions of that ply. */
  frontier: FrontierSets;
  /** The words of one pair of kings. */
  readonly wanted: Int32Array;
}

/**
 * Sets that may be in use at once: unwon and open, the frontiers of two plies. Plies of mates alternate, even for
 * losses and odd for wins, so under DTM a frontier has one kind; plies to a conversion do not.
 */
export function setsNeeded(plies: boolean): number {
  return plies ? 8 : 12;
}

export const emptyFrontier = (): FrontierSets => [
  [null, null],
  [null, null],
];

/**
 * All legal positions are open; `unwon` must have the positions after captures added. `memory`: zeros, room for
 * {@link setsNeeded} sets.
 */
export function newRounds(layout: SetLayout, memory: ArrayBuffer): RoundState {
  const pool = newSetPool(layout, memory);
  const rounds: RoundState = {
    layout,
    striker: newStriker(layout),
    pool,
    unwon: [pool.take(), pool.take()],
    open: [pool.take(), pool.take()],
    frontier: emptyFrontier(),
    wanted: new Int32Array(2 * layout.configs),
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

function block({ layout }: RoundState, set: PositionSet, pair: number): Int32Array {
  return set.halves.subarray(pair * 2 * layout.configs, (pair + 1) * 2 * layout.configs);
}

/**
 * Ply 0: what no unmove from any position leads to has no move: mate in check, else stalemate, which is not open. To be
 * called before any conversion is due.
 */
export function mates(rounds: RoundState): FrontierSets {
  const { layout, striker, unwon, open, wanted } = rounds;
  const found = emptyFrontier();
  for (const side of [0, 1] as const) {
    for (let pair = 0; pair < PAIRS; pair++) {
      const legal = block(rounds, open[side], pair);
      wanted.set(legal);
      if (!strike(striker, side, pair, unwon[opponent(side)], wanted)) continue;
      close(legal, wanted);
      keepChecks(layout, pair, side, wanted);
      if (someLeft(wanted)) block(rounds, recorded(rounds, found, Kind.loss, side, pair), pair).set(wanted);
    }
  }
  return found;
}

/** The positions labelled by the frontier; they are no longer open. */
export function nextFrontier(rounds: RoundState): FrontierSets {
  const { frontier, open } = rounds;
  const found = emptyFrontier();
  for (const side of [0, 1] as const) {
    const won = frontier[Kind.win][opponent(side)];
    const lost = frontier[Kind.loss][opponent(side)];
    for (let pair = 0; pair < PAIRS; pair++) {
      if (open[side].some[pair] === 0) continue;
      if (lost !== null) newWins(rounds, side, pair, lost, found);
      if (won !== null) newLosses(rounds, side, pair, found);
    }
  }
  return found;
}

function newWins(rounds: RoundState, side: Side, pair: number, lost: PositionSet, found: FrontierSets): void {
  const { striker, open, wanted } = rounds;
  const unlabelled = block(rounds, open[side], pair);
  wanted.set(unlabelled);
  if (!strike(striker, side, pair, lost, wanted)) open[side].some[pair] = 0;
  if (same(unlabelled, wanted)) return;
  const wins = block(rounds, recorded(rounds, found, Kind.win, side, pair), pair);
  for (let i = 0; i < wins.length; i++) {
    wins[i] = unlabelled[i] & ~wanted[i];
    unlabelled[i] = wanted[i];
  }
}

function newLosses(rounds: RoundState, side: Side, pair: number, found: FrontierSets): void {
  const { striker, open, unwon, wanted } = rounds;
  const unlabelled = block(rounds, open[side], pair);
  wanted.set(unlabelled);
  if (!strike(striker, side, pair, unwon[opponent(side)], wanted)) return;
  block(rounds, recorded(rounds, found, Kind.loss, side, pair), pair).set(wanted);
  close(unlabelled, wanted);
}

/** The set that holds the positions found of a kind, side and pair. */
function recorded(
  rounds: RoundState,
  found: FrontierSets,
  kind: Kind,
  side: Side,
  pair: number,
): PositionSet {
  const set = (found[kind][side] ??= rounds.pool.take());
  set.some[pair] = 1;
  return set;
}

function close(open: Int32Array, labelled: Int32Array): void {
  for (let i = 0; i < open.length; i++) open[i] &= ~labelled[i];
}

function same(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Makes `found` the frontier, with the conversions that are due at `ply`. */
export function settle(rounds: RoundState, conversions: Conversions, ply: number, found: FrontierSets): void {
  const { layout, pool, frontier, unwon } = rounds;
  giveBack(rounds, frontier);
  for (const side of [0, 1] as const) {
    for (const kind of [Kind.win, Kind.loss]) {
      addDue(layout, conversions, ply, side, kind, () => (found[kind][side] ??= pool.take()));
    }
    const won = found[Kind.win][side];
    if (won !== null) subtract(layout, unwon[side], won);
  }
  rounds.frontier = found;
}

export function giveBack({ pool }: RoundState, frontier: FrontierSets): void {
  for (const set of frontier.flat()) if (set !== null) pool.give(set);
}
