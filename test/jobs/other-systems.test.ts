/**
 * The program where files, folders and signals are as on Windows and macOS (test/support/other-systems.cjs): it solves, is killed, goes
 * on, exports and tidies up as it does on Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../support/cli.js';
import { program, succeed } from '../support/command.js';
import { filesUnder, testFolder } from '../support/folders.js';
import { killAfterWrites } from '../support/kills.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';

const CLI = resolve('dist/jobs/cli.js');
const DOUBLE = resolve('test/support/other-systems.cjs');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param refusals the file in which the double writes what it has refused. */
function startOnDouble(
  args: readonly string[],
  refusals: string,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const env = { ...process.env, NODE_OPTIONS: `--require ${DOUBLE}`, MERGEMATE_TEST_REFUSALS: refusals };
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const ended = new Promise<Ended>((done) => child.on('close', (code) => done({ code, stdout, stderr })));
  return { child, ended };
}

/** Digests of all tables of a store, as the manifests have them. */
function tablesOf(store: string): string[] {
  return filesUnder(join(store, 'chess'))
    .filter((file) => file.endsWith('table.json'))
    .map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { digests: string[] }).digests.join(' '))
    .sort();
}

const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test.skipIf(!LONG)(
  `a solve that is killed again and again, an export and a scrub end as on Linux${ifShort}`,
  async () => {
    const folder = testFolder();
    const refusals = join(folder, 'refusals');
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    const solve = ['solve', 'chess', 'KRKN', '--memory', '4MiB', '--workers', '2', '--no-verify'];
    expect((await start(['solve', 'chess', 'KRKN', '--no-verify', '--store', here]).ended).code).toBe(0);
    const onDouble = (...args: string[]) => startOnDouble([...args, '--store', there], refusals);

    let kills = 0;
    for (let writes = LONGEST ? 20 : 30; ; writes *= LONGEST ? 2 : 4) {
      const { child, ended } = onDouble(...solve);
      if (await killAfterWrites(child, there, writes)) {
        kills++;
        continue;
      }
      const { code, stderr } = await ended;
      expect([code, stderr.match(/internal error|refused/)]).toEqual([0, null]);
      break;
    }
    expect(kills).toBeGreaterThan(0);
    expect(tablesOf(there)).toEqual(tablesOf(here));

    for (const name of ['krk.parquet', 'krk.csv']) {
      const [one, other] = [join(folder, name), join(folder, `other-${name}`)];
      await program(here).succeed(['export', 'chess', 'KRK', '--out', one]);
      // In place of a file that is there.
      for (const more of [[], ['--force']])
        expect((await onDouble('export', 'chess', 'KRK', '--out', other, ...more).ended).code).toBe(0);
      expect(digest(other)).toBe(digest(one));
    }
    for (const args of [['scrub'], ['verify', 'chess', 'KRK'], ['solve', 'samples/town.jsonl'], ['status']])
      expect(await onDouble(...args).ended).toMatchObject({ code: 0 });
    const ranks = onDouble('solve', 'chess', 'KBK', '--engine', 'processes', '--workers', '2');
    expect((await ranks.ended).code).toBe(0);

    // Scratch folders of those that were killed are gone.
    expect(readdirSync(there).filter((name) => name.startsWith('.'))).toEqual([]);
    // The double was met.
    const met = new Set(
      readFileSync(refusals, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    );
    expect([...met].sort()).toEqual(expect.arrayContaining(['fsync', 'open', 'unlink', 'uv_signal_start']));
  },
  300_000,
);

test.skipIf(!LONG)(
  `SIGTERM ends a solve, which leaves nothing that the next one does not remove${ifShort}`,
  async () => {
    const folder = testFolder();
    const store = join(folder, 'tables');
    const args = ['solve', 'chess', 'KRKN', '--memory', '4MiB', '--store', store];
    const { child, ended } = startOnDouble(args, join(folder, 'refusals'));
    await expect.poll(() => existsSync(join(store, 'chess/dtm/KRK'))).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      code: 143,
      stderr: expect.stringContaining('mergemate: terminated'),
    });
    await succeed(args);
    expect(readdirSync(store).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);
