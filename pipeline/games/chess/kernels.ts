/**
 * The kernels of a slice in WebAssembly but those of its rows: census and moves. They share one instance a thread, which is configured for
 * the slice that asks.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { fillCensus } from '../../game/fill-census.js';
import {
  type Emission,
  type KeyEmission,
  type MoveKernel,
  type PartKernels,
  type Slice,
  Status,
} from '../../game/game.js';
import { bitBytes } from '../../game/labels.js';
import { type Kernel, runKernel } from '../../game/run-kernel.js';
import type { Changes } from './changes.js';
import { LINE } from './geometry.js';
import type { Space } from './index-space.js';
import { type Instance, instantiate, type Kernels, writeSlice } from './wasm-instance.js';
import { unconversionsOf } from './wasm-row-conversions.js';

/** The kernels that are made here. */
export interface KeyKernels extends Required<Pick<Slice, 'unconversions' | 'rowConversions'>> {
  readonly census: Slice['census'];
  readonly moves: MoveKernel;
  readonly unmoves: MoveKernel;
  readonly local: PartKernels;
  readonly conversions: Slice['conversions'];
}

/** Facts about a slice that the kernels need. */
interface Subject {
  readonly space: Space;
  readonly changes: Changes;
}

function newShared() {
  const instance = instantiate();
  const { wasm } = instance;
  const { buffer } = wasm.memory;
  const most = wasm.MOST_INDICES.value;
  const census = {
    counts: new Uint8Array(buffer, wasm.ALL_COUNTS.value, most),
    captures: new Uint8Array(buffer, wasm.ALL_CAPTURES.value, most),
    open: new Uint8Array(buffer, wasm.OPEN.value, bitBytes(most)),
    found: new Uint32Array(buffer, wasm.FOUND.value, 3),
  };
  return { ...instance, census, subject: undefined as Subject | undefined };
}

let shared: ReturnType<typeof newShared> | undefined;

/** The instance, configured for a slice. */
function instanceFor(subject: Subject): ReturnType<typeof newShared> {
  shared ??= newShared();
  if (shared.subject !== subject) {
    writeSlice(shared.wasm, subject.space, subject.changes.all);
    shared.subject = subject;
  }
  return shared;
}

/** The kernels of a slice but those of its rows. */
export function createKernels(space: Space, changes: Changes, maxMoves: number): KeyKernels {
  const subject = { space, changes };
  const instance = () => instanceFor(subject);
  return {
    census: space.hasRows ? censusBy(instance) : censusOfKings(space),
    ...moveKernels(instance, maxMoves),
    ...unconversionsOf(instance, maxMoves, changes.all),
  };
}

function censusBy(instance: () => ReturnType<typeof newShared>): Slice['census'] {
  return (side, part, first, length, out) => {
    const { wasm, minor, census } = instance();
    const { counts, captures, open, found } = census;
    out.lost = out.legal = out.drawn = 0;
    for (let from = 0; from < length; from += counts.length) {
      const count = Math.min(counts.length, length - from);
      wasm.census(side, part, first + from, count, out.conversions !== null);
      out.counts.set(counts.subarray(0, count), from);
      out.conversions?.set(captures.subarray(0, count), from);
      out.open.set(open.subarray(0, bitBytes(count)), from >>> 3);
      const [lost, legal, drawn] = found;
      out.lostKeys.set(minor.subarray(0, lost), out.lost);
      out.lost += lost;
      out.legal += legal;
      out.drawn += drawn;
    }
  };
}

/** Two lone kings: every position has moves, and is drawn. */
function censusOfKings({ pairs: { white, black } }: Space): Slice['census'] {
  return (side, _part, first, length, out) => {
    fillCensus(first, length, out, (i) => {
      const kings = [white[first + i], black![first + i]];
      const [own, other] = side === 0 ? kings : kings.reverse();
      let moves = 0;
      for (let to = 0; to < 64; to++) if (isStep(own, to) && !isStep(other, to)) moves++;
      return { status: Status.open, moves, conversions: 0 };
    });
  };
}

const isStep = (from: number, to: number) => (LINE[(from << 6) | to] & 8) !== 0;

/** The move kernels of the contract, by those of the instance that `instance` returns. */
function moveKernels(
  instance: () => Instance,
  maxMoves: number,
): Pick<KeyKernels, 'moves' | 'unmoves' | 'local' | 'conversions'> {
  function run(
    kernel: (kernels: Kernels, ...asked: Parameters<Kernel>) => number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
    columns: Partial<Pick<Emission, 'major' | 'source'>>,
  ): number {
    const buffers = instance();
    const kernels = buffers.wasm;
    return runKernel(
      buffers,
      maxMoves,
      (...asked) => kernel(kernels, ...asked),
      keys,
      from,
      to,
      out,
      columns,
    );
  }

  const unmovesOf =
    (ofMen: boolean, ofKing: boolean): NonNullable<Slice['unmoves']> =>
    (side, part, keys, from, to, bias, out) =>
      run(
        (kernels, count, room) => kernels.unmoves(side, part, count, ofMen, ofKing, bias, room),
        keys,
        from,
        to,
        out,
        { major: out.major },
      );

  return {
    moves: (side, part, keys, from, to, bias, out) =>
      run(
        (kernels, count, room, source) => kernels.moves(side, part, count, bias, room, source),
        keys,
        from,
        to,
        out,
        out,
      ),
    unmoves: unmovesOf(true, true),
    local: {
      unmovesWithin: (side, part, keys, from, to, out) =>
        run(
          (kernels, count, room) => kernels.unmoves(side, part, count, true, false, 0, room),
          keys,
          from,
          to,
          out,
          {},
        ),
      unmovesBeyond: unmovesOf(false, true),
    },
    conversions(side, part, keys, from, to, conversionBias, out) {
      const { bias } = instance();
      for (let i = 0; i < conversionBias.length; i++) bias[i] = conversionBias[i];
      return run(
        (kernels, count, room, source) => kernels.conversions(side, part, count, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    },
  };
}
