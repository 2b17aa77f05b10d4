/** Modules that end the process, print, or throw outside of their functions: one line, exit code 2, and a clean standard output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../support/cli.js';
import { run as runHere } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';

/** A heap of ten, one taken at a time, whose moves do something at five; `load` when the module is read. */
function written(does: string, load = ''): string {
  const path = join(testFolder(), 'game.mjs');
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';
${load}
export default keyedGame({
  name: 'odd', roots: () => [10], key: (n) => n, position: (n) => n, mover: (n) => n % 2,
  moves(n) {
    if (n === 5) { ${does} }
    return n > 0 ? [['one', n - 1]] : [];
  },
});
`,
  );
  return path;
}

/** The same as numbers, which several workers solve in their threads. */
function writtenByNumbers(does: string): string {
  const path = join(testFolder(), 'game.mjs');
  writeFileSync(
    path,
    `import { numberedGame } from 'mergemate';
export default numberedGame({
  name: 'odd', size: 11, index: ({ n }) => n, position: (n, side) => ({ n, side }), mover: ({ side }) => side,
  moves({ n, side }) {
    const after = { n: n - 1, side: 1 - side };
    if (n === 5) { ${does} }
    return n > 0 ? [['one', after]] : [];
  },
});
`,
  );
  return path;
}

const BY = ['check', 'solve', 'two workers'] as const;

/**
 * With the commands that meet each in the long tests: every command meets every kind of end (exits, exit codes, rejections, timers). The
 * longest tests try all pairs: starting the process takes most of the time of a pair.
 */
const ends: Record<string, [does: string, says: RegExp, by: readonly (typeof BY)[number][]]> = {
  exit: [
    'process.exit(0)',
    /odd: 5(?: [wb])?: moves failed: process\.exit\(0\) was called: .* \(game\.mjs, line 6\)/,
    // The short test has the other two.
    ['two workers'],
  ],
  abort: ['process.abort()', /process\.abort\(\) was called/, ['check']],
  kill: ['process.kill(process.pid)', /process\.kill\(\d+\) was called/, ['solve']],
  reallyExit: ['process.reallyExit(3)', /process\.reallyExit\(3\) was called/, ['two workers']],
  // That of a thread is not that of the process.
  'exit code': ['process.exitCode = 7', /the module of the game sets process\.exitCode/, ['check', 'solve']],
  rejection: [
    "Promise.reject(new Error('later'))",
    /a promise was rejected outside .*: later \(game\.mjs, line 6\)/,
    ['check', 'two workers'],
  ],
  'rejection with no error': ['Promise.reject(5)', /a promise was rejected outside .*: 5$/, ['solve']],
  timer: [
    "setTimeout(() => { throw new Error('late') })",
    /an error was thrown outside .*: late \(game\.mjs, line 6\)/,
    ['solve', 'two workers'],
  ],
  'exit in a timer': [
    'setTimeout(() => process.exit(0))',
    /outside .*: process\.exit\(0\) was called/,
    ['check'],
  ],
};

async function refused(args: readonly string[], says: RegExp, runs = run): Promise<void> {
  const { code, stderr } = await runs(args);
  // A line of progress may come before it on a busy machine.
  const lines = stderr.split('\n').filter((line) => line.startsWith('mergemate: '));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(says);
  expect(code).toBe(2);
}

describe('rules cannot end the program', () => {
  test('process.exit ends check and solve with one line', { timeout: 60_000 }, async () => {
    const path = written(ends.exit[0]);
    await refused(['check', path], ends.exit[1]);
    await refused(['solve', path, '--store', testFolder()], ends.exit[1]);
  });

  const cases = Object.entries(ends).flatMap(([name, [does, says, by]]) =>
    BY.filter((command) =>
      LONGEST ? name !== 'exit code' || command !== 'two workers' : by.includes(command),
    ).map((command) => [name, command, does, says] as const),
  );
  test.skipIf(!LONG).each(cases)(`%s, %s${ifShort}`, { timeout: 60_000 }, async (_, command, does, says) => {
    const path = command === 'two workers' ? writtenByNumbers(does) : written(does);
    const store = ['--store', testFolder()];
    if (command === 'check') return refused(['check', path], says);
    return refused(['solve', path, ...store, ...(command === 'solve' ? [] : ['--workers', '2'])], says);
  });

  test.skipIf(!LONG)(`when the module is read${ifShort}`, { timeout: 60_000 }, async () => {
    for (const command of ['check', 'probe'])
      await refused([command, written('', 'process.exit(0);')], /line 2: process\.exit\(0\) was called/);
  });

  test.skipIf(!LONG)(`what is thrown may be anything${ifShort}`, { timeout: 60_000 }, async () => {
    for (const [thrown, says] of [
      ['null', /moves failed: null; the move "one" of 6 leads there$/],
      ['Object.create(null)', /moves failed: \{\}; the move "one" of 6 leads there$/],
      ['Symbol("x")', /moves failed: Symbol\(x\); the move "one" of 6 leads there$/],
      ['{ code: 1 }', /moves failed: \{"code":1\}; the move "one" of 6 leads there$/],
    ] as const)
      await refused(['solve', written(`throw ${thrown}`), '--store', testFolder()], says, runHere);
  });
});

test('what a module prints goes to standard error', { timeout: 60_000 }, async () => {
  const prints = "console.log('SAID'); console.table(['SAID']); process.stdout.write('SAID');";
  const path = written(prints, "console.info('SAID');");
  const store = ['--store', testFolder()];
  const solved = await run(['solve', path, ...store, '--json']);
  expect(solved.code).toBe(0);
  expect(JSON.parse(solved.stdout)).toMatchObject({ graph: 'odd', nodes: 11 });
  expect(solved.stderr.match(/SAID/g)!.length).toBeGreaterThan(3);
  const rows = await run(['export', path, ...store, '--out', '-', '--format', 'csv']);
  expect(rows.code).toBe(0);
  expect(rows.stdout).not.toContain('SAID');
  expect(rows.stdout.trimEnd().split('\n')).toHaveLength(12);
});
