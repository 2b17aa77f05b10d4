/**
 * Slices that are solved at once: the same tables, whatever comes between.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start, until } from '../../support/cli.js';
import { program, succeedJson } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';

interface Summary {
  wallMs: number;
  cpuMs: number | null;
  slices: {
    slice: string;
    found: boolean;
    verified: number | null;
    positions: number;
    cpuMs: number | null;
    digests: string[];
    phases: { phase: string; wallMs: number; cpuMs: number | null }[];
  }[];
}

const digests = ({ slices }: Summary) => slices.map(({ slice, digests }) => [slice, ...digests]);

/** 37 slices of one part each, in waves of up to four. */
const SET = ['checkers', '--men', '2', '--memory', '4MiB'];
const solve = (store: string, ...more: string[]) =>
  program(store).succeedJson<Summary>(['solve', ...SET, ...more]);

const folderOfOne = newFolder();
let one: Summary;
beforeAll(async () => {
  if (!LONG) return;
  one = await solve(folderOfOne);
});
afterAll(() => rmSync(folderOfOne, { recursive: true, force: true }));

test.skipIf(!LONG).each(LONGEST ? ['2', '3'] : ['3'])(
  `%s workers make the same tables as one${ifShort}`,
  async (workers) => {
    const many = await solve(testFolder(), '--workers', workers);
    expect(digests(many)).toEqual(digests(one));
    for (const { verified, positions } of many.slices) expect(verified).toBe(positions);

    // CPU time of slices that were solved side by side is not known; that of the run is.
    expect(many.cpuMs).toBeGreaterThan(0);
    expect(many.wallMs).toBeGreaterThan(0);
    const accompanied = many.slices.filter(({ cpuMs }) => cpuMs === null);
    expect(accompanied.length).toBeGreaterThan(many.slices.length / 2);
    for (const { phases } of accompanied) {
      expect(phases.map(({ phase }) => phase)).toEqual(['resident', 'verify']);
      for (const { cpuMs } of phases) expect(cpuMs).toBeNull();
    }
    expect(one.slices.every(({ cpuMs }) => cpuMs !== null)).toBe(true);
  },
);

test.skipIf(!LONG)(
  `large slices solved alone or by all workers give the same tables, too${ifShort}`,
  async () => {
    const folder = testFolder();
    const args = (store: string, workers: string) => [
      ...['solve', 'chess', 'KBBK', 'KNNK', '--metric', 'wdl', '--memory', '40MiB', '--no-verify'],
      ...['--workers', workers, '--store', join(folder, store)],
    ];
    const alone = await succeedJson<Summary>(args('two', '2'));
    const byAll = await succeedJson<Summary>(args('four', '4'));
    const unknown = ({ slices }: Summary) =>
      slices.filter(({ cpuMs }) => cpuMs === null).map(({ slice }) => slice);
    expect(unknown(alone)).toEqual(['KBK', 'KBBK', 'KNK', 'KNNK']);
    expect(unknown(byAll)).toEqual(['KBK', 'KNK']);
    expect(digests(byAll)).toEqual(digests(alone));
  },
);

const tablesIn = (store: string) =>
  filesUnder(join(store, 'checkers')).filter((path) => /\/table\.json$/.test(path)).length;

test.skipIf(!LONG)(
  `a solve that is killed again and again, with any number of workers, ends with the same tables${ifShort}`,
  async () => {
    const store = testFolder();
    let found = 0;
    for (const [i, workers] of (LONGEST ? ['3', '2', '2'] : ['3', '2']).entries()) {
      const running = start(['solve', ...SET, '--store', store, '--workers', workers]);
      await until(() => tablesIn(store) >= 6 * (i + 1), 'more tables');
      running.child.kill('SIGKILL');
      expect((await running.ended).signal).toBe('SIGKILL');
      expect(tablesIn(store)).toBeGreaterThan(found);
      found = tablesIn(store);
    }
    const resumed = await solve(store, '--workers', '2');
    expect(resumed.slices.filter((slice) => slice.found).length).toBeGreaterThanOrEqual(found);
    expect(digests(resumed)).toEqual(digests(one));
    for (const { verified, positions } of resumed.slices) expect(verified).toBe(positions);
    expect(readdirSync(store)).toEqual(['checkers']);
  },
);

test.skipIf(!LONG)(
  `Ctrl-C leaves a line, exit code 130 and no scratch; the same command continues${ifShort}`,
  async () => {
    const store = testFolder();
    const running = start(['solve', ...SET, '--store', store, '--workers', '2']);
    await until(() => tablesIn(store) >= 5, 'some tables');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr.split('\n').filter((line) => line.startsWith('mergemate:'))).toEqual([
      `mergemate: interrupted; all finished steps are kept in file:${store}: the same command continues from there`,
    ]);
    expect(readdirSync(store)).toEqual(['checkers']);
    expect(filesUnder(store).filter((path) => path.includes('.tmp-'))).toEqual([]);
    expect(digests(await solve(store, '--workers', '2'))).toEqual(digests(one));
  },
);

test.skipIf(!LONG)(
  `a slice that fails ends the others: its error is printed, and no table is left half written${ifShort}`,
  async () => {
    const store = testFolder();
    await program(store).succeedJson(['solve', 'checkers', '1001.03']);
    const broken = filesUnder(store).find((path) => /1001\.03\/values-0-/.test(path))!;
    const bytes = readFileSync(broken);
    const whole = Buffer.from(bytes);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(broken, bytes);
    const { code, stdout, stderr } = await program(store).run(['solve', ...SET, '--workers', '2']);
    const messages = stderr.split('\n').filter((line) => line.startsWith('mergemate:'));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(broken.slice(store.length + 1));
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(store)).toEqual(['checkers']);
    expect(filesUnder(store).filter((path) => path.includes('.tmp-'))).toEqual([]);

    writeFileSync(broken, whole);
    expect(digests(await solve(store, '--workers', '3'))).toEqual(digests(one));
  },
);

test.skipIf(!LONG)(`several slices are verified at once${ifShort}`, async () => {
  // An empty board is no ending that anybody names.
  const slices = one.slices.filter(({ slice }) => slice !== '0000');
  const positions = slices.reduce((sum, slice) => sum + slice.positions, 0);
  for (const workers of ['2', '1']) {
    const args = ['verify', ...SET, '--workers', workers];
    const found = await program(folderOfOne).succeedJson<object>(args);
    expect(found).toMatchObject({ slices: slices.length, positions, wrong: 0 });
  }
});
