/**
 * DoQueue (Lake, Schaeffer & Lu 1994, section 3.2): predecessors, found by unmoves, of positions that were resolved. A
 * predecessor of a lost position is won; a predecessor of a won one may be lost, and is asked for all its moves.
 */

import { Kind, kindOf, opponent, sideOf } from '../../game/events.js';
import type { Side } from '../../game/game.js';
import { firstMajor, firstMajorBehind, partOf } from '../../game/majors.js';
import { flowOf, judge } from './forward-pass.js';
import type { PositionQueue } from './position-queue.js';
import { Ask, type RoundRules } from './round-rules.js';
import { count, type PlyTally } from './tally.js';
import { BATCH_ROWS, type PassWork } from './work.js';

const MAJOR = 2 ** 32;

export interface BackwardPass {
  /** Takes the positions keys[0..n) of a part, all of the given flow. */
  resolve(flowNumber: number, part: number, keys: Uint32Array, n: number): void;
  /** Asks the remaining positions; to be called after the last position of a flow. */
  end(): void;
  /** Positions resolved so far. */
  readonly resolved: number;
}

/** @param queue where to put resolved positions; those whose ply is not that of the round are left out. */
export function backwardPass(
  work: PassWork,
  rules: RoundRules,
  ply: number,
  tally: PlyTally,
  queue: PositionQueue,
): BackwardPass {
  const { slice, codec, values, batches, counters } = work;
  const { rows, moreRows, positions, before, after, otherKeys } = batches;
  const { ask } = rules;
  let resolved = 0;
  /** Positions of `asking` that wait in `positions` to be asked. */
  let waiting = 0;
  let asking: Side = 0;

  function close(side: Side, major: number, key: number, was: number, is: number): void {
    values.set(major, key, is);
    counters.lookups++;
    count(tally, codec, side, was, -1);
    count(tally, codec, side, is, 1);
    resolved++;
    if (codec.bits !== 2 && codec.plyOf[is] !== ply) return;
    queue.push(flowOf(work, side, is), (major - firstMajor(slice, side)) * slice.width + key);
  }

  /**
   * Asks the positions that wait (major * 2^32 + key) in order and each once, however many of its moves brought it here.
   * Those of a part go to the kernel together. In order they are also kinder to the page buffers. Whether they
   * are won need not be asked: that comes from the lost positions that are taken.
   */
  function askAll(): void {
    const sorted = positions.subarray(0, waiting).sort();
    const n = waiting;
    waiting = 0;
    const side = asking;
    let at = 0;
    let last = -1;
    while (at < n) {
      const major = Math.floor(sorted[at] / MAJOR);
      let m = 0;
      for (; at < n && m < BATCH_ROWS && sorted[at] < (major + 1) * MAJOR; at++) {
        if (sorted[at] === last) continue;
        last = sorted[at];
        const key = last - major * MAJOR;
        otherKeys[m] = key;
        after[m] = before[m] = values.get(major, key);
        m++;
      }
      counters.lookups += m;
      const part = partOf(slice, major);
      for (let from = 0; from < m; ) {
        moreRows.length = 0;
        from = slice.moves(side, part, otherKeys, from, m, firstMajorBehind(slice, side), moreRows);
        judge(work, rules, Ask.loss, moreRows, after);
      }
      for (let i = 0; i < m; i++)
        if (after[i] !== before[i]) close(side, major, otherKeys[i], before[i], after[i]);
    }
  }

  return {
    resolve(flowNumber, part, keys, n) {
      const side = opponent(sideOf(flowNumber));
      const lost = kindOf(flowNumber) === Kind.loss;
      for (let from = 0; from < n; ) {
        rows.length = 0;
        from = slice.unmoves!(sideOf(flowNumber), part, keys, from, n, firstMajor(slice, side), rows);
        const { major, minor, length } = rows;
        counters.unmoves += length;
        counters.lookups += length;
        if (waiting + length > positions.length) askAll();
        asking = side;
        for (let i = 0; i < length; i++) {
          const code = values.get(major[i], minor[i]);
          const may = ask[code];
          if (lost) {
            if (may & Ask.win) close(side, major[i], minor[i], code, rules.won);
          } else if (may & Ask.loss) positions[waiting++] = major[i] * MAJOR + minor[i];
        }
      }
    },
    end: askAll,
    get resolved() {
      return resolved;
    },
  };
}
