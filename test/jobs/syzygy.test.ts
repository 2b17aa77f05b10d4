/** `mergemate syzygy` writes what is missing, and says what it needs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, succeed, succeedJson, testFolder } from '../support/cli.js';

interface Report {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly written: boolean }[];
}

describe('mergemate syzygy', () => {
  it('writes files of an ending and all that it converts to, and those again that are damaged', async () => {
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
    const second = await succeedJson<Report>(args);
    const written = second.files.filter((file) => file.written).map(({ name }) => name);
    expect(written).toEqual(['KRvK.rtbw', 'KRvK.rtbz']);
    expect(readFileSync(join(out, 'KRvK.rtbz'))).toEqual(whole);
    expect(await succeed(args)).toContain('6 files');
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
    expect(readdirSync(out)).toEqual([]);
  });
});
