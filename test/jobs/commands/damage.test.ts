/** Failures of the outside world: damaged and wrong tables, a full disk. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { localStore } from '../../../operators/storage/local.js';
import { describeMismatch } from '../../../pipeline/engine/crew/verify-slice.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program as programProcess } from '../../support/cli.js';
import { program, run } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { forgeValues } from '../../support/forging.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
beforeAll(() => putEndings(store, chess, ['KRK']));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLE = 'chess/dtm/KRK';

/** A copy of the store, and its KRK values of white to move. */
function copy(): { store: string; values: string } {
  const copied = join(testFolder(), 'tables');
  cpSync(store, copied, { recursive: true });
  const values = filesUnder(join(copied, TABLE)).find((path) => /values-0-/.test(path))!;
  return { store: copied, values };
}

const readers = (at: string): string[][] => [
  ['verify', 'chess', 'KRK', '--store', at],
  ['stats', 'chess', 'KRK', '--store', at],
  ['export', 'chess', 'KRK', '--format', 'jsonl', '--out', `${at}/x`, '--store', at],
];

async function expectStorageError(args: readonly string[], object: string): Promise<void> {
  const { code, stderr } = await run(args);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
  expect(stderr).toContain(object);
  expect(code).toBe(2);
}

test('a flipped bit anywhere in a table is found and its file named', async () => {
  const { store: at, values } = copy();
  const whole = readFileSync(values);
  for (const [i, place] of sweep([0.3, 0.999], [0.001, 0.7]).entries()) {
    const bytes = Buffer.from(whole);
    bytes[Math.floor(bytes.length * place)] ^= 1 << (2 * i);
    writeFileSync(values, bytes);
    await expectStorageError(readers(at)[i % 3], values.slice(at.length + 1));
    const { stderr } = await run(readers(at)[i % 3]);
    expect(stderr).toMatch(new RegExp(`: run "mergemate scrub --repair --store ${at}"\n$`));
  }
});

test.skipIf(!LONG)(
  `a solve that meets a damaged step names the command that repairs it, and continues after the repair${ifShort}`,
  async () => {
    const at = join(testFolder(), 'tables');
    const solve = ['solve', 'chess', 'KNNK', '--memory', '8MiB', '--keep-runs'];
    await program(at).succeed(solve);
    // As if it had been killed before the table was made of the labels.
    const slice = join(at, 'chess/dtm/KNNK');
    rmSync(join(slice, 'steps/count/finish'), { recursive: true });
    for (const name of ['table.json', 'verified.json', 'record-1.json'])
      rmSync(join(slice, name), { force: true });
    // In all runs of the rounds, for a solve goes on with the last of them.
    const runs = filesUnder(join(slice, 'steps')).filter((path) =>
      /(frontier|counts|unwon)[^/]*\.arrow$/.test(path),
    );
    expect(runs.length).toBeGreaterThan(0);
    for (const path of runs) {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(path, bytes);
    }
    const again = await program(at).run(solve);
    expect(again.stderr).toMatch(new RegExp(`: run "mergemate scrub --repair --store ${at}"\n$`));
    expect(again.code).toBe(2);
    await program(at).succeed(['scrub', '--repair']);
    await program(at).succeed(solve);
  },
);

test('a table that is cut short or gone is found and its file named', async () => {
  const { store: at, values } = copy();
  for (const length of [readFileSync(values).length - 1, 1000, 0]) {
    truncateSync(values, length);
    await expectStorageError(readers(at)[0], values.slice(at.length + 1));
  }
  renameSync(values, `${values}.lost`);
  await expectStorageError(readers(at)[1], values.slice(at.length + 1));
});

test('a manifest that is damaged or of another version is found and named', async () => {
  const { store: at } = copy();
  const manifest = join(at, TABLE, 'table.json');
  const text = readFileSync(manifest, 'utf8');
  for (const broken of [
    text.slice(0, 100),
    text.replace('"version":3', '"version":999'),
    text.replace('"KRK"', '7'),
  ]) {
    writeFileSync(manifest, broken);
    await expectStorageError(readers(at)[1], `${TABLE}/table.json`);
  }
});

/** Changes the value of one position, in a table whose checksums are all valid; returns its index. */
async function forge(at: string, change: (code: number) => number): Promise<number> {
  const { width } = chess.slice('KRK');
  let forged = -1;
  await forgeValues(localStore(at, { durable: false }), `${TABLE}/table.json`, 0, (values, major, first) => {
    const found = values.indexOf(21);
    if (forged >= 0 || found < 0) return false;
    forged = major * width + first + found;
    values[found] = change(values[found]);
    return true;
  });
  return forged;
}

