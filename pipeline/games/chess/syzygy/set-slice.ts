/** Sets the kernels to the slice of a view, whose positions are to be placed. */
import { assert } from '../../../../operators/core/errors.js';
import type { View } from '../../../game/views.js';
import { type Space, spaceOf } from '../index-space.js';
import { type Kernels, writeWords } from './kernels.js';
import { BLACK, type Material, manCode } from './material.js';

/** A square XOR this is its image when the colours are exchanged. */
const FLIP = 56;

export function placeSlice(kernels: Kernels, material: Material, { slice, flipped }: View): Space {
  const space = spaceOf(slice);
  const rotation = flipped ? FLIP : 0;
  const [white, black] = flipped
    ? [space.pairs.black, space.pairs.white]
    : [space.pairs.white, space.pairs.black];
  const turned = (squares: Uint8Array) => Int32Array.from(squares, (square) => square ^ rotation);
  writeWords(kernels, 'SLICE_WHITE', turned(white));
  writeWords(kernels, 'SLICE_BLACK', turned(black));
  writeWords(kernels, 'SLICE_COUNT', space.groupCount);
  writeWords(kernels, 'SLICE_STRIDE', space.groupStride);
  writeWords(
    kernels,
    'SLICE_LOWEST',
    space.groups.map(({ rank }) => Math.max(0, rank)),
  );
  writeWords(kernels, 'SLICE_MAN', menOf(material, space, flipped));
  kernels.wasm.setSlice(space.groups.length, space.placements, rotation, space.singleBits > 0);
  return space;
}

/** By man of the space, its number in the material. */
function menOf({ men }: Material, space: Space, flipped: boolean): number[] {
  const free = men.map((code, man) => ({ code, man })).slice(2);
  return Array.from({ length: space.men }, (_, man) => {
    const code = manCode(space.kindOf[man]) + (space.sideOf[man] === (flipped ? 0 : 1) ? BLACK : 0);
    const found = free.findIndex((slot) => slot.code === code);
    assert(found >= 0, `${space.name} has the men of the file`);
    return free.splice(found, 1)[0].man;
  });
}
