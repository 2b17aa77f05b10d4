/**
 * The kernels of checkers in TypeScript, and slices that have them. Each side of a slice is a space of positions as their mover sees them, so that one code serves both. Side 0 is the positions with Black to
 * move, side 1 those with White to move, turned round. Every index is a legal position. A position with a capture has
 * no other moves. Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Emission, Side, Slice } from '../../../../../pipeline/game/game.js';
import { newCaptures } from '../../../../../pipeline/games/checkers/captures.js';
import { mirrored, shapeOf } from '../../../../../pipeline/games/checkers/classes.js';
import { type Frame, type HalfKernels, newHalves } from '../../../../../pipeline/games/checkers/halves.js';
import { createSlice } from '../../../../../pipeline/games/checkers/slice.js';
import { convert } from './arrivals.js';
import { takeCensus } from './counts.js';
import { type ReadHalf, readable, readsCapture, readsThreat } from './half.js';
import { quietMoves, quietUnmoves } from './quiet.js';
import { newRows } from './rows.js';

/** The slice of a name with plain kernels. */
export function plainSlice(name: string): Slice {
  const slice = createSlice(name);
  const shape = shapeOf(name);
  const names = slice.dependencies.map((dependency) => dependency.slice);
  return { ...slice, ...plainKernels({ ...slice, half: newHalves([shape, mirrored(shape)], names) }) };
}

function plainKernels(frame: Frame): HalfKernels {
  const { width, maxMoves } = frame;
  const halves: [ReadHalf | undefined, ReadHalf | undefined] = [undefined, undefined];
  const half = (side: Side): ReadHalf => (halves[side] ??= readable(frame.half(side)));
  const other = (side: Side): ReadHalf => half((1 - side) as Side);
  const captures = newCaptures();
  const rows = newRows(frame);

  /** Calls `emit` for positions with room for their rows; returns the first position not done. */
  function each(
    { read }: ReadHalf,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    emission: Emission,
    emit: () => void,
  ): number {
    const last = emission.minor.length - maxMoves;
    rows.out = emission;
    let i = from;
    for (; i < to && emission.length <= last; i++) {
      rows.source = i;
      read(part * width + keys[i]);
      emit();
    }
    return i;
  }

  return {
    census(side, part, first, length, census) {
      takeCensus(half(side), part * width + first, first, length, captures, census);
    },

    moves(side, part, keys, from, to, firstMajor, emission) {
      const mover = half(side);
      const there = other(side);
      rows.bias = firstMajor;
      return each(mover, part, keys, from, to, emission, () => {
        if (!readsCapture(mover.place)) quietMoves(mover, there, rows);
      });
    },

    unmoves(side, part, keys, from, to, firstMajor, emission) {
      const reached = half(side);
      const mover = other(side);
      rows.bias = firstMajor;
      return each(reached, part, keys, from, to, emission, () => quietUnmoves(reached, mover, rows));
    },

    conversions(side, part, keys, from, to, conversionBias, emission) {
      const mover = half(side);
      return each(mover, part, keys, from, to, emission, () =>
        convert(mover, captures, conversionBias, rows),
      );
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
