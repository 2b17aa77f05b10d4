/** The image of the Containerfile, where one can be built: it needs the base image, from a registry or from this machine. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const exec = promisify(execFile);
const IMAGE = 'localhost/mergemate-test';
const BASE = /^FROM (\S+)/m.exec(readFileSync('Containerfile', 'utf8'))![1];

/** A program that can build the image; or, by program, why it cannot. */
function findBuilder(): { program: 'podman' | 'docker' } | { why: string } {
  const reasons: string[] = [];
  for (const program of ['podman', 'docker'] as const) {
    const { status, stderr, error } = spawnSync(program, ['pull', BASE], { encoding: 'utf8' });
    if (status === 0) return { program };
    const said = (stderr ?? '').trim().split('\n').at(-1);
    reasons.push(`${program}: ${error === undefined ? said : 'not installed'}`);
  }
  return { why: reasons.join('; ') };
}

describe('the image', () => {
  it('has a command that solves', { timeout: 900_000 }, async (test) => {
    const builder = findBuilder();
    if ('why' in builder) return test.skip(`no image of ${BASE} can be had here (${builder.why})`);
    const { program } = builder;
    const file = ['--file', 'Containerfile', '--tag', IMAGE];
    await exec(program, ['build', ...file, '.'], { maxBuffer: 1 << 26 });
    try {
      const solve = ['mergemate', 'solve', 'chess', 'KRK', '--json'];
      const { stdout } = await exec(program, ['run', '--rm', IMAGE, ...solve]);
      expect(JSON.parse(stdout)).toMatchObject({ slices: [{ slice: 'KK' }, { slice: 'KRK' }] });
      const { stdout: user } = await exec(program, ['run', '--rm', IMAGE, 'id', '-un']);
      expect(user.trim()).toBe('node');
    } finally {
      await exec(program, ['rmi', IMAGE]);
    }
  });
});
