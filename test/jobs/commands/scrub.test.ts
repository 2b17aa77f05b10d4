/** `scrub`: it names what is damaged, and repairs it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim } from '../../../jobs/run/claims.js';
import { localStore } from '../../../operators/storage/local.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { filesUnder, testFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

test('names damage and exits with 1; --repair brings the same tables back', async () => {
  const at = testFolder();
  const mergemate = program(at);
  const solved = await mergemate.succeedJson<{ slices: { digests: string[] }[] }>(['solve', 'chess', 'KRK']);
  expect(await mergemate.succeed(['scrub'])).toMatch(/ objects, \d[^\n]* read in [^\n]*: all sound\n$/);
  const values = filesUnder(at).find((name) => /KRK\/values-1-/.test(name))!;
  const record = filesUnder(at).find((name) => /KK\/record-/.test(name))!;
  for (const file of [values, record]) {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 4;
    writeFileSync(file, bytes);
  }
  const name = values.slice(at.length + 1);
  const { code, stderr, stdout } = await mergemate.run(['scrub']);
  expect(code).toBe(1);
  expect(stderr).toContain(`mergemate: ${name}: record batch `);
  expect(stdout).toContain(`  run: mergemate scrub --repair --store ${at}\n`);
  const json = await mergemate.run(['scrub', '--repair', '--json']);
  expect([json.code, json.stderr]).toEqual([0, '']);
  expect(JSON.parse(json.stdout).damaged).toMatchObject([
    { name: record.slice(at.length + 1), repaired: true, run: null },
    { name, repaired: true, dependents: [] },
  ]);
  const again = await mergemate.succeedJson<{ slices: { found: boolean; digests: string[] }[] }>([
    ...['solve', 'chess', 'KRK'],
  ]);
  expect(again.slices.every(({ found }) => found)).toBe(true);
  expect(again.slices.map(({ digests }) => digests)).toEqual(solved.slices.map(({ digests }) => digests));
  await mergemate.succeed(['scrub']);
});

test('--repair leaves alone what a process is at, and says so', async () => {
  const at = testFolder();
  await putEndings(at, chess, ['KBK']);
  const values = filesUnder(at).find((name) => /KBK\/values-1-/.test(name))!;
  writeFileSync(values, '');
  const files = filesUnder(at);
  const undone = async () => ['dtm/KBK'];
  const fail = (error: Error) => {
    throw error;
  };
  const work = await claim(localStore(at, { durable: false }), {
    game: 'chess',
    undone,
    say: () => {},
    lost: fail,
  });
  const { code, stderr } = await program(at).run(['scrub', '--repair']);
  await work.release();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^mergemate: chess KBK: process ${process.pid} of .* is at work on it: it is left alone\n`),
  );
  expect(filesUnder(at)).toEqual(expect.arrayContaining(files));
  await program(at).succeed(['scrub', '--repair']);
});

test('a store of the version before is refused as such', async () => {
  const at = testFolder();
  await program(at).succeed(['solve', 'chess', 'KK']);
  const manifest = join(at, 'chess/dtm/KK/table.json');
  writeFileSync(manifest, '{"version":2,"game":"chess","slice":"KK","step":"table"}\n');
  const { code, stderr } = await program(at).run(['solve', 'chess', 'KK']);
  expect([code, stderr.split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain('written in format 2, this program reads format 3');
});
