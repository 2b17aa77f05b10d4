/** `solve --engine processes`: whatever happens to the processes, the tables are those of one process. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesUnder, newFolder, run, start, succeed, succeedJson, testFolder } from '../support/cli.js';
import { randomFrom } from '../support/graph-game.js';
import { ifShort, LONG } from '../support/long.js';

interface Solved {
  slices: { slice: string; digests: string[]; verified: number | null; requests: number }[];
}

/** Few rounds, many requests, and enough parts to be cut. */
const ENDING = 'KQQK';
const SOLVE = ['solve', 'chess', ENDING, '--memory', '32MiB'];
const BY_STEPS = ['--engine', 'processes', '--workers', '2', '--partitions', '2', '--whole-below', '1MiB'];

const reference = newFolder();
let wanted: Solved['slices'];
beforeAll(async () => {
  wanted = (await succeedJson<Solved>([...SOLVE, '--no-verify', '--store', reference])).slices;
}, 240_000);
afterAll(() => rmSync(reference, { recursive: true, force: true }));

const figures = ({ slices }: Solved) =>
  slices.map(({ slice, digests, requests }) => ({ slice, digests, requests }));

/** Processes that are doing a step of this store. */
function stepsAt(store: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return args.includes('step') && args.some((arg) => arg.startsWith(`${store}/`));
      } catch {
        return false; // it has just ended
      }
    })
    .map(Number);
}

test.skipIf(!LONG)(
  `kill -9 of steps and of the driver, again and again, costs nothing but time${ifShort}`,
  {
    timeout: 480_000,
  },
  async () => {
    const store = testFolder();
    const random = randomFrom(11);
    const args = [...SOLVE, ...BY_STEPS, '--no-verify', '--store', store, '--json'];
    const killed = { steps: 0, drivers: 0 };
    let driver = start(args);
    let ended = false;
    let ran = driver.ended;
    const watch = () => {
      ran = driver.ended;
      ran.then(({ signal }) => (ended = signal === null));
    };
    watch();
    let doneBefore = -1;
    while (!ended) {
      await new Promise((done) => setTimeout(done, 200 + random(1200)));
      // A task that dies at every attempt is given up, and rightly so: it is let alone after each blow.
      const done = filesUnder(store).filter((file) => /task-\d+\.json$/.test(file)).length;
      const steps = done > doneBefore ? stepsAt(store) : [];
      if (killed.drivers < 3 && steps.length > 0 && random(6) === 0) {
        // Its steps go on: the next driver may start them a second time.
        driver.child.kill('SIGKILL');
        await driver.ended;
        doneBefore = done;
        killed.drivers++;
        driver = start(args);
        watch();
      } else if (killed.steps < 12 && steps.length > 0 && random(2) === 0) {
        try {
          process.kill(steps[random(steps.length)], 'SIGKILL');
          killed.steps++;
          doneBefore = done;
        } catch {
          // It was faster.
        }
      }
    }
    const { code, stdout, stderr } = await ran;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('mergemate:') });
    expect(killed.steps).toBeGreaterThan(3);
    expect(killed.drivers).toBeGreaterThan(0);
    console.log(`survived: ${killed.steps} steps and ${killed.drivers} drivers killed`);
    expect(figures(JSON.parse(stdout) as Solved)).toEqual(figures({ slices: wanted }));
    await succeed(['verify', 'chess', ENDING, '--store', store, '--memory', '64MiB']);
  },
);

test.skipIf(!LONG)(
  `a step that cannot be done is tried again, then named${ifShort}`,
  { timeout: 240_000 },
  async () => {
    const store = testFolder();
    await succeed(['solve', 'chess', 'KQK', '--no-verify', '--store', store]);
    const [values] = filesUnder(join(store, 'chess/dtm/KQK')).filter((file) => file.endsWith('.arrow'));
    rmSync(values!);
    const logs = testFolder();
    const args = [...SOLVE, ...BY_STEPS, '--no-verify', '--store', store, '--logs', logs];
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    const events = readFileSync(join(logs, `${hostname()}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; phase: string; figures: { problem?: string } });
    expect(events.filter(({ event }) => event === 'began')).toHaveLength(8);
    const failed = events.filter(({ event, phase }) => event === 'failed' && phase === 'start');
    expect(failed).toHaveLength(8);
    expect(failed[0]!.figures.problem).toMatch(/no such object/);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^mergemate: .*KQQK\/steps\/count\/start: KQQK start failed again and again: .*KQK\/values.*no such object/,
    );
  },
);

test('what is no phase, no task or not planned is said in one line', async () => {
  const store = testFolder();
  const phase = (name: string) => `${store}/chess/dtm/KQQK/steps/count/${name}`;
  for (const [args, message] of [
    [[phase('lunch'), '--task', '0'], /no phase of a solve/],
    [[phase('round-00001'), '--task', '0'], /KQQK has no plan/],
    [[`${store}/chess/dtm/KQKQK/steps/count/start`, '--task', '0'], /KQKQK/],
    [[phase('whole'), '--task', '1'], /there is no task 1/],
    [[phase('start'), '--task', 'one'], /--task/],
    [[phase('start'), '--task', '0', '--memory', '1KiB'], /at least 1MiB/],
  ] as const) {
    const { code, stderr } = await run(['step', ...args]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(message);
  }
});
