/** What every step engine must do, with a task that knows nothing of games. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder, until } from './cli.js';
import { engines, journal, listener, mark, markedPhase, processesWith } from './marked-phases.js';

export function stepEngineContract(name: keyof typeof engines): void {
  const open = (logFolder: string | null = null) => {
    const engine = engines[name](logFolder);
    onTestFinished(() => engine.close());
    return engine;
  };

  test('does all tasks of a phase, then those of the next', async () => {
    const folder = join(testFolder(), `it's $HOME, "quoted" %a`);
    const phases = [
      markedPhase(folder, '1', [0, 1, 5]),
      markedPhase(folder, '2', []),
      markedPhase(folder, '3', [2, 3]),
    ];
    const { events, report } = listener();
    await open().run(phases, report);
    const given = ['--memory', '1048576', '--workers', '1', '--scratch', 'a b'];
    for (const phase of phases) {
      expect(await phase.missing()).toEqual([]);
      for (const task of phase.tasks) {
        expect(mark(phase, task)).toEqual({ others: given, set: 'it\'s "$HOME"', arenas: '1' });
      }
    }
    expect(journal(folder).map(({ phase }) => phase)).toEqual([...'111111', ...'3333']);
    expect(events.toSorted()).toEqual(
      ['1 0', '1 1', '1 5', '3 2', '3 3'].flatMap((task) => [`ended ${task}`, `started ${task}`]).toSorted(),
    );
  });

  test('does not begin a phase when a task of the one before fails, and says why it failed', async () => {
    const folder = testFolder();
    const logs = join(folder, 'new', 'log % folder');
    const phases = [markedPhase(folder, '1', [0, 1, 2], { 1: 'fail' }), markedPhase(folder, '2', [0])];
    const { events, report } = listener();
    await open(logs).run([...phases, markedPhase(folder, '3', [0])], report);
    expect(await phases[0].missing()).toEqual([1]);
    expect(journal(folder).filter(({ phase }) => phase !== '1')).toEqual([]);
    expect(events).toContain('ended 1 1 marker-task: 1 cannot be done');
    expect(events).toContain('ended 1 2');
    expect(events.filter((event) => !/^\w+ 1 /.test(event))).toEqual([]);
    const kept = readdirSync(logs).map((log) => readFileSync(join(logs, log), 'utf8'));
    const fine = 'at work\n';
    expect(kept.toSorted()).toEqual([fine, fine, `${fine}some warning\nmarker-task: 1 cannot be done\n`]);
  });

  test('says which signal ended a task', async () => {
    const phase = markedPhase(testFolder(), '1', [0, 1], { 0: 'kill' });
    const { events, report } = listener();
    await open().run([phase], report);
    expect(await phase.missing()).toEqual([0]);
    expect(events).toContain('ended 1 0 killed by SIGKILL');
  });

  test('tries again when told to', async () => {
    const folder = testFolder();
    const phase = markedPhase(folder, '1', [0, 1, 2], { 0: 'fail-once', 2: 'fail-once' });
    const engine = open();
    await engine.run([phase], () => {});
    const left = await phase.missing();
    expect(left).toEqual([0, 2]);
    await engine.run([{ ...phase, tasks: left }, markedPhase(folder, '2', [0])], () => {});
    expect(await phase.missing()).toEqual([]);
    expect(journal(folder).at(-1)).toMatchObject({ what: 'ends', phase: '2', task: 0 });
    expect(journal(folder).filter(({ phase, task }) => phase === '1' && task === 1).length).toBe(2);
  });

  test('lets another engine run the same phase at the same time', async () => {
    const folder = testFolder();
    const phases = [markedPhase(folder, '1', [0, 1, 2, 3]), markedPhase(folder, '2', [0, 1])];
    await Promise.all([open(), open()].map((engine) => engine.run(phases, () => {})));
    for (const phase of phases) expect(await phase.missing()).toEqual([]);
    expect(journal(folder).length).toBe(2 * 2 * 6);
  });

  test('ends its tasks when it is closed', async () => {
    const folder = testFolder();
    const phase = markedPhase(folder, '1', [0, 1, 2], { 0: 'hang', 1: 'hang' });
    const engine = open();
    const running = engine.run([phase, markedPhase(folder, '2', [0])], () => {});
    await until(() => journal(folder).length >= 2, 'tasks to begin');
    await engine.close();
    await running;
    await until(() => processesWith(phase.uri).length === 0, 'tasks to end');
    expect(journal(folder).filter(({ phase }) => phase === '2')).toEqual([]);
  });

  /** Ends a process that runs an engine while one of its tasks hangs; how it ended, and the tasks' phase. */
  async function interrupted(signal: NodeJS.Signals) {
    const folder = testFolder();
    const args = ['--import', 'tsx', 'test/support/run-engine.ts', name, folder, 'only'];
    const driver = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    driver.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((resolve) => driver.on('close', (code) => resolve(code)));
    await until(() => journal(folder).some(({ task }) => task === 1), 'the task to begin');
    driver.kill(signal);
    return { folder, uri: join(folder, 'only'), code: await ended, said };
  }

  test.each([
    { signal: 'SIGINT', code: 130, how: 'interrupted' },
    { signal: 'SIGTERM', code: 143, how: 'terminated' },
  ] as const)('ends its tasks when the process gets $signal', async ({ signal, code, how }) => {
    const left = await interrupted(signal);
    expect(left).toMatchObject({ code, said: expect.stringContaining(how) });
    await until(() => processesWith(left.uri).length === 0, 'the task to end');
  });

  test('is not hindered by tasks that a killed process left behind', async () => {
    const { folder, uri } = await interrupted('SIGKILL');
    onTestFinished(() => {
      for (const orphan of processesWith(uri)) process.kill(orphan, 'SIGKILL');
    });
    const phase = markedPhase(folder, 'only', [0, 1], { 1: 'hang-once' });
    await open().run([phase], () => {});
    expect(await phase.missing()).toEqual([]);
    expect(processesWith(uri).length).toBe(1);
  });
}
