/**
 * The templates of samples/batch, edited as their comments say. A real Open MPI and a real Slurm, on several nodes of a cluster that this
 * file has to itself, run theirs; of those of Kubernetes and AWS Batch the command is read and started as a rank that is not there.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { until } from '../../support/cli.js';
import { program, run, succeedJson } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort } from '../../support/long.js';
import { startS3Server } from '../../support/s3-server.js';

interface Solved {
  cpuMs: number | null;
  slices: { slice: string; digests: string[]; verified: number | null }[];
}

const digests = ({ slices }: Solved) => slices.map(({ slice, digests }) => ({ slice, digests }));
const template = (name: string) => readFileSync(join('samples/batch', name), 'utf8');

/** Replaces each text that is there once. */
function edited(text: string, edits: Readonly<Record<string, string>>): string {
  return Object.entries(edits).reduce((done, [from, to]) => {
    expect(done.split(from), from).toHaveLength(2);
    return done.replace(from, () => to);
  }, text);
}

/** A folder of programs with the built `mergemate` in it, before those of PATH. */
function pathWithMergemate(folder: string): string {
  const cli = `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/jobs/cli.js')}' "$@"\n`;
  writeFileSync(join(folder, 'mergemate'), cli, { mode: 0o755 });
  return [folder, process.env.PATH, '/usr/sbin'].join(delimiter);
}

/** Error of a rank that is started with this environment, and has a number beyond the last. */
async function refusedAs(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...args] = command;
  expect(program).toBe('mergemate');
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    return stderr;
  } finally {
    // The object stays: threads get the environment of the process, not of another object in its place.
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

test('the template for Kubernetes is an Indexed Job, an index a rank', async () => {
  const job = parse(template('kubernetes.yaml'));
  expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 4, parallelism: 4 });
  const [{ command, args, env }] = job.spec.template.spec.containers;
  const values: Record<string, string> = { RANKS: env[0].value, JOB: 'mergemate-x' };
  const filled = args.map((arg: string) => arg.replace(/\$\((\w+)\)/, (_, name) => values[name] ?? ''));
  const words = [...command, ...filled];
  expect(await refusedAs(words, { JOB_COMPLETION_INDEX: '4' })).toContain('there is no rank 4 of 4');
});

test('the template for AWS Batch is an array job, an index a rank', async () => {
  const { jobDefinition, job } = JSON.parse(template('aws-batch.json'));
  expect(job).toMatchObject({ jobDefinition: jobDefinition.jobDefinitionName, arrayProperties: { size: 4 } });
  const environment = {
    AWS_BATCH_JOB_ARRAY_INDEX: '4',
    AWS_BATCH_JOB_ARRAY_SIZE: '4',
    AWS_BATCH_JOB_ID: 'ab-1:4',
  };
  const { command } = jobDefinition.containerProperties;
  expect(await refusedAs(command, environment)).toContain('there is no rank 4 of 4');
});

test('the template for Slurm asks for a task a rank, and starts a lost rank again', () => {
  const text = template('slurm.sh');
  expect(text).toMatch(/^#SBATCH --ntasks=4$/m);
  const folder = testFolder();
  const tried = join(folder, 'tried');
  // In place of srun and mergemate: the first time a rank is lost, the second time it is done.
  writeFileSync(join(folder, 'srun'), '#!/bin/sh\nshift; exec "$@"\n', { mode: 0o755 });
  writeFileSync(
    join(folder, 'mergemate'),
    `#!/bin/sh\necho "$@" >>'${tried}'; [ $(wc -l <'${tried}') -gt 1 ] || exit 75\n`,
    { mode: 0o755 },
  );
  execFileSync('sh', ['-c', text], { env: { PATH: `${folder}:${process.env.PATH}` } });
  const calls = readFileSync(tried, 'utf8').trimEnd().split('\n');
  expect(calls).toEqual(Array(2).fill('rank chess KBNKN --memory 256MiB --store /shared/tables'));
});

const noMpi =
  spawnSync('mpirun', ['--version']).status === 0
    ? ''
    : ' (skipped: there is no mpirun here, Debian: openmpi-bin)';
const noMpiTest = noMpi || ifShort;

test.skipIf(noMpiTest !== '')(
  `the template for Open MPI solves by two ranks${noMpiTest}`,
  { timeout: 120_000 },
  async () => {
    const folder = testFolder();
    const store = join(folder, 'tables');
    const text = edited(template('open-mpi.sh'), {
      '/shared/tables': `${store} --json`,
      // For a machine with fewer cores, and for root.
      'mpirun -n': 'mpirun --allow-run-as-root --oversubscribe -n',
    });
    const env = { ...process.env, PATH: pathWithMergemate(folder) };
    const lines = execFileSync('sh', ['-c', text], { encoding: 'utf8', env }).trimEnd().split('\n');
    const said = lines.map((line) => JSON.parse(line) as Solved & { rank?: number });
    expect(said.find(({ rank }) => rank === 1)).toMatchObject({ ranks: 2 });
    const all = said.find(({ slices }) => slices !== undefined)!;
    const alone = ['solve', 'chess', 'KQK', '--store', join(folder, 'alone')];
    expect(digests(all)).toEqual(digests(await succeedJson<Solved>(alone)));
    expect(all.cpuMs!).toBeGreaterThan(0);
    expect(filesUnder(store).filter((file) => /\/(ranks|steps)\/|\.scratch-|\.tmp-/.test(file))).toEqual([]);
  },
);

const PATH = `${process.env.PATH}:/usr/sbin`;
const missing = ['slurmctld', 'slurmd', 'sbatch', 'munged', 'unshare'].find(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } }).status !== 0,
);
const noSlurm =
  missing !== undefined
    ? ` (skipped: there is no ${missing} here; Debian: slurmctld slurmd slurm-client munge)`
    : process.getuid?.() !== 0
      ? ' (skipped: nodes in namespaces of their own need root)'
      : ifShort;

