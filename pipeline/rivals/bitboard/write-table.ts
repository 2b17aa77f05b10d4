/**
 * Combines the differences into the table (Koistinen 2001: "once all the tables have been calculated the stored
 * differences can be combined"). It takes as many parts as fit the memory at a time. Their values start from legality
 * (broken, or drawn), the lists of every ply are written over them, and the layout's order becomes the index's.
 */

import type { Counters } from '../../../operators/core/counters.js';
import { assert } from '../../../operators/core/errors.js';
import { openRun, type RunReader } from '../../../operators/runs/reader.js';
import type { Store } from '../../../operators/storage/store.js';
import { eventNumber, flow, Kind } from '../../game/events.js';
import type { Side, Slice } from '../../game/game.js';
import type { TableManifest } from '../../game/manifest.js';
import { withoutRepeats } from '../../game/repeats.js';
import { stipulations } from '../../game/stipulation.js';
import { brokenCode, brokenIn, type Metric, type ValueColumn } from '../../game/value.js';
import { PAIRS } from '../../games/chess/geometry.js';
import { placeMen, placementRank } from '../../games/chess/index-space.js';
import { digestOfParts, type TableWriter, valueTypeFor, writeSides } from '../../tables/writer.js';
import { type DifferencesManifest, readList } from './differences.js';
import type { SetKernels } from './kernels.js';
import type { SetLayout } from './set-layout.js';

export interface TableInput {
  readonly kernels: SetKernels;
  readonly slice: Slice;
  readonly metric: Metric;
  readonly store: Store;
  /** Prefix of the slice in the store. */
  readonly prefix: string;
  /** In order; together all plies. */
  readonly differences: readonly DifferencesManifest[];
  /** Where the values of a group of parts are put together. */
  readonly memory: Uint8Array;
  readonly batchRows: number;
  readonly counters: Counters;
  readonly report: (done: number) => void;
}

/** Facts about a table's values in its manifest. */
export type TableFacts = Pick<
  TableManifest,
  'valueType' | 'values' | 'digests' | 'positions' | 'wins' | 'losses' | 'longestWin'
>;

/** From the index's order to the layout's: of each placement, its number in a pair, or -1 if like men do not stand in order. */
type Order = Int32Array;

/** Most values that a group has, so that they can be numbered. */
const MOST_VALUES = 2 ** 31;

/** Bytes needed in addition to `memory`. */
export function tableBytes(layout: SetLayout): number {
  const { placements, pairsPerPart } = layout.space;
  return 4 * placements + 2 * pairsPerPart * placements;
}

export async function writeTable(input: TableInput): Promise<TableFacts> {
  const { kernels, metric, store, differences, counters } = input;
  const longest = differences.at(-1)!.longest;
  const type = valueTypeFor(metric, longest);
  const order = newOrder(kernels.layout);
  const readers: RunReader[] = [];
  for (const { run } of differences) {
    readers.push(await openRun(store, run, { counters, expect: { kind: 'differences' } }));
  }
  const facts: TableFacts = {
    valueType: type,
    values: [[], []],
    digests: ['', ''],
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [null, null],
  };
  const written = await writeSides(input, type, (writer, side) =>
    writeSide(input, readers, side, order, facts, writer),
  );
  const digests = written.partDigests.map(digestOfParts) as [string, string];
  return { ...facts, values: written.values, digests };
}

function newOrder({ space, wordMan, shift }: SetLayout): Order {
  const numbers = new Int32Array(space.placements);
  const squares = new Uint8Array(8);
  for (let rank = 0; rank < space.placements; rank++) {
    placeMen(space, rank, squares);
    let number = 0;
    for (let man = 0; man < space.men; man++) {
      number += man === wordMan ? squares[man] : squares[man] * 2 ** (6 + shift[man]);
    }
    numbers[rank] = placementRank(space, squares, 0) === rank ? number : -1;
  }
  return numbers;
}

