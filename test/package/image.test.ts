/**
 * The image of the Containerfile, where one can be built: it needs the base image, from a registry or from this machine. Elsewhere a script
 * follows the Containerfile on this machine.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ifShort, LONG } from '../support/long.js';

const exec = promisify(execFile);
const IMAGE = 'localhost/mergemate-test';
const BASE = /^FROM (\S+)/m.exec(readFileSync('Containerfile', 'utf8'))![1];
/** The first command of the README, and the user who runs it. */
const COMMAND = ['sh', '-c', 'id -un && mergemate solve /opt/mergemate/samples/kqkr.json --json'];
const CANNOT = 77;

/** A program that can build the image, if there is one. */
function findBuilder(): 'podman' | 'docker' | undefined {
  return (['podman', 'docker'] as const).find((program) => spawnSync(program, ['pull', BASE]).status === 0);
}

async function printedByImage(program: string): Promise<string> {
  await exec(program, ['build', '--file', 'Containerfile', '--tag', IMAGE, '.'], { maxBuffer: 1 << 26 });
  try {
    return (await exec(program, ['run', '--rm', IMAGE, ...COMMAND])).stdout;
  } finally {
    await exec(program, ['rmi', IMAGE]);
  }
}

test.skipIf(!LONG)(
  `the image runs the first command of the README as a user who is not root${ifShort}`,
  { timeout: 900_000 },
  async (context) => {
    const builder = findBuilder();
    let printed: string;
    if (builder !== undefined) printed = await printedByImage(builder);
    else {
      const { status, stdout, stderr } = spawnSync(
        'test/servers/follow-containerfile.sh',
        ['.', ...COMMAND],
        {
          encoding: 'utf8',
          maxBuffer: 1 << 26,
        },
      );
      if (status === CANNOT) return context.skip(`no image of ${BASE} can be had, nor followed, here`);
      expect(status, stderr).toBe(0);
      printed = stdout;
    }
    const [user, ...json] = printed.split('\n');
    expect(user).toBe('node');
    const { slices } = JSON.parse(json.join('\n')) as { slices: { slice: string; verified: number }[] };
    expect(slices.map(({ slice }) => slice)).toEqual(['KK', 'KQK', 'KRK', 'KQKR']);
    expect(slices.at(-1)!.verified).toBe(2_467_122);
  },
);
