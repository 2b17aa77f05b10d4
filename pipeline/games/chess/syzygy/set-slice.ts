/** Sets the kernels to the slice of a view, whose positions are to be placed. */

import { assert } from '../../../../operators/core/errors.js';
import { writeWords } from '../../../../operators/core/wasm.js';
import type { View } from '../../../game/views.js';
import { type Digit, type Space, spaceOf } from '../index-space.js';
import type { Kernels } from './kernels.js';
import { BLACK, type Material, manCode } from './material.js';

/** A square XOR this is its image when the colours are exchanged. */
const FLIP = 56;

export function placeSlice(kernels: Kernels, material: Material, { slice, flipped }: View): Space {
  const space = spaceOf(slice);
  const rotation = flipped ? FLIP : 0;
  // A king whose square is a digit is placed with the men.
  const { white: first, black: second } = space.pairs;
  const [white, black] = flipped ? [second ?? first, first] : [first, second ?? first];
  const turned = (squares: Uint8Array) => Int32Array.from(squares, (square) => square ^ rotation);
  writeWords(kernels.wasm, 'SLICE_WHITE', turned(white));
  writeWords(kernels.wasm, 'SLICE_BLACK', turned(black));
  const words = (of: (digit: Digit) => number) => Int32Array.from(space.digits, of);
  writeWords(
    kernels.wasm,
    'SLICE_COUNT',
    words(({ count }) => count),
  );
  writeWords(
    kernels.wasm,
    'SLICE_STRIDE',
    words(({ stride }) => stride),
  );
  writeWords(
    kernels.wasm,
    'SLICE_LOWEST',
    words(({ base }) => base),
  );
  writeWords(kernels.wasm, 'SLICE_MAN', menOf(material, space, flipped));
  assert(space.hasRows, 'every ending with files has rows');
  kernels.wasm.setSlice(space.digits.length, space.placements, rotation);
  return space;
}

/** By man of the space, its number in the material; the black king's follows. */
function menOf({ men }: Material, space: Space, flipped: boolean): number[] {
  const free = men.map((code, man) => ({ code, man })).slice(2);
  const found = Array.from({ length: space.men }, (_, man) => {
    const code = manCode(space.kindOf[man]) + (space.sideOf[man] === (flipped ? 0 : 1) ? BLACK : 0);
    const found = free.findIndex((slot) => slot.code === code);
    assert(found >= 0, `${space.name} has the men of the file`);
    return free.splice(found, 1)[0].man;
  });
  return [...found, flipped ? 0 : 1];
}
