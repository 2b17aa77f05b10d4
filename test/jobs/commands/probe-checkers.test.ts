/**
 * Published files of checkers that MERGEMATE_TEST_CHECKERS names, such as those of all six pieces: the C header and the
 * command `probe` answer alike. Neither solves anything, so the folder may hold more than a test could make.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Side } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { randomNumbers } from '../../pipeline/games/chess/kernel-rows.js';
import { succeed } from '../../support/command.js';
import { ifNotLongest, LONGEST } from '../../support/long.js';

const published = process.env.MERGEMATE_TEST_CHECKERS;
const source = fileURLToPath(new URL('../../../samples/checkers-probe/probe.c', import.meta.url));
const can = LONGEST && published !== undefined && spawnSync('cc', ['--version']).status === 0;

test.skipIf(!can)(
  `ten thousand random positions of a folder by the C header and by the command${ifNotLongest}`,
  { timeout: 1_200_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mergemate-header-'));
    try {
      const program = join(folder, 'probe');
      execFileSync('cc', ['-O2', '-std=c99', '-o', program, source]);
      const positions = randomPositions(slicesIn(published!), 10_000);
      const file = join(folder, 'positions.txt');
      writeFileSync(file, `${positions.join('\n')}\n`);
      const byCommand = (
        await succeed(['probe', 'checkers', '--file', file, '--published', published!, '--json'])
      )
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { outcome: string }).outcome);
      const byHeader = execFileSync(program, [published!], {
        input: `${positions.join('\n')}\n`,
        encoding: 'utf8',
      })
        .trim()
        .split('\n');
      expect(byHeader).toEqual(byCommand);
      expect(new Set(byHeader)).toEqual(new Set(['loss', 'draw', 'win']));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** The slices that have a file. */
function slicesIn(folder: string): string[] {
  const files = readdirSync(join(folder, 'checkers')).filter((name) => name.endsWith('.wdl'));
  return [...new Set(files.map((name) => name.replace(/\.(black|white)\.wdl$/, '')))].sort();
}

/** As many positions of each number of pieces, so that small slices do not hide the large ones. */
function randomPositions(slices: readonly string[], count: number): string[] {
  const random = randomNumbers(23);
  const pieces = (slice: string) => [...slice.slice(0, 4)].reduce((sum, digit) => sum + Number(digit), 0);
  const byPieces = [...new Set(slices.map(pieces))].map((most) =>
    slices.filter((slice) => pieces(slice) === most),
  );
  return Array.from({ length: count }, (_, i) => {
    const among = byPieces[i % byPieces.length];
    const slice = among[random() % among.length];
    const { size, width } = checkers.slice(slice);
    const index = Math.floor((random() / 2 ** 32) * size);
    const at = {
      slice,
      side: (random() & 1) as Side,
      part: Math.floor(index / width),
      key: index % width,
    };
    return checkers.format(checkers.board(at));
  });
}
