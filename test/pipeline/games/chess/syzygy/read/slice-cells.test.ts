/** The cells of a file in the order of slices' indices, where the file holds different sides for different files of the leading pawn. */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../../../../operators/storage/memory.js';
import { newScratch } from '../../../../../../operators/storage/scratch.js';
import { CENSUS_ROWS, piecesOf } from '../../../../../../pipeline/game/fill-census.js';
import type { Side } from '../../../../../../pipeline/game/game.js';
import { chess } from '../../../../../../pipeline/games/chess/chess.js';
import { type Kernels, newKernels } from '../../../../../../pipeline/games/chess/syzygy/kernels.js';
import { materialNamed } from '../../../../../../pipeline/games/chess/syzygy/material.js';
import type { SyzygyFile } from '../../../../../../pipeline/games/chess/syzygy/read/file.js';
import {
  legalCells,
  NO_CELL,
  readCells,
  VALUE_BITS,
} from '../../../../../../pipeline/games/chess/syzygy/read/slice-cells.js';
import { openSyzygyTables } from '../../../../../../pipeline/games/chess/syzygy/read/tables.js';
import { pawnFiles } from '../making.js';

async function cellsOf(kernels: Kernels, file: SyzygyFile, ending: string, side: Side): Promise<Uint16Array> {
  const slices = chess.ending(ending).slices.map((name) => chess.slice(name));
  const cells = await readCells({
    ...{ kernels, file, slices, side, want: legalCells(side) },
    pause: () => Promise.resolve(),
  });
  const all: number[] = [];
  const piece = new Uint16Array(CENSUS_ROWS);
  for (const slice of slices) {
    for (let part = 0; part < slice.parts; part++) {
      for (const { length } of piecesOf(slice, part)) {
        cells.next(piece.subarray(0, length));
        for (const cell of piece.subarray(0, length)) all.push(cell);
      }
    }
  }
  cells.dispose();
  return Uint16Array.from(all);
}

test.each([0, 1, 2, 3])(
  'a file without a subtable of a side for pawn file %i has the other cells',
  async (left) => {
    const store = memoryStore();
    for (const [name, bytes] of await pawnFiles('halved')) await store.putIfAbsent(name, bytes);
    const tables = openSyzygyTables(store, 1 << 22);
    const [pawns, queens] = [
      (await tables.file(materialNamed('KPvK')!, 'dtz'))!,
      (await tables.file(materialNamed('KQvK')!, 'dtz'))!,
    ];
    const side = pawns.subtables[0][0].side as Side;
    const kernels = newKernels(1 << 22, newScratch(memoryStore(), 'scratch'));
    const whole = await cellsOf(kernels, pawns, 'KPK', side);
    // Leaves the index of an ending without pawns in the kernel's memory.
    await cellsOf(kernels, queens, 'KQK', 0);
    const subtables = pawns.subtables.map((each, number) => (number === left ? [] : each));
    const found = await cellsOf(kernels, { ...pawns, subtables }, 'KPK', side);
    const isLeft = (cell: number) => cell < NO_CELL && cell >> VALUE_BITS === left;
    expect(whole.filter(isLeft).length).toBeGreaterThan(1000);
    expect(found).toEqual(whole.map((cell) => (isLeft(cell) ? NO_CELL : cell)));
  },
);
