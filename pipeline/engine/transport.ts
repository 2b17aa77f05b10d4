/**
 * A transport carries rows between the partitions of a slice: from memory to memory (memory-transport.ts), or as runs
 * in the store (run-transport.ts). Every partition has a transport of its own. A partition *sends* rows once, ordered
 * by where they go. The result, a *parcel*, is handed to all partitions, and each *receives* the rows of its own
 * majors.
 */

import type { Interval } from '../../operators/core/interval.js';
import type { Cursor, Grouped, RowSource } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import type { WorkRun } from '../game/slice-objects.js';
import type { Parcel } from '../game/step-manifests.js';

/** The rows that are sent. */
export interface Shipment {
  /** Names it among all that the partition sends, e.g. "requests-12". */
  readonly what: WorkRun;
  /** Majors are below this. */
  readonly majors: number;
  /** The majors that the partition of these parts receives, ascending; each major is received by one partition. */
  readonly receivedBy: (parts: Interval) => readonly Interval[];
  /** Names of the payload columns, at most two. */
  readonly columns: readonly string[];
  /** Whether receivers ask for the rows by major alone, so that the rows of a major need no order. */
  readonly byMajor: boolean;
  /** Bytes of rows to be held in memory; the rest is spilled. */
  readonly memory: number;
  /** Shipments that are never under way at the same time may name the same buffer. */
  readonly buffer: string;
}

export interface Transport {
  /** Buffers that shipments which follow each other take in turn: two if receivers read the sender's memory, else one. */
  readonly turns: 1 | 2;
  /**
   * Sends rows. `again`: they were sent before the partition was lost, and only what the sender itself receives is wanted.
   * A shipment into the same buffer must have been released before.
   */
  send(rows: RowSource, shipment: Shipment, env: SortEnv, again: boolean): Promise<Parcel>;
  /** The rows of some majors, ordered by major and minor; not of shipments that are only received by major. */
  receive(parcels: readonly Parcel[], range: Interval, columns: 0 | 1 | 2, env: SortEnv): Cursor;
  /** As `receive`, but the rows of a major come in any order, and those of several senders apart, to be interleaved. */
  receiveByMajor(
    parcels: readonly Parcel[],
    range: Interval,
    columns: 0 | 1 | 2,
    env: SortEnv,
  ): readonly Grouped[];
  /** Gives up what this partition has sent into a buffer, once all partitions have received it. */
  release(buffer: string, env: SortEnv): Promise<void>;
  /** Gives up everything. */
  close(env: SortEnv): Promise<void>;
}
