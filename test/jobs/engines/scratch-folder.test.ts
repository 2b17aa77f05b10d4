/** Scratch folders and unfinished files: those of dead processes go, those of processes that only look dead from here stay. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeRemains } from '../../../jobs/engines/remains.js';
import {
  claimScratch,
  removeDeadOutputs,
  SILENT_PART_MS,
  SILENT_SCRATCH_MS,
  tidyParts,
} from '../../../jobs/engines/scratch-folder.js';
import { localStore } from '../../../operators/storage/local.js';
import { processIdentity } from '../../../operators/storage/process-identity.js';
import { testFolder } from '../../support/folders.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';

function put(path: string, ageMs = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'abc');
  age(path, ageMs);
  return path;
}

function age(path: string, ageMs: number): void {
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(path, at, at);
}

test('a scratch folder stays while its process may be at work, and goes when that has ended or was silent for long', () => {
  const parent = testFolder();
  const old = SILENT_SCRATCH_MS + 60_000;
  const folders = {
    own: join(parent, `.scratch-${processIdentity}-99`),
    elsewhere: join(parent, `.scratch-${foreignIdentity}-0`),
    beating: join(parent, `.scratch-${foreignIdentity}-1`),
    ended: join(parent, `.scratch-${endedIdentity()}-0`),
    silent: join(parent, `.scratch-${foreignIdentity}-2`),
    byOlderVersion: join(parent, `.scratch-${process.ppid}@elsewhere`),
    silentByOlderVersion: join(parent, '.scratch-4194305@elsewhere'),
  };
  for (const [what, folder] of Object.entries(folders)) {
    const ageMs = /^own|beating|silent/.test(what) ? old : 0;
    put(join(folder, 'deep/spill'), ageMs);
    for (const each of [join(folder, 'deep'), folder]) age(each, ageMs);
  }
  put(join(folders.beating, '.tmp-alive'));
  const first = claimScratch(parent);
  const stays = Object.entries(folders).filter(([, folder]) => existsSync(folder));
  expect(stays.map(([what]) => what)).toEqual(['own', 'elsewhere', 'beating', 'byOlderVersion']);
  // A second claim of this process leaves the first alone.
  put(join(first.folder, 'spill'));
  const second = claimScratch(parent);
  expect(second.folder).not.toBe(first.folder);
  expect(existsSync(join(first.folder, 'spill'))).toBe(true);
  second.release();
  first.release();
  expect(existsSync(first.folder)).toBe(false);
});

test.each<[string, (folder: string) => Promise<void> | void]>([
  ['a solve into the folder', tidyParts],
  ['an export of a file into it', removeDeadOutputs],
  ['an export of a set into it', (folder) => removeRemains(localStore(folder, { durable: false }))],
])('%s removes unfinished files of dead processes, and no others', async (_, tidy) => {
  const folder = testFolder();
  const parts = (identity: string) => put(join(folder, `.tmp-${identity}-0a.1`));
  const ended = parts(endedIdentity());
  const foreign = parts(foreignIdentity);
  const own = parts(processIdentity);
  const silent = put(join(folder, `.tmp-${foreignIdentity}-0a.2`), SILENT_PART_MS + 60_000);
  const notOurs = put(join(folder, '.tmp-of another program'), SILENT_PART_MS + 60_000);
  const byOlderVersion = [
    put(join(folder, '.tmp-4194305-0')),
    put(join(folder, '.tmp-4194305-1'), 7_200_000),
  ];
  const files = [ended, foreign, own, silent, notOurs, ...byOlderVersion];
  // The scratch of a process has a heartbeat of its own.
  const inScratch = put(
    join(folder, `.scratch-${foreignIdentity}-0/.tmp-${foreignIdentity}-0a.1`),
    7_200_000,
  );
  await tidy(folder);
  expect(files.filter((path) => existsSync(path))).toEqual([foreign, own, notOurs, byOlderVersion[0]]);
  if (tidy === tidyParts) expect(existsSync(inScratch)).toBe(true);
});
