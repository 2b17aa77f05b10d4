/**
 * The kernels in TypeScript: what those in WebAssembly are tested and measured against. Each side of a slice is a space of
 * positions as their mover sees them, so that one code serves both: side 0 the positions with Black to move, side 1 those
 * with White to move, turned round. Every index is a legal position. A position with a capture has no other moves.
 */
import { assert } from '../../../operators/core/errors.js';
import type { Census, Emission, Side } from '../../contract/game.js';
import { bitBytes, setBit } from '../../formats/labels.js';
import { findCaptures, newCaptures } from './captures.js';
import { targetNumber } from './conversions.js';
import type { Frame, Half, HalfKernels } from './halves.js';
import {
  type CheckersPlacement,
  type CheckersSpace,
  indexWith,
  menIndex,
  newUnranker,
  rankSet,
  type Unranker,
} from './space.js';
import {
  BACK_STEPS,
  canCapture,
  downLeft,
  downRight,
  KING_STEPS,
  leadingRank,
  lowest,
  MAN_STEPS,
  popcount,
  ranksBelow,
  turned,
  upLeft,
  upRight,
} from './squares.js';

/** A side of the slice with what reads its positions. */
interface ReadHalf extends Half {
  readonly place: CheckersPlacement;
  readonly read: Unranker['read'];
  /** The ranks below that of the leading man, which may advance without leaving the slice; and that rank. */
  readonly following: number;
  readonly leading: number;
}

export function createPlainKernels(frame: Frame): HalfKernels {
  const { name, width, maxMoves } = frame;
  const halves: [ReadHalf | undefined, ReadHalf | undefined] = [undefined, undefined];
  const half = (side: Side): ReadHalf => (halves[side] ??= readable(frame.half(side)));
  const captures = newCaptures();

  function put(
    space: CheckersSpace,
    placement: number,
    kings: number,
    enemyKings: number,
    men: number,
  ): void {
    write(indexWith(space, placement, men, kings, enemyKings), width);
  }

  // Where `put` writes.
  let out: Emission | undefined;
  let bias = 0;
  let source = 0;

  function write(index: number, partWidth: number): void {
    const { major, minor, source: sources } = out!;
    const part = Math.floor(index / partWidth);
    const at = out!.length++;
    major[at] = bias + part;
    minor[at] = index - part * partWidth;
    sources[at] = source;
  }

  /** Emits the quiet moves within the slice of the position that `half(side)` has read. */
  function quietMoves(side: Side): void {
    const { place, following, leading } = half(side);
    const { space } = half((1 - side) as Side);
    const { men, kings, enemyMen, enemyKings, turnedMen, turnedEnemyMen, turnedEnemyKings } = place;
    const empty = ~(men | kings | enemyMen | enemyKings);
    const offsets = space.offsets();
    if (kings !== 0) {
      const all = turnedMen | turnedEnemyMen;
      const placement = menIndex(space, offsets, turnedEnemyMen, enemyMen, men);
      const base = placement * space.kings + rankSet(turnedEnemyKings, all) * space.enemyKings;
      const taken = all | turnedEnemyKings;
      for (let rest = kings; rest !== 0; rest &= rest - 1) {
        const square = lowest(rest);
        const others = place.turnedKings ^ (0x80000000 >>> square);
        for (let steps = KING_STEPS[square] & empty; steps !== 0; steps &= steps - 1) {
          write(base + rankSet(others | (0x80000000 >>> lowest(steps)), taken), width);
        }
      }
    }
    for (let rest = men; rest !== 0; rest &= rest - 1) {
      const square = lowest(rest);
      const others = men ^ (1 << square);
      for (let steps = MAN_STEPS[square] & empty & (following | leading); steps !== 0; steps &= steps - 1) {
        const moved = others | (steps & -steps);
        const placement = menIndex(space, offsets, turnedEnemyMen, enemyMen, moved);
        put(space, placement, turnedEnemyKings, place.turnedKings, turnedEnemyMen | turned(moved));
      }
    }
  }

  /** Emits the predecessors by quiet moves, in the slice, of the position that `half(side)` has read. */
  function quietUnmoves(side: Side): void {
    const { place } = half(side);
    const { space, leading } = half((1 - side) as Side);
    // All is seen by the player who moved here.
    const {
      turnedMen: enemyMen,
      turnedKings: enemyKings,
      turnedEnemyMen: men,
      turnedEnemyKings: kings,
    } = place;
    const enemies = enemyMen | enemyKings;
    const empty = ~(men | kings | enemies);
    const offsets = space.offsets();
    if (kings !== 0) {
      const placement = menIndex(space, offsets, men, place.enemyMen, place.men);
      for (let rest = kings; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        for (let steps = KING_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
          const change = bit | (steps & -steps);
          const before = kings ^ change;
          if (canCapture(men, before, enemies, empty ^ change)) continue;
          put(space, placement, before, enemyKings, men | enemyMen);
        }
      }
    }
    for (let rest = men; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      for (let steps = BACK_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
        const change = bit | (steps & -steps);
        const before = men ^ change;
        if ((before & leading) === 0 || canCapture(before, kings, enemies, empty ^ change)) continue;
        const placement = menIndex(space, offsets, before, turned(before), place.men);
        put(space, placement, kings, enemyKings, before | enemyMen);
      }
    }
  }

  /** Emits a position that a conversion leads to, given as the player sees it who moved. */
  function arrive(
    { space: { shape }, place, arrivals }: ReadHalf,
    men: number,
    kings: number,
    taken: number,
    conversionBias: ArrayLike<number>,
  ): void {
    const enemyMen = place.enemyMen & ~taken;
    const enemyKings = place.enemyKings & ~taken;
    const turnedEnemyMen = turned(enemyMen);
    const number = targetNumber(
      shape.enemyMen,
      popcount(taken & place.enemyKings),
      popcount(taken & place.enemyMen),
      shape.ownMen - popcount(men),
      leadingRank(turnedEnemyMen),
      leadingRank(men),
    );
    const arrival = arrivals.get(number);
    assert(arrival !== undefined, `a conversion of ${name} leads to one of its dependencies`);
    bias = conversionBias[arrival.to];
    const { space, width: widthThere } = arrival;
    if (space === null) {
      write(0, 1);
      return;
    }
    const placement = menIndex(space, space.offsets(), turnedEnemyMen, enemyMen, men);
    const all = turned(men) | turnedEnemyMen;
    write(indexWith(space, placement, all, turned(enemyKings), turned(kings)), widthThere);
  }

  /** Calls `emit` for positions with room for their rows; returns the first position not done. */
  function each(
    side: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    emission: Emission,
    emit: () => void,
  ): number {
    const { read } = half(side);
    const last = emission.minor.length - maxMoves;
    out = emission;
    let i = from;
    for (; i < to && emission.length <= last; i++) {
      source = i;
      read(part * width + keys[i]);
      emit();
    }
    return i;
  }

  function readsCapture({ men, kings, enemyMen, enemyKings }: CheckersPlacement): boolean {
    const enemies = enemyMen | enemyKings;
    return canCapture(men, kings, enemies, ~(men | kings | enemies));
  }

  function readsThreat({
    turnedMen,
    turnedKings,
    turnedEnemyMen,
    turnedEnemyKings,
  }: CheckersPlacement): boolean {
    const enemies = turnedMen | turnedKings;
    return canCapture(
      turnedEnemyMen,
      turnedEnemyKings,
      enemies,
      ~(turnedEnemyMen | turnedEnemyKings | enemies),
    );
  }

  return {
    census(side, part, first, length, census) {
      const mover = half(side);
      const { place, read } = mover;
      clear(census, length);
      census.legal = length;
      for (let i = 0; i < length; i++) {
        read(part * width + first + i);
        const moves = countMoves(mover, captures, readsCapture(place));
        census.counts[i] = moves.all;
        if (census.conversions !== null) census.conversions[i] = moves.conversions;
        if (moves.all > 0) setBit(census.open, i);
        else census.lostKeys[census.lost++] = first + i;
      }
    },

    moves(side, part, keys, from, to, firstMajor, emission) {
      const { place } = half(side);
      bias = firstMajor;
      return each(side, part, keys, from, to, emission, () => {
        if (!readsCapture(place)) quietMoves(side);
      });
    },

    unmoves(side, part, keys, from, to, firstMajor, emission) {
      bias = firstMajor;
      return each(side, part, keys, from, to, emission, () => quietUnmoves(side));
    },

    conversions(side, part, keys, from, to, conversionBias, emission) {
      const mover = half(side);
      const { place, leading } = mover;
      return each(side, part, keys, from, to, emission, () => {
        const { men, kings, enemyMen, enemyKings } = place;
        findCaptures(men, kings, enemyMen | enemyKings, captures);
        for (let c = 0; c < captures.length; c++) {
          arrive(mover, captures.men[c], captures.kings[c], captures.taken[c], conversionBias);
        }
        if (captures.length > 0) return;
        const empty = ~(men | kings | enemyMen | enemyKings);
        for (let rest = men & leading; rest !== 0; rest &= rest - 1) {
          const bit = rest & -rest;
          for (let steps = MAN_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
            const step = steps & -steps;
            const crowned = (step & ranksBelow(7)) === 0;
            arrive(
              mover,
              crowned ? men ^ bit : men ^ bit ^ step,
              crowned ? kings | step : kings,
              0,
              conversionBias,
            );
          }
        }
      });
    },

    // Captures, and positions where the other player would capture if it were his turn (Schaeffer et al. 2003, 3.3).
    dontCares(side, part, first, length, marks) {
      const { place, read } = half(side);
      for (let i = 0; i < length; i++) {
        read(part * width + first + i);
        marks[i] = readsCapture(place) || readsThreat(place) ? 1 : 0;
      }
    },
  };
}

