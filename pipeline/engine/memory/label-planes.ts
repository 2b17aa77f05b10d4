/**
 * The label planes (pipeline/game/labels.ts) of a context's interval, in blocks of parts, each a run: written by the enumeration,
 * held in memory while rounds change them, and read by the phases that do not.
 */
import { newArrays } from '../../../operators/core/arrays.js';
import { assert, StorageError } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { newClosings } from '../../../operators/runs/closings.js';
import { LABELS, LabelBlocks } from '../../../operators/runs/dense-blocks.js';
import {
  LabelMemory,
  type LabelMemoryOptions,
  labelMemoryBytes,
} from '../../../operators/runs/label-memory.js';
import { openRun } from '../../../operators/runs/reader.js';
import type { DenseCursor } from '../../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../../operators/runs/writer.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { RowKernels, Side } from '../../game/game.js';
import { bitBytes, planesBytes } from '../../game/labels.js';
import type { LabelRuns, PartRun } from '../../game/manifest.js';
import { SIDES } from '../../game/side.js';
import { type Context, runName } from './context.js';
import { kernelBytes, memoryOf } from './phase-memory.js';

/** Bytes beside the labels of a part of so many positions, while these are changed: a bit marks a labelled position; its number is counted. */
export function markBytes(width: number, { numbering }: Pick<RowKernels, 'numbering'>): number {
  return bitBytes(width) + (numbering === null ? 0 : width);
}

/** All planes. */
const PLANES = ['counts', 'unwon'] as const;
export type Plane = (typeof PLANES)[number];

/** Rewriting a block costs its size, so blocks are small where few positions change; but every block is a run file. */
export const BLOCK_BYTES = 1 << 22;

/** An allocation may be rounded up to a multiple of this. */
const MOST_ALIGNMENT = 16;

/** Labels that a round looks at come to memory and leave it in such pieces, or parts if these are larger. */
const PAGE_BYTES = 1 << 16;

type CountPlanes = RowKernels['countPlanes'];

/** Bytes of a plane of so many positions of a side. */
export function planeBytes(plane: Plane, positions: number, side: Side, countPlanes: CountPlanes): number {
  return plane === 'unwon' ? bitBytes(positions) : planesBytes(countPlanes[side], positions);
}

export function noLabelRuns([white, black]: CountPlanes): LabelRuns {
  return { counts: [[], []], unwon: [[], []], countPlanes: [white, black] };
}

/** The runs of several partitions as one. */
export function joinLabelRuns(all: readonly LabelRuns[]): LabelRuns {
  const joined = noLabelRuns(all[0].countPlanes);
  for (const plane of PLANES)
    for (const side of SIDES) joined[plane][side] = all.flatMap((runs) => runs[plane][side]);
  return joined;
}

/** Bytes of the planes of both sides of a part that has so many positions. */
function bytesOfPart(positions: number, { countPlanes }: Pick<RowKernels, 'countPlanes'>): number[] {
  return PLANES.flatMap((plane) => SIDES.map((side) => planeBytes(plane, positions, side, countPlanes)));
}

/** Bytes that a page of labels takes at most, where the widest part has so many positions. */
export function mostPageBytes(width: number, rows: Pick<RowKernels, 'countPlanes'>): number {
  return PAGE_BYTES + Math.max(...bytesOfPart(width, rows));
}

function memoryOptions({ slice, parts, budget }: Context, rows: RowKernels): LabelMemoryOptions {
  const all = (parts.to - parts.from) * bytesOfPart(slice.width, rows).reduce((sum, each) => sum + each);
  const memory = memoryOf('rounds', budget).labels.memory - markBytes(slice.width, rows);
  return {
    bytes: Math.max(0, kernelBytes(rows.width, memory)),
    all,
    largest: mostPageBytes(slice.width, rows),
  };
}

/** Bytes that the labels of a context take at most. */
export function mostPlaneBytes(context: Context, rows: RowKernels): number {
  return labelMemoryBytes(memoryOptions(context, rows)) + MOST_ALIGNMENT;
}

/** Both planes of both sides. They share the memory: rounds sweep some of them far more than others. */
export class LabelPlanes implements Readonly<Record<Plane, readonly [LabelBlocks, LabelBlocks]>> {
  readonly memory: LabelMemory;
  readonly counts: readonly [LabelBlocks, LabelBlocks];
  readonly unwon: readonly [LabelBlocks, LabelBlocks];

  /**
   * @param sources committed runs of any layout that cover the interval.
   * @param allocate allocates so many bytes; the caller that passed it frees them.
   */
  constructor(
    private readonly context: Context,
    private readonly rows: RowKernels,
    sources: LabelRuns,
    allocate: (bytes: number) => Uint8Array,
  ) {
    this.memory = new LabelMemory({ ...memoryOptions(context, rows), allocate });
    this.counts = [this.open('counts', 0, sources), this.open('counts', 1, sources)];
    this.unwon = [this.open('unwon', 0, sources), this.open('unwon', 1, sources)];
  }

