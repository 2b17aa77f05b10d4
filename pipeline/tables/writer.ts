/** Writes a finished table: the same runs and digests for every solver. */

import { createHash, type Hash } from 'node:crypto';
import type { Counters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Column } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { PartRun } from '../game/manifest.js';
import { runObject } from '../game/slice-objects.js';
import { stipulations } from '../game/stipulation.js';
import { type Metric, WIDE_PLIES } from '../game/value.js';
import { columnOf, describeSide, type SideRun } from './values-run.js';

/** The most plies that a table of distances holds. */
export const MOST_PLIES = 32766;

/** Throws UserError if wins of so many plies do not fit a table. */
export function requirePlies(slice: string, metric: Metric, plies: number): void {
  if (!stipulations[metric].plies || plies <= MOST_PLIES) return;
  throw new UserError(
    `${slice}: wins take more than ${MOST_PLIES} plies, more than a table of distances holds: solve it with --metric wdl`,
  );
}

/** The column type of a table whose longest win or loss has `longest` plies. */
export function valueTypeFor(metric: Metric, longest: number): 'i8' | 'i16' {
  return !stipulations[metric].plies || longest < WIDE_PLIES ? 'i8' : 'i16';
}

/** Of values, or of numbers of ladders. */
type SideType = 'i8' | 'i16' | 'u8' | 'u16' | 'u32';

export interface TableSide {
  /** Values, unless it is given. */
  readonly run?: SideRun;
  readonly slice: string;
  readonly metric: Metric;
  readonly side: Side;
  readonly type: SideType;
  /** The parts [from, to) are written, of as many values each, but for the last. */
  readonly parts: Interval;
  readonly partSize: number;
  /** A suffix of the run's name, needed if another process may write the same parts at the same time. */
  readonly attempt?: string;
}

export interface TableWriter {
  /** Appends the next values of `part`; parts come in order, each in any number of calls. */
  append(part: number, values: Column): Promise<void>;
}

export interface WrittenValues {
  readonly run: PartRun;
  /** SHA-256 of the values of each part in hexadecimal, in the order of parts. */
  readonly partDigests: string[];
}

/**
 * Publishes the values that `fill` appends as a run of a side. If `fill` fails, nothing of the run stays in the store.
 * @param prefix of the slice in the store (`slicePrefix`)
 */
export async function writeValues(
  store: Store,
  prefix: string,
  side: TableSide,
  env: { batchRows: number; counters: Counters },
  fill: (writer: TableWriter) => Promise<void>,
): Promise<WrittenValues> {
  const writer = await createTableWriter(store, prefix, side, env);
  return orAbort(writer, async () => {
    await fill(writer);
    return writer.close();
  });
}

/** A table of a slice that is written: all parts of it, or some. */
export interface NewTable extends Pick<TableSide, 'run'> {
  readonly slice: Pick<SliceIndex, 'name' | 'parts' | 'partSize'>;
  readonly metric: Metric;
  readonly store: Store;
  readonly prefix: string;
  readonly parts?: Interval;
  readonly attempt?: string;
  readonly batchRows: number;
  readonly counters: Counters;
}

export interface WrittenTable {
  values: [PartRun[], PartRun[]];
  /** SHA-256 of each part's values, in part order. */
  partDigests: [string[], string[]];
}

/** Publishes the values of both sides, or the numbers of their ladders, one after the other, as `writeValues` does. */
export async function writeSides(
  { run: kind = 'values', slice, metric, store, prefix, attempt = '', ...env }: NewTable,
  type: SideType,
  fill: (writer: TableWriter, side: Side) => Promise<void>,
): Promise<WrittenTable> {
  const { parts = { from: 0, to: slice.parts } } = env;
  const about = { run: kind, slice: slice.name, metric, type, parts, partSize: slice.partSize(0), attempt };
  const written: WrittenTable = { values: [[], []], partDigests: [[], []] };
  for (const side of [0, 1] as const) {
    const fillSide = (writer: TableWriter) => fill(writer, side);
    const { run, partDigests } = await writeValues(store, prefix, { ...about, side }, env, fillSide);
    written.values[side] = [run];
    written.partDigests[side] = partDigests;
  }
  return written;
}

interface OpenWriter extends TableWriter {
  close(): Promise<WrittenValues>;
  abort(): Promise<void>;
}

async function createTableWriter(
  store: Store,
  prefix: string,
  { run = 'values', slice, metric, side, type, parts, partSize, attempt = '' }: TableSide,
  env: { batchRows: number; counters: Counters },
): Promise<OpenWriter> {
  const name = `${prefix}/${runObject(`${run}-${side}`, parts, attempt)}`;
  const writer = await createRun(
    store,
    name,
    {
      dense: true,
      columns: [{ name: columnOf(run), type }],
      strict: true,
      ...describeSide(run, slice, metric, side),
    },
    { ...env, batchRows: wholeBatches(partSize, env.batchRows) },
  );
  const partDigests: string[] = [];
  let hash: Hash | undefined;
  let hashed = -1;

  function endPart(): void {
    if (hash !== undefined) partDigests.push(hash.digest('hex'));
  }

  return {
    async append(part, values) {
      if (part !== hashed) {
        endPart();
        hash = createHash('sha256');
        hashed = part;
      }
      hash!.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
      await writer.append(part, values.length, null, [values]);
    },
    async close() {
      endPart();
      const { crc } = await writer.close();
      return { run: { name, crc, ...parts }, partDigests };
    },
    abort: () => writer.abort(),
  };
}

/**
 * At most `most` rows of a record batch, such that batches end where parts end: so a part is read without its neighbours. If no
 * batch of at least half of `most` rows does, that is `most`.
 */
function wholeBatches(partSize: number, most: number): number {
  if (partSize <= most) return Math.floor(most / Math.max(1, partSize)) * partSize || most;
  const fewest = Math.ceil(partSize / most);
  for (let batches = fewest; batches <= 2 * fewest; batches++)
    if (partSize % batches === 0) return partSize / batches;
  return most;
}

/** The digest of a side: SHA-256 over the digests of its parts, in order. */
export function digestOfParts(partDigests: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of partDigests) hash.update(part, 'hex');
  return hash.digest('hex');
}
