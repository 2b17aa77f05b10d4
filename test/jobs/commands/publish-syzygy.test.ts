/** `mergemate syzygy` writes what is missing, and says what it needs. */
import { existsSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileSet, Progress } from '../../../jobs/progress/model.js';
import { doneLedgers, newSetLookout } from '../../../jobs/progress/set.js';
import type { Ledger } from '../../../jobs/progress/set-records.js';
import { localStore } from '../../../operators/storage/local.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { differenceOf, publishedLongestWin } from '../../golden/syzygy-statistics.js';
import { start } from '../../support/cli.js';
import { program, run, succeed, succeedJson } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { endedIdentity } from '../../support/identities.js';
import { killAfterWrites } from '../../support/kills.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

interface Report {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly written: boolean }[];
}

describe('mergemate syzygy', () => {
  it.skipIf(!LONG)(
    `writes the files of an ending and of all endings that it converts to, and writes damaged ones again${ifShort}`,
    {
      timeout: 600_000,
    },
    async () => {
      const [store, out] = [testFolder(), testFolder()];
      await putEndings(store, chess, ['KPK'], ['dtz']);
      const args = ['publish', 'chess', '--as', 'syzygy', 'KvKP', '--to', out];
      const first = await program(store).succeedJson<Report>(args);
      const names = ['KB', 'KN', 'KQ', 'KR', 'KP'].flatMap((men) => [`${men}vK.rtbw`, `${men}vK.rtbz`]);
      expect(first.files.map(({ name }) => name)).toEqual(names);
      expect(readdirSync(out).sort()).toEqual([...names].sort());
      expect(first.files.every(({ written }) => written)).toBe(true);
      for (const { name, bytes } of first.files) expect(readFileSync(join(out, name)).length).toBe(bytes);

      const byThreads = testFolder();
      const alike = await program(store).succeedJson<Report>([
        ...['publish', 'chess', '--as', 'syzygy', 'KRvK', '--to', byThreads, '--workers', '2'],
      ]);
      expect(alike.files).toEqual(first.files.filter(({ name }) => name.startsWith('KRvK.')));
      expect(alike.files).toHaveLength(2);
      for (const { name } of alike.files)
        expect(readFileSync(join(byThreads, name))).toEqual(readFileSync(join(out, name)));

      const damaged = readFileSync(join(out, 'KRvK.rtbz'));
      const whole = Buffer.from(damaged);
      damaged[1000] ^= 1;
      writeFileSync(join(out, 'KRvK.rtbz'), damaged);
      // A process that was killed left the beginning of a file.
      writeFileSync(join(out, `.tmp-${endedIdentity()}-0`), whole.subarray(0, 100));
      const second = await program(store).succeedJson<Report>(args);
      expect(readdirSync(out).sort()).toEqual([...names].sort());
      const written = second.files.filter((file) => file.written).map(({ name }) => name);
      expect(written).toEqual(['KRvK.rtbw', 'KRvK.rtbz']);
      expect(readFileSync(join(out, 'KRvK.rtbz'))).toEqual(whole);
      expect(await program(store).succeed(args)).toContain('10 files');

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
      expect(answer).toEqual(await program(store).succeedJson([...probe, '--metric', 'dtz']));
      expect(await succeed([...probe, '--syzygy', out])).toContain('White');
      const failing = async (...more: string[]) => {
        const { code, stderr } = await run(['probe', ...more, '--syzygy', out]);
        expect(code).toBe(2);
        return stderr;
      };
      expect(await failing('chess', '8/8/8/3k4/8/2K5/1QQ5/8 w - - 0 1')).toContain(
        'has no files of KQQvK (.rtbw and .rtbz)',
      );
      // With a cache so small that no file is held whole, too.
      const bytes = readFileSync(join(out, 'KPvK.rtbw'));
      writeFileSync(
        join(out, 'KPvK.rtbw'),
        bytes.map((byte, at) => (at === bytes.length - 100 ? byte ^ 1 : byte)),
      );
      for (const cache of ['1KiB', '64KiB', '64MiB'])
        expect(await failing('chess', fen, '--cache', cache)).toContain(
          'KPvK.rtbw: does not match its checksum',
        );
      writeFileSync(join(out, 'KPvK.rtbw'), bytes);
      expect(await failing('chess', fen, '--metric', 'dtm')).toContain(
        'cannot be combined with another --metric',
      );
      expect(await failing('chess', fen, '--published', out)).toContain('--syzygy or --published');
      expect(await failing('checkers', 'B:WK29:BK4')).toContain('are of chess');
      const serving = await program(store).run(['serve', '--syzygy', join(out, 'nowhere'), '--port', '0']);
      expect(serving.code).toBe(2);
      expect(serving.stderr).toContain('there is no such folder');
    },
  );

  it.skipIf(!LONG)(`writes and verifies four men in 1 MiB${ifShort}`, async () => {
    const [store, out] = [testFolder(), testFolder()];
    await putEndings(store, chess, ['KRBK'], ['dtz']);
    // The men may come in any order, and the colours may be exchanged.
    const little = ['--memory', '1MiB'];
    const written = await program(store).succeedJson<Report>([
      'publish',
      'chess',
      '--as',
      'syzygy',
      'KBRvK',
      '--to',
      out,
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

  it('names the command that solves a missing ending, and refuses other metrics and games', async () => {
    const [store, out] = [testFolder(), testFolder()];
    const failing = async (...args: string[]) => {
      const { code, stderr } = await program(store).run([
        'publish',
        'chess',
        '--as',
        'syzygy',
        ...args,
        '--to',
        out,
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

describe('mergemate solve --to', () => {
  interface Report {
    readonly endings: readonly {
      readonly ending: string;
      readonly bytes: Readonly<Record<string, number>>;
      readonly longestWin: number | null;
      readonly filePositions: Readonly<Record<string, number>>;
    }[];
  }

  it.skipIf(!LONG)(
    `makes a set of files, frees tables, keeps a ledger, and continues when started again${ifShort}`,
    { timeout: 600_000 },
    async () => {
      const [store, out] = [testFolder(), testFolder()];
      const args = [
        ...['solve', 'chess', 'KBK', 'KNK', 'KQK', 'KRK', '--metric', 'dtz', '--store', store],
        ...['--to', out, '--free-tables'],
      ];
      const small = await run([...args, '--disk', '100KiB']);
      expect(small.code).toBe(2);
      expect(small.stderr).toMatch(/about [\d.]+ KiB are needed at KRvK, 100\.0 KiB are allowed/);
      expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);

      const first = await succeedJson<Report>(args);
      const names = ['KBvK', 'KNvK', 'KQvK', 'KRvK'];
      expect(first.endings.map(({ ending }) => ending)).toEqual(names);
      expect(first.endings.map(({ longestWin }) => longestWin)).toEqual([null, null, 19, 31]);
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
      const look = newSetLookout(localStore(out, { durable: false }));
      const set = FileSet.parse(await look(Date.now()));
      expect(set.state).toBe('done');
      expect(set.endings.map(({ state, ledger }) => ({ state, bytes: ledger?.bytes }))).toEqual(
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
      ).toHaveLength(1);
      expect(again.endings.map(({ longestWin }) => longestWin)).toEqual(
        first.endings.map(({ longestWin }) => longestWin),
      );
    },
  );

  const LEDGER_ENDINGS = ['KNvK', 'KRvK'];

  it.skipIf(!LONG)(`overlaps steps on two workers, and writes the ledger as a page${ifShort}`, async () => {
    const [store, out, pages] = [testFolder(), testFolder(), testFolder()];
    const page = join(pages, 'ledger.md');
    const args = ['solve', 'chess', 'KRK', 'KNK', '--metric', 'dtz', '--store', store];
    const { endings } = await succeedJson<{ endings: Ledger[] }>([
      ...[...args, '--to', out, '--free-tables', '--workers', '2', '--ledger', page],
    ]);
    expect(endings.map(({ ending }) => ending).sort()).toEqual(LEDGER_ENDINGS);
    for (const one of endings) {
      const { solve, write, verify } = one.steps;
      for (const { wallMs } of [solve, write, verify]) expect(wallMs).toBeGreaterThan(0);
      expect(one.wallMs).toBe(solve.wallMs + write.wallMs + verify.wallMs);
      expect(differenceOf(one)).toBe(null);
      expect(one.longestWin).toBe(publishedLongestWin(one.ending));
    }
    const wrong = { ...endings.find(({ ending }) => ending === 'KRvK')! };
    const { white, black } = wrong.sides!;
    const longer = { ...wrong, sides: { white: { ...white, longestWin: 33 }, black } };
    expect(differenceOf(longer)).toBe('KRvK: white: longest win: 33, published 31');
    const fewer = { ...wrong, sides: { white, black: { ...black, losses: black.losses - 1 } } };
    expect(differenceOf(fewer)).toBe('KRvK: black: losses: 25259, published 25260');
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('2 of 2 endings are done');
    expect(text).toMatch(/\| KRvK \|(.*\|){4} 208 \| 7,632 \| 31 \|/);
    for (const [path, problem] of [
      [join(pages, 'ledger.txt'), 'must end with .md or .html or .json'],
      [join(pages, 'nowhere', 'ledger.md'), 'there is no folder'],
    ]) {
      const { code, stderr } = await run([...args, '--to', out, '--ledger', path]);
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
    }
    await succeed([...args, '--to', out, '--ledger', join(pages, 'ledger.html')]);
    expect(readFileSync(join(pages, 'ledger.html'), 'utf8')).toContain('>KRvK</td>');
    expect(await succeed(['status', '--syzygy', out])).toContain('2 of 2 endings are done');
    const status = Progress.parse(await succeedJson(['status', '--syzygy', out, '--json'])).set!;
    const byEnding = (a: Ledger, b: Ledger) => a.ending.localeCompare(b.ending);
    expect(doneLedgers(status).sort(byEnding)).toEqual(endings.toSorted(byEnding));
    expect(status).toMatchObject({ state: 'done', sittings: [{ ended: 'done' }] });
    const none = await run(['status', '--syzygy', store]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('no set is made there');
  });

  it.skipIf(!LONG)(
    `makes the same files with any number of workers, and when it is killed again and again${ifShort}`,
    { timeout: 1_200_000 },
    async () => {
      const [stores, outs] = [
        [testFolder(), testFolder()],
        [testFolder(), testFolder()],
      ];
      // One thread, and then two of which each has as much memory.
      const argsOf = (i: number) => [
        ...['solve', 'chess', ...(LONGEST ? ['KPK', 'KQKR'] : ['KNK', 'KRK']), '--metric', 'dtz'],
        ...['--free-tables', '--workers', `${i + 1}`, '--memory', `${32 * (i + 1)}MiB`],
        ...['--store', stores[i], '--to', outs[i], '--json'],
      ];
      await succeed(argsOf(0));
      let kills = 0;
      // Each process writes more than the one before, so that the last one ends by itself.
      for (let writes = LONGEST ? 20 : 12; ; writes *= LONGEST ? 1.25 : 2) {
        const { child, ended } = start(argsOf(1));
        if (await killAfterWrites(child, stores[1], writes)) {
          kills++;
          continue;
        }
        expect((await ended).code).toBe(0);
        break;
      }
      expect(kills).toBeGreaterThan(LONGEST ? 3 : 1);
      const files = readdirSync(outs[0]).filter((name) => /rtb[wz]$/.test(name));
      expect(files).toHaveLength(LONGEST ? 12 : 4);
      for (const name of files)
        expect(readFileSync(join(outs[1], name)), name).toEqual(readFileSync(join(outs[0], name)));
      const left = readdirSync(join(stores[1], 'chess', 'dtz'), { recursive: true }).map(String);
      expect(left.filter((name) => /\.(json|arrow)$/.test(name))).toEqual([]);
    },
  );

  it.skipIf(!LONG)(
    `frees tables of the set alone, and those left when all files are done, as after a kill${ifShort}`,
    async () => {
      const [store, out] = [testFolder(), testFolder()];
      await putEndings(store, chess, ['KBK'], ['dtz']);
      const solve = ['solve', 'chess', 'KNK', '--metric', 'dtz'];
      const tables = () =>
        readdirSync(join(store, 'chess', 'dtz'), { recursive: true }).filter((name) =>
          /table\.json$/.test(`${name}`),
        );
      await program(store).succeed([...solve, '--to', out]);
      expect(tables()).toHaveLength(3);
      await program(store).succeed([...solve, '--to', out, '--free-tables']);
      expect(tables()).toEqual(['KBK/table.json']);
      rmSync(out, { recursive: true });
      await program(store).succeed([...solve, '--to', out, '--free-tables']);
      expect(tables()).toEqual(['KBK/table.json']);
    },
  );

  it.skipIf(!LONG)(`writes plies exactly or halved, as --plies says${ifShort}`, async () => {
    const [store, ...outs] = [testFolder(), testFolder(), testFolder(), testFolder()];
    const solve = ['solve', 'chess', 'KRK', '--metric', 'dtz', '--no-verify'];
    await program(store).succeed([...solve, '--to', outs[0], '--plies', 'halved']);
    for (const [i, plies] of ['halved', 'exact'].entries()) {
      await program(store).succeed([
        'publish',
        'chess',
        '--as',
        'syzygy',
        'KRK',
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

  it('refuses another metric, and options of Syzygy files without --to', async () => {
    const refused = async (...more: string[]) => {
      const { code, stderr } = await program(testFolder()).run(['solve', ...more]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('chess', 'KQK', '--metric', 'dtm', '--to', testFolder())).toContain('--metric dtz');
    for (const flag of [['--free-tables'], ['--plies', 'halved']]) {
      expect(await refused('chess', 'KQK', ...flag)).toContain(`${flag[0]} goes with --to`);
    }
  });
});
