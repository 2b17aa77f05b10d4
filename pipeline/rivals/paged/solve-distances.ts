import { flow, Kind, kindOf, opponent, sideOf } from '../../game/events.js';
import type { Side } from '../../game/game.js';
import { backwardPass } from './backward-pass.js';
import { forwardPass } from './forward-pass.js';
import { PositionQueue } from './position-queue.js';
import { Ask, newRules, setRound } from './round-rules.js';
import type { Session } from './session.js';
import { takeQueue, takeTally } from './solve-wdl.js';
import { atPly, longestPly, type PlyTally } from './tally.js';

/** Resolving one position backward costs about as much as asking this many open ones forward. */
const BACKWARD_COST = 4;

/**
 * Distances by rounds of plies. Round n resolves the positions that are won or lost in n plies, for each side forward
 * or backward. Forward is a pass over its open positions; backward starts from the other side's positions resolved at
 * n - 1. The way that looks at fewer positions is taken. In the paper "the best choice depends on the ratio of
 * unresolved positions to resolved positions in an iteration" (Lake, Schaeffer & Lu 1994, section 3). Codes carry
 * plies, so a scan can find the positions of ply n - 1, too. It does so where the queue does not hold all of them:
 * after a forward pass, after an interruption, and where conversions are due.
 */
export async function solveDistances(
  session: Session,
  round: (ply: number, resolved: number) => void,
): Promise<void> {
  const { state, setting } = session;
  const tally = takeTally(session);
  const queue = new PositionQueue(setting.folder, session.work.counters);
  try {
    let rules = newRules(session.work.codec);
    // DoWinningMoves was round 1, but for losses by conversions, which were set when they were looked up.
    for (state.ply = Math.max(2, state.ply); longestPly(tally) >= state.ply - 1; state.ply++) {
      if (state.ply > session.work.codec.maxPly) {
        await session.widen();
        rules = newRules(session.work.codec);
      }
      const { work } = session;
      let resolved = 0;
      for (const side of [0, 1] as const) {
        if (side < state.side) continue;
        if (side > state.side) Object.assign(state, { side, page: 0 });
        const wanted = wantedOf(tally, side, state.ply);
        if (wanted === Ask.nothing) continue;
        const before = resolvedAt(tally, side, state.ply);
        setRound(rules, work.codec, state.ply, wanted);
        if (resolvedAt(tally, opponent(side), state.ply - 1) * BACKWARD_COST > tally.open[side]) {
          await session.sweep(forwardPass(work, rules, tally, null).visit, false);
          work.counters.forwardPasses++;
        } else {
          state.page = 0;
          const pass = backwardPass(work, rules, state.ply, tally, queue);
          for (const kind of [Kind.loss, Kind.win] as const) {
            resolveFlow(session, tally, queue, flow(kind, opponent(side)), pass.resolve);
            pass.end();
          }
          work.counters.queueRounds++;
        }
        resolved += resolvedAt(tally, side, state.ply) - before;
      }
      queue.turn();
      round(state.ply, resolved);
      Object.assign(state, { side: 0, page: 0 });
      if (session.due) {
        state.ply++;
        await session.checkpoint();
        state.ply--;
      }
    }
  } finally {
    queue.close();
  }
}

function wantedOf(tally: PlyTally, side: Side, ply: number): number {
  const lost = atPly(tally, flow(Kind.loss, opponent(side)), ply - 1);
  const won = atPly(tally, flow(Kind.win, opponent(side)), ply - 1);
  return (lost > 0 ? Ask.win : 0) | (won > 0 ? Ask.loss : 0);
}

function resolvedAt(tally: PlyTally, side: Side, ply: number): number {
  return atPly(tally, flow(Kind.win, side), ply) + atPly(tally, flow(Kind.loss, side), ply);
}

/** Gives the positions of a flow that were resolved in the round before to `take`, from the queue or from a scan. */
function resolveFlow(
  session: Session,
  tally: PlyTally,
  queue: PositionQueue,
  flowNumber: number,
  take: (flowNumber: number, part: number, keys: Uint32Array, n: number) => void,
): void {
  const { work, state } = session;
  const wanted = atPly(tally, flowNumber, state.ply - 1);
  if (wanted === 0) return;
  if (queue.length(flowNumber) === wanted) {
    takeQueue(queue, flowNumber, work.slice.width, take);
    return;
  }
  const { keys } = work.batches;
  const kind = kindOf(flowNumber);
  const code = kind === Kind.win ? work.codec.win(state.ply - 1) : work.codec.loss(state.ply - 1);
  session.scan(sideOf(flowNumber), (_side, part, first, length, place) => {
    const n = work.values.findPinned(code, place, place + length, first - place, keys);
    if (n > 0) take(flowNumber, part, keys, n);
  });
}
