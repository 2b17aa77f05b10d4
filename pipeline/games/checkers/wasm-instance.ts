/** Instances of the module of the kernels (assembly/), and how they get spaces. */
import { assert } from '../../../operators/core/errors.js';
import { type Exported, KernelModule, type LinearMemory } from '../../../operators/core/wasm.js';
import type { Half } from './halves.js';
import type { CheckersSpace } from './space.js';
import { wasmCode } from './wasm-code.js';

/** Addresses of tables, and how much they hold, as every instance exports them. */
type Table = 'KINDS' | 'TARGETS';
type Constant = `MOST_${'BIASES' | 'KINDS' | 'TARGETS'}` | 'TARGET';

export interface Memory extends LinearMemory, Exported<Table | Constant> {
  describe(
    at: number,
    to: number,
    ownKings: number,
    enemyKings: number,
    ownMen: number,
    enemyMen: number,
    ownRank: number,
    enemyRank: number,
    shift: number,
  ): void;
  describeEnd(at: number, to: number): void;
}

const kernels = new KernelModule(wasmCode);

/** An instance whose kernels `Exports` names. */
export function instantiate<Exports extends Memory>(): Exports {
  return kernels.instance<Exports>();
}

/** Writes a space at an address. @param width of its parts, a power of two; null if there is but one. */
export function describeSpace(
  wasm: Memory,
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
export function describeTargets(wasm: Memory, { arrivals }: Half, inParts: boolean): void {
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
