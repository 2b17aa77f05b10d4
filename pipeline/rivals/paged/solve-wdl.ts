import { flow } from '../../game/events.js';
import type { Side } from '../../game/game.js';
import { backwardPass } from './backward-pass.js';
import { forwardPass } from './forward-pass.js';
import { PositionQueue } from './position-queue.js';
import { newRules, type RoundRules } from './round-rules.js';
import type { Session } from './session.js';
import { count, newTally, type PlyTally } from './tally.js';

/** A pass is small when it resolves less than this part of the open positions: then queues are cheaper than passes. */
const SMALL = 1 / 8;

/**
 * Wins, draws and losses in the order of the paper (Figure 4, steps 8 to 12). There are forward passes over one side
 * and the other in turn. When one resolves few positions, the next, over the other side, puts the positions it
 * resolves in the queue. Then the queue is worked off. Values are used as soon as they are set.
 *
 * Why nothing is missed: after a whole pass over side a, a is up to date with side b. If the next pass, over b, queues all
 * positions that it resolves, the queue holds all that a does not know of b. So a pass may only fill the queue if the whole
 * pass over the other side came just before it. The checkpoint before every pass ensures that after an interruption.
 */
export async function solveWdl(
  session: Session,
  round: (ply: number, resolved: number) => void,
): Promise<void> {
  const { state, work, setting } = session;
  const { counters } = work;
  const tally = takeTally(session);
  const rules = newRules(work.codec);
  const queue = new PositionQueue(setting.folder, counters);
  try {
    if (state.queued) Object.assign(state, { queued: false, side: 1 - state.side, page: 0 });
    for (;;) {
      await session.checkpoint();
      const open = tally.open[state.side];
      const pass = forwardPass(work, rules, tally, state.queued ? queue : null);
      await session.sweep(pass.visit, false);
      counters.forwardPasses++;
      round(++state.ply, pass.resolved());
      if (state.queued) break;
      state.queued = pass.resolved() <= open * SMALL;
      state.side = (1 - state.side) as Side;
    }
    await workOff(session, rules, tally, queue, round);
  } finally {
    queue.close();
  }
}

async function workOff(
  session: Session,
  rules: RoundRules,
  tally: PlyTally,
  queue: PositionQueue,
  round: (ply: number, resolved: number) => void,
): Promise<void> {
  const { work, state } = session;
  const { width } = work.slice;
  while (queue.written > 0) {
    queue.turn();
    const pass = backwardPass(work, rules, 0, tally, queue);
    for (const kind of [1, 0] as const) {
      for (const side of [0, 1] as const) {
        takeQueue(queue, flow(kind, side), width, pass.resolve);
        pass.end();
      }
    }
    work.counters.queueRounds++;
    round(++state.ply, pass.resolved);
    if (session.due) await session.checkpoint();
  }
}

/** Gives the queued positions of a flow to `take`, part by part; within a page of the queue they are put in order. */
export function takeQueue(
  queue: PositionQueue,
  flowNumber: number,
  width: number,
  take: (flowNumber: number, part: number, keys: Uint32Array, n: number) => void,
): void {
  const length = queue.length(flowNumber);
  for (let from = 0; from < length; ) {
    const positions = queue.read(flowNumber, from).sort();
    from += positions.length;
    for (let i = 0; i < positions.length; ) {
      const part = Math.floor(positions[i] / width);
      const start = i;
      for (; i < positions.length && positions[i] < (part + 1) * width; i++) positions[i] -= part * width;
      take(flowNumber, part, positions.subarray(start, i), i - start);
    }
  }
}

/** Counts all codes: open positions, and positions by ply. */
export function takeTally(session: Session): PlyTally {
  const { codec, values } = session.work;
  const tally = newTally();
  for (const side of [0, 1] as const) {
    const histogram = new Float64Array(codec.codes);
    session.scan(side, (_side, _part, _first, length, place) => {
      for (let i = 0; i < length; i++) histogram[values.pinnedAt(place + i)]++;
    });
    for (let code = 0; code < codec.codes; code++) {
      if (histogram[code] > 0) count(tally, codec, side, code, histogram[code]);
    }
  }
  return tally;
}
