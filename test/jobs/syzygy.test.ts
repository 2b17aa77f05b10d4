/** `mergemate syzygy` writes what is missing, and says what it needs. */
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFilesLookout } from '../../jobs/server/monitor/files.js';
import { FileSet } from '../../jobs/server/monitor/monitor-answers.js';
import { localStore } from '../../operators/storage/local.js';
import { testFolder } from '../support/cli.js';
import { run, succeed, succeedJson } from '../support/command.js';
import { ifShort, LONG } from '../support/long.js';

interface Report {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly written: boolean }[];
}

describe('mergemate syzygy', () => {
  it.skipIf(!LONG)(
    `writes files of an ending and all that it converts to, and those again that are damaged${ifShort}`,
    {
      timeout: 600_000,
    },
    async () => {
      const [store, out] = [testFolder(), testFolder()];
      await succeed(['solve', 'chess', 'KPK', '--metric', 'dtz', '--store', store]);
      const args = ['publish', 'chess', '--as', 'syzygy', 'KvKP', '--to', out, '--store', store];
      const first = await succeedJson<Report>(args);
      const names = ['KB', 'KN', 'KQ', 'KR', 'KP'].flatMap((men) => [`${men}vK.rtbw`, `${men}vK.rtbz`]);
      expect(first.files.map(({ name }) => name)).toEqual(names);
      expect(readdirSync(out).sort()).toEqual([...names].sort());
      expect(first.files.every(({ written }) => written)).toBe(true);
      for (const { name, bytes } of first.files) expect(readFileSync(join(out, name)).length).toBe(bytes);

      const byThreads = testFolder();
      const alike = await succeedJson<Report>([
        ...[
          'publish',
          'chess',
          '--as',
          'syzygy',
          'KvKP',
          '--to',
          byThreads,
          '--store',
          store,
          '--workers',
          '2',
        ],
      ]);
      expect(alike.files).toEqual(first.files);
      expect(alike.files).toHaveLength(10);
      for (const { name } of alike.files)
        expect(readFileSync(join(byThreads, name))).toEqual(readFileSync(join(out, name)));

      const damaged = readFileSync(join(out, 'KRvK.rtbz'));
      const whole = Buffer.from(damaged);
      damaged[1000] ^= 1;
      writeFileSync(join(out, 'KRvK.rtbz'), damaged);
      // A process that was killed left the beginning of a file.
      writeFileSync(join(out, '.tmp-4194305-0'), whole.subarray(0, 100));
      const second = await succeedJson<Report>(args);
      expect(readdirSync(out).sort()).toEqual([...names].sort());
      const written = second.files.filter((file) => file.written).map(({ name }) => name);
      expect(written).toEqual(['KRvK.rtbw', 'KRvK.rtbz']);
      expect(readFileSync(join(out, 'KRvK.rtbz'))).toEqual(whole);
      expect(await succeed(args)).toContain('10 files');

      interface Verified {
        readonly files: readonly {
          readonly name: string;
          readonly wrong: object | null;
          readonly problem: string | null;
        }[];
      }
      const verified = await succeedJson<Verified>(['verify', out, '--memory', '64MiB']);
      expect(verified.files.map(({ name }) => name)).toEqual(names);
      for (const { wrong, problem } of verified.files) expect([wrong, problem]).toEqual([null, null]);
      const refused = async (...more: string[]) => {
        const { code, stdout, stderr } = await run(['verify', ...more]);
        expect(code).toBe(stdout === '' ? 2 : 1);
        return stdout + stderr;
      };
      expect(await refused(out, 'KBBvK')).toContain('has no files of KBBvK');
      expect(await succeed(['verify', out, 'KRvK', '--memory', '1MiB'])).toContain('right');
      expect(await refused(store)).toContain('has no Syzygy files');
      writeFileSync(join(out, 'KRvK.rtbz'), damaged);
      expect(await refused(out, 'KRvK')).toMatch(/KRvK.rtbz +0 +does not match its checksum/);
      writeFileSync(join(out, 'KRvK.rtbz'), whole);

      // And what was written can be looked up.
      const fen = '8/8/8/3k4/8/2K5/2P5/8 w - - 0 1';
      const probe = ['probe', 'chess', fen];
      const answer = await succeedJson(['probe', 'chess', fen, '--syzygy', out]);
      expect(answer).toEqual(await succeedJson([...probe, '--metric', 'dtz', '--store', store]));
      expect(await succeed([...probe, '--syzygy', out])).toContain('White');
      const failing = async (...more: string[]) => {
        const { code, stderr } = await run(['probe', ...more, '--syzygy', out]);
        expect(code).toBe(2);
        return stderr;
      };
      expect(await failing('chess', '8/8/8/3k4/8/2K5/1QQ5/8 w - - 0 1')).toContain('has no file KQQvK.rtbw');
      expect(await failing('chess', fen, '--metric', 'dtm')).toContain('goes without any other --metric');
      expect(await failing('chess', fen, '--published', out)).toContain('--syzygy or --published');
      expect(await failing('checkers', 'B:WK29:BK4')).toContain('are of chess');
      const serving = await run(['serve', '--syzygy', join(out, 'nowhere'), '--store', store, '--port', '0']);
      expect(serving.code).toBe(2);
      expect(serving.stderr).toContain('there is no such folder');
    },
  );

  it.skipIf(!LONG)(`writes and verifies four men in 1 MiB${ifShort}`, async () => {
    const [store, out] = [testFolder(), testFolder()];
    await succeed(['solve', 'chess', 'KRK', 'KRBK', '--metric', 'dtz', '--no-verify', '--store', store]);
    // The men may come in any order, and the colours may be exchanged.
    const little = ['--memory', '1MiB'];
    const written = await succeedJson<Report>([
      'publish',
      'chess',
      '--as',
      'syzygy',
      'KBRvK',
      '--to',
      out,
      '--store',
      store,
      ...little,
    ]);
    const names = ['KB', 'KR', 'KRB'].flatMap((men) => [`${men}vK.rtbw`, `${men}vK.rtbz`]);
    expect(written.files.map(({ name }) => name)).toEqual(names);
    const { files } = await succeedJson<{ files: { name: string; wrong: unknown; problem: unknown }[] }>([
      ...['verify', out, ...little],
    ]);
    expect(files.map(({ name }) => name)).toEqual(names);
    for (const { wrong, problem } of files) expect([wrong, problem]).toEqual([null, null]);
  });

  it('names the command that solves what is missing, and says what it cannot do', async () => {
    const [store, out] = [testFolder(), testFolder()];
    const failing = async (...args: string[]) => {
      const { code, stderr } = await run([
        'publish',
        'chess',
        '--as',
        'syzygy',
        ...args,
        '--to',
        out,
        '--store',
        store,
      ]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await failing('KQK')).toContain('run "mergemate solve chess KQK --metric dtz" first');
    expect(await failing('--men', '3')).toContain(
      'run "mergemate solve chess --pieces 3 --metric dtz" first',
    );
    expect(await failing('KRPK.2')).toContain('files are of whole endings, name KRPK');
    expect(await failing('KPKPep')).toContain('name KPKP');
    expect(await failing()).toContain('name the endings of chess');
  });
});

describe('mergemate solve --syzygy', () => {
  interface Report {
    readonly endings: readonly {
      readonly ending: string;
      readonly bytes: Readonly<Record<string, number>>;
      readonly longestWin: number | null;
      readonly filePositions: Readonly<Record<string, number>>;
    }[];
  }

  it.skipIf(!LONG)(
    `makes a set of files, frees tables, keeps a ledger, and goes on${ifShort}`,
    { timeout: 600_000 },
    async () => {
      const [store, out] = [testFolder(), testFolder()];
      const args = [
        ...['solve', 'chess', 'KPK', '--metric', 'dtz', '--store', store],
        ...['--syzygy', out, '--free-tables'],
      ];
      const small = await run([...args, '--disk', '100KiB']);
      expect(small.code).toBe(2);
      expect(small.stderr).toMatch(/about [\d.]+ MiB are needed at KPvK, 100\.0 KiB are allowed/);
      expect(readdirSync(out)).toEqual([]);

      const first = await succeedJson<Report>(args);
      const names = ['KBvK', 'KNvK', 'KQvK', 'KRvK', 'KPvK'];
      expect(first.endings.map(({ ending }) => ending)).toEqual(names);
      expect(first.endings.map(({ longestWin }) => longestWin)).toEqual([
        ...[null, null, 19, 31],
        expect.any(Number),
      ]);
      for (const { ending, bytes, filePositions } of first.endings) {
        for (const [name, size] of Object.entries(bytes))
          expect(readFileSync(join(out, name)).length).toBe(size);
        expect(Object.keys(filePositions)).toEqual([`${ending}.rtbw`, `${ending}.rtbz`]);
      }
      const tables = () =>
        readdirSync(join(store, 'chess', 'dtz'), { recursive: true }).filter((name) =>
          String(name).endsWith('table.json'),
        );
      expect(tables()).toEqual([]);
      const look = newFilesLookout(localStore(out, { durable: false }));
      const set = FileSet.parse(await look(Date.now()));
      expect(set.state).toBe('done');
      expect(set.endings.map(({ state, bytes }) => ({ state, bytes }))).toEqual(
        first.endings.map(({ bytes }) => ({ state: 'done', bytes })),
      );

      // Endings that are done are not done again, but for those whose file is gone or whose ledger is damaged.
      expect(await succeedJson(args)).toEqual(first);
      const before = readFileSync(join(out, 'KQvK.rtbz'));
      unlinkSync(join(out, 'KQvK.rtbz'));
      writeFileSync(join(out, 'ledger', 'KRvK.json'), '{"ending":"KRvK","bytes":');
      writeFileSync(join(out, 'ledger', 'KNvK.json'), '{"ending":"KNvK"}');
      const again = await succeedJson<Report>(args);
      expect(readFileSync(join(out, 'KQvK.rtbz'))).toEqual(before);
      expect(
        again.endings.filter((one, i) => JSON.stringify(one) === JSON.stringify(first.endings[i])),
      ).toHaveLength(2);
      expect(again.endings.map(({ longestWin }) => longestWin)).toEqual(
        first.endings.map(({ longestWin }) => longestWin),
      );
    },
  );

  it('tells plies as it is asked to', async () => {
    const [store, ...outs] = [testFolder(), testFolder(), testFolder(), testFolder()];
    const solve = ['solve', 'chess', 'KRK', '--metric', 'dtz', '--no-verify', '--store', store];
    await succeed([...solve, '--syzygy', outs[0], '--plies', 'halved']);
    for (const [i, plies] of ['halved', 'exact'].entries()) {
      await succeed([
        'publish',
        'chess',
        '--as',
        'syzygy',
        'KRK',
        '--store',
        store,
        '--to',
        outs[i + 1],
        '--plies',
        plies,
      ]);
    }
    const [set, halved, exact] = outs.map((out) => readFileSync(join(out, 'KRvK.rtbz')));
    expect(set).toEqual(halved);
    expect(set).not.toEqual(exact);
  });

  it('needs chess, dtz and the files', async () => {
    const refused = async (...more: string[]) => {
      const { code, stderr } = await run(['solve', ...more, '--store', testFolder()]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('chess', 'KQK', '--metric', 'dtm', '--syzygy', testFolder())).toContain(
      '--metric dtz',
    );
    for (const flag of [['--free-tables'], ['--plies', 'halved']]) {
      expect(await refused('chess', 'KQK', ...flag)).toContain(
        '--plies, --free-tables and --disk go with --syzygy',
      );
    }
  });
});
