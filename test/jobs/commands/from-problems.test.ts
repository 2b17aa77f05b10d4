/** Helpmates and selfmates from a position: `solve --from --metric help`, and what commands do with the tables. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pawn each, which block each other, to the end. */
const PAIR = '8/8/8/3k4/4p3/4P3/8/3K4 b - - 0 1';
/** White has taken the other pawn. The ending has no table. */
const TAKEN = 'k7/8/K7/3P4/8/8/8/8 b - - 0 1';
const ROOT = 'KPvKP_d3d4';
/** Six men. Each capture leads to positions without a table. */
const STOPPED = '8/8/8/p1k4p/P6P/2K5/8/8 b - - 0 1';
const HOW = ['--stop-at', '5', '--most-pieces', '0'];

interface Value {
  outcome: string;
  plies: number | null;
  solutions: number;
  known?: string;
  most?: { outcome: string; plies: number | null };
}
interface Answer extends Value {
  metric: string;
  moves: Value[];
  metrics?: Record<string, Answer>;
}

beforeAll(async () => {
  await mergemate.succeed(['solve', 'chess', '--from', PAIR, '--metric', 'help']);
  await mergemate.succeed(['solve', 'chess', '--from', STOPPED, '--metric', 'help', ...HOW]);
}, 600_000);

test('plan and verify take a root of a problem', async () => {
  const plan = ['plan', 'chess', '--from', PAIR, '--metric', 'help', '--store', store];
  expect(await mergemate.succeed(plan)).toContain(`${ROOT}: `);
  expect(await mergemate.succeed(['verify', 'chess', ROOT, '--metric', 'help'])).toContain('right');
});