  private open(plane: Plane, side: Side, sources: LabelRuns): LabelBlocks {
    const { slice, parts, scratch, counters, budget, store } = this.context;
    return new LabelBlocks({
      majors: [parts.from, parts.to],
      rowsOf: (part) => planeBytes(plane, slice.partSize(part), side, this.rows.countPlanes),
      blockBytes: BLOCK_BYTES,
      pageBytes: PAGE_BYTES,
      memory: this.memory,
      sources: sources[plane][side].map((run) => ({ store, ...run })),
      scratch,
      batchRows: budget.batchRows,
      counters,
    });
  }

  /** Makes the store hold the planes as they are before round `ply`. @param done whether only `finish` reads them: it needs no counts. */
  async commit(ply: number, done: boolean): Promise<LabelRuns> {
    const runs = noLabelRuns(this.rows.countPlanes);
    for (const plane of done ? (['unwon'] as const) : PLANES) {
      for (const side of SIDES) {
        if (isEmpty(plane, side, this.rows)) continue;
        const name = (i: number) => runName(this.context, `${plane}-${ply}-${side}-${i}`);
        runs[plane][side] = await this[plane][side].commit(this.context.store, name);
      }
    }
    return runs;
  }

  async dispose(): Promise<void> {
    for (const plane of PLANES) for (const blocks of this[plane]) await blocks.dispose();
  }
}

/** Whether a plane has nothing in it: no position of the side counts down. */
export function isEmpty(plane: Plane, side: Side, { countPlanes }: Pick<RowKernels, 'countPlanes'>): boolean {
  return plane === 'counts' && countPlanes[side] === 0;
}

/** Writes a plane before round 1: part after part, each in any number of calls, straight into the runs of its blocks. */
export class PlaneWriter {
  private readonly runs: PartRun[] = [];
  private readonly closings = newClosings();
  private readonly arrays = newArrays();
  private count = 0;
  private writer: RunWriter | undefined;
  /** The parts [first, behind) are in the run that is being written. */
  private first = 0;
  private behind = 0;

  constructor(
    private readonly context: Context,
    private readonly plane: Plane,
    private readonly side: Side,
  ) {}

  async append(part: number, labels: Uint8Array): Promise<void> {
    if (this.writer === undefined || (part >= this.behind && this.writer.rows >= BLOCK_BYTES)) {
      await this.end(part);
      this.writer = await this.next();
      this.first = part;
    }
    await this.writer.append(part, labels.length, null, [labels]);
    this.behind = part + 1;
  }

  private next(): Promise<RunWriter> {
    const { store, budget, counters } = this.context;
    const name = runName(this.context, `${this.plane}-1-${this.side}-${this.count}`);
    const columns = [{ name: 'label', type: 'u8' }] as const;
    const spec = { kind: LABELS, dense: true, columns, strict: true, meta: {} };
    return createRun(store, name, spec, { batchRows: budget.batchRows, counters, arrays: this.arrays });
  }

  private async end(to: number): Promise<void> {
    if (this.writer === undefined) return;
    const run = this.writer;
    const number = this.count++;
    const from = this.first;
    this.writer = undefined;
    await this.closings.add(run, ({ name, crc }) => {
      this.runs[number] = { name, crc, from, to };
    });
  }

  async close(): Promise<PartRun[]> {
    await this.end(this.behind);
    await this.closings.settle();
    return this.runs;
  }

  async abort(): Promise<void> {
    await this.closings.abandon();
    await this.writer?.abort();
  }
}

/** Reads the labels of some parts of a side from their runs, in order: bits or planes of counts. */
export async function* readPlane(
  { slice, store, counters }: Context,
  labels: LabelRuns,
  plane: Plane,
  side: Side,
  parts: Interval,
): DenseCursor {
  let next = parts.from;
  for (const run of [...labels[plane][side]].sort((a, b) => a.from - b.from)) {
    const range = { from: Math.max(run.from, parts.from), to: Math.min(run.to, parts.to) };
    if (range.from >= range.to) continue;
    assert(range.from === next, `runs of ${plane} hold part ${next}`);
    next = range.to;
    const reader = await openRun(store, run, { counters, expect: { kind: LABELS } });
    for (let part = range.from; part < range.to; part++) {
      const rows = reader.segmentRows(part);
      const expected = planeBytes(plane, slice.partSize(part), side, labels.countPlanes);
      if (rows === expected) continue;
      const has = `has ${rows} rows of major ${part}, not ${expected}`;
      throw new StorageError(objectName(store, run.name), has);
    }
    yield* reader.denseCursor(range);
  }
  assert(next === parts.to, `runs of ${plane} hold part ${next}`);
}
