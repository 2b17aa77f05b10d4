/**
 * DoQueue (Lake, Schaeffer & Lu 1994, section 3.2): predecessors, found by unmoves, of positions that were resolved. A
 * predecessor of a lost position is won; a predecessor of a won one may be lost, and is asked for all its moves.
 */
import { kindOf, Kind, opponent, sideOf } from '../../events.js';
import type { Side } from '../../game.js';
import { flowOf, judge } from './forward-pass.js';
import type { PositionQueue } from './position-queue.js';
import { Ask, type RoundRules } from './round-rules.js';
import { count, type Tally } from './tally.js';
import type { Work } from './work.js';

const MAJOR = 2 ** 32;

export interface BackwardPass {
  /** Takes the positions keys[0..n) of a part, all of the given flow. */
  resolve(flowNumber: number, part: number, keys: Uint32Array, n: number): void;
  /** Positions resolved so far. */
  readonly resolved: number;
}

/** @param queue where to put resolved positions; those whose ply is not that of the round are left out. */
export function backwardPass(
  work: Work,
  rules: RoundRules,
  ply: number,
  tally: Tally,
  queue: PositionQueue,
): BackwardPass {
  const { slice, codec, values, batches, counters } = work;
  const { rows, moreRows, positions, before, after, otherKeys } = batches;
  const { ask } = rules;
  let resolved = 0;

  function close(side: Side, major: number, key: number, was: number, is: number): void {
    values.set(major, key, is);
    counters.lookups++;
    count(tally, codec, side, was, -1);
    count(tally, codec, side, is, 1);
    resolved++;
    if (codec.bits !== 2 && codec.plyOf[is] !== ply) return;
    queue.push(flowOf(work, side, is), (major - side * slice.parts) * slice.width + key);
  }

  /** Asks the positions (major * 2^32 + key) in order and each once: those of a part go to the kernel together. */
  function askAll(side: Side, n: number): void {
    const sorted = positions.subarray(0, n).sort();
    let at = 0;
    while (at < n) {
      const major = Math.floor(sorted[at] / MAJOR);
      let m = 0;
      let last = -1;
      for (; at < n && sorted[at] < (major + 1) * MAJOR; at++) {
        if (sorted[at] === last) continue;
        last = sorted[at];
        const key = last - major * MAJOR;
        otherKeys[m] = key;
        after[m] = before[m] = values.get(major, key);
        m++;
      }
      counters.lookups += m;
      const part = major - side * slice.parts;
      for (let from = 0; from < m; ) {
        moreRows.length = 0;
        from = slice.moves(side, part, otherKeys, from, m, (1 - side) * slice.parts, moreRows);
        judge(work, rules, moreRows, after);
      }
      for (let i = 0; i < m; i++) if (after[i] !== before[i]) close(side, major, otherKeys[i], before[i], after[i]);
    }
  }

  return {
    resolve(flowNumber, part, keys, n) {
      const side = opponent(sideOf(flowNumber));
      const lost = kindOf(flowNumber) === Kind.loss;
      for (let from = 0; from < n; ) {
        rows.length = 0;
        from = slice.unmoves(sideOf(flowNumber), part, keys, from, n, side * slice.parts, rows);
        const { major, minor, length } = rows;
        counters.unmoves += length;
        counters.lookups += length;
        let asked = 0;
        for (let i = 0; i < length; i++) {
          const code = values.get(major[i], minor[i]);
          const may = ask[code];
          if (lost) {
            if (may & Ask.win) close(side, major[i], minor[i], code, rules.won);
          } else if (may & Ask.loss) positions[asked++] = major[i] * MAJOR + minor[i];
        }
        if (asked > 0) askAll(side, asked);
      }
    },
    get resolved() {
      return resolved;
    },
  };
}