describe.skipIf(noSlurm !== '')(`the template for Slurm, on a cluster of five nodes${noSlurm}`, () => {
  const SOLVE = ['chess', 'KQQK', '--memory', '16MiB', '--whole-below', '1KiB'];
  const folder = newFolder();
  const reference = join(folder, 'reference');
  const env: NodeJS.ProcessEnv = { ...process.env, SLURM_BASE_PORT: '17400' };
  let wanted: Solved;

  const call = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', env });
  const server = (name: string, ...args: string[]) =>
    call(resolve('test/servers', name), join(folder, 'slurm'), ...args);

  beforeAll(async () => {
    // The daemon that signs messages wants no closed folder above its socket.
    chmodSync(folder, 0o755);
    // One core a node, so that four ranks need four nodes.
    server('slurm-up.sh', '5', '1');
    env.SLURM_CONF = join(folder, 'slurm/slurm.conf');
    env.PATH = pathWithMergemate(folder);
    wanted = await program(reference).succeedJson(['solve', ...SOLVE, '--no-verify']);
  }, 240_000);
  afterAll(() => {
    server('slurm-down.sh');
    rmSync(folder, { recursive: true, force: true });
  });

  // A node that comes back is taken for one that was lost until Slurm has heard from it.
  beforeEach(
    () =>
      until(
        () =>
          call('sinfo', '-h', '-N', '-o', '%T')
            .trim()
            .split('\n')
            .every((state) => state === 'idle'),
        'all nodes to be idle',
      ),
    60_000,
  );
  // A job that a failed test leaves would keep the nodes from the next.
  afterEach(() => void call('scancel', '--name=mergemate'));

  /** Submits the template, edited to solve into this store. */
  function submit(store: string, ...more: string[]): { readonly out: string } {
    const script = join(testFolder(), 'slurm.sh');
    const given = ['rank', ...SOLVE, '--json', ...more];
    const edits = {
      'rank chess KBNKN --memory 256MiB': given.join(' '),
      '/shared/tables': `'${store}'`,
    };
    writeFileSync(script, edited(template('slurm.sh'), edits));
    const out = `${script}.out`;
    call('sbatch', `--output=${out}`, script);
    return { out };
  }

  /** Waits for the end of the job. */
  const ended = () =>
    until(() => call('squeue', '-h', '-n', 'mergemate', '-o', '%i').trim() === '', 'the job to end');
  const states = () => call('squeue', '-h', '-t', 'all', '-n', 'mergemate', '--sort=-i', '-o', '%T');
  const solvedIn = (out: string): Solved => {
    const lines = readFileSync(out, 'utf8').split('\n');
    return JSON.parse(lines.findLast((line) => line.startsWith('{') && line.includes('"slices"'))!);
  };
  const isAtWork = (store: string) => filesUnder(store).some((file) => file.includes('/KQQK/steps/'));

  test('solves although a rank and a node are lost', {
    timeout: 480_000,
  }, async () => {
    const store = join(testFolder(), 'tables');
    const { out } = submit(store);
    await until(() => isAtWork(store), 'a step');
    const ranks = call('ps', '-eo', 'pid=,args=')
      .split('\n')
      .filter((line) => line.includes('dist/jobs/cli.js rank') && line.includes(store));
    process.kill(Number.parseInt(ranks[0], 10), 'SIGKILL');
    const nodes = call('scontrol', 'show', 'hostnames', call('squeue', '-h', '-o', '%N').trim());
    const victim = nodes.trimEnd().split('\n').at(-1)!;
    server('slurm-node.sh', victim.slice(1), 'kill');
    // Slurm notices by itself, too, but takes longer.
    call('scontrol', 'update', `nodename=${victim}`, 'state=down', 'reason=lost');
    onTestFinished(() => void server('slurm-node.sh', victim.slice(1), 'up'));
    await ended();
    expect(states()).toMatch(/^COMPLETED/);
    const solved = solvedIn(out);
    expect(digests(solved)).toEqual(digests(wanted));
    expect(solved.slices.every(({ verified }) => verified! > 0)).toBe(true);
  });

  test('ends as failed, with the message of the rank, when a rank fails for good', {
    timeout: 240_000,
  }, async () => {
    const store = testFolder();
    cpSync(reference, store, { recursive: true });
    writeFileSync(join(store, 'chess/dtm/KQK/table.json'), '{');
    rmSync(join(store, 'chess/dtm/KQQK/table.json'));
    const { out } = submit(store, '--no-verify');
    await ended();
    expect(states()).toMatch(/^FAILED/);
    expect(readFileSync(out, 'utf8')).toMatch(/^mergemate: .*KQK\/table\.json/m);
  });

  test('solves into object storage', { timeout: 240_000 }, async () => {
    const objects = await startS3Server();
    onTestFinished(() => objects.close());
    Object.assign(env, process.env, { SLURM_CONF: env.SLURM_CONF, PATH: env.PATH });
    const { out } = submit(objects.newUri(), '--no-verify');
    await ended();
    expect(digests(solvedIn(out))).toEqual(digests(wanted));
  });
});
