/** Output that cannot be written: standard output on a full disk or without a reader, and folders that may only be read. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CLI } from '../../support/cli.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const file = (name: string) => join(folder, name);
const WON = '8/8/8/8/8/8/2k5/K6Q w - - 0 1';

beforeAll(async () => {
  await putEndings(store, chess, ['KQK']);
  mkdirSync(file('read-only'));
  writeFileSync(file('file'), 'precious');
  writeFileSync(file('games.pgn'), `[FEN "${WON}"]\n\n1. Qg2+ *\n`);
  chmodSync(folder, 0o755);
  for (const each of [store, file('read-only')]) chmodSync(each, 0o555);
});
afterAll(() => {
  for (const each of [store, file('read-only')]) chmodSync(each, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** Root may write to every folder, so there the command runs as nobody. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** @param out a file for standard output; undefined: a pipe, whose first piece is the last that is read. */
async function ended(args: readonly string[], out?: string): Promise<[code: number | null, stderr: string]> {
  const to = out === undefined ? null : openSync(out, 'w');
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', to ?? 'pipe', 'pipe'], ...user });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout?.once('data', () => child.stdout!.destroy());
  const code = await new Promise<number | null>((done) => child.on('close', done));
  if (to !== null) closeSync(to);
  return [code, stderr];
}

const SPEAKING = [
  ['help'],
  ['solve', '--help'],
  ['probe', 'chess', WON, '--store', store],
  ['stats', 'chess', 'KQK', '--store', store],
  ['export', 'chess', 'KQK', '--store', store],
  ['study', file('games.pgn'), '--store', store],
];

describe.skipIf(!existsSync('/dev/full'))('standard output', () => {
  test.each(SPEAKING)('on a full disk is one line: %s', async (...args) => {
    expect(await ended(args, '/dev/full')).toEqual([
      2,
      'mergemate: standard output: the disk is full (write: ENOSPC)\n',
    ]);
  });

  test.each(SPEAKING)('whose reader goes away ends quietly: %s', async (...args) => {
    const [code, stderr] = await ended(args);
    expect([code, stderr.replace(/^[\d,]+ rows?\n$/, '')]).toEqual([0, '']);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that may only be read', () => {
  test.each([
    ['probe', 'chess', WON, '--line'],
    ['stats', 'chess', 'KQK'],
    ['export', 'chess', 'KQK', '--limit', '1'],
    ['verify', 'chess', 'KQK'],
    ['scrub'],
  ])('answers %s', async (...args) => {
    expect((await ended([...args, '--store', store]))[0]).toBe(0);
  });

  test.each([
    ['solve', 'chess', 'KRK', '--store', store],
    ['export', 'chess', 'KQK', '--store', store, '--out', file('read-only/kqk.csv')],
    ['study', file('games.pgn'), '--store', store, '--out', file('read-only/games.pgn')],
    ['stats', 'chess', 'KQK', '--store', store, '--html', file('read-only/report')],
    ['compare', 'chess', 'KQK', '--store', file('new'), '--html', file('read-only/kqk.html')],
    ['publish', 'chess', 'KQK', '--store', store, '--to', file('read-only/published')],
  ])('refuses what %s %s %s writes, in one line', async (...args) => {
    const [code, stderr] = await ended(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^(?:KQ?K \[\d\/\d\]\n)*mergemate: [^\n]+: (?:cannot be written: )?permission denied[^\n]*\n$/,
    );
    expect(readdirSync(file('read-only'))).toEqual([]);
  });
});
