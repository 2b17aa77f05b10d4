/** The table of an assumed slice (`SliceIndex.assumed`). All positions with the same side to move have the same value, so nothing is stored. */
import type { DenseBatch } from '../../operators/runs/types.js';
import type { Side, SliceIndex } from '../game/game.js';
import { FORMAT_VERSION, type TableManifest } from '../game/manifest.js';
import type { Metric } from '../game/value.js';
import type { ValueTable } from './value-table.js';

/** Most positions of a batch. */
const PIECE = 1 << 16;

export function assumedTable<Index extends SliceIndex>(
  game: string,
  metric: Metric,
  slice: Index,
  codes: readonly [number, number],
): ValueTable<Index> & { readonly manifest: TableManifest } {
  const { name, parts, width, size, numbering } = slice;
  const column = (side: Side, length: number) => new Int8Array(length).fill(codes[side]);
  const pieces = [0, 1].map((side) => column(side as Side, Math.min(PIECE, width)));
  const manifest: TableManifest = {
    version: FORMAT_VERSION,
    game,
    slice: name,
    step: 'table',
    metric,
    parts,
    width,
    size,
    ...(numbering !== undefined && { numbering }),
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
  return {
    slice,
    manifest,
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
