/** Strategy `lookup` (rounds.ts): which positions might be lost, their questions, and the answers. */

import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { expand } from '../../operators/expand.js';
import { join } from '../../operators/join.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Cursor, DenseCursor } from '../../operators/runs/types.js';
import { FLOWS, LOSS_FLOWS, sideOf } from '../game/events.js';
import { countConversions } from '../game/labels.js';
import { firstMajor, majorsOf, partOf, sideOfMajor } from '../game/majors.js';
import type { Parcel } from '../game/step-manifests.js';
import { EXPAND_ROWS } from './convert.js';
import { KeyMoves } from './key-moves.js';
import { strikeParts } from './label-flow.js';
import { escapeKernel } from './lookup.js';
import { type RoundPartition, send, strikingOf } from './round-partition.js';
import { keysOfSets } from './sets.js';

/** Selects the positions that might be lost, and has them ask for their successors. */
export async function ask(
  partition: RoundPartition,
  ply: number,
  requests: readonly Parcel[],
  again: boolean,
): Promise<Parcel> {
  const { context, moves } = partition;
  assert(moves instanceof KeyMoves && moves.ask !== undefined, `${context.slice.name} has moves to ask by`);
  partition.candidates = await select(partition, moves, ply, requests);
  const asked = expand(partition.candidates.cursor(), moves.ask, { rows: EXPAND_ROWS, payload: 2 });
  const columns = ['asker-major', 'asker-minor'];
  const what = { name: `asked-${ply}` as const, buffer: 'asked', units: 2, columns, byMajor: false };
  return send(partition, what, asked, again);
}

async function select(
  partition: RoundPartition,
  moves: KeyMoves,
  ply: number,
  requests: readonly Parcel[],
): Promise<Spool> {
  const selected = partition.frontiers.empty();
  for (const flowNumber of LOSS_FLOWS) {
    await countDownConversions(partition, ply, flowNumber);
    await selectFlow(partition, moves, ply, flowNumber, requests, selected);
  }
  await selected.seal();
  return selected;
}

async function countDownConversions(
  { context, conversions, planes }: RoundPartition,
  ply: number,
  flowNumber: number,
): Promise<void> {
  const counts = planes.counts[sideOf(flowNumber)];
  for await (const batch of keysOfSets(conversions.cursor(ply, flowNumber, context.parts))) {
    countConversions(await counts.load(batch.major), batch.minor, batch.length);
    counts.dirty();
  }
}

async function selectFlow(
  partition: RoundPartition,
  moves: KeyMoves,
  ply: number,
  flowNumber: number,
  requests: readonly Parcel[],
  selected: Spool,
): Promise<void> {
  const { context, planes } = partition;
  const counts = planes.counts[sideOf(flowNumber)];
  const unwon = planes.unwon[sideOf(flowNumber)];
  const striking = strikingOf(partition, ply, flowNumber, requests);
  const first = firstMajor(context.slice, flowNumber);
  partition.stayed += await strikeParts(moves, flowNumber, striking, {
    async enter(part) {
      const counted = await counts.load(part);
      moves.turnToDoubtful(counted, await unwon.load(part));
    },
    async leave(part) {
      await moves.drain((length, keys) => selected.append(first + part, length, keys, []));
    },
  });
}

/** Answers questions about this partition's parts; answers are the escapes. */
export function answer(
  partition: RoundPartition,
  ply: number,
  asked: readonly Parcel[],
  again: boolean,
): Promise<Parcel> {
  const { context, env, planes, transport } = partition;
  const { slice, parts, counters } = context;
  // A row is a bit here: a batch has as many rows as the part has positions.
  async function* unwonOf({ from, to }: Interval): DenseCursor {
    for (let major = from; major < to; major++) {
      const part = partOf(slice, major);
      const bits = await planes.unwon[sideOfMajor(slice, major)].load(part);
      yield { major, first: 0, length: slice.partSize(part), columns: [bits] };
    }
  }
  async function* ownRequests(): Cursor {
    for (const side of [0, 1]) yield* transport.receive(asked, majorsOf(slice, side, parts), 2, env);
  }
  const escapes = join(ownRequests(), unwonOf, escapeKernel, { rows: EXPAND_ROWS, payload: 0, counters });
  const what = {
    name: `answers-${ply}` as const,
    buffer: 'answers',
    units: FLOWS.length,
    columns: [],
    byMajor: false,
  };
  return send(partition, what, escapes, again);
}
