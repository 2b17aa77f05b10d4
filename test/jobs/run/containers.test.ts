/** Several containers with one store or folder: every process is number 1 of one host. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENCE_MS } from '../../../jobs/progress/heartbeats.js';
import { type ProcessResult, until } from '../../support/cli.js';
import { run } from '../../support/command.js';
import { insideOf, noContainers, startContained } from '../../support/containers.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

if (LONG && noContainers !== null) console.info(`skipped: tests in containers; there are ${noContainers}`);
const SLICE = 'KBBK';
const ENDING = ['chess', SLICE, '--metric', 'dtz'];
const isBegun = (store: string) => filesUnder(store).some((name) => name.includes(`/${SLICE}/`));

type Solved = { slices: { slice: string; digests: string[] }[] };
const digestsOf = ({ stdout }: ProcessResult) =>
  (JSON.parse(stdout) as Solved).slices.map(({ slice, digests }) => [slice, digests]);
const partsIn = (folder: string) => filesUnder(folder).filter((path) => path.includes('/.tmp-'));

describe.skipIf(!LONG || noContainers !== null)(`containers with one host name${ifShort}`, () => {
  let expected: ReturnType<typeof digestsOf>;
  const alone = newFolder();
  beforeAll(async () => {
    expected = digestsOf(await run(['solve', ...ENDING, '--json', '--store', alone]));
  });
  afterAll(() => rmSync(alone, { recursive: true, force: true }));

  test('two solves of one ending in one store both succeed, and neither touches the scratch of the other', async () => {
    const store = testFolder();
    const args = ['solve', ...ENDING, '--json', '--memory', '16MiB', '--store', store];
    const first = startContained(args);
    await until(() => isBegun(store), 'the slice');
    // The first stands still until the other waits for it, however fast the machine is.
    const inside = insideOf(first);
    process.kill(inside, 'SIGSTOP');
    const second = startContained(args);
    let said = '';
    second.child.stderr!.on('data', (text: string) => (said += text));
    await until(() => said.includes('waiting for it'), 'the second solve');
    process.kill(inside, 'SIGCONT');
    const ended = await Promise.all([first.ended, second.ended]);
    expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    for (const each of ended) expect(digestsOf(each)).toEqual(expected);
    expect(ended[1].stderr).toMatch(/process 1 of \S+ (is at it since|claimed it at) \S+; waiting for it/);
    expect(readdirSync(store).filter((name) => name.startsWith('.scratch-'))).toEqual([]);
  }, 120_000);

  test('after kill -9 no command waits longer than the silence, and all do what they are asked', async () => {
    const killed = testFolder();
    const solving = startContained(['solve', ...ENDING, '--store', killed]);
    await until(() => isBegun(killed), 'the slice');
    solving.child.kill('SIGKILL');
    expect((await solving.ended).signal).toBe('SIGKILL');

    const commands: Record<string, string[]> = {
      solve: ['solve', ...ENDING, '--json'],
      again: ['solve', ...ENDING, '--again', '--json'],
      remove: ['scrub', '--remove', 'chess/dtz/KBK', '--delete'],
      repair: ['scrub', '--repair'],
    };
    const since = performance.now();
    const ended = await Promise.all(
      Object.entries(commands).map(async ([what, args]) => {
        const store = join(testFolder(), 'store');
        cpSync(killed, store, { recursive: true, preserveTimestamps: true });
        const result = await startContained([...args, '--store', store]).ended;
        return { what, ...result, ms: performance.now() - since };
      }),
    );
    const by = (what: string) => ended.find((each) => each.what === what)!;
    for (const { what, code, stderr } of ended)
      expect([what, code, code === 0 ? '' : stderr]).toEqual([what, 0, '']);
    expect(digestsOf(by('solve'))).toEqual(expected);
    expect(digestsOf(by('again'))).toEqual(expected);
    // The rest of the time is that of four solves and starts at once.
    for (const { what, ms } of ended) expect([what, ms < SILENCE_MS + 25_000]).toEqual([what, true]);
    // Nothing says that a dead process is at work.
    for (const { stderr } of ended) expect(stderr).not.toMatch(/is at (it|work)\b/);
    expect(by('solve').stderr).toMatch(
      /process 1 of \S+ claimed it at \S+; waiting for it, at most [\d.]+ s if/,
    );
  }, 180_000);

  test('two exports into one folder leave the unfinished file of each other alone', async () => {
    const store = testFolder();
    await run(['solve', 'chess', 'KRK', 'KQK', '--no-verify', '--store', store]);
    const out = testFolder();
    const args = (ending: string) => ['export', 'chess', ending, '--format', 'jsonl', '--store', store];
    const first = startContained([...args('KRK'), '--out', join(out, 'first.jsonl')]);
    await until(() => partsIn(out).length > 0, 'the first export');
    const inside = insideOf(first);
    process.kill(inside, 'SIGSTOP');
    const [part] = partsIn(out);
    const second = await startContained([...args('KQK'), '--out', join(out, 'second.jsonl')]).ended;
    expect([second.code, second.stderr]).toEqual([0, expect.any(String)]);
    expect(existsSync(part)).toBe(true);
    process.kill(inside, 'SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['first.jsonl', 'second.jsonl']);
    const alone = join(testFolder(), 'alone.jsonl');
    await run([...args('KRK'), '--out', alone]);
    expect(readFileSync(join(out, 'first.jsonl')).equals(readFileSync(alone))).toBe(true);
  }, 60_000);

  test('two exports of sets into one folder, and two sets of Syzygy files', async () => {
    const store = testFolder();
    await run(['solve', 'chess', 'KRK', 'KQK', '--metric', 'dtz', '--no-verify', '--store', store]);
    const out = testFolder();
    const common = ['--metric', 'dtz', '--store', store];
    const set = (ending: string) => [
      ...['export', 'chess', ending, '--format', 'parquet', '--out', join(out, 'set'), ...common],
    ];
    const files = (ending: string) => [...['solve', 'chess', ending, '--to', join(out, 'syzygy'), ...common]];
    mkdirSync(join(out, 'set'));
    const all = [set('KRK'), set('KQK'), files('KRK'), files('KQK')].map(startContained);
    const ended = await Promise.all(all.map((each) => each.ended));
    expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(
      ended.map(() => [0, '']),
    );
    expect(partsIn(out)).toEqual([]);
    expect(readdirSync(join(out, 'set')).sort()).toEqual(['ending=KQK', 'ending=KRK']);
    for (const name of ['KQvK.rtbw', 'KQvK.rtbz', 'KRvK.rtbw', 'KRvK.rtbz'])
      expect(filesUnder(join(out, 'syzygy'))).toContain(join(out, 'syzygy', name));
  }, 120_000);

  test('ranks that are started twice with one number solve what one solves', async () => {
    const store = testFolder();
    const rank = (number: number) => [
      ...['rank', ...ENDING, '--rank', String(number), '--ranks', '2', '--job', 'team/a'],
      ...['--whole-below', '1MiB', '--json', '--store', store],
    ];
    const ended = await Promise.all([0, 0, 1, 1].map((number) => startContained(rank(number)).ended));
    expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(
      ended.map(() => [0, '']),
    );
    expect(digestsOf(await run(['solve', ...ENDING, '--json', '--store', store]))).toEqual(expected);
    expect(readdirSync(store).filter((name) => name.startsWith('.scratch-'))).toEqual([]);
  }, 120_000);
});
