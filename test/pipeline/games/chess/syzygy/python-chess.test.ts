/** python-chess reads the files, where it is installed; exact plies must be equal, whichever way the board is turned. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../../../pipeline/games/chess/fen.js';
import { testFolder } from '../../../../support/folders.js';
import { ifShort, LONG } from '../../../../support/long.js';
import { imagesOf } from './images.js';
import { expectedOf, filesOf, positionsOf, solveEnding } from './making.js';
import { askPythonChess, PYTHON_CHESS } from './python-chess.js';

const skipped = PYTHON_CHESS ? ifShort : ' (skipped: no python-chess)';

describe.skipIf(!PYTHON_CHESS || !LONG)(`python-chess${skipped}`, () => {
  test.each([
    { ending: 'KPK', of: ['KPK', 'KQK', 'KRK'], step: 97 },
    { ending: 'KQKR', of: ['KQKR'], step: 997 },
  ])('reads $ending as solved', async ({ ending, of, step }) => {
    const solved = await solveEnding(ending);
    const folder = join(testFolder(), 'syzygy');
    mkdirSync(folder);
    for (const [name, bytes] of await filesOf(solved, 'exact')) writeFileSync(join(folder, name), bytes);
    for (const name of of) {
      const images = (await positionsOf(solved, name, step)).flatMap(({ fen, code }) =>
        imagesOf(parseFen(fen), name.includes('P') ? 2 : 8).map((image) => ({ fen: image, code })),
      );
      const answered = askPythonChess(
        folder,
        images.map(({ fen }) => fen),
      );
      const wrong = images
        .map(({ fen, code }, i) => ({ fen, got: answered[i], wanted: expectedOf(code) }))
        .filter(({ got, wanted }) => got.outcome !== wanted.outcome || got.plies !== wanted.plies);
      expect(images.length).toBeGreaterThan(1000);
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});
