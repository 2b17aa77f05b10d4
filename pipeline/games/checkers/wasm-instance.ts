/** Instances of the module of the kernels (assembly/), and how they get spaces. */
import { assert } from '../../../operators/core/errors.js';
import { KernelModule, type LinearMemory } from '../../../operators/core/wasm.js';
import type { Half } from './halves.js';
import type { CheckersSpace } from './space.js';
import { type WasmExports, wasmCode } from './wasm-code.js';

/** An instance: kernels, addresses of tables, and how much they hold. */
export type Exports = LinearMemory & WasmExports;

const kernels = new KernelModule<WasmExports>(wasmCode);

export function instantiate(): Exports {
  return kernels.instance();
}

/** Writes a space at an address. @param width of its parts, a power of two; null if there is but one. */
export function describeSpace(
  wasm: Exports,
  at: number,
  to: number,
  space: CheckersSpace,
  width: number | null,
): void {
  const { ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank } = space.shape;
  const shift = width === null || width === space.size ? 32 : Math.log2(width);
  wasm.describe(at, to, ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank, shift);
}

/** Gives the instance where the conversions of a side lead. @param inParts whether addresses there have parts. */
export function describeTargets(wasm: Exports, { arrivals }: Half, inParts: boolean): void {
  const kinds = new Uint32Array(Math.max(-1, ...arrivals.keys()) + 1);
  const known = new Map<number, number>();
  for (const [kind, { to, space, width }] of arrivals) {
    let target = known.get(to);
    if (target === undefined) {
      known.set(to, (target = known.size));
      assert(target < wasm.MOST_TARGETS.value, 'conversions lead to a few hundred spaces');
      const at = wasm.TARGETS.value + target * wasm.TARGET.value;
      if (space === null) wasm.describeEnd(at, to);
      else describeSpace(wasm, at, to, space, inParts ? width : null);
    }
    kinds[kind] = target;
  }
  assert(kinds.length <= wasm.MOST_KINDS.value, 'there are few kinds of conversions');
  new Uint32Array(wasm.memory.buffer, wasm.KINDS.value, kinds.length).set(kinds);
}
