/**
 * Endings solved under Slurm, on several nodes of a cluster that this file has to itself: with tables in a folder that
 * all nodes have, while one of them is lost; and in object storage, where nodes share nothing else.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newLookout } from '../../jobs/server/monitor/look.js';
import { openStore } from '../../jobs/stores.js';
import { newFolder, start, succeedJson, testFolder, until } from '../support/cli.js';
import { CLUSTER } from '../support/marked-phases.js';
import { GAMES, seen } from '../support/recording.js';
import { noServer, startS3Server } from '../support/s3-server.js';

interface Solved {
  slices: { slice: string; digests: string[]; verified: number | null; rounds: number; requests: number }[];
}

const SOLVE = ['solve', 'chess', 'KQQK', '--memory', '32MiB'];
const BY_SLURM = ['--engine', 'slurm', '--partitions', '4', '--whole-below', '1MiB'];
const figures = ({ slices }: Solved) =>
  slices.map(({ slice, digests, rounds, requests }) => ({ slice, digests, rounds, requests }));

function call(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(program, args, { encoding: 'utf8', env });
}

const why = CLUSTER === undefined ? ' (skipped: MERGEMATE_TEST_SLURM names no cluster)' : '';
describe.skipIf(CLUSTER === undefined)(`solving under slurm${why}`, () => {
  const folder = newFolder();
  const script = (name: string) => resolve('test/servers', name);
  const before = process.env.SLURM_CONF;
  let wanted: Solved;

  beforeAll(async () => {
    // The daemon that signs messages wants no closed folder above its socket.
    chmodSync(folder, 0o755);
    const own = { ...process.env, SLURM_BASE_PORT: '17400' };
    call(script('slurm-up.sh'), [join(folder, 'slurm'), '4', '2'], own);
    process.env.SLURM_CONF = join(folder, 'slurm/slurm.conf');
    wanted = await succeedJson([...SOLVE, '--no-verify', '--store', join(folder, 'reference')]);
  }, 240_000);
  afterAll(() => {
    call(script('slurm-down.sh'), [join(folder, 'slurm')]);
    process.env.SLURM_CONF = before;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Nodes that are at work on a task of a cut slice. */
  const busy = () =>
    call('squeue', ['-h', '-r', '-t', 'running', '-o', '%N %j'])
      .split('\n')
      .filter((line) => line.includes('KQQK-round'))
      .map((line) => line.split(' ')[0]!);

  test('a node that is lost in the middle of a round costs nothing but time', {
    timeout: 480_000,
  }, async () => {
    const store = join(testFolder(), 'tables');
    const solving = start([...SOLVE, ...BY_SLURM, '--store', store, '--json']);
    await until(() => busy().length > 1, 'a round on several nodes');
    const victim = busy()[0]!;
    call(script('slurm-node.sh'), [join(folder, 'slurm'), victim.slice(1), 'kill']);
    // Slurm notices by itself, too, but takes longer.
    call('scontrol', ['update', `nodename=${victim}`, 'state=down', 'reason=lost']);
    onTestFinished(() => {
      call(script('slurm-node.sh'), [join(folder, 'slurm'), victim.slice(1), 'up'], {
        ...process.env,
        SLURM_BASE_PORT: '17400',
      });
    });
    const { code, stdout, stderr } = await solving.ended;
    expect([code, stderr.includes('mergemate:')]).toEqual([0, false]);
    const solved = JSON.parse(stdout) as Solved;
    expect(figures(solved)).toEqual(figures(wanted));
    expect(solved.slices.every(({ verified }) => verified! > 0)).toBe(true);
  });

  test(`in object storage${noServer === null ? '' : ` (skipped: ${noServer})`}`, {
    timeout: 480_000,
    skip: noServer !== null,
  }, async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    const store = server.newUri();
    const lookout = newLookout(openStore(store), GAMES);
    let over = false;
    const solving = succeedJson<Solved>([...SOLVE, ...BY_SLURM, '--no-verify', '--store', store]).finally(
      () => {
        over = true;
      },
    );
    // Whoever can read the bucket sees how far it is, and which nodes are at it.
    const hosts = new Set<string>();
    while (!over) {
      const { snapshot, slice } = seen(await lookout(Date.now()));
      const isAtWork = snapshot.slices.some((each) => each.slice === 'KQQK' && each.state === 'working');
      if (isAtWork) for (const { host } of slice('KQQK').tasks?.running ?? []) hosts.add(host);
      await new Promise((done) => setTimeout(done, 500));
    }
    expect(figures(await solving)).toEqual(figures(wanted));
    expect(hosts.size).toBeGreaterThan(1);
  });
});
