/** `mergemate syzygy` writes missing files, and names the tables that it needs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, succeed, succeedJson, testFolder } from '../support/cli.js';

interface Report {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly written: boolean }[];
}

describe('mergemate syzygy', () => {
  it('writes files of an ending and all that it converts to, and those again that are damaged', {
    timeout: 600_000,
  }, async () => {
    const [store, out] = [testFolder(), testFolder()];
    await succeed(['solve', 'chess', 'KRK', 'KRBK', '--metric', 'dtz', '--store', store]);
    const args = ['syzygy', 'KBRvK', '--out', out, '--store', store];
    const first = await succeedJson<Report>(args);
    const names = ['KBvK.rtbw', 'KBvK.rtbz', 'KRvK.rtbw', 'KRvK.rtbz', 'KRBvK.rtbw', 'KRBvK.rtbz'];
    expect(first.files.map(({ name }) => name)).toEqual(names);
    expect(readdirSync(out).sort()).toEqual([...names].sort());
    expect(first.files.every(({ written }) => written)).toBe(true);
    for (const { name, bytes } of first.files) expect(readFileSync(join(out, name)).length).toBe(bytes);

    const damaged = readFileSync(join(out, 'KRvK.rtbz'));
    const whole = Buffer.from(damaged);
    damaged[1000]! ^= 1;
    writeFileSync(join(out, 'KRvK.rtbz'), damaged);
    // A process that was killed left the beginning of a file.
    writeFileSync(join(out, '.tmp-4194305-0'), whole.subarray(0, 100));
    const second = await succeedJson<Report>(args);
    expect(readdirSync(out).sort()).toEqual([...names].sort());
    const written = second.files.filter((file) => file.written).map(({ name }) => name);
    expect(written).toEqual(['KRvK.rtbw', 'KRvK.rtbz']);
    expect(readFileSync(join(out, 'KRvK.rtbz'))).toEqual(whole);
    expect(await succeed(args)).toContain('6 files');

    interface Verified {
      readonly files: readonly {
        readonly name: string;
        readonly wrong: object | null;
        readonly problem: string | null;
      }[];
    }
    const verified = await succeedJson<Verified>(['syzygy', 'verify', out, '--memory', '64MiB']);
    expect(verified.files.map(({ name }) => name)).toEqual(names);
    for (const { wrong, problem } of verified.files) expect([wrong, problem]).toEqual([null, null]);
    expect(await succeed(['syzygy', 'verify', out, 'KRvK'])).toContain('right');
    const refused = async (...more: string[]) => {
      const { code, stdout, stderr } = await run(['syzygy', 'verify', ...more]);
      expect(code).toBe(2);
      return stdout + stderr;
    };
    expect(await refused(out, 'KQvK')).toContain('has no files of KQvK');
    expect(await refused(out, '--memory', '1MiB')).toContain('--memory allows 1048576');
    expect(await refused(store)).toContain('has no Syzygy files');
    writeFileSync(join(out, 'KRvK.rtbz'), damaged);
    expect(await refused(out, 'KRvK')).toMatch(/KRvK.rtbz +0 +does not match its checksum/);
    writeFileSync(join(out, 'KRvK.rtbz'), whole);

    // The files can be looked up.
    const fen = '8/8/8/3k4/8/2K5/1R6/1B6 w - - 0 1';
    const probe = ['probe', 'chess', fen];
    const answer = await succeedJson(['probe', 'chess', fen, '--syzygy', out]);
    expect(answer).toEqual(await succeedJson([...probe, '--metric', 'dtz', '--store', store]));
    expect(await succeed([...probe, '--syzygy', out])).toContain('White');
    const failing = async (...more: string[]) => {
      const { code, stderr } = await run(['probe', ...more, '--syzygy', out]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await failing('chess', '8/8/8/3k4/8/2K5/1Q6/8 w - - 0 1')).toContain('has no file KQvK.rtbw');
    expect(await failing('chess', fen, '--metric', 'dtm')).toContain('goes without any other --metric');
    expect(await failing('chess', fen, '--published', out)).toContain('--syzygy or --published');
    expect(await failing('checkers', 'B:WK29:BK4')).toContain('are of chess');
    const serving = await run(['serve', '--syzygy', join(out, 'nowhere'), '--store', store, '--port', '0']);
    expect(serving.code).toBe(2);
    expect(serving.stderr).toContain('there is no such folder');
  });

  it('names the command that solves what is missing, and says what it cannot do', async () => {
    const [store, out] = [testFolder(), testFolder()];
    const failing = async (...args: string[]) => {
      const { code, stderr } = await run(['syzygy', ...args, '--out', out, '--store', store]);
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
    const nowhere = await run(['syzygy', 'KQK', '--store', store]);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('--out: say where the files go');
    expect(readdirSync(out)).toEqual([]);
  });
});
