import { assert } from '../../../operators/core/errors.js';
import type { Slice } from '../../game/game.js';
import { MOST_CAPTURES } from './captures.js';
import { mirrored, shapeOf } from './classes.js';
import { dependenciesOf } from './conversions.js';
import { newHalves, partWidth } from './halves.js';
import { kingOrders } from './king-orders.js';
import { spaceOf } from './space.js';
import { createWasmKernels } from './wasm-kernels.js';
import { createResidentKernels } from './wasm-resident.js';

/** The slice of a name: side 0 is Black to move, side 1 White, each as its mover sees it. */
export function createSlice(name: string): Slice {
  const shape = shapeOf(name);
  const shapes = [shape, mirrored(shape)] as const;
  const names = dependenciesOf(shapes);
  const [size, otherSize] = shapes.map((seen) => spaceOf(seen).size);
  assert(size === otherSize, 'a slice has as many positions with either side to move');
  const width = partWidth(size);
  const maxMoves = Math.max(
    MOST_CAPTURES,
    ...shapes.map(({ ownKings, ownMen }) => 4 * ownKings + 2 * ownMen),
  );
  const frame = { name, width, maxMoves, half: newHalves(shapes, names) };
  return {
    name,
    parts: Math.ceil(size / width),
    width,
    size,
    dependencies: names.map((slice) => {
      const there = spaceOf(shapeOf(slice)).size;
      return { slice, parts: Math.ceil(there / partWidth(there)), restarts: ['dtc'] };
    }),
    maxMoves,
    partSize: (part) => Math.min(width, size - part * width),
    ...createWasmKernels(frame),
    resident: createResidentKernels(frame, size),
    periods: (side) => {
      const { enemyKings, kings } = spaceOf(shapes[side]);
      return [...new Set([enemyKings, kings])].filter((period) => period > 1 && period < size);
    },
    orders: (side) => kingOrders(spaceOf(shapes[side])),
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}
