/**
 * The kernels of slices with pawns in WebAssembly (assembly/pawns/). All slices share an instance, since there are many of
 * them: what it has of a slice is written when the kernels turn to it.
 */
import { fillCensus } from '../../census.js';
import type { Census, Emission, KeyEmission, MoveKernel, Side, Slice } from '../../game.js';
import { type Kernel, runKernel } from '../run-kernel.js';
import { filePairs } from './geometry.js';
import type { Space } from './index-space.js';
import type { Changes } from './pawn-changes.js';
import type { MoveKernels } from './plain-kernels.js';
import { shapeOf } from './shape.js';
import { instantiate, type Memory, write } from './wasm-instance.js';

interface Exports extends Memory {
  configurePawns(groups: number, placements: number, pairs: number, taker: number, last: boolean): void;
  pawnCensus(side: number, part: number, first: number, count: number): void;
  pawnMoves(side: number, part: number, count: number, bias: number, room: number, source: number): number;
  pawnUnmoves(
    side: number,
    part: number,
    count: number,
    ofMen: boolean,
    ofKing: boolean,
    bias: number,
    room: number,
  ): number;
  pawnConversions(side: number, part: number, count: number, room: number, source: number): number;
}

/** What the kernels are told of a slice. */
interface Subject {
  readonly space: Space;
  readonly changes: Changes;
}

function newInstance() {
  const instance = instantiate<Exports>();
  const { wasm } = instance;
  write(wasm, 'FILE_PAIR_WHITE', filePairs.white);
  write(wasm, 'FILE_PAIR_BLACK', filePairs.black);
  write(wasm, 'FILE_PAIR_OF', filePairs.pairOf);
  write(wasm, 'FILE_PAIR_SYMMETRY', filePairs.symmetryOf);
  const attacks = new BigUint64Array(wasm.memory.buffer, wasm.PAWN_ATTACKS.value, 128);
  for (let square = 0; square < 64; square++) {
    const files = [(square & 7) - 1, (square & 7) + 1].filter((file) => file >= 0 && file < 8);
    for (const side of [0, 1]) {
      const rank = (square >> 3) + (side === 0 ? 1 : -1);
      if (rank < 0 || rank > 7) continue;
      for (const file of files) attacks[side * 64 + square] |= 1n << BigInt(8 * rank + file);
    }
  }
  const bytes = (address: { readonly value: number }) =>
    new Uint8Array(wasm.memory.buffer, address.value, wasm.MOST_CENSUS.value);
  return {
    ...instance,
    status: bytes(wasm.STATUS),
    allMoves: bytes(wasm.ALL_MOVES),
    leaving: bytes(wasm.LEAVING),
    subject: undefined as Subject | undefined,
  };
}

let shared: ReturnType<typeof newInstance> | undefined;

/** The instance, told of a slice. */
function instanceFor(subject: Subject): ReturnType<typeof newInstance> {
  shared ??= newInstance();
  if (shared.subject !== subject) {
    tellSpace(shared.wasm, subject.space);
    tellChanges(shared.wasm, subject.changes);
    shared.subject = subject;
  }
  return shared;
}

function tellSpace(wasm: Exports, space: Space): void {
  const { groups, groupStride, groupCount, placements, pairsPerPart, name } = space;
  write(
    wasm,
    'GROUP_SLOT',
    groups.map(({ side, kind }) => 8 * side + kind),
  );
  write(wasm, 'GROUP_COUNT', groupCount);
  write(wasm, 'GROUP_STRIDE', groupStride);
  write(
    wasm,
    'GROUP_RANK',
    groups.map(({ rank }) => Math.max(0, rank)),
  );
  const { taker } = shapeOf(name);
  wasm.configurePawns(groups.length, placements, pairsPerPart, taker ?? -1, space.singleBits > 0);
}

function tellChanges(wasm: Exports, { all }: Changes): void {
  const changeOf = new Int32Array(286);
  const rank = new Int32Array(8 * all.length);
  const stride = new Int32Array(8 * all.length);
  const slots = new Int32Array(8 * all.length);
  for (const [number, change] of all.entries()) {
    changeOf[change.place] = number;
    change.target.groups.forEach((group, g) => {
      rank[8 * number + g] = group.rank;
      stride[8 * number + g] = change.target.groupStride[g];
      slots[8 * number + g] = change.slots[g];
    });
  }
  write(wasm, 'CHANGE_OF', changeOf);
  write(wasm, 'TO_RANK', rank);
  write(wasm, 'TO_STRIDE', stride);
  write(wasm, 'TO_SLOTS', slots);
  write(
    wasm,
    'TO_DEPENDENCY',
    all.map(({ dependency }) => dependency),
  );
  write(
    wasm,
    'TO_FLIPPED',
    all.map(({ flipped }) => Number(flipped)),
  );
  write(
    wasm,
    'TO_PAWNS',
    all.map(({ target }) => Number(target.pawnGroups > 0)),
  );
  write(
    wasm,
    'TO_PLACEMENTS',
    all.map(({ target }) => target.placements),
  );
  write(
    wasm,
    'TO_PAIRS',
    all.map(({ target }) => target.pairsPerPart),
  );
  write(
    wasm,
    'TO_GROUPS',
    all.map(({ target }) => target.groups.length),
  );
}

export interface PawnKernels extends MoveKernels {
  readonly census: Slice['census'];
}

export function createPawnKernels(space: Space, changes: Changes, maxMoves: number): PawnKernels {
  const subject = { space, changes };

  function run(
    kernel: (wasm: Exports, ...asked: Parameters<Kernel>) => number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
    columns: Partial<Pick<Emission, 'major' | 'source'>>,
  ): number {
    const instance = instanceFor(subject);
    const { wasm } = instance;
    return runKernel(instance, maxMoves, (...asked) => kernel(wasm, ...asked), keys, from, to, out, columns);
  }

  const unmovesOf =
    (ofMen: boolean, ofKing: boolean): MoveKernel =>
    (side, part, keys, from, to, bias, out) =>
      run(
        (wasm, count, room) => wasm.pawnUnmoves(side, part, count, ofMen, ofKing, bias, room),
        keys,
        from,
        to,
        out,
        { major: out.major },
      );

  return {
    census(side: Side, part: number, first: number, length: number, out: Census): void {
      const { wasm, status, allMoves, leaving } = instanceFor(subject);
      fillCensus(first, length, out, (i) => {
        const at = i % status.length;
        if (at === 0) wasm.pawnCensus(side, part, first + i, Math.min(status.length, length - i));
        return { status: status[at], moves: allMoves[at] - leaving[at], conversions: leaving[at] };
      });
    },
    moves: (side, part, keys, from, to, bias, out) =>
      run(
        (wasm, count, room, source) => wasm.pawnMoves(side, part, count, bias, room, source),
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
          (wasm, count, room) => wasm.pawnUnmoves(side, part, count, true, false, 0, room),
          keys,
          from,
          to,
          out,
          {},
        ),
      unmovesBeyond: unmovesOf(false, true),
    },
    conversions(side, part, keys, from, to, conversionBias, out) {
      const { bias } = instanceFor(subject);
      for (let i = 0; i < conversionBias.length; i++) bias[i] = conversionBias[i];
      return run(
        (wasm, count, room, source) => wasm.pawnConversions(side, part, count, room, source),
        keys,
        from,
        to,
        out,
        out,
      );
    },
  };
}
