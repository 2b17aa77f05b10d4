/** `solve --at-most`: games that may be infinite stop at a limit, and go on with a larger one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { filesUnder, testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

/** Counting up by one or two; `end` is the last number, which is lost. */
function counting(folder: string, end: string): string {
  const path = join(folder, 'counting.mjs');
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';
export default keyedGame({
  name: 'counting', roots: () => [0], key: (n) => n, position: (n) => n, mover: (n) => n % 2,
  ended: (n) => (n >= ${end} ? 'lost' : null),
  moves: (n) => [1, 2].map((k) => ['add ' + k, n + k]),
});
`,
  );
  return path;
}

const KEPT = 'they are kept, and solving with a larger limit goes on from them';

test.each([
  ['one worker', []],
  ['two workers', ['--workers', '2']],
])('an endless game stops in one line, and nothing is lost: %s', async (_, words) => {
  const folder = testFolder();
  const { run } = program(join(folder, 'tables'));
  const path = counting(folder, 'Infinity');
  const { code, stdout, stderr } = await run(['solve', path, '--at-most', '20', ...words]);
  expect([code, stdout]).toEqual([2, '']);
  // Lines of progress come before it on a slow machine.
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `mergemate: counting: 21 positions within 10 moves, more than the limit of 20: ${KEPT}`,
  );
  expect(filesUnder(folder).some((file) => file.includes('/steps/stride-00000.json'))).toBe(true);
  const further = await run(['solve', path, '--at-most', '40', ...words]);
  expect(further.stderr).toContain(
    `mergemate: counting: 41 positions within 20 moves, more than the limit of 40: ${KEPT}\n`,
  );
});

test.skipIf(!LONG)(
  `a limit that a game does not reach changes nothing, also after a smaller one${ifShort}`,
  async () => {
    const folder = testFolder();
    const path = counting(folder, '100');
    const whole = await program(join(folder, 'whole')).succeedJson<{ digests: unknown; nodes: number }>([
      ...['solve', path],
    ]);
    const { run, succeedJson } = program(join(folder, 'tables'));
    expect((await run(['solve', path, '--at-most', '50'])).code).toBe(2);
    const { digests, nodes } = await succeedJson<typeof whole>(['solve', path, '--at-most', '200']);
    expect({ digests, nodes }).toEqual({ digests: whole.digests, nodes: whole.nodes });
  },
);

test.skipIf(!LONG)(`ranks stop at a limit, too${ifShort}`, async () => {
  const folder = testFolder();
  const { run } = program(join(folder, 'tables'));
  const words = ['solve', counting(folder, 'Infinity'), '--engine', 'processes', '--workers', '2'];
  const { code, stderr } = await run([...words, '--at-most', '20']);
  expect(code).toBe(2);
  expect(stderr).toContain(`21 positions within 10 moves, more than the limit of 20: ${KEPT}`);
});

test.each([
  [['chess', 'KQK'], '--at-most is for games with keys: how many positions chess has is known before'],
  [['samples/town.jsonl'], '--at-most is not for graphs, and town is one'],
])('is refused where the number of positions is known: %j', async (words, message) => {
  const { run } = program(testFolder());
  expect(await run(['solve', ...words, '--at-most', '100'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `mergemate: ${message}\n`,
  });
});
