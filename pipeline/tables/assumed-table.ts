/** The table of an assumed slice (`SliceIndex.assumed`). All positions with the same side to move have the same value, so nothing is stored. */
import type { DenseBatch } from '../../operators/runs/types.js';
import type { Side, SliceIndex } from '../game/game.js';
import { type Assumption, assumedCodes } from '../game/labelling.js';
import type { TableManifest } from '../game/manifest.js';
import type { Metric } from '../game/value.js';
import { manifestHead } from './manifest-head.js';
import type { TableColumn, ValueTable } from './value-table.js';

/** Most positions of a batch. */
const PIECE = 1 << 16;

export function assumedTable<Index extends SliceIndex>(
  game: string,
  metric: Metric,
  slice: Index,
  assumption: Assumption,
): ValueTable<Index> & { readonly manifest: TableManifest } {
  const codes = assumedCodes(metric, assumption);
  const column = (side: Side, length: number) => new Int8Array(length).fill(codes[side]);
  const manifest: TableManifest = {
    ...manifestHead(game, slice, metric),
    valueType: 'i8',
    values: [[], []],
    digests: ['', ''],
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [codes[0] > 0 ? codes[0] : null, codes[1] > 0 ? codes[1] : null],
    rounds: 1,
    requests: 0,
    counters: {},
  };
  return { slice, manifest, ...alike(slice, column) };
}

/** The numbers of an assumed slice: one where the goal is taken to be reached. */
export function assumedNumbers(metric: Metric, slice: SliceIndex, assumption: Assumption): TableColumn {
  const codes = assumedCodes(metric, assumption);
  return alike(slice, (side, length) => new Uint8Array(length).fill(codes[side] === 0 ? 0 : 1));
}

/** A column of which all rows of a side are the same. */
function alike(
  slice: Pick<SliceIndex, 'width' | 'partSize'>,
  column: (side: Side, length: number) => Int8Array | Uint8Array,
): TableColumn {
  const pieces = ([0, 1] as const).map((side) => column(side, Math.min(PIECE, slice.width)));
  return {
    async *values(side, from, to) {
      for (let part = from; part < to; part++) {
        const count = slice.partSize(part);
        for (let first = 0; first < count; first += PIECE) {
          const length = Math.min(PIECE, count - first);
          yield { major: part, first, length, columns: [pieces[side].subarray(0, length)] };
        }
      }
    },
    async block(side, part, key): Promise<DenseBatch> {
      return { major: part, first: key, length: 1, columns: [column(side, 1)] };
    },
  };
}
