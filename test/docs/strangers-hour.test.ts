/**
 * An hour of a stranger with docs/your-own-game.md: a game that is no sample is written by that page alone, checked, solved, asked and
 * exported; every value is what theory says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, succeed } from '../support/command.js';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

/** Euclid's game: a move takes a multiple of the smaller number from the larger; who makes one of them zero has won. */
const euclid = `
import { keyedGame, type Side } from 'mergemate';

interface Pair {
  readonly more: number;
  readonly less: number;
  readonly side: Side;
}

const MOST = 40;
const roots: Pair[] = [];
for (let more = 1; more <= MOST; more++)
  for (let less = 1; less <= more; less++) roots.push({ more, less, side: 0 });

export default keyedGame<Pair, number>({
  name: 'euclid',
  roots: () => roots,
  key: ({ more, less, side }) => (more * 64 + less) * 2 + side,
  position: (key) => ({ more: key >> 7, less: (key >> 1) & 63, side: (key & 1) as Side }),
  mover: ({ side }) => side,
  *moves({ more, less, side }) {
    for (let times = 1; less > 0 && times * less <= more; times++) {
      const left = more - times * less;
      yield [
        \`-\${times * less}\`,
        { more: Math.max(left, less), less: Math.min(left, less), side: (1 - side) as Side },
      ];
    }
  },
});
`;

interface Row {
  readonly position: string;
  readonly mover: string;
  readonly outcome: string;
}

test.skipIf(!LONG)(
  `a new game is written by the page alone, solved and exported, with the values of theory${ifShort}`,
  async () => {
    const folder = testFolder();
    const path = join(folder, 'euclid.ts');
    const store = join(folder, 'tables');
    const mergemate = program(store);
    writeFileSync(path, euclid);
    expect(await succeed(['check', path])).toContain(
      'euclid keeps the contract in all 1,280 positions that can be reached (seed 1)\n',
    );
    expect(await mergemate.succeed(['solve', path])).toContain('euclid: 1,280 positions, 4,862 moves');
    // 8 and 5, White to move.
    const key = String((8 * 64 + 5) * 2);
    expect(await mergemate.succeedJson(['probe', path, key, '--json'])).toMatchObject({
      outcome: 'loss',
      plies: 4,
    });
    expect(await mergemate.succeed(['probe', '--line', path, key])).toContain(
      '1. -5 -3 2. -2 -2 Black wins\n',
    );
    const rows = join(folder, 'rows.jsonl');
    await mergemate.succeed(['export', path, '--out', rows, '--format', 'jsonl']);
    const found = readFileSync(rows, 'utf8').trimEnd().split('\n');
    expect(found).toHaveLength(1280);
    const golden = (1 + Math.sqrt(5)) / 2;
    for (const line of found) {
      const { position, mover, outcome } = JSON.parse(line) as Row;
      const [more, less] = [Number(position) >> 7, (Number(position) >> 1) & 63];
      expect(mover).toBe(Number(position) % 2 === 0 ? 'white' : 'black');
      // Cole and Davie 1969: the larger number must be more than the golden ratio times the smaller, or equal to it.
      const isWon = less > 0 && (more === less || more > golden * less);
      expect([position, outcome]).toEqual([position, isWon ? 'win' : 'loss']);
    }
  },
);
