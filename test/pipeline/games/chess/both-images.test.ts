/** Positions whose kings stand on the long diagonal: the two indices of a position and its mirror image, in kernels, tables and counts. */
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { exportColumns } from '../../../../pipeline/analysis/columns.js';
import { tableStats } from '../../../../pipeline/analysis/stats.js';
import type { Address, Game, Side } from '../../../../pipeline/game/game.js';
import { commitManifest, readManifest, TableManifest } from '../../../../pipeline/game/manifest.js';
import { brokenIn, type Metric, type ValueColumn } from '../../../../pipeline/game/value.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { openTable, type Table } from '../../../../pipeline/tables/table.js';
import { tableManifestName } from '../../../../pipeline/tables/table-names.js';
import { sweep } from '../../../support/long.js';
import { solveChess } from '../../../support/solving.js';

const SIDES = [0, 1] as const satisfies Side[];

async function codesOf({ slice, values }: Table, side: Side): Promise<ValueColumn> {
  const codes = new Int16Array(slice.size);
  for await (const { major, first, length, columns } of values(side, 0, slice.parts)) {
    const some = columns[0] as ValueColumn;
    for (let i = 0; i < length; i++)
      codes[major * slice.width + first + i] = some[i] === brokenIn(some) ? brokenIn(codes) : some[i];
  }
  return codes;
}

/** The board mirrored at the long diagonal. */
const reflected = (at: Address) => {
  const { squares, side } = chess.board(at);
  return { squares: squares.map((_, square) => squares[(square & 7) * 8 + (square >> 3)]), side };
};

describe.each(
  sweep<[Metric, string, number]>(
    [
      ['dtm', 'KQK', 46_137],
      ['dtz', 'KRK', 50_015],
    ],
    [
      ['dtc', 'KQKR', 2_467_122],
      ['dtm', 'KBBK', 0],
    ],
  ),
)('%s %s', (metric, name, published) => {
  it('gives both indices of a position one value, and counts and lists it once', async () => {
    const { store, summaries } = await solveChess([name], { metric, verify: true });
    const table = (await openTable(store, chess as Game, metric, name))!;
    const { slice, manifest } = table;
    const size = new Uint8Array(1);
    let positions = 0;
    let repeats = 0;
    const wrong: Address[] = [];
    for (const side of SIDES) {
      const codes = await codesOf(table, side);
      for (let index = 0; index < slice.size; index++) {
        if (codes[index] === brokenIn(codes)) continue;
        const at = { slice: name, side, part: Math.floor(index / slice.width), key: index % slice.width };
        slice.orbitSizes(at.part, Uint32Array.of(at.key), 1, size);
        if (size[0] > 0) {
          positions++;
          continue;
        }
        repeats++;
        const there = chess.locate(reflected(at));
        const other = there.part * slice.width + there.key;
        // The lesser index stands for both, and is that of both boards.
        const home = chess.locate(chess.board(at));
        if (
          other >= index ||
          codes[other] !== codes[index] ||
          home.key !== there.key ||
          home.part !== there.part
        )
          wrong.push(at);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(repeats).toBeGreaterThan(900);
    expect(manifest.positions[0] + manifest.positions[1]).toBe(positions);
    if (published > 0) expect(positions).toBe(published);

    const stats = await tableStats({
      game: chess as Game,
      metric,
      table,
      flipped: false,
      report: async () => {},
    });
    expect(stats.white.legal.orbits + stats.black.legal.orbits).toBe(positions);
    expect(summaries.at(-1)!.verified).toBe(positions);
    let listed = 0;
    let weight = 0;
    const asked = {
      game: chess as Game,
      table,
      metric,
      flipped: false,
      position: false,
      weight: true,
      rows: 4096,
    };
    for await (const batch of exportColumns(asked)) {
      listed += batch.index.length;
      weight += batch.weight!.reduce((sum, each) => sum + each, 0);
    }
    expect(listed).toBe(positions);
    expect(weight).toBe(stats.white.legal.placements + stats.black.legal.placements);
  });
});

it('refuses tables of versions that kept one of the two', async () => {
  const store = memoryStore();
  await solveChess(['KNK'], { metric: 'wdl', store });
  const name = tableManifestName('chess', 'wdl', 'KNK');
  const { numbering, ...before } = (await readManifest(store, name, TableManifest))!;
  expect(numbering).toBe('both images');
  await store.delete(name);
  await commitManifest(store, name, before, TableManifest);
  await expect(solveChess(['KNK'], { metric: 'wdl', store })).rejects.toThrow(
    'describes another index of KNK than this version uses',
  );
});
