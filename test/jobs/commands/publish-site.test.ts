/** `mergemate publish --as site` as people run it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { start } from '../../support/cli.js';
import { program, succeed } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

test('writes a folder, and lists its content', async () => {
  const folder = testFolder();
  const store = join(folder, 'tables');
  const to = join(folder, 'site');
  await putEndings(store, chess, ['KRK', 'KQK']);
  const all = await program(store).succeedJson<object>(['publish', '--as', 'site', '--to', to]);
  expect(all).toMatchObject({ site: to, games: [{ name: 'chess', metrics: ['dtm'] }] });
  expect(readFileSync(join(to, 'site.json'), 'utf8')).toBe('{"source":"static","tables":"tables/"}\n');
  for (const file of ['index.html', 'tables/index.json', 'tables/chess/dtm/KQK/table.json']) {
    expect(existsSync(join(to, file)), file).toBe(true);
  }
  const one = ['publish', 'chess', 'krk', '--as', 'site', '--store', store, '--metric', 'dtm', '--to', to];
  expect(await succeed(one)).toMatch(/site is a site of its own \(chess: dtm\): \d+ files with values, /);
  expect(existsSync(join(to, 'tables/chess/dtm/KQK/table.json'))).toBe(false);

  // Interrupted once it has begun, then done again.
  const fresh = join(folder, 'fresh');
  const again = [...one.slice(0, -1), fresh];
  const { child, ended } = start(again);
  while (!existsSync(join(fresh, 'tables/export.json')))
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGINT');
  const { code } = await ended;
  expect(existsSync(join(fresh, 'site.json'))).toBe(code === 0);
  await succeed(again);
  expect(existsSync(join(fresh, 'site.json'))).toBe(true);
});

test('--tables names another server for the tables', async () => {
  const folder = testFolder();
  const store = join(folder, 'tables');
  const to = join(folder, 'site');
  await putEndings(store, chess, ['KQK']);
  const export_ = ['publish', '--as', 'site', '--to', to];
  const said = await program(store).succeed([...export_, '--tables', 'https://bucket.example/endings']);
  expect(said).toMatch(/site\/tables belongs at https:\/\/bucket\.example\/endings\/, and all else/);
  expect(JSON.parse(readFileSync(join(to, 'site.json'), 'utf8'))).toEqual({
    source: 'static',
    tables: 'https://bucket.example/endings/',
  });
});

test('refuses tables, metrics and games that do not exist', async () => {
  const folder = testFolder();
  const store = join(folder, 'tables');
  mkdirSync(store);
  const to = join(folder, 'site');
  const refused = async (line: RegExp, ...args: string[]) => {
    const { code, stdout, stderr } = await program(store).run(['publish', ...args, '--as', 'site']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  };
  await refused(/there are no tables in file:/, '--to', to);
  await refused(/no dtc tables of chess/, 'chess', '--to', to, '--metric', 'dtc');
  await refused(/those of one game: name it/, '--to', to, '--metric', 'dtm');
  await refused(/there is no game "QQQ"/, 'QQQ', '--to', to);
  await refused(/KQK is not solved/, 'KQK', '--to', to);
  await refused(/nim is a game of your own/, 'samples/nim.ts', '--to', to);
  await refused(/leave out --metric/, 'chess', '--to', to, '--metric', 'dtm', '--published', store);
  await refused(/--codec goes with --as compact/, '--codec', 'rows');
  for (const address of ['tables', 's3://bucket/tables', 'https://bucket.example/?a=b'])
    await refused(/--tables: "[^"]+" is not an address of a folder/, '--to', to, '--tables', address);
  writeFileSync(join(folder, 'notes'), '');
  await refused(/has other files in it \(notes\)/, '--to', folder);
});
