/**
 * DoNoIo (Lake, Schaeffer & Lu 1994, section 3.3). It looks at the successors of open positions, in the slice alone,
 * to see whether there is enough information to resolve them. The codes hold the results of conversions already.
 */

import { flow, Kind } from '../../game/events.js';
import type { Emission, Side } from '../../game/game.js';
import { firstMajorBehind } from '../../game/majors.js';
import { CodeKind } from './codes.js';
import type { Visit } from './conversion-passes.js';
import type { PositionQueue } from './position-queue.js';
import { Ask, Known, type RoundRules } from './round-rules.js';
import { count, type PlyTally } from './tally.js';
import type { PassWork } from './work.js';

/**
 * Decides askers from the rows of their moves and updates `codes`, by number of the asker. `wanted` (of Ask) says
 * which results are sought. Rows of one asker follow each other. As in the paper the first winning move ends the
 * search. When only losses are sought, so does the first move that does not lose.
 */
export function judge(
  work: PassWork,
  rules: RoundRules,
  wanted: number,
  rows: Emission,
  codes: Uint16Array,
): void {
  const { values, counters } = work;
  const { ask, known, lost, won } = rules;
  const { major, minor, source, length } = rows;
  let looked = 0;
  for (let i = 0; i < length; ) {
    const asker = source[i];
    const code = codes[asker];
    const may = ask[code] & wanted;
    let losing = (may & Ask.loss) !== 0;
    do {
      const said = known[values.get(major[i], minor[i])];
      i++;
      looked++;
      if (said === Known.won) continue;
      losing = false;
      if (said === Known.lost) {
        if (may & Ask.win) codes[asker] = won;
        break;
      }
      if ((may & Ask.win) === 0) break;
    } while (i < length && source[i] === asker);
    if (losing) codes[asker] = lost[code];
    while (i < length && source[i] === asker) i++;
  }
  counters.moves += length;
  counters.lookups += looked;
}

/**
 * DoNoIo under the rules of a round. Resolved positions are counted in `tally` and, if there is a queue, put in it.
 */
export function forwardPass(
  work: PassWork,
  rules: RoundRules,
  tally: PlyTally,
  queue: PositionQueue | null,
): { visit: Visit; resolved: () => number } {
  const { slice, codec, values, batches } = work;
  const { keys, rows, before, after } = batches;
  const { ask } = rules;
  let resolved = 0;
  const visit: Visit = (side, part, first, length, place) => {
    let n = 0;
    for (let i = 0; i < length; i++) {
      const code = values.pinnedAt(place + i);
      if (ask[code] === Ask.nothing) continue;
      before[n] = code;
      after[n] = code;
      keys[n++] = first + i;
    }
    for (let from = 0; from < n; ) {
      rows.length = 0;
      from = slice.moves(side, part, keys, from, n, firstMajorBehind(slice, side), rows);
      judge(work, rules, Ask.win | Ask.loss, rows, after);
    }
    for (let i = 0; i < n; i++) {
      if (after[i] === before[i]) continue;
      values.setPinned(place + keys[i] - first, after[i]);
      count(tally, codec, side, before[i], -1);
      count(tally, codec, side, after[i], 1);
      queue?.push(flowOf(work, side, after[i]), part * slice.width + keys[i]);
      resolved++;
    }
  };
  return { visit, resolved: () => resolved };
}

/** The flow of a position that is won or lost. */
export function flowOf(work: PassWork, side: Side, code: number): number {
  return flow(work.codec.kindOf[code] === CodeKind.win ? Kind.win : Kind.loss, side);
}
