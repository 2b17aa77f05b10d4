/** verify --rules asks a game's functions for every move again: rules that changed in one position are found. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { run, succeed, succeedJson } = program(join(folder, 'tables'));
/** Each number of counters is a round of its own: few, but more than the sample of rules comes through. */
const HEAP = 2_200;

/** A heap from which one, three or five are taken. Each module has the same name; `change` is another rule in one position. */
function written(file: string, change = ''): string {
  const path = join(folder, `${file}.mjs`);
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';
const taking = {
  name: 'taking', roots: () => [${HEAP}], key: (n) => n, position: (n) => n, mover: (n) => n % 2,
  moves: (n) => [1, 3, 5].flatMap((k) => (k <= n ? [['take ' + k, n - k]] : [])),
};
export default keyedGame({ ...taking, ${change} });
`,
  );
  return path;
}

/** Where no sample of rules comes: it has the 2,048 positions nearest to the root, and games of 256 moves. */
const AT = 77;

describe('verify --rules', () => {
  beforeAll(() => succeed(['solve', written('taking')]), 60_000);

  test.skipIf(!LONG)(`the same rules give what is stored${ifShort}`, async () => {
    const path = written('taking');
    expect(await succeed(['verify', path])).not.toContain('the rules');
    const moves = 3 * (HEAP + 1) - 1 - 3 - 5;
    expect(await succeed(['verify', '--rules', path])).toContain(
      `the rules give the same: ${moves.toLocaleString('en')} moves of ${(HEAP + 1).toLocaleString('en')} positions\n`,
    );
    expect(await succeedJson(['verify', '--rules', path])).toMatchObject({
      wrong: 0,
      rules: { positions: HEAP + 1, moves, difference: null },
    });
  });

  const other = `moves: (n) => taking.moves(n)`;
  test.each([
    [
      'a move less',
      `${other}.slice(n === ${AT} ? 1 : 0)`,
      `taking: ${AT}: moves leads to other positions than those that are stored`,
    ],
    [
      'an end',
      `ended: (n) => (n === ${AT} ? 'drawn' : null)`,
      `taking: ${AT}: mover, ended or score gives something else than what is stored`,
    ],
    [
      'a move more',
      `${other}.concat(n === ${AT} ? [['up', ${HEAP + 1}]] : [])`,
      new RegExp(`taking: ${HEAP + 1}: the rules lead there, after \\d+ moves, and it is not stored`),
    ],
    [
      'a position that is not reached',
      `${other}.filter(([, n]) => n !== ${AT})`,
      new RegExp(`taking: position ${AT} is stored, after \\d+ moves, and the rules do not lead there`),
    ],
  ])('%s in one position is found', async (what, change, says) => {
    const path = written(what.replaceAll(' ', '-'), change);
    // Verify alone finds none of them: if its sample of rules came there, it would refuse the table before it compared anything.
    if (what === 'a move less') expect((await run(['verify', path])).code).toBe(0);
    const { code, stdout, stderr } = await run(['verify', '--rules', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^taking, dtw: .* checked.*, all values are right by the moves that are stored, which are not those of the rules\n$/,
    );
    expect(stderr.split('\n').find((line) => line.includes('taking: '))).toMatch(says);
  });

  test('published files have no rules', async () => {
    for (const args of [
      ['verify', '--rules', folder],
      ['verify', '--rules', 'chess', 'KQK', '--published', folder],
    ]) {
      const { code, stderr } = await run(args);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--rules compares solved tables with the rules'),
      ]);
    }
  });
});