async function writeSide(
  input: TableInput,
  readers: readonly RunReader[],
  side: Side,
  order: Order,
  facts: TableFacts,
  writer: TableWriter,
): Promise<void> {
  const { kernels, slice, metric, memory } = input;
  const { layout } = kernels;
  const { pairsPerPart } = layout.space;
  const wide = facts.valueType === 'i16';
  const positions = 64 * layout.configs;
  const room = Math.min(MOST_VALUES, memory.length / (wide ? 2 : 1));
  const groupParts = Math.min(slice.parts, Math.floor(room / (pairsPerPart * positions)));
  assert(groupParts > 0, 'sets take more memory than the values of a part');
  const length = groupParts * pairsPerPart * positions;
  const { buffer, byteOffset } = memory;
  const values = wide
    ? new Int16Array(buffer, byteOffset, length)
    : new Int8Array(buffer, byteOffset, length);
  const out = wide ? new Int16Array(slice.width) : new Int8Array(slice.width);
  for (let part = 0; part < slice.parts; part += groupParts) {
    const first = part * pairsPerPart;
    const pairs = Math.min(PAIRS - first, groupParts * pairsPerPart);
    fromLegality(kernels, side, first, pairs, values);
    for (const [i, { from, to }] of input.differences.entries()) {
      for (let ply = from; ply < to; ply++) {
        for (const kind of [Kind.win, Kind.loss]) {
          const plies = stipulations[metric].plies ? ply : kind ^ 1;
          const code = kind === Kind.win ? plies : -plies - 1;
          const event = eventNumber(ply, flow(kind, side));
          if (readers[i].segmentRows(event) === 0) continue;
          if (kind === Kind.win && stipulations[metric].plies) facts.longestWin[side] = ply;
          await readList(
            readers[i],
            event,
            first * positions,
            (first + pairs) * positions,
            (numbers, length) => {
              for (let n = 0; n < length; n++) values[numbers[n]] = code;
            },
          );
        }
      }
    }
    for (let p = part; p < Math.min(slice.parts, part + groupParts); p++) {
      const size = slice.partSize(p);
      inIndexOrder(layout, order, values, first, p, out.subarray(0, size));
      tally(withoutRepeats(slice, p, 0, out.subarray(0, size)), side, facts);
      await writer.append(p, out.subarray(0, size));
      input.report(size);
    }
  }
}

/** Legal positions are drawn unless a list says more. */
function fromLegality(
  { wasm, wanted: legal }: SetKernels,
  side: Side,
  first: number,
  pairs: number,
  values: ValueColumn,
): void {
  const broken = brokenIn(values);
  let at = 0;
  for (let pair = first; pair < first + pairs; pair++) {
    wasm.legalPositions(pair, side, legal.byteOffset);
    for (let i = 0; i < legal.length; i++) {
      const half = legal[i];
      for (let bit = 0; bit < 32; bit++) values[at++] = (((half >>> bit) & 1) - 1) & broken;
    }
  }
}

function inIndexOrder(
  layout: SetLayout,
  numbers: Order,
  values: ValueColumn,
  first: number,
  part: number,
  out: ValueColumn,
): void {
  const { placements, pairsPerPart } = layout.space;
  const broken = brokenCode(out.BYTES_PER_ELEMENT === 1 ? 'i8' : 'i16');
  for (let at = 0, pair = part * pairsPerPart; at < out.length; at += placements, pair++) {
    const base = (pair - first) * 64 * layout.configs;
    for (let rank = 0; rank < placements; rank++) {
      out[at + rank] = numbers[rank] < 0 ? broken : values[base + numbers[rank]];
    }
  }
}

/** Counts without branches: values come in no order that could be foretold. */
function tally(values: ValueColumn, side: Side, facts: TableFacts): void {
  const next = brokenIn(values) + 1;
  let broken = 0;
  let wins = 0;
  let negative = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    broken += (value - next) >>> 31;
    negative += value >>> 31;
    wins += -value >>> 31;
  }
  facts.positions[side] += values.length - broken;
  facts.wins[side] += wins;
  facts.losses[side] += negative - broken;
}
