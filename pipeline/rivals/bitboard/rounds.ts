/**
 * Rounds: at ply n the positions that are won or lost in n plies, as sets. Wins are applied before losses; the positions found
 * at a ply count from the next ply on.
 */

import { Kind, opponent } from '../../game/events.js';
import type { Side } from '../../game/game.js';
import { PAIRS } from '../../games/chess/geometry.js';
import { addDue, type Conversions } from './conversions.js';
import type { SetKernels } from './kernels.js';
import { newSetPool, type PositionSet, type SetPool, subtract, wordsOf } from './position-set.js';

/** By kind (win, loss), by side to move; null: no position. */
export type FrontierSets = [
  [PositionSet | null, PositionSet | null],
  [PositionSet | null, PositionSet | null],
];

export interface RoundState {
  readonly kernels: SetKernels;
  readonly pool: SetPool;
  /** By side to move: not known to be won, positions after captures included. */
  readonly unwon: readonly [PositionSet, PositionSet];
  /** By side to move: legal, not labelled and no stalemate. */
  readonly open: readonly [PositionSet, PositionSet];
  /** Positions that the last ply labelled, and the conversions of that ply. */
  frontier: FrontierSets;
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
 * All legal positions are open; `unwon` must have the positions after captures added. `memory`: zeros in the linear memory, room
 * for {@link setsNeeded} sets.
 */
export function newRounds(kernels: SetKernels, memory: Uint8Array): RoundState {
  const { layout, wasm } = kernels;
  const pool = newSetPool(layout, memory);
  const rounds: RoundState = {
    kernels,
    pool,
    unwon: [pool.take(), pool.take()],
    open: [pool.take(), pool.take()],
    frontier: emptyFrontier(),
  };
  for (const side of [0, 1] as const) {
    const { halves, some } = rounds.open[side];
    for (let pair = 0; pair < PAIRS; pair++) {
      wasm.legalPositions(pair, side, wordsOf(layout, rounds.open[side], pair).byteOffset);
    }
    some.fill(1);
    rounds.unwon[side].halves.set(halves);
    rounds.unwon[side].some.fill(1);
  }
  return rounds;
}

/** Strikes off the wanted words what a man of `side` reaches by an unmove from `source`; false if nothing is left. */
function strike(
  { wasm, wanted }: SetKernels,
  side: Side,
  pair: number,
  { halves, some }: PositionSet,
): boolean {
  return wasm.strike(side, pair, halves.byteOffset, some.byteOffset, wanted.byteOffset) !== 0;
}

/**
 * Ply 0: what no unmove from any position leads to has no move: mate in check, else stalemate, which is not open. To be
 * called before any conversion is due.
 */
export function mates(rounds: RoundState): FrontierSets {
  const { kernels, unwon, open } = rounds;
  const { layout, wasm, wanted } = kernels;
  const found = emptyFrontier();
  for (const side of [0, 1] as const) {
    for (let pair = 0; pair < PAIRS; pair++) {
      const legal = wordsOf(layout, open[side], pair);
      wanted.set(legal);
      if (!strike(kernels, side, pair, unwon[opponent(side)])) continue;
      wasm.subtract(legal.byteOffset, wanted.byteOffset);
      wasm.keepChecks(pair, side, wanted.byteOffset);
      if (wasm.some(wanted.byteOffset)) recorded(rounds, found, Kind.loss, side, pair).set(wanted);
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
  const { kernels, open } = rounds;
  const { layout, wasm, wanted } = kernels;
  const unlabelled = wordsOf(layout, open[side], pair);
  wanted.set(unlabelled);
  if (!strike(kernels, side, pair, lost)) open[side].some[pair] = 0;
  if (wasm.same(unlabelled.byteOffset, wanted.byteOffset)) return;
  const wins = recorded(rounds, found, Kind.win, side, pair);
  wasm.keepStruck(unlabelled.byteOffset, wanted.byteOffset, wins.byteOffset);
}

function newLosses(rounds: RoundState, side: Side, pair: number, found: FrontierSets): void {
  const { kernels, open, unwon } = rounds;
  const { layout, wasm, wanted } = kernels;
  const unlabelled = wordsOf(layout, open[side], pair);
  wanted.set(unlabelled);
  if (!strike(kernels, side, pair, unwon[opponent(side)])) return;
  recorded(rounds, found, Kind.loss, side, pair).set(wanted);
  wasm.subtract(unlabelled.byteOffset, wanted.byteOffset);
}

/** The words that hold the positions found of a kind, side and pair. */
function recorded(
  { kernels, pool }: RoundState,
  found: FrontierSets,
  kind: Kind,
  side: Side,
  pair: number,
): Int32Array {
  const set = (found[kind][side] ??= pool.take());
  set.some[pair] = 1;
  return wordsOf(kernels.layout, set, pair);
}

/** Makes `found` the frontier, with the conversions that are due at `ply`. */
export function settle(rounds: RoundState, conversions: Conversions, ply: number, found: FrontierSets): void {
  const { kernels, pool, frontier, unwon } = rounds;
  giveBack(rounds, frontier);
  for (const side of [0, 1] as const) {
    for (const kind of [Kind.win, Kind.loss]) {
      addDue(kernels.layout, conversions, ply, side, kind, () => (found[kind][side] ??= pool.take()));
    }
    const won = found[Kind.win][side];
    if (won !== null) subtract(kernels, unwon[side], won);
  }
  rounds.frontier = found;
}

export function giveBack({ pool }: RoundState, frontier: FrontierSets): void {
  for (const set of frontier.flat()) if (set !== null) pool.give(set);
}
