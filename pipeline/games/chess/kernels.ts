/**
 * The kernels of a slice but those that take and give rows: census and moves. They share one instance of the WebAssembly a thread, which is
 * configured for the slice that asks. Keys that follow each other in a row are moved together, by the kernels of rows.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { fillCensus } from '../../game/fill-census.js';
import {
  type Emission,
  type KeyEmission,
  type MoveKernel,
  type Side,
  type Slice,
  Status,
} from '../../game/game.js';
import { bitBytes } from '../../game/labels.js';
import { runKernel } from '../../game/run-kernel.js';
import type { Changes } from './changes.js';
import { LINE, PAIR_OF } from './geometry.js';
import type { Space } from './index-space.js';
import { type Instance, instantiate, tellChanges, tellSpace } from './wasm-instance.js';
import { unconversionsOf } from './wasm-row-conversions.js';

/** The kernels that every slice has. */
type LoneKernels = Pick<Slice, 'census' | 'moves' | 'conversions'> & Required<Pick<Slice, 'unmoves'>>;

/** The kernels of a slice with rows that are made here. */
export type KeyKernels = LoneKernels & Required<Pick<Slice, 'local' | 'unconversions' | 'rowConversions'>>;

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
    tellSpace(shared.wasm, subject.space);
    tellChanges(shared.wasm, subject.changes.all);
    shared.subject = subject;
  }
  return shared;
}

/** The kernels of a slice that has rows, but those that take and give rows. */
export function createKernels(space: Space, changes: Changes, maxMoves: number): KeyKernels {
  const subject = { space, changes };
  const instance = () => instanceFor(subject);
  return {
    census: censusBy(instance),
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

/** The move kernels of the contract, by those of the instance that `instance` returns. */
function moveKernels(
  instance: () => Instance,
  maxMoves: number,
): Pick<KeyKernels, 'moves' | 'unmoves' | 'local' | 'conversions'> {
  const movesOf =
    (leaving: boolean): MoveKernel =>
    (side, part, keys, from, to, bias, out) => {
      const buffers = instance();
      return runKernel(
        buffers,
        maxMoves,
        (count, room, source) => buffers.wasm.moves(side, part, count, bias, leaving, maxMoves, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    };

  const unmovesOf =
    (ofMen: boolean, ofKing: boolean) =>
    (
      side: Side,
      part: number,
      keys: Uint32Array,
      from: number,
      to: number,
      bias: number,
      out: KeyEmission,
      columns: Partial<Pick<Emission, 'major'>>,
    ) => {
      const buffers = instance();
      return runKernel(
        buffers,
        maxMoves,
        (count, room) => buffers.wasm.unmoves(side, part, count, ofMen, ofKing, bias, maxMoves, room),
        keys,
        from,
        to,
        out,
        columns,
      );
    };
  const [all, ofMen, ofKing] = [unmovesOf(true, true), unmovesOf(true, false), unmovesOf(false, true)];
  const leaving = movesOf(true);

  return {
    moves: movesOf(false),
    unmoves: (side, part, keys, from, to, bias, out) =>
      all(side, part, keys, from, to, bias, out, { major: out.major }),
    local: {
      unmovesWithin: (side, part, keys, from, to, out) => ofMen(side, part, keys, from, to, 0, out, {}),
      unmovesBeyond: (side, part, keys, from, to, bias, out) =>
        ofKing(side, part, keys, from, to, bias, out, { major: out.major }),
    },
    conversions(side, part, keys, from, to, conversionBias, out) {
      const { bias } = instance();
      for (let i = 0; i < conversionBias.length; i++) bias[i] = conversionBias[i];
      return leaving(side, part, keys, from, to, 0, out);
    },
  };
}

/** The kernels of two lone kings, which have no rows: every position has moves, and is drawn. */
export function kernelsOfKings({ pairs, pairsPerPart }: Space, maxMoves: number): LoneKernels {
  const { white, black } = pairs;
  /** By side to move and number of the pair: where the moves lead, and where they come from. */
  const moves: number[][][] = [[], []];
  const unmoves: number[][][] = [white, white].map((all) => Array.from(all, () => []));
  for (const side of [0, 1] as const) {
    for (const [pair, whiteKing] of white.entries()) {
      const [own, other] = side === 0 ? [whiteKing, black![pair]] : [black![pair], whiteKing];
      const to = Array.from({ length: 64 }, (_, square) => square)
        .filter((square) => isStep(own, square) && !isStep(other, square))
        .map((square) => PAIR_OF[side === 0 ? (square << 6) | other : (other << 6) | square]);
      moves[side].push(to);
      for (const after of to) unmoves[1 - side][after].push(pair);
    }
  }
  const kernelOf =
    (lists: number[][][], writesSource: boolean): MoveKernel =>
    (side, part, keys, from, to, bias, out) => {
      let next = from;
      for (; next < to && out.length + maxMoves <= out.minor.length; next++) {
        for (const pair of lists[side][part * pairsPerPart + keys[next]]) {
          const there = Math.floor(pair / pairsPerPart);
          out.major[out.length] = bias + there;
          out.minor[out.length] = pair - there * pairsPerPart;
          if (writesSource) out.source[out.length] = next;
          out.length++;
        }
      }
      return next;
    };
  return {
    census(side, part, first, length, out) {
      fillCensus(first, length, out, (i) => ({
        status: Status.open,
        moves: moves[side][part * pairsPerPart + first + i].length,
        conversions: 0,
      }));
    },
    moves: kernelOf(moves, true),
    unmoves: kernelOf(unmoves, false),
    conversions: (_side, _part, _keys, _from, to) => to,
  };
}

const isStep = (from: number, to: number) => (LINE[(from << 6) | to] & 8) !== 0;