describe('where everything is known', () => {
  test('probe has the stipulation and the number of solutions, and --line has them all', async () => {
    expect(await mergemate.succeed(['probe', 'chess', PAIR])).toMatch(
      /^Black to move: h#11, 255 or more solutions$/m,
    );
    const value = await mergemate.succeedJson<Answer>(['probe', 'chess', TAKEN]);
    expect(value).toMatchObject({ metric: 'help', outcome: 'solved', plies: 6, solutions: 2 });
    expect(value).not.toHaveProperty('most');
    expect(await mergemate.succeed(['probe', 'chess', TAKEN])).toMatch(/^Black to move: h#3, 2 solutions$/m);
    const best = value.moves.filter(({ plies }) => plies === value.plies);
    expect(best.reduce((sum, { solutions }) => sum + solutions, 0)).toBe(value.solutions);
    const { lines, more } = await mergemate.succeedJson<{ lines: { move: string }[][]; more: boolean }>([
      ...['probe', 'chess', TAKEN, '--line'],
    ]);
    expect([lines.length, more]).toEqual([value.solutions, false]);
    expect(new Set(lines.map((line) => line.map(({ move }) => move).join(' '))).size).toBe(value.solutions);
    for (const line of lines) {
      expect(line).toHaveLength(value.plies!);
      expect(line.at(-1)!.move).toMatch(/#$/);
    }
  });

  test('study checks the problem, and stats counts those of the root', async () => {
    const file = join(folder, 'problems.epd');
    const stipulations = ['h#3', 'h#3 2.1...', 'h#4', 'h#2'];
    writeFileSync(file, stipulations.map((asked) => `${TAKEN.split(' ')[0]} ${asked}\n`).join(''));
    const text = await mergemate.succeed(['study', file]);
    expect(text).toContain('h#3: cooked, 2 solutions\n');
    expect(text).toContain('h#3 2.1...: sound, 2 solutions\n');
    expect(text).toContain('h#4: short, h#3 with 2 solutions\n');
    expect(text).toContain('h#2: no solution in so many moves, h#3 with 2 solutions\n');
    const { problems } = await mergemate.succeedJson<{ problems: { black: { solvable: number } } }>([
      ...['stats', 'chess', ROOT, '--metric', 'help'],
    ]);
    expect(problems.black.solvable).toBeGreaterThan(1000);
    const found = await mergemate.succeed([
      ...['export', 'chess', ROOT, '--metric', 'help', '--where', 'solutions=1 plies=6', '--limit', '3'],
    ]);
    expect(found).toContain('"solutions":1');
  });
});

describe('where unknown positions can be reached', () => {
  test('what is open is said', async () => {
    const value = await mergemate.succeedJson<Answer>(['probe', 'chess', STOPPED, '--metric', 'help']);
    // Nobody is mated with these men, so a solution takes a capture.
    expect(value).toMatchObject({
      outcome: 'no solution',
      plies: null,
      most: { outcome: 'solved', plies: expect.any(Number) },
      known: expect.stringMatching(/^h#[\d.]+ or longer, or no solution$/),
    });
    const text = await mergemate.succeed(['probe', 'chess', STOPPED]);
    expect(text).toContain(`Black to move: ${value.known}\n`);
    const { code, stderr } = await mergemate.run(['probe', 'chess', STOPPED, '--line']);
    expect([code, stderr.trim()]).toEqual([
      2,
      `mergemate: no solution is sure: Black to move: ${value.known}`,
    ]);
  });

  test('study claims no more than is known', async () => {
    const { most } = await mergemate.succeedJson<Answer>(['probe', 'chess', STOPPED]);
    const file = join(folder, 'open.epd');
    writeFileSync(file, `${STOPPED.split(' ')[0]} h#${most!.plies! / 2}\n`);
    expect(await mergemate.succeed(['study', file])).toMatch(
      /: not known: h#[\d.]+ or longer, or no solution\n/,
    );
    expect(await mergemate.succeedJson(['study', file])).toMatchObject({ verdict: 'unknown', found: null });
  });

  test('stats counts both cases', async () => {
    const { bounds } = await mergemate.succeedJson<{
      bounds: { ending: string; problems: { black: { solvable: number } } }[];
    }>(['stats', 'chess', 'KPPvKPP_a4h4a5h5_s5_m0', '--metric', 'help']);
    const [hi, lo] = bounds.map(({ problems }) => problems.black.solvable);
    expect(hi).toBeGreaterThan(lo);
  });
});

test('problems of a root are found by how their solutions begin', async () => {
  const where = ['--where', 'plies=2 solutions=2..9 starts=1'];
  const rows = await mergemate.succeed([
    'export',
    'chess',
    ROOT,
    '--metric',
    'help',
    ...where,
    '--limit',
    '1',
  ]);
  expect(rows).toContain(`{"slice":"${ROOT}.`);
  const to = join(newFolder(), 'report');
  await mergemate.succeed(['stats', 'chess', ROOT, '--metric', 'help', '--html', to]);
});

test('tables of play and of problems answer side by side', async () => {
  const both = join(folder, 'both');
  const other = program(both);
  for (const metric of ['dtm', 'self'])
    await other.succeed(['solve', 'chess', '--from', STOPPED, '--metric', metric, ...HOW]);
  const { metrics } = await other.succeedJson<Answer>(['probe', 'chess', STOPPED]);
  expect(Object.keys(metrics!)).toEqual(['dtm', 'self']);
  expect(await other.succeedJson(['probe', 'chess', STOPPED, '--metric', 'self'])).toMatchObject({
    metric: 'self',
    outcome: 'no solution',
  });
}, 120_000);

test('mistakes are one line each', async () => {
  const refused = async (args: string[], words: string) => {
    const { code, stderr } = await mergemate.run(args);
    expect([args, code, stderr.trim().split('\n').length]).toEqual([args, 2, 1]);
    expect(stderr).toContain(words);
  };
  for (const command of ['solve', 'plan'])
    await refused(
      [command, 'chess', '--from', PAIR, '--metric', 'help', '--never', 'white: e3'],
      '--never cannot be combined with --metric help: the number of solutions would leave out those moves',
    );
  await refused(
    ['solve', 'chess', '--from', PAIR, '--metric', 'self', '--syzygy', folder],
    '--syzygy cannot be combined with --metric self',
  );
  await refused(['stats', 'chess', ROOT], 'its tables are of metrics of problems, such as help');
  await refused(['stats', 'chess', 'KPKP_d3d4', '--metric', 'help'], 'in which both sides play to win');
  await refused(
    ['verify', 'chess', `${ROOT}.KPKP.34.hi`, '--metric', 'help'],
    'has no such slice that is solved',
  );
});
