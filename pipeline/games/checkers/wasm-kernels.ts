/**
 * The kernels in WebAssembly (see assembly/). All slices share one instance: there are a thousand of them. Of a
 * slice, it has only what it gets when the kernels turn to it. Beyond that it has small tables by the numbers and
 * ranks of men. Keys are copied to its buffers and results from them.
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { assert } from '../../../operators/core/errors.js';
import type { Emission, KeyEmission, Side } from '../../game/game.js';
import { bitBytes } from '../../game/labels.js';
import { type Kernel, runKernel } from '../../game/run-kernel.js';
import type { Frame, Half, HalfKernels } from './halves.js';
import type { WasmGlobal } from './wasm-code.js';
import { describeSpace, describeTargets, type Exports, instantiate } from './wasm-instance.js';

/** The buffers of the instance as arrays. */
function viewBuffers(wasm: Exports) {
  const { buffer } = wasm.memory;
  const bytes = (table: WasmGlobal, length: number) => new Uint8Array(buffer, wasm[table].value, length);
  const words = (table: WasmGlobal, length: number) => new Uint32Array(buffer, wasm[table].value, length);
  const rows = wasm.MOST_ROWS.value;
  const indices = wasm.MOST_INDICES.value;
  return {
    keys: words('KEYS', wasm.MOST_KEYS.value),
    minor: words('MINOR', rows),
    major: words('MAJOR', rows),
    source: words('SOURCE', rows),
    rows: words('ROWS', 1),
    bias: words('BIAS', wasm.MOST_BIASES.value),
    counts: bytes('COUNTS', indices),
    conversions: bytes('CONVERSIONS', indices),
    open: bytes('OPEN', bitBytes(indices)),
    lost: words('LOST', indices),
  };
}

interface Instance {
  readonly wasm: Exports;
  buffers: ReturnType<typeof viewBuffers>;
  /** Whose positions are read, and whose conversions are set. */
  here: Half | undefined;
  converts: Half | undefined;
}

let shared: Instance | undefined;

function instance(): Instance {
  if (shared === undefined) {
    const wasm = instantiate();
    shared = { wasm, buffers: viewBuffers(wasm), here: undefined, converts: undefined };
  }
  return shared;
}

/** The memory may have grown. */
function refresh(made: Instance): void {
  if (made.buffers.rows.length === 0) made.buffers = viewBuffers(made.wasm);
}

/** The instance, turned to a side of a slice. */
function turnTo(frame: Frame, side: Side): Instance {
  const made = instance();
  const half = frame.half(side);
  if (made.here === half) return made;
  const { wasm } = made;
  describeSpace(wasm, wasm.HERE.value, 0, half.space, frame.width);
  describeSpace(wasm, wasm.THERE.value, 0, frame.half((1 - side) as Side).space, frame.width);
  refresh(made);
  made.here = half;
  return made;
}

/** Gives the instance the conversions of the side that it is turned to, and what to add to parts there. */
function writeConversions(made: Instance, half: Half, conversionBias: ArrayLike<number>): void {
  if (made.converts !== half) {
    describeTargets(made.wasm, half, true);
    refresh(made);
    made.converts = half;
  }
  const { bias } = made.buffers;
  assert(conversionBias.length <= bias.length, 'a slice depends on a few hundred others');
  bias.set(conversionBias);
}

function run(
  { wasm, buffers }: Instance,
  maxMoves: number,
  kernel: (wasm: Exports, ...asked: Parameters<Kernel>) => number,
  keys: Uint32Array,
  from: number,
  to: number,
  out: KeyEmission,
  columns: Partial<Pick<Emission, 'major' | 'source'>>,
): number {
  return runKernel(buffers, maxMoves, (...asked) => kernel(wasm, ...asked), keys, from, to, out, columns);
}

export function createWasmKernels(frame: Frame): HalfKernels {
  const { width, maxMoves } = frame;

  return {
    census(side, part, first, length, out) {
      const { wasm, buffers } = turnTo(frame, side);
      out.drawn = out.lost = 0;
      out.legal = length;
      const most = wasm.MOST_INDICES.value;
      for (let from = 0; from < length; from += most) {
        const count = Math.min(most, length - from);
        const lost = wasm.census(part * width + first + from, count, first + from);
        out.counts.set(buffers.counts.subarray(0, count), from);
        out.conversions?.set(buffers.conversions.subarray(0, count), from);
        out.open.set(buffers.open.subarray(0, bitBytes(count)), from >>> 3);
        out.lostKeys.set(buffers.lost.subarray(0, lost), out.lost);
        out.lost += lost;
      }
    },

    moves: (side, part, keys, from, to, bias, out) =>
      run(
        turnTo(frame, side),
        maxMoves,
        (wasm, count, room, source) => wasm.moves(part * width, count, bias, room, source),
        keys,
        from,
        to,
        out,
        out,
      ),

    unmoves: (side, part, keys, from, to, bias, out) =>
      run(
        turnTo(frame, side),
        maxMoves,
        (wasm, count, room) => wasm.unmoves(part * width, count, bias, room),
        keys,
        from,
        to,
        out,
        { major: out.major },
      ),

    conversions(side, part, keys, from, to, conversionBias, out) {
      const made = turnTo(frame, side);
      writeConversions(made, frame.half(side), conversionBias);
      return run(
        made,
        maxMoves,
        (wasm, count, room, source) => wasm.conversions(part * width, count, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    },

    dontCares(side, part, first, length, out) {
      const { wasm, buffers } = turnTo(frame, side);
      const most = wasm.MOST_INDICES.value;
      for (let from = 0; from < length; from += most) {
        const count = Math.min(most, length - from);
        wasm.dontCares(part * width + first + from, count);
        out.set(buffers.counts.subarray(0, count), from);
      }
    },
  };
}
