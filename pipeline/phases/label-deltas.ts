/**
 * Deltas: labels that changed since the label runs were written, as sparse runs. A round that changes few labels writes
 * those instead of blocks; whoever opens the planes lays them over. Wins need no run of their own: the frontier is one.
 */

import type { Overlay } from '../../operators/runs/dense-blocks.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { flow, Kind } from '../events.js';
import type { Side } from '../game.js';
import type { LabelDelta } from '../manifest.js';
import { type Context, runName } from './context.js';
import { hasMajorIn, openEventRuns } from './event-runs.js';
import type { Overlays } from './label-planes.js';

/** Bytes of a changed count in a run: key and value. */
export const CHANGE_BYTES = 5;
const KIND = 'count-changes';

/** The deltas, oldest first, as overlays of the planes of the context's interval. */
export async function openDeltas(context: Context, deltas: readonly LabelDelta[]): Promise<Overlays> {
  const { store, counters, slice } = context;
  const changes: RunReader[] = [];
  for (const { counts } of deltas) {
    if (counts !== null) changes.push(await openRun(store, counts, { counters, expect: { kind: KIND } }));
  }
  const won = await openEventRuns(
    context,
    deltas.flatMap((delta) => delta.won ?? []),
  );
  const plies = deltas.filter((delta) => delta.won !== null).map(({ ply }) => ply);

  const counts = (side: Side): Overlay => {
    const base = side * slice.parts;
    return {
      touches: ({ from, to }) => changes.some((run) => hasMajorIn(run.majors(), base + from, base + to)),
      async apply({ from, to }, rowsAt) {
        for (const run of changes) {
          for await (const batch of run.cursor({ from: base + from, to: base + to })) {
            const rows = rowsAt(batch.major - base);
            const values = batch.payload[0]!;
            for (let i = 0; i < batch.length; i++) rows[batch.minor[i]!] = values[i]!;
          }
        }
      },
    };
  };
  const unwon = (side: Side): Overlay => {
    const wins = flow(Kind.win, side);
    return {
      touches: (range) => plies.some((ply) => won.holds(ply, wins, range)),
      async apply(range, rowsAt) {
        for (const ply of plies) {
          for await (const batch of won.cursor(ply, wins, range)) {
            const bits = rowsAt(batch.major);
            for (let i = 0; i < batch.length; i++) {
              const key = batch.minor[i]!;
              bits[key >>> 3]! &= ~(1 << (key & 7));
            }
          }
        }
      },
    };
  };
  return { counts: [counts(0), counts(1)], unwon: [unwon(0), unwon(1)] };
}

export interface ChangeWriter {
  /** As {@link LabelListener.counted}, for the parts of one side and then of the other. */
  counted(side: Side, part: number, length: number, keys: Uint32Array, counts: Uint8Array): Promise<void>;
  /** Null if nothing was counted. */
  close(): Promise<LabelDelta['counts']>;
  abort(): Promise<void>;
}

/** Starts the run of the counts that change in round `ply`. */
export async function createChanges(context: Context, ply: number): Promise<ChangeWriter> {
  const { store, counters, budget, slice } = context;
  const name = runName(context, `changes-${ply}`);
  const writer: RunWriter = await createRun(
    store,
    name,
    {
      kind: KIND,
      dense: false,
      columns: [{ name: 'count', type: 'u8' }],
      strict: true,
      meta: { slice: slice.name },
    },
    { batchRows: budget.batchRows, counters },
  );
  let values = new Uint8Array(0);

  return {
    async counted(side, part, length, keys, counts) {
      if (values.length < length) values = new Uint8Array(length);
      for (let i = 0; i < length; i++) values[i] = counts[keys[i]!]!;
      await writer.append(side * slice.parts + part, length, keys, [values]);
    },
    async close() {
      if (writer.rows === 0) {
        await writer.abort();
        return null;
      }
      const { crc, rows } = await writer.close();
      return { name, crc, rows };
    },
    abort: () => writer.abort(),
  };
}
