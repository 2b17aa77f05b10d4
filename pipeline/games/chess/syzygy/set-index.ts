/** Sets one of the indices of the kernels to an arrangement. */
import { writeWords } from '../../../../operators/core/wasm.js';
import { REFLECTION, SYMMETRY } from '../geometry.js';
import { type Arrangement, LEFT_TO_RIGHT, shapeOfIndex } from './arrangement.js';
import { bytesAt, type Kernels } from './kernels.js';
import type { Material } from './material.js';

/** As in assembly/tables.ts, in words. */
const WORDS = 256;
const AT = { start: 4, count: 12, lowest: 20, order: 28, weights: 36, files: 48 } as const;
const FILE = { words: 32, sizes: 16, first: 24 } as const;

/** The index of this number, 0 to 3. Returns the sizes of the subtables, by file of the leading pawn. */
export function setIndex(
  kernels: Kernels,
  which: number,
  material: Material,
  arrangement: Arrangement,
): number[] {
  const pawns = material.leadingPawns.length > 0;
  const words = new Int32Array(WORDS);
  const { groups, weights } = arrangement;
  words.set([groups.length, groups[0].length, pawns ? 1 : 0]);
  const files = (pawns ? [0, 1, 2, 3] : [0]).map((file) => shapeOfIndex(material, arrangement, file));
  const { starts, counts, lowest } = files[0];
  words.set(starts, AT.start);
  words.set(counts, AT.count);
  words.set(lowest, AT.lowest);
  words.set(groups.flat(), AT.order);
  words.set(weights, AT.weights);
  for (const [file, { sizes, strides, leading }] of files.entries()) {
    const at = AT.files + file * FILE.words;
    for (const [group, stride] of strides.entries()) {
      words.set([(stride % 2 ** 32) | 0, Math.floor(stride / 2 ** 32)], at + 2 * group);
    }
    words.set(sizes, at + FILE.sizes);
    words.set(leading?.first ?? [], at + FILE.first);
  }
  writeWords(kernels.wasm, 'INDICES', words, which * WORDS);
  const mirror = (pawns ? LEFT_TO_RIGHT : REFLECTION) * 64;
  bytesAt(kernels, kernels.wasm.MIRROR.value, 64).set(SYMMETRY.subarray(mirror, mirror + 64));
  return files.map(({ size }) => size);
}
