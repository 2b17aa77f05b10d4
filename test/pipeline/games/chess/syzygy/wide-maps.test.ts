/** Files whose maps of DTZ values have 16 bits, as endings with very long wins need: a small one is made so, and other programs read it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { localStore } from '../../../../../operators/storage/local.js';
import { materialOf } from '../../../../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyTables } from '../../../../../pipeline/games/chess/syzygy/read/tables.js';
import { testFolder } from '../../../../support/folders.js';
import { ifShort, LONG } from '../../../../support/long.js';
import { buildFathom } from './fathom.js';
import { expectedOf, filesOf, positionsOf, solveEnding } from './making.js';
import { askPythonChess, PYTHON_CHESS } from './python-chess.js';

vi.mock('../../../../../pipeline/games/chess/syzygy/format.js', async (original) => ({
  ...(await original<typeof import('../../../../../pipeline/games/chess/syzygy/format.js')>()),
  areWide: () => true,
}));

it.skipIf(!LONG)(
  `maps of 16 bits are read by python-chess, and those of wins by Fathom${ifShort}`,
  async () => {
    const folder = testFolder();
    const solved = await solveEnding('KQKR');
    for (const [name, bytes] of await filesOf(solved, 'exact')) writeFileSync(join(folder, name), bytes);
    const tables = openSyzygyTables(localStore(folder, { durable: false }), 1 << 22);
    const file = await tables.file(materialOf('Q', 'R'), 'dtz');
    expect(file!.subtables[0][0].maps).not.toBeNull();
    const positions = await positionsOf(solved, 'KQKR', 997);
    expect(positions.length).toBeGreaterThan(1000);
    const fens = positions.map(({ fen }) => fen);
    const wrongIn = (found: readonly { outcome: number; plies: number }[]) =>
      positions.flatMap(({ fen, code }, i) => {
        const wanted = expectedOf(code);
        const got = found[i];
        // Fathom knows no plies of mates.
        const isRight = got.plies === wanted.plies || (code === -1 && got.plies === 0);
        return isRight && got.outcome === wanted.outcome ? [] : [{ fen, code, got }];
      });
    if (PYTHON_CHESS) expect(wrongIn(askPythonChess(folder, fens)).slice(0, 5)).toEqual([]);
    const fathom = buildFathom();
    if (fathom === null) return;
    // Fathom of 2019, which Debian has, takes the places of these maps in bytes, not in words of 16 bits, so it reads the first of them alone,
    // that of wins. Later versions read all.
    const isOfWins = ({ fen, code }: { fen: string; code: number }) => code > 0 && fen.includes(` ${mover} `);
    const mover = file!.subtables[0][0].side === 0 ? 'w' : 'b';
    expect(wrongIn(fathom.probe(folder, fens)).filter(isOfWins).slice(0, 5)).toEqual([]);
    fathom.remove();
  },
);
