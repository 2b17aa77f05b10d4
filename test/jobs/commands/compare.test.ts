/** `mergemate compare` as users run it: tables that differ, and I/O past the cache where there is none. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { supportsDirect } from '../../../operators/storage/direct-file.js';
import { localStore } from '../../../operators/storage/local.js';
import { commitManifest, TableManifest } from '../../../pipeline/game/manifest.js';
import { brokenIn, type ValueColumn } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { slicePrefix, tableManifestName } from '../../../pipeline/tables/table-names.js';
import { digestOfParts, writeValues } from '../../../pipeline/tables/writer.js';
import { start, until } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

/**
 * Writes a table of KK to the folder `to` that is whole, but says that white to move wins in one ply, everywhere.
 * Returns the names of its files, the manifest last.
 */
async function writeWonKings(from: string, to: string): Promise<string[]> {
  const right = await needTable(localStore(from, { durable: false }), chess, 'dtm', 'KK');
  const { manifest, slice } = right;
  const store = localStore(to, { durable: false });
  const [, black] = manifest.values;
  const parts = { from: 0, to: slice.parts };
  // The runs are called as the right ones are.
  const [, attempt] = /^.*values-\d-\d+-\d+(.*)\.arrow$/.exec(black[0].name)!;
  const { run, partDigests } = await writeValues(
    store,
    slicePrefix('chess', 'dtm', 'KK'),
    { slice: 'KK', metric: 'dtm', side: 0, type: 'i8', parts, partSize: slice.partSize(0), attempt },
    { batchRows: 1000, counters: newCounters() },
    async (writer) => {
      for await (const batch of right.values(0, 0, slice.parts)) {
        const column = Int8Array.from(batch.columns[0] as ValueColumn);
        const broken = brokenIn(column);
        await writer.append(
          batch.major,
          column.map((value) => (value === broken ? broken : 1)),
        );
      }
    },
  );
  const name = tableManifestName('chess', 'dtm', 'KK');
  await commitManifest(
    store,
    name,
    {
      ...manifest,
      values: [[run], black],
      digests: [digestOfParts(partDigests), manifest.digests[1]],
      wins: [manifest.positions[0], 0],
      longestWin: [1, null],
    },
    TableManifest,
  );
  return [run.name, name];
}

test.skipIf(!LONG)(
  `tables that differ are named, with the first position, and the exit code is 1${ifShort}`,
  async () => {
    const folder = testFolder();
    const store = join(folder, 'store');
    const wrong = join(folder, 'wrong');
    const page = join(folder, 'report.html');
    await program(store).succeed(['solve', 'chess', 'KK']);
    const files = await writeWonKings(store, wrong);
    const solvers = ['--solvers', 'sort,paged', '--memory', '8MiB,64MiB'];
    const { ended } = start(['compare', 'chess', 'KRK', ...solvers, '--store', store, '--html', page]);
    // The first run has been lent the right table of KK, as a second name of the same files. Runs to come get the wrong one.
    const lent = () =>
      readdirSync(store)
        .filter((name) => name.startsWith('.scratch-'))
        .some((name) => existsSync(join(store, name, 'run-0/tables', files.at(-1)!)));
    await until(lent, 'the first run');
    for (const file of files) renameSync(join(wrong, file), join(store, file));

    const { code, stdout, stderr } = await ended;
    expect(code).toBe(1);
    const difference =
      /sort \(8 MiB\) and paged \(64 MiB\) differ first at (\S+ w - - 0 1): win in (\d+) plies and win in (\d+) plies/;
    expect(stdout, stderr).toMatch(difference);
    const match = difference.exec(stdout)!;
    expect(stdout).toContain(`DIFFERENT: ${match[0]}`);
    expect(stderr).toContain(`mergemate: tables differ: ${match[0]}\n`);
    expect(readFileSync(page, 'utf8')).toContain(`<p class="alarm">${match[0]}</p>`);
    expect(stdout).not.toContain('identical');

    // The right table says the same as the first solver.
    const probed = JSON.parse(
      await program(join(folder, 'right')).succeed(['solve', 'chess', 'KRK', '--json']),
    );
    expect(probed.slices.at(-1).slice).toBe('KRK');
    const value = await program(join(folder, 'right')).succeed(['probe', 'chess', match[1]]);
    expect(value).toContain(`${match[2]} plies`);
    expect(Number(match[3])).toBeLessThan(Number(match[2]));
  },
);

test.skipIf(!LONG)(`--io direct gives the same tables, by all solvers${ifShort}`, async (context) => {
  const folder = testFolder();
  context.skip(!supportsDirect(folder), 'no direct I/O in the folder for temporary files');
  const args = ['compare', 'chess', 'KRK', '--memory', '1MiB,16MiB', '--io', 'direct'];
  const { io, identical, runs, notes } = JSON.parse(await program(folder).succeed([...args, '--json']));
  expect({ io, identical }).toEqual({ io: 'direct', identical: true });
  expect(notes.join('\n')).toContain('O_DIRECT');
  const solved = runs.filter(({ status }: { status: string }) => status === 'solved');
  expect(new Set(solved.map(({ solver }: { solver: string }) => solver)).size).toBe(3);
  // Every byte that a solver reads and writes is one that the device moved.
  const bytes = ({ sequential, random }: Record<string, { bytes: number }>) =>
    sequential.bytes + random.bytes;
  for (const { measured, counted } of solved) {
    expect(measured.deviceReadBytes).toBeGreaterThanOrEqual(bytes(counted.read));
    expect(measured.deviceWrittenBytes).toBeGreaterThanOrEqual(bytes(counted.written));
    expect(bytes(counted.written)).toBeGreaterThan(30_000);
  }
});

test('--io direct is refused before anything is solved where the file system cannot do it', async (context) => {
  const folder = testFolder();
  const mount = join(folder, 'ramfs');
  mkdirSync(mount);
  if (spawnSync('mount', ['-t', 'ramfs', 'ramfs', mount]).status !== 0)
    return context.skip('no file system can be mounted here');
  try {
    const store = join(folder, 'store');
    const args = ['compare', 'chess', 'KRK', '--io', 'direct', '--scratch', mount];
    const { code, stdout, stderr } = await program(store).run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `mergemate: --io direct: the file system of ${mount} does not support direct I/O; name a folder of another with --scratch\n`,
    );
    expect(existsSync(store)).toBe(false);
    expect(readdirSync(mount)).toEqual([]);
  } finally {
    execFileSync('umount', [mount]);
  }
});
