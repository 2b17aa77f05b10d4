/**
 * The engine slurm, with a real Slurm on this host. All its tests are in this file, because some take nodes and the
 * controller away from under the others.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type SlurmOptions, slurmEngine } from '../../jobs/engines/slurm.js';
import type { StepEngine } from '../../jobs/engines/step-engine.js';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { testFolder, until } from '../support/cli.js';
import { CLUSTER, journal, listener, mark, markedPhase, PROGRAM } from '../support/marked-phases.js';
import { stepEngineContract } from '../support/step-engine-contract.js';

function open(options: Partial<SlurmOptions> = {}): StepEngine {
  const engine = slurmEngine({ program: PROGRAM, logFolder: null, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

function call(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}

/** Our jobs in the queue, "ID_INDEX NAME STATE REASON", without the folder in the name. */
function queue(folder: string): string[] {
  const lines = call('squeue', '-h', '-r', '-o', '%F_%K %j %T %r').split('\n');
  const name = basename(folder);
  return lines.filter((line) => line.includes(name)).map((line) => line.replace(`${name}-`, ''));
}

/** Has Slurm stop a task that runs, and run it again. */
function requeue(folder: string): string {
  const [job] = queue(folder)
    .find((line) => line.includes('RUNNING'))!
    .split(' ');
  call('scontrol', 'requeue', job);
  return job;
}

function node(name: string, action: 'up' | 'kill'): void {
  call(resolve('test/servers/slurm-node.sh'), CLUSTER!, name.slice(1), action);
}

