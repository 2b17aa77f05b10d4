/** A keyed game that is asked for by its name in a store, without its module. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';

const RULES = `
import { keyedGame } from 'mergemate';

export default keyedGame({
  name: 'few',
  players: ['left', 'right'],
  roots: () => [{ left: 4, side: 0 }],
  key: ({ left, side }) => 2n ** 63n + BigInt(left * 2 + side),
  position: (key) => ({ left: Number((key - 2n ** 63n) >> 1n), side: Number(key & 1n) }),
  mover: ({ side }) => side,
  moves: ({ left, side }) => [1, 2].filter((n) => n <= left).map((n) => ['take\\n' + n, { left: left - n, side: 1 - side }]),
});
`;

test('is published by its module alone, and players who are called otherwise now are named', async () => {
  const folder = testFolder();
  const path = join(folder, 'few.ts');
  writeFileSync(path, RULES);
  const { succeed, run } = program(join(folder, 'tables'));
  await succeed(['solve', path]);
  const refused = await run(['publish', 'few', '--to', join(folder, 'small')]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'mergemate: few is a keyed game: name its module to publish it, as in "mergemate publish ./few.ts"\n',
  ]);
  await succeed(['publish', path, '--to', join(folder, 'small')]);

  // A line break in a move's name does not break the table.
  expect(await succeed(['probe', path])).toContain('\ntake\\n1  ');

  const other = join(folder, 'other.ts');
  writeFileSync(other, RULES.replace("'left', 'right'", "'first', 'second'"));
  const { stderr } = await run(['stats', other]);
  expect(stderr).toContain('calls the players first and second, and few in ');
});
