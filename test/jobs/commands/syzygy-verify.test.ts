/** `verify` of files of Syzygy of which some are damaged. */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program, run } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const files = join(folder, 'files');
beforeAll(async () => {
  const store = join(folder, 'tables');
  await putEndings(store, chess, ['KPK'], ['dtz']);
  await program(store).succeed(['publish', 'chess', 'KPK', '--as', 'syzygy', '--to', files]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['damaged', 'KQvK.rtbz', 'KQvK.rtbw does not match its checksum'],
  ['missing', 'KQvK.rtbz', 'KQvK.rtbw is missing'],
])('files that are not verified because one is %s are named, with the reason', async (what, second, why) => {
  const copy = testFolder();
  for (const name of readdirSync(files)) copyFileSync(join(files, name), join(copy, name));
  const first = join(copy, 'KQvK.rtbw');
  const bytes = readFileSync(first);
  bytes[bytes.length - 1] ^= 1;
  if (what === 'missing') rmSync(first);
  else writeFileSync(first, bytes);
  const { code, stdout, stderr } = await run(['verify', copy, '--json']);
  expect(code).toBe(1);
  const found = (JSON.parse(stdout) as { files: { name: string; problem: string | null }[] }).files;
  expect(found.map(({ name }) => name).sort()).toEqual(readdirSync(files).sort());
  const problems = new Map(found.map(({ name, problem }) => [name, problem]));
  expect(problems.get(second)).toBe(`was not verified: ${why}`);
  expect(problems.get('KPvK.rtbw')).toMatch(/KQvK\.rtbw/);
  expect(problems.get('KPvK.rtbz')).toMatch(/^was not verified: .*KQvK\.rtbw/);
  expect(stderr).toBe(`mergemate: ${copy}: 4 of 10 files are wrong or could not be verified\n`);
});