/** Puts a command before the real one of this name in the search path; $REAL is the real one. */
function wrap(name: string, shellScript: string): void {
  const folder = testFolder();
  const real = call('sh', '-c', `command -v ${name}`).trim();
  writeFileSync(join(folder, name), `#!/bin/sh\nREAL=${real}\n${shellScript}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('without Slurm there is one line that says so', async () => {
  vi.stubEnv('PATH', testFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const running = open().run([markedPhase(testFolder(), '1', [0])], () => {});
  await expect(running).rejects.toThrow(UserError);
  await expect(running).rejects.toThrow(/^there is no \w+ here: engine slurm needs the commands of Slurm$/);
});

test.skipIf(CLUSTER === undefined)('where Slurm is not set up, it says so at once', async () => {
  const settings = join(testFolder(), 'slurm.conf');
  writeFileSync(settings, 'Nonsense=1\n');
  vi.stubEnv('SLURM_CONF', settings);
  onTestFinished(() => void vi.unstubAllEnvs());
  const running = open().run([markedPhase(testFolder(), '1', [0])], () => {});
  await expect(running).rejects.toThrow(UserError);
  await expect(running).rejects.toThrow('scontrol: fatal: Unable to process configuration file');
});

const why = CLUSTER === undefined ? ' (skipped: MERGEMATE_TEST_SLURM names no cluster)' : '';
describe.skipIf(CLUSTER === undefined)(`slurm${why}`, () => {
  stepEngineContract('slurm');

  test('a task whose node is lost runs again on another', async () => {
    const folder = testFolder();
    const phases = [markedPhase(folder, '1', [0, 1, 2], { 1: 'hang-once' }), markedPhase(folder, '2', [0])];
    const { events, report } = listener();
    const running = open().run(phases, report);
    const victim = () => journal(folder).find(({ phase, task }) => phase === '1' && task === 1);
    await until(() => victim() !== undefined && events.includes('started 1 1'), 'the task to begin');
    const { host } = victim()!;
    node(host, 'kill');
    onTestFinished(async () => {
      node(host, 'up');
      await until(() => call('sinfo', '-h', '-n', host, '-o', '%t').trim() === 'idle', `node ${host}`);
    });
    // Slurm notices by itself, too, but takes longer.
    call('scontrol', 'update', `nodename=${host}`, 'state=down', 'reason=lost');
    await running;
    for (const phase of phases) expect(await phase.missing()).toEqual([]);
    const told = events.filter((event) => event.endsWith(' 1 1'));
    expect(told.at(-1)).toBe('ended 1 1');
    // At least twice: a busy Slurm may give up an attempt more.
    expect(told.slice(0, -1).filter((event) => event === 'started 1 1').length).toBeGreaterThanOrEqual(2);
    expect(new Set(told)).toEqual(new Set(['started 1 1', 'ended 1 1']));
    expect(journal(folder).findLast(({ task }) => task === 1)!.host).not.toBe(host);
    expect(journal(folder).at(-1)!.phase).toBe('2');
  });

  test('several phases are in the queue at once, and begin in order', async () => {
    const folder = testFolder();
    const phases = ['1', '2', '3'].map((name) =>
      markedPhase(folder, name, [0, 1], name === '1' ? { 0: 'hang-once' } : {}),
    );
    const running = open().run(phases, () => {});
    await until(() => journal(folder).length === 3, 'all of the first phase to begin');
    await until(() => queue(folder).length === 5, 'all phases to be in the queue');
    expect(
      queue(folder)
        .map((line) => line.slice(line.indexOf(' ') + 1))
        .toSorted(),
    ).toEqual(['1 RUNNING None', ...['2', '2', '3', '3'].map((phase) => `${phase} PENDING Dependency`)]);
    requeue(folder);
    await running;
    for (const phase of phases) expect(await phase.missing()).toEqual([]);
    expect(
      journal(folder)
        .map(({ phase }) => phase)
        .join(''),
    ).toBe('1111122223333'.slice(0, 13));
  });

  test('a phase of more tasks than an array job may have is several jobs', async () => {
    const size = Number(/MaxArraySize\s*=\s*(\d+)/.exec(call('scontrol', 'show', 'config'))![1]);
    const folder = testFolder();
    const tasks = [0, 2, size - 1, size, 3 * size + 1];
    const phases = [markedPhase(folder, '1', tasks, { [size]: 'fail-once' }), markedPhase(folder, '2', [7])];
    const { events, report } = listener();
    const engine = open({ limit: 2 });
    await engine.run(phases, report);
    // A job of the phase failed, others did not: nothing may follow.
    expect(await phases[0].missing()).toEqual([size]);
    expect(await phases[1].missing()).toEqual([7]);
    expect(events).toContain(`ended 1 ${3 * size + 1}`);
    await engine.run([{ ...phases[0], tasks: [size] }, phases[1]], report);
    for (const phase of phases) expect(await phase.missing()).toEqual([]);
  });

  test('what Slurm refuses is said in its words', async () => {
    const phase = markedPhase(testFolder(), '1', [0]);
    const lost = open({ sbatchArgs: ['--partition=nowhere'] }).run([phase], () => {});
    await expect(lost).rejects.toThrow(UserError);
    await expect(lost).rejects.toThrow(/^sbatch: Invalid partition name specified$/);
    const large = open().run([{ ...phase, memory: 2 ** 50 }], () => {});
    await expect(large).rejects.toThrow(/^sbatch: Requested node configuration is not available$/);
  });

  test('a phase that Slurm does not take now is not begun, those before it are done', async () => {
    const limit =
      'sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit)';
    wrap('sbatch', `case "$*" in *--job-name=*-2\\ *) echo '${limit}' >&2; exit 1;; esac; exec "$REAL" "$@"`);
    const folder = testFolder();
    const phases = ['1', '2', '3'].map((name) => markedPhase(folder, name, [0]));
    await open().run(phases, () => {});
    expect(journal(folder).map(({ phase }) => phase)).toEqual(['1', '1']);
    const later = open().run(phases.slice(1), () => {});
    await expect(later).rejects.toThrow('sbatch: Job violates accounting/QOS policy (job submit limit)');
  });

  test('a phase that no node has room for is given up, with those after it', async () => {
    const folder = testFolder();
    const large = { ...markedPhase(folder, '1', [0]), workers: 1000 };
    const { events, report } = listener();
    await open().run([large, markedPhase(folder, '2', [0])], report);
    expect(events).toEqual(['ended 1 0 Slurm cannot run it (PartitionConfig)']);
    expect(journal(folder)).toEqual([]);
  });

  test('a submission whose answer was lost is not made twice', async () => {
    const folder = testFolder();
    const said = join(folder, 'said');
    wrap(
      'sbatch',
      `"$REAL" "$@" || exit
      [ -e '${said}' ] && exit
      echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' | tee '${said}' >&2
      exit 1`,
    );
    // The first answer is hidden: the job's number is not on stdout.
    wrap('sbatch', `"$REAL" "$@" >'${folder}/answer' || exit; cat '${folder}/answer'`);
    const phase = markedPhase(folder, '1', [0, 1]);
    await open().run([phase], () => {});
    expect(readFileSync(said, 'utf8')).toContain('timed out');
    expect(await phase.missing()).toEqual([]);
    expect(journal(folder).length).toBe(4);
  });

  test('a controller that is away for a while is waited for, and given up in the end', async () => {
    const folder = testFolder();
    const phase = markedPhase(folder, '1', [0, 1], { 0: 'hang-once' });
    const patient = open();
    const running = patient.run([phase, markedPhase(folder, '2', [0])], () => {});
    await until(() => journal(folder).length === 3, 'the tasks to begin');
    const pid = join(CLUSTER!, 'slurmctld.pid');
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    const restart = () => execFileSync('/usr/sbin/slurmctld', { stdio: 'ignore' });
    let up = false;
    onTestFinished(() => void (up || restart()));
    const impatient = open({ patience: 0.5 }).run([markedPhase(testFolder(), '1', [0])], () => {});
    await expect(impatient).rejects.toThrow(StorageError);
    await expect(impatient).rejects.toThrow(/^Slurm: no answer for \d+ seconds: /);
    restart();
    up = true;
    requeue(folder);
    await running;
    expect(await phase.missing()).toEqual([]);
    expect(journal(folder).at(-1)).toMatchObject({ what: 'ends', phase: '2' });
  });

  test('a log says what a task said before it was run again', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'logs'));
    const phase = markedPhase(folder, '1', [3], { 3: 'hang-once' });
    const running = open({ logFolder: join(folder, 'logs') }).run([phase], () => {});
    await until(() => journal(folder).length === 1, 'the task to begin');
    const job = requeue(folder);
    await running;
    expect(mark(phase, 3).arenas).toBe('1');
    const log = readFileSync(join(folder, 'logs', `${basename(folder)}-1-${job}.log`), 'utf8');
    expect(log.match(/at work/g)?.length).toBe(2);
  });
});
