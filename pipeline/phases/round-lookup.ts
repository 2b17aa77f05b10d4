/** Strategy `lookup` (rounds.ts): which positions might be lost, their questions, and the answers. */

import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { expand } from '../../operators/expand.js';
import { join } from '../../operators/join.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Cursor, DenseCursor } from '../../operators/runs/types.js';
import { FLOWS, LOSS_FLOWS, sideOf } from '../formats/events.js';
import { countConversions, selectDoubtful } from '../formats/labels.js';
import { majorsOf, partOf, sideOfMajor } from '../formats/majors.js';
import type { Parcel } from '../partition/transport.js';
import { EXPAND_ROWS } from './convert.js';
import { escapeKernel } from './lookup.js';
import { conversionKeys, type RoundPartition, requestsOf, send } from './round-partition.js';

/** Selects the positions that might be lost, and has them ask for their successors. */
export async function ask(
  partition: RoundPartition,
  ply: number,
  requests: readonly Parcel[],
  again: boolean,
): Promise<Parcel> {
  const { context, moves } = partition;
  assert(moves.ask !== undefined, `${context.slice.name} has moves to ask by`);
  partition.candidates = await select(partition, ply, requests);
  const asked = expand(partition.candidates.cursor(), moves.ask, { rows: EXPAND_ROWS, payload: 2 });
  const columns = ['asker-major', 'asker-minor'];
  return send(partition, { name: `asked-${ply}`, buffer: 'asked', units: 2, columns }, asked, again);
}

async function select(partition: RoundPartition, ply: number, requests: readonly Parcel[]): Promise<Spool> {
  const selected = partition.frontiers.empty();
  for (const flowNumber of LOSS_FLOWS) {
    await countDownConversions(partition, ply, flowNumber);
    await selectFlow(partition, ply, flowNumber, requests, selected);
  }
  await selected.seal();
  return selected;
}

async function countDownConversions(
  partition: RoundPartition,
  ply: number,
  flowNumber: number,
): Promise<void> {
  const counts = partition.labels.planes.counts[sideOf(flowNumber)];
  for await (const batch of conversionKeys(partition, ply, flowNumber)) {
    countConversions(await counts.load(batch.major), batch.minor, batch.length);
    counts.dirty();
  }
}

async function selectFlow(
  partition: RoundPartition,
  ply: number,
  flowNumber: number,
  requests: readonly Parcel[],
  selected: Spool,
): Promise<void> {
  const { context, labels } = partition;
  const counts = labels.planes.counts[sideOf(flowNumber)];
  const unwon = labels.planes.unwon[sideOf(flowNumber)];
  let major = -1;
  let counted = new Uint8Array(0);
  let bits = new Uint8Array(0);
  const leave = () => labels.labelled.drain((length, keys) => selected.append(major, length, keys, []));
  for await (const batch of requestsOf(partition, ply, flowNumber, requests)) {
    if (batch.major !== major) {
      await leave();
      major = batch.major;
      const part = partOf(context.slice, major);
      counted = (await counts.load(part)) as typeof counted;
      bits = (await unwon.load(part)) as typeof bits;
    }
    const keys = labels.keys(batch.length);
    labels.labelled.add(keys, selectDoubtful(counted, bits, batch.minor, batch.length, keys));
  }
  await leave();
}

/** Answers questions about this partition's parts; answers are the escapes. */
export function answer(
  partition: RoundPartition,
  ply: number,
  asked: readonly Parcel[],
  again: boolean,
): Promise<Parcel> {
  const { context, env, labels, transport } = partition;
  const { slice, parts, counters } = context;
  // A row is a bit here: a batch has as many rows as the part has positions.
  async function* unwonOf({ from, to }: Interval): DenseCursor {
    for (let major = from; major < to; major++) {
      const part = partOf(slice, major);
      const bits = await labels.planes.unwon[sideOfMajor(slice, major)].load(part);
      yield { major, first: 0, length: slice.partSize(part), columns: [bits] };
    }
  }
  async function* ownRequests(): Cursor {
    for (const side of [0, 1]) yield* transport.receive(asked, majorsOf(slice, side, parts), 2, env);
  }
  const escapes = join(ownRequests(), unwonOf, escapeKernel, { rows: EXPAND_ROWS, payload: 0, counters });
  const what = { name: `answers-${ply}`, buffer: 'answers', units: FLOWS.length, columns: [] };
  return send(partition, what, escapes, again);
}