test.each(
  sweep<readonly [string, (code: number) => number, string]>(
    [['a longer win', (code) => code + 2, 'win in 23']],
    [
      ['a draw', () => 0, 'draw'],
      ['a loss', () => -5, 'loss in 4'],
    ],
  ),
)('verify finds %s where a win is, though every checksum is right', async (_what, change, says) => {
  const { store: at } = copy();
  const index = await forge(at, change);
  const { code, stderr, stdout } = await program(at).run(['verify', 'chess', 'KRK', '--json']);
  expect(code).toBe(1);
  const lines = stderr.trim().split('\n');
  expect(lines.length).toBeLessThanOrEqual(11);
  for (const line of lines) expect(line).toMatch(/^mergemate: /);
  const line = lines.find((found) => found.includes(`KRK, white to move, index ${index} (`));
  expect(line).toContain(`table says ${says}, moves give win in 21`);
  expect(line).toMatch(/\([1-8KkR/]+ w - - 0 1\)/);
  const result = JSON.parse(stdout);
  expect(result.wrong).toBeGreaterThan(0);
  expect(result.mismatches).toContainEqual(
    expect.objectContaining({ slice: 'KRK', side: 'white', index, derived: 21 }),
  );
});

test('a wrong value is reported in the words of its metric', () => {
  const { slice, side, part, key } = chess.locate(chess.parse('8/8/8/3k4/8/8/1K6/7R w - - 0 1'));
  const where = { slice, side, part, key };
  const described = (metric: Metric, stored: number | null, derived: number | null) =>
    describeMismatch(chess, metric, { ...where, stored, derived }).replace(/^.*: /, '');
  expect(described('wdl', 0, 1)).toBe('table says draw, moves give win');
  expect(described('wdl', -1, null)).toBe('table says loss, moves give broken');
  expect(described('dtm', -1, 1)).toBe('table says loss in 0, moves give win in 1');
});

test.skipIf(!LONG)(`verify reports how much it checked${ifShort}`, async () => {
  const { stdout, code } = await mergemate.run(['verify', 'chess', 'KRK', '--workers', '2']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/KRK, dtm: 50,015 positions checked, all values are right/);
  const json = await mergemate.succeedJson<Record<string, unknown>>(['verify', 'chess', 'KRK']);
  expect(json).toMatchObject({ game: 'chess', ending: 'KRK', positions: 50015, wrong: 0, mismatches: [] });
});

test('probe reports a value that contradicts the moves', async () => {
  const { store: at } = copy();
  const index = await forge(at, () => 0);
  const { width } = chess.slice('KRK');
  const part = Math.floor(index / width);
  const fen = chess.format(chess.board({ slice: 'KRK', side: 0, part, key: index - part * width }));
  const { code, stderr } = await program(at).run(['probe', 'chess', fen]);
  expect(code).toBe(2);
  expect(stderr).toContain('chess/dtm/KRK: says draw for');
  expect(stderr).toContain('run "mergemate verify chess KRK --metric dtm"');
});

/** Mounts a file system of this size in bytes; null where that is not allowed. */
function smallDisk(bytes: number): string | null {
  const folder = testFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

test.skipIf(!LONG)(
  `a full disk ends a solve with the name of the file, and the solve continues when there is room${ifShort}`,
  async ({ skip }) => {
    const disk = smallDisk(200_000);
    if (disk === null) return skip('mounting a small disk takes root');
    // By processes: a thread that is broken off may keep files open, and the disk is to be taken away.
    const { code, stderr } = await programProcess(disk).run([
      'solve',
      'chess',
      'KRK',
      '--json',
      '--memory',
      '2MiB',
    ]);
    const [forecast, said] = stderr.split('\n');
    expect(forecast).toMatch(/^forecast: 2 slices, .*, \d+\.\d KiB of 196\.0 KiB free: it may not fit$/);
    expect(said).toMatch(new RegExp(`^mergemate: file:${disk}/.+: the disk is full `));
    expect(stderr).toBe(`${forecast}\n${said}\n`);
    expect(code).toBe(2);
    execFileSync('mount', ['-o', 'remount,size=50000000', disk]);
    const { stdout } = await programProcess(disk).run(['solve', 'chess', 'KRK', '--json']);
    const summary = JSON.parse(stdout) as { slices: { digests: string[] }[] };
    const intact = await mergemate.succeedJson<typeof summary>(['solve', 'chess', 'KRK']);
    expect(summary.slices.map(({ digests }) => digests)).toEqual(intact.slices.map(({ digests }) => digests));
  },
);

test('a full disk leaves no half-written export', async ({ skip }) => {
  const disk = smallDisk(100_000);
  if (disk === null) return skip('mounting a small disk takes root');
  mkdirSync(join(disk, 'out'));
  for (const format of sweep(['parquet'], ['arrow', 'jsonl'])) {
    const out = join(disk, 'out', `krk.${format}`);
    const { code, stderr } = await mergemate.run([
      'export',
      'chess',
      'KRK',
      '--format',
      format,
      '--out',
      out,
    ]);
    expect([format, code]).toEqual([format, 2]);
    expect(stderr).toMatch(new RegExp(`^mergemate: [^\\n]*krk\\.${format}[^\\n]*\\n$`));
    expect(filesUnder(disk)).toEqual([]);
  }
});