function readable(half: Half): ReadHalf {
  const { place, read } = newUnranker(half.space);
  const { ownMen, ownRank } = half.space.shape;
  return {
    ...half,
    place,
    read,
    following: ranksBelow(ownRank),
    leading: ownMen === 0 ? 0 : ranksBelow(ownRank + 1) & ~ranksBelow(ownRank),
  };
}

function clear(census: Census, length: number): void {
  census.lost = census.drawn = 0;
  census.open.fill(0, 0, bitBytes(length));
}

const counted = { all: 0, conversions: 0 };

/** Counts the moves of the position that has been read. The result is used again. */
function countMoves(
  { place, following, leading }: ReadHalf,
  captures: ReturnType<typeof newCaptures>,
  capture: boolean,
): { readonly all: number; readonly conversions: number } {
  const { men, kings, enemyMen, enemyKings } = place;
  const enemies = enemyMen | enemyKings;
  if (capture) {
    findCaptures(men, kings, enemies, captures);
    counted.all = counted.conversions = captures.length;
    return counted;
  }
  const empty = ~(men | kings | enemies);
  const advances = men & leading;
  const steps = (men & following) | kings;
  counted.conversions = popcount(upLeft(advances) & empty) + popcount(upRight(advances) & empty);
  counted.all = counted.conversions + popcount(upLeft(steps) & empty) + popcount(upRight(steps) & empty);
  if (kings !== 0) {
    counted.all += popcount(downLeft(kings) & empty) + popcount(downRight(kings) & empty);
  }
  return counted;
}
