/** Positions and names that begin with a dash, which command lines take for options. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, succeed } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';

const folder = newFolder();
const graph = join(folder, 'dashes.jsonl');
const flags = ['--store', join(folder, 'tables')];
beforeAll(async () => {
  const lines = [
    { players: ['first', 'second'], stuck: 'lost' },
    { id: '-1,0', owner: 'first', edges: ['--x-o----'] },
    { id: '--x-o----', owner: 'second', edges: [-7] },
    { id: -7, owner: 'first', edges: ['--long-name'] },
    { id: '--long-name', winner: 'second' },
  ];
  writeFileSync(graph, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await succeed(['solve', graph, ...flags]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['-1,0', '--x-o----', '-7'])('%j is looked up wherever it stands', async (node) => {
  for (const words of [
    ['probe', graph, node, ...flags],
    ['probe', graph, ...flags, node],
    ['probe', ...flags, graph, '--', node],
    ['probe', '--line', graph, node, ...flags],
  ]) {
    const { code, stderr } = await run(words);
    expect([words, code, stderr]).toEqual([words, 0, '']);
  }
});

test('a name that looks like an option needs a double dash, and the error shows it', async () => {
  expect(await run(['probe', graph, '--long-name', ...flags])).toMatchObject({
    code: 2,
    stderr:
      'mergemate: unknown option \'--long-name\'; a position or name that begins with "-" goes behind "--"\n',
  });
  expect((await run(['probe', graph, ...flags, '--', '--long-name'])).code).toBe(0);
});

test('an unreadable position is refused as a position, an unknown option as an option', async () => {
  expect((await run(['probe', 'chess', '-1,0', ...flags])).stderr).toMatch(/FEN "-1,0"/);
  expect((await run(['stats', 'chess', '--nothing', ...flags])).stderr).toMatch(/unknown option '--nothing'/);
});

test.each([
  ['solve', '--from'],
  ['plan', '--men', '3', '--from'],
  ['probe', graph, '-1,0', ...flags, '--metric'],
])('%j: the value that is missing at the end is named, and nothing takes its place', async (...words) => {
  const { code, stderr } = await run(words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^mergemate: option '--(?:from|metric) <\w+>' argument missing\n$/),
  ]);
});
