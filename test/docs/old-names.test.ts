/** Each old name of the changelog is refused with the line that gives the new one, and each new command runs. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as runProcess } from '../support/cli.js';
import { program, run } from '../support/command.js';
import { newFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

const [, table = ''] = readFileSync('CHANGELOG.md', 'utf8').split('| before | now |');
/** What does the same now is a command, or a template to edit. */
const rows = [...table.matchAll(/^ *\| `([^`]+)` \| (?:`([^`]+)`|\S.*) \|$/gm)].map(
  ([, before, now]) => [before ?? '', now ?? null] as const,
);
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const PLACES = ['report', 'syzygy', 'site', 'hex'];

beforeAll(async () => {
  if (!LONG) return;
  for (const metric of ['dtm', 'dtc', 'dtz'])
    await mergemate.succeed(['solve', 'chess', 'KQK', '--metric', metric, '--no-verify']);
  await mergemate.succeed(['solve', 'samples/hex/game.ts']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the table has every old name', () => {
  expect(new Set(rows.map(([before]) => wordsOf(before)[0]))).toEqual(
    new Set(['line', 'report', 'positions', 'gc', 'syzygy', 'serve', 'publish', 'plan', 'solve', 'graph']),
  );
});

test.each(rows)('%s is refused with its new name', async (before, now) => {
  const { code, stdout, stderr } = await run(wordsOf(before));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    now === null
      ? /^mergemate: .* is gone: .*samples\/batch.*\n$/
      : /^mergemate: .* is called "mergemate .*" now\n$/,
  );
});

test.skipIf(!LONG)(`each new command runs, in the order of the table${ifShort}`, async () => {
  // "graph solve" comes behind commands that need nothing of it.
  for (const [, now] of rows) {
    if (now === null) continue;
    const words = wordsOf(now).map((word, i, all) =>
      PLACES.includes(word) && all[i - 1] !== '--as' ? join(folder, word) : word,
    );
    // A rank talks to the process that starts it.
    const runs = words[0] === 'rank' ? runProcess : run;
    expect(await runs([...words, '--store', store]), now).toMatchObject({ code: 0 });
  }
});
