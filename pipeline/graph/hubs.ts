/**
 * Hubs: nodes that have more edges than their label counts. The *excess* of a hub is the number of its edges beyond that, less
 * those that are known to be bad. Requests to a hub count its excess down first, and its label once there is none left.
 * A partition holds the hubs of its own parts. Memory: 8 bytes a hub, and at most E / 255 hubs; a bit a node of a part.
 */

import { UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { firstAtLeast } from '../../operators/core/search.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { RunRef } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import { type Context, runName } from '../engine/context.js';
import { KeyLabels } from '../engine/keys-as-rows.js';
import type { Side } from '../game/game.js';
import { bitBytes, hasBit, MAX_COUNT, setBit } from '../game/labels.js';
import type { LabelRuns, PartRun } from '../game/manifest.js';
import { KEY_MASK, PART_SHIFT } from './graph-layout.js';
import type { GraphManifest } from './manifest.js';
import { HUBS, hubSpec } from './node-writer.js';
import { partOrderOf } from './part-order.js';

/** The share of the memory for hubs. */
const HUB_SHARE = 0.1;
const HUB_BYTES = 8;

/** Hubs of the context's parts. */
interface Hubs {
  /** Their numbers in the slice, ascending: part << {@link PART_SHIFT} | key. */
  readonly places: Uint32Array;
  readonly excess: Uint32Array;
}

/**
 * @param labels what the rounds go on from: the excess is that of the import until labels are committed.
 * @throws UserError if the hubs do not fit the memory.
 */
export async function openHubs(
  context: Context,
  graph: GraphManifest,
  labels: LabelRuns,
): Promise<HubLabels> {
  return new HubLabels(context, await readHubs(context, graph, labels));
}

/** Labels of keys. What strikes a hub counts its excess down before its label. */
class HubLabels extends KeyLabels {
  /** A bit of each node of `part`: whether it has an excess. */
  private readonly marks: Uint8Array;
  private part = -1;
  private counts = false;
  /** Room for the keys of a batch that the excess leaves. */
  private kept = new Uint32Array(0);

  constructor(
    private readonly context: Context,
    private readonly hubs: Hubs,
  ) {
    super(context.slice);
    this.marks = new Uint8Array(bitBytes(context.slice.width));
  }

  override label(kind: 'won' | 'lost', side: Side, labels: Uint8Array, part: number): void {
    super.label(kind, side, labels, part);
    this.counts = kind === 'lost';
    if (this.counts && part !== this.part) this.enter(part);
  }

  override strikeKeys(keys: Uint32Array, length: number): void {
    if (!this.counts) {
      super.strikeKeys(keys, length);
      return;
    }
    if (this.kept.length < length) this.kept = new Uint32Array(Math.ceil(length * 1.5));
    super.strikeKeys(this.kept, this.sift(keys, length));
  }

  /** Writes the remaining excess before round `ply` durably. */
  commit(ply: number): Promise<PartRun[]> {
    return commitHubs(this.context, this.hubs, ply);
  }

  private enter(part: number): void {
    const { places, excess } = this.hubs;
    this.part = part;
    this.marks.fill(0);
    const end = (part + 1) << PART_SHIFT;
    for (let i = firstAtLeast(places, part << PART_SHIFT); i < places.length && places[i] < end; i++) {
      if (excess[i] > 0) setBit(this.marks, places[i] & KEY_MASK);
    }
  }

  /** Keeps the keys that the excess does not take, and returns how many. */
  private sift(keys: Uint32Array, length: number): number {
    const kept = this.kept;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const key = keys[i];
      if (hasBit(this.marks, key)) this.take(key);
      else kept[n++] = key;
    }
    return n;
  }

  private take(key: number): void {
    const { places, excess } = this.hubs;
    const i = firstAtLeast(places, (this.part << PART_SHIFT) | key);
    excess[i]--;
    if (excess[i] === 0) this.marks[key >>> 3] &= ~(1 << (key & 7));
  }
}

async function readHubs(context: Context, graph: GraphManifest, labels: LabelRuns): Promise<Hubs> {
  const { parts, store, tableStore, counters, budget } = context;
  const opened: RunReader[] = [];
  const open = async (where: typeof store, run: RunRef) =>
    opened.push(await openRun(where, run, { counters, expect: { kind: HUBS } }));
  const isImported = labels.excess.length === 0;
  if (isImported) for (const run of graph.runs.hubs) await open(tableStore, run);
  const due = labels.excess.filter(({ from, to }) => from < parts.to && parts.from < to);
  for (const run of due.sort((a, b) => a.from - b.from)) await open(store, run);

  const { nodePart } = partOrderOf(graph);
  const segments: (readonly [part: number, run: RunReader, from: number])[] = [];
  let length = 0;
  for (let part = parts.from; part < parts.to; part++) {
    // The import has its runs in the order of the nodes.
    const from = isImported ? nodePart[part] : part;
    for (const run of opened) {
      const rows = run.segmentRows(from);
      if (rows > 0) segments.push([part, run, from]);
      length += rows;
    }
  }
  if (length * HUB_BYTES > budget.memory * HUB_SHARE) {
    throw new UserError(
      `graph ${graph.name}: ${length} nodes have more than ${MAX_COUNT} edges, whose counts take ${length * HUB_BYTES} bytes: give more --memory`,
    );
  }
  const hubs = { places: new Uint32Array(length), excess: new Uint32Array(length) };
  let n = 0;
  for (const [part, run, from] of segments) {
    for await (const { length, minor, payload } of run.cursor({ from, to: from + 1 })) {
      for (let i = 0; i < length; i++) {
        hubs.places[n] = (part << PART_SHIFT) | (minor[i] & KEY_MASK);
        hubs.excess[n++] = payload[0][i] - MAX_COUNT;
      }
    }
  }
  return hubs;
}

/** Writes the hubs that have an excess, with the number of edges that are not known to be bad. They are in the order of the slice. */
async function commitHubs(context: Context, { places, excess }: Hubs, ply: number): Promise<PartRun[]> {
  const { parts, store, budget, counters } = context;
  const name = runName(context, `excess-${ply}`);
  const writer = await createRun(store, name, hubSpec, { batchRows: budget.batchRows, counters });
  return orAbort(writer, async () => {
    for (let i = 0; i < places.length; i++) {
      if (excess[i] === 0) continue;
      const left = Uint32Array.of(excess[i] + MAX_COUNT);
      await writer.append(places[i] >>> PART_SHIFT, 1, places.subarray(i, i + 1), [left]);
    }
    const { crc } = await writer.close();
    return [{ name, crc, ...parts }];
  });
}
