/**
 * Rounds: round n labels the positions that are won or lost in n plies.
 *
 * The frontier of round n - 1 is expanded by unmoves into requests, or joined with the edges to it (edge-run.ts). A
 * predecessor of a lost position is won; a predecessor of a won position might be lost. Requests that leave their part are
 * distributed to the parts. With the requests that stay, and the conversions that come due at ply n, they are applied to the
 * labels, part by part.
 *
 * Strategy `count` only counts: a request takes one off the out-count of an open position, and at zero the position is lost.
 * So requests need no successor column, and no order in a part whose labels are in the cache. Strategy `lookup` is the
 * literal form (Lipton & Regan 2010): a position that might be lost asks for all its successors. The requests
 * (successor | asker) are sorted by successor and joined with the labels, and the answers are sorted by asker. Askers
 * without an escape are lost (the escape set of Wendroff et al. 1993, section 4).
 *
 * Work is cut by parts. A partition (round-partition.ts) expands the frontier of its own parts and labels its own
 * parts. A transport carries requests from one partition to another (pipeline/engine/transport.ts). Every
 * partition must have finished one call before any begins the next.
 */

import { antiJoin } from '../../operators/anti-join.js';
import { assert } from '../../operators/core/errors.js';
import { dedupe } from '../../operators/dedupe.js';
import type { Spool } from '../../operators/runs/spool.js';
import { FLOWS, Kind, kindOf, LOSS_FLOWS, sideOf } from '../game/events.js';
import { firstMajor, majorsOf } from '../game/majors.js';
import type { CommittedPart, Parcel } from '../game/step-manifests.js';
import type { Context } from './context.js';
import { labelFlow, type Striking } from './label-flow.js';
import { commitPlanes, disposePlanes, PLANES } from './label-planes.js';
import { answer, ask } from './round-lookup.js';
import type { RoundMoves } from './round-moves.js';
import {
  openRoundPartition,
  type RoundPartition,
  type RoundsState,
  send,
  strikingOf,
} from './round-partition.js';
import type { Transport } from './transport.js';

export interface Labelled {
  won: [number, number];
  lost: [number, number];
  /** Requests that stayed in their part, and so were never sent. */
  stayed: number;
}

/** The rounds of one partition. `again`: as in {@link Transport.send}. */
export interface Rounds {
  /** Sends the requests of round `ply`: the unmoves of the frontier of ply - 1. */
  expand(ply: number, again: boolean): Promise<Parcel>;
  /** `lookup` only: selects the positions that might be lost, and has them ask for their successors. */
  ask(ply: number, requests: readonly Parcel[], again: boolean): Promise<Parcel>;
  /** `lookup` only: answers questions about this partition's parts; answers are the escapes. */
  answer(ply: number, asked: readonly Parcel[], again: boolean): Promise<Parcel>;
  /** Labels this partition's parts. `escapes` is empty under `count`. */
  label(ply: number, requests: readonly Parcel[], escapes: readonly Parcel[]): Promise<Labelled>;
  /** In place of `label`, behind a round that labelled nothing: labels what is lost in a turn. */
  turn(ply: number, turn: number): Promise<Labelled>;
  /** Writes labels and the frontiers since the last commit durably. */
  /** @param done whether no round follows: then only what `finish` reads is written. */
  commit(nextPly: number, done: boolean): Promise<CommittedPart>;
  close(): Promise<void>;
}

export async function openRounds(
  context: Context,
  state: RoundsState,
  moves: RoundMoves,
  transport: Transport,
): Promise<Rounds> {
  const { countPlanes } = state.labels;
  const partition = await openRoundPartition(context, state, moves, transport);
  const { env, frontiers, planes } = partition;
  return {
    expand: (ply, again) => sendRequests(partition, ply, again),
    ask: (ply, requests, again) => ask(partition, ply, requests, again),
    answer: (ply, asked, again) => answer(partition, ply, asked, again),
    label: (ply, requests, escapes) => label(partition, ply, requests, escapes),
    turn: (ply, turn) => labelTurn(partition, ply, turn),

    async commit(nextPly, done) {
      const frontier = await frontiers.commit(nextPly);
      const wanted = done ? (['unwon'] as const) : PLANES;
      const runs = await commitPlanes(context, planes, countPlanes, { ply: nextPly, wanted });
      if (!done) runs.excess = await moves.commitExcess(nextPly);
      return { labels: runs, frontier };
    },

    async close() {
      await frontiers.close();
      await partition.candidates?.dispose();
      await disposePlanes(planes);
      moves.close();
      await transport.close(env);
    },
  };
}

async function sendRequests(partition: RoundPartition, ply: number, again: boolean): Promise<Parcel> {
  assert(ply >= 1, 'round 0 is the mates');
  const { env, frontiers, moves, transport } = partition;
  const what = {
    name: `requests-${ply}` as const,
    buffer: `requests-${ply % transport.turns}`,
    units: FLOWS.length,
    columns: moves.columns.map(({ name }) => name),
    // Rows without columns are packed, which takes an order.
    byMajor: moves.columns.length > 0,
  };
  return send(partition, what, moves.requests(frontiers.current(), env.arrays), again);
}

async function label(
  partition: RoundPartition,
  ply: number,
  requests: readonly Parcel[],
  escapes: readonly Parcel[],
): Promise<Labelled> {
  const { frontiers, moves, planes } = partition;
  planes.memory.turn();
  const won: [number, number] = [0, 0];
  const lost: [number, number] = [0, 0];
  for (const flowNumber of FLOWS) {
    const wins = kindOf(flowNumber) === Kind.win;
    const striking =
      wins || partition.candidates === undefined
        ? strikingOf(partition, ply, flowNumber, requests)
        : withoutEscape(partition, partition.candidates, flowNumber, escapes);
    const listener = frontiers.recorder(flowNumber, ply);
    const { labelled, stayed } = await labelFlow(flowNumber, planes, moves, striking, listener);
    (wins ? won : lost)[sideOf(flowNumber)] = labelled;
    partition.stayed += stayed;
  }
  await partition.candidates?.dispose();
  partition.candidates = undefined;
  await frontiers.advance();
  const { stayed } = partition;
  partition.stayed = 0;
  return { won, lost, stayed };
}

/** Strategy `lookup`: the positions of a flow that might be lost, and have no escape. */
function withoutEscape(
  { context, env, transport }: RoundPartition,
  candidates: Spool,
  flowNumber: number,
  escapes: readonly Parcel[],
): Striking {
  const { slice, parts, counters } = context;
  const range = majorsOf(slice, flowNumber, parts);
  const escaping = dedupe(transport.receive(escapes, range, 0, env));
  const lost = antiJoin(candidates.cursor(range), escaping, counters);
  const first = firstMajor(slice, flowNumber);
  return { requests: { sent: [lost], first }, frontier: null, conversions: null };
}

async function labelTurn(
  { context: { parts }, frontiers, turns }: RoundPartition,
  ply: number,
  turn: number,
): Promise<Labelled> {
  const lost: [number, number] = [0, 0];
  for (const flowNumber of LOSS_FLOWS) {
    const record = frontiers.recorder(flowNumber, ply);
    for await (const { major, length, minor } of turns.cursor(turn, flowNumber, parts)) {
      await record(major, length, minor, []);
      lost[sideOf(flowNumber)] += length;
    }
  }
  await frontiers.advance();
  return { won: [0, 0], lost, stayed: 0 };
}
