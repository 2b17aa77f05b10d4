/**
 * Rounds by rows (pipeline/game/row-kernels.ts). A request is a set: these positions of a row have an unmove to the part. Sets
 * that stay in a part strike its labels at once. The others are sent, with their halves as payload.
 */
import { type ExpandKernel, expand } from '../../operators/expand.js';
import { sideOf, unmoveFlow } from '../game/events.js';
import type { RowKernels } from '../game/game.js';
import { firstMajor, groupOf, type Parts, partOf } from '../game/majors.js';
import { EXPAND_ROWS } from './convert.js';
import type { RoundMoves } from './round-moves.js';
import { areSets, SET_COLUMNS, setsOf } from './sets.js';

/** @param bytes of all labels that are held at once. */
export function openRowMoves(slice: Parts, kernels: RowKernels, bytes: number): RoundMoves {
  const labels = kernels.open(bytes);

  const unmovesBeyond: ExpandKernel = (batch, from, out) => {
    const [low, high] = out.payload as [Uint32Array, Uint32Array];
    const emission = { length: out.length, major: out.major, minor: out.minor, low, high };
    const range = { from, to: batch.length };
    const origin = groupOf(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajor(slice, unmoveFlow(origin));
    const done = labels.unmovesBeyond(sideOf(origin), part, setsOf(batch), range, bias, emission);
    out.length = emission.length;
    return done;
  };

  return {
    columns: SET_COLUMNS,
    allocate: labels.allocate,
    staysWithin: true,
    requests: (frontier, arrays) =>
      expand(frontier.cursor(), unmovesBeyond, { rows: EXPAND_ROWS, payload: SET_COLUMNS.length, arrays }),
    turnTo: (kind, side, _part, bytes) => labels.label(kind, side, bytes),
    strike(batch) {
      if (areSets(batch)) labels.strikeRows(setsOf(batch), batch.length);
      else labels.strikeKeys(batch.minor, batch.length);
    },
    strikeWithin: (side, part, batch) => labels.strikeWithin(side, part, setsOf(batch), batch.length),
    hasLabelled: labels.hasLabelled,
    async drain(take) {
      let total = 0;
      while (labels.hasLabelled()) {
        const { length, minor, low, high, positions } = labels.drain();
        total += positions;
        await take(length, minor, [low, high]);
      }
      return total;
    },
    commitExcess: async () => [],
    close: labels.close,
  };
}
