/** Commands on tables of problem chess: probe, export, stats, study. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const store = newFolder();
const { run, succeed, succeedJson } = program(store);

/** Standard error of a command that ends with exit code 2. */
async function fail(args: readonly string[]): Promise<string> {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  return stderr;
}

const SOUND = '8/8/7k/6Q1/8/8/8/K7 b - - 0 1';

beforeAll(async () => {
  await putEndings(store, chess.sided!, ['KQvK', 'KRvK'], ['help']);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

describe('probe', () => {
  it('has the stipulation, the number of solutions, and what moves lead to', async () => {
    const text = await succeed(['probe', 'chess', SOUND, '--metric', 'help']);
    expect(text).toContain('Black to move: h#6, 1 solution\n');
    expect(text).toMatch(/^Kh7 +h6h7 +h#5\.5 +1 solution$/m);
    expect(text).toMatch(/^Kxg5 +h6g5 +no solution +-$/m);
  });

  it('names set play, where the other side to move has a solution', async () => {
    const position = '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1';
    expect(await succeed(['probe', 'chess', position, '--metric', 'help'])).toContain(
      'White to move: h#4.5, 255 or more solutions\nset play: h#4, 16 solutions\n',
    );
    const json = await succeedJson(['probe', 'chess', position, '--metric', 'help']);
    expect(json).toMatchObject({ plies: 9, solutions: 255, setPlay: { plies: 8, solutions: 16 } });
  });

  it('prints all solutions with --line, at most --limit of them', async () => {
    const line = ['--metric', 'help', '--line'];
    expect(await succeed(['probe', 'chess', SOUND, ...line])).toContain(
      '\n1.Kh7 Kb2 2.Kh8 Kc3 3.Kh7 Kd4 4.Kh8 Ke5 5.Kh7 Kf6 6.Kh8 Qg7#\n',
    );
    const many = await succeedJson<{ lines: string[][]; more: boolean }>([
      ...['probe', 'chess', '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1', ...line, '--limit', '3'],
    ]);
    expect([many.lines.length, many.more]).toEqual([3, true]);
  });

  it('has with --line alone the lines of all metrics that the ending is solved for', async () => {
    const rook = '8/8/8/8/8/2k5/1R6/K7 w - - 0 1';
    const { metric, metrics } = await succeedJson<{ metric: string; metrics?: object[] }>([
      ...['probe', 'chess', rook, '--line'],
    ]);
    expect([metric, metrics]).toEqual(['help', undefined]);
    await putEndings(store, chess, ['KQK'], ['dtm', 'wdl']);
    const both = await succeed(['probe', 'chess', SOUND, '--line']);
    expect(both).toMatch(/^dtm {4}Black to move: draw\n\nA drawn position has no main line\.$/m);
    expect(both).toMatch(/^help {3}Black to move: h#6, 1 solution\n\n1\.Kh7 Kb2 /m);
    expect(both.match(/a b c d e f g h/g)).toHaveLength(1);
    expect(await succeedJson(['probe', 'chess', SOUND, '--line'])).toMatchObject({
      position: SOUND,
      metric: 'dtm',
      metrics: { dtm: { metric: 'dtm' }, help: { metric: 'help', outcome: 'solved', solutions: 1 } },
    });
  });

  it('refuses --limit without --line', async () => {
    expect(await fail(['probe', 'chess', SOUND, '--metric', 'help', '--limit', '3'])).toMatch(
      /^mergemate: --limit goes with --line$/m,
    );
  });
});

describe('export', () => {
  const rows = async (...more: string[]) => {
    const text = await succeed(['export', 'chess', 'KQvK', '--metric', 'help', ...more]);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('finds problems by plies and solutions', async () => {
    const found = await rows('--where', 'solutions=1 plies=12');
    expect(found.every(({ outcome }) => outcome === 'solved')).toBe(true);
    expect(found.map(({ plies, solutions }) => [plies, solutions])).toEqual([
      [12, 1],
      [12, 1],
      [12, 1],
    ]);
    expect(found.map(({ position }) => position)).toContain(SOUND);
    expect(await rows('--where', 'solutions=1 plies=14')).toEqual([]);
    expect(await rows('--where', 'longest side=black')).toHaveLength(4);
  });

  it.each(['epd', 'pgn'])('writes problems as %s that study checks as problems', async (format) => {
    const path = join(store, `sound.${format}`);
    const where = ['--where', 'plies=11..12 solutions=1', '--metric', 'help'];
    await succeed(['export', 'chess', 'KQvK', ...where, '--out', path]);
    const lines = (await succeed(['study', path])).split('\n').filter((line) => line.startsWith('h#'));
    expect(new Set(lines)).toEqual(new Set(['h#6: sound', 'h#5.5: sound']));
  });

  it('finds them by their different first and last moves', async () => {
    const found = await rows('--where', 'plies=4 solutions=2 starts=1 ends=2', '--limit', '4');
    expect(found).toHaveLength(4);
    for (const { position } of found) {
      const { lines } = await succeedJson<{ lines: { move: string }[][] }>([
        ...['probe', 'chess', String(position), '--metric', 'help', '--line'],
      ]);
      expect(new Set(lines.map(([first]) => first.move)).size).toBe(1);
      expect(new Set(lines.map((line) => line.at(-1)!.move)).size).toBe(2);
    }
  });

  it('has a column of solutions in every row', async () => {
    const csv = await succeed([
      'export',
      'chess',
      'KQvK',
      '--metric',
      'help',
      '--out',
      '-',
      '--format',
      'csv',
    ]);
    const [head, ...lines] = csv.trimEnd().split('\n');
    expect(head.trim()).toBe('slice,position,mover,outcome,plies,solutions,weight');
    expect(lines.length).toBe(46_137);
    expect(lines.filter((line) => line.split(',')[5] === '1').length).toBe(3064);
    const outcomes = lines.map((line) => line.split(',')[3]);
    expect(outcomes.filter((word) => word === 'solved').length).toBe(45_723);
    expect(new Set(outcomes)).toEqual(new Set(['solved', 'no solution']));
  });

  it('refuses conditions on solutions where there are none', async () => {
    const words = await fail(['export', 'chess', 'KQvK', '--metric', 'help', '--where', 'solutions=few']);
    expect(words).toMatch(/^mergemate: solutions: "few" is neither a number nor a range such as 10\.\.19$/m);
  });
});

it('a site of an ending has its tables under all metrics that it is solved for, whatever they name it', async () => {
  await putEndings(store, chess, ['KQK'], ['dtm']);
  const to = join(store, 'site');
  expect(await succeed(['publish', 'chess', 'KQK', '--as', 'site', '--to', to])).toMatch(
    /is a site of its own \(chess: dtm, (wdl, )?help\): /,
  );
  expect(await succeed(['publish', 'chess', 'KRK', '--as', 'site', '--to', to])).toMatch(
    /is a site of its own \(chess: help\): /,
  );
  expect(await fail(['publish', 'chess', 'KBK', '--as', 'site', '--to', to])).toMatch(
    /^mergemate: KBK is not solved for dtm in [^\n]+$/m,
  );
});

describe('published', () => {
  const to = join(store, 'published');
  const BESIDE = ['--published', to];

  beforeAll(async () => {
    const asked = ['publish', 'chess', 'KQvK', 'KRvK', '--metric', 'help', '--to', to];
    const text = await succeed([...asked, '--verify-by', 'tables']);
    expect(text).toMatch(/codec bytes\n/);
    expect(text).toMatch(/[\d,]+ stored values checked by the tables, all are right\n$/);
  }, 120_000);

  it('probe answers as from the tables, with solutions and set play', async () => {
    for (const fen of [SOUND, '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1', '8/8/8/8/8/2k5/1R6/K7 b - - 0 1']) {
      const solved = ['probe', 'chess', fen, '--metric', 'help'];
      expect(await succeed([...solved, ...BESIDE])).toBe(await succeed(solved));
      expect(await succeedJson([...solved.slice(0, 3), '--json', ...BESIDE])).toEqual(
        await succeedJson([...solved, '--json']),
      );
    }
  });

  it('probe --line prints the solutions', async () => {
    const asked = ['probe', 'chess', SOUND, '--metric', 'help', '--line'];
    expect(await succeed([...asked, ...BESIDE])).toBe(await succeed(asked));
  });

  it('study checks problems without a store', async () => {
    const path = join(store, 'published.epd');
    writeFileSync(path, '8/8/7k/6Q1/8/8/8/K7 h#6\n8/8/7k/6Q1/8/8/8/K7 h#7\n');
    const away = ['--store', join(store, 'nowhere')];
    expect(await succeed(['study', path, ...BESIDE, ...away])).toBe(await succeed(['study', path]));
  });

  it.skipIf(!LONG)(
    `verify reads the files alone${ifShort}`,
    async () => {
      const right = /all are right/;
      expect(await succeed(['verify', 'chess', 'KvK', '--metric', 'help', ...BESIDE])).toMatch(right);
      expect(await succeed(['verify', to, 'KRvK'])).toMatch(/^[\d,]+ stored values checked by the moves /m);
    },
    120_000,
  );

  it.each([
    [
      ['--metric', 'self'],
      /^mergemate: no chess tables of self are published in [^\n]+: run "mergemate publish chess --metric self" first\n$/,
    ],
    [['--metric', 'dtm'], /^mergemate: published tables have no plies under dtm: [^\n]+\n$/],
    [['--metric', 'wdl'], /^mergemate: no chess tables are published in [^\n]+\n$/],
  ])('probe %j is refused in one line', async (flags, words) => {
    expect(await fail(['probe', 'chess', SOUND, ...flags, ...BESIDE])).toMatch(words);
  });

  it('names an ending that is not published', async () => {
    expect(await fail(['probe', 'chess', '8/8/8/8/8/2k5/1N6/K7 b - - 0 1', ...BESIDE])).toMatch(
      /^mergemate: KNvK is not published in [^\n]+\n$/,
    );
  });

  it('refuses codecs of wins, draws and losses, and solves by other metrics', async () => {
    const publish = ['publish', 'chess', 'KQvK', '--metric', 'help', '--to', join(store, 'other')];
    expect(await fail([...publish, '--codec', 'packed'])).toBe(
      'mergemate: --codec packed cannot be combined with --metric help, whose tables take bytes\n',
    );
    expect(await fail(['solve', 'chess', 'KQvKR', '--metric', 'help', '--from-published', to])).toBe(
      'mergemate: published wins, draws and losses become tables of wdl alone: --from-published needs --metric wdl\n',
    );
  });

  it.skipIf(!LONG)(`names a damaged file and its block${ifShort}`, async () => {
    const file = join(to, 'chess', 'KQvK.black.help.numbers');
    const bytes = readFileSync(file);
    for (const block of [0, 3]) {
      bytes[1024 * block + 5] ^= 16;
      writeFileSync(file, bytes);
      expect(await fail(['verify', to, 'KQvK'])).toMatch(
        new RegExp(`KQvK\\.black\\.help\\.numbers: block ${block} of \\d+ is damaged`),
      );
      bytes[1024 * block + 5] ^= 16;
    }
    writeFileSync(file, bytes);
    expect((await run(['scrub', '--store', to])).code).toBe(0);
    rmSync(join(to, 'chess', 'catalogue.help.json'));
    const { code, stderr, stdout } = await run(['scrub', '--store', to]);
    expect([code, `${stdout}${stderr}`]).toEqual([
      1,
      expect.stringMatching(/catalogue\.help\.json: is not there, though published files are/),
    ]);
  });
});

it('stats counts by plies and by solutions, with the longest and the deepest sound problem', async () => {
  const asked = ['stats', 'chess', 'KQvK', '--metric', 'help'];
  const text = await succeed(asked);
  expect(text).toMatch(/^with a solution +18,081 +27,642$/m);
  expect(text).toMatch(/^sound +1,348 +1,716$/m);
  expect(text).toMatch(/^h#6 +284 +3$/m);
  expect(text).toContain('Deepest sound problem, black to move: h#6 (3 positions)');
  const { problems } = await succeedJson<{ problems: object }>(asked);
  expect(problems).toMatchObject({
    white: { positions: 18_081, solvable: 18_081, sound: 1348 },
    black: { solvable: 27_642, sound: 1716, deepestSound: { plies: 12, positions: 3 } },
  });
});

it('stats of several endings counts problems of each and of all, by plies and by solutions', async () => {
  const asked = ['stats', 'chess', 'KQvK', 'KRvK', '--metric', 'help'];
  const text = await succeed(asked);
  expect(text).toMatch(/^KQvK +46,137 +45,723 +3,064 +h#7 +h#6$/m);
  expect(text).toMatch(/^KRvK +\d\d,\d\d\d +49,952 +3,910 +h#7 +h#4\.5$/m);
  expect(text).toMatch(/^all of 3 pieces +\d\d,\d\d\d +95,675 +6,974 +h#7 +h#6$/m);
  // 284 and 734 positions, of which 3 and none are sound.
  expect(text).toMatch(/^h#6 +1,018 +3$/m);
  expect(text).not.toMatch(/win|loss/);
  const { endings } = await succeedJson<{ endings: object[] }>(asked);
  const one = (ending: string) =>
    succeedJson<{ problems: object }>(['stats', 'chess', ending, '--metric', 'help']);
  expect(endings).toEqual([
    { ending: 'KQvK', problems: (await one('KQvK')).problems },
    { ending: 'KRvK', problems: (await one('KRvK')).problems },
  ]);
});

it('stats --html writes a page of problems, and the counts as CSV', async () => {
  const folder = join(store, 'page');
  const named = ['index.html', 'endings.csv', 'plies.csv', 'solutions.csv'].map((name) => join(folder, name));
  const asked = ['stats', 'chess', 'KQvK', 'KRvK', '--metric', 'help'];
  expect(await succeed([...asked, '--html', folder])).toBe(`${named.join('\n')}\n`);
  const [page, endings, plies, solutions] = named.map((path) => readFileSync(path, 'utf8'));
  const visible = page.replace(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]*>/gs, ' ');
  expect(visible).not.toMatch(/\b(?:win|wins|won|loss|losses|lost|draws?)\b/i);
  expect(visible).toContain('6,974 sound');
  expect(visible).toMatch(/Black to move: h#6, 1 solution/);
  // Both are the first position of their kind.
  expect(visible).toContain('7k/8/8/6Q1/8/8/8/K7 b - - 0 1');
  expect(visible).toMatch(/1\.Kh7 Kb2 2\.Kh8 Kc3|1\.Kg7 |1\.Kg8 |1\.Kh7 /);
  expect(endings.split('\n')[0]).toBe(
    'ending,side_to_move,positions,with_a_solution,sound,longest,longest_plies,longest_positions,longest_fen,deepest_sound,deepest_sound_plies,deepest_sound_positions,deepest_sound_fen',
  );
  expect(endings).toMatch(
    /^KQvK,black,28056,27642,1716,h#7,14,4,[^,]+,h#6,12,3,7k\/8\/8\/6Q1\/8\/8\/8\/K7 b - - 0 1$/m,
  );
  expect(plies).toMatch(/^KQvK,black,h#6,12,284,3$/m);
  expect(solutions).toMatch(/^KQvK,white,1,1348$/m);
  const { stdout, code } = await run([...asked, '--html', folder, '--force', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { game: 'chess', endings: ['KQvK', 'KRvK'], metric: 'help', files: named },
  ]);
});

it.each(['help', 'help-stalemate', 'self', 'self-stalemate'])(
  'compare refuses --metric %s',
  async (metric) => {
    expect(await fail(['compare', 'chess', 'KQvK', '--metric', metric])).toBe(
      `mergemate: compare cannot be used with --metric ${metric}: in the other solvers both sides play to win, and no solutions are counted\n`,
    );
  },
);

describe('study', () => {
  const study = async (name: string, text: string, ...more: string[]) => {
    writeFileSync(join(store, name), text);
    return succeed(['study', join(store, name), ...more]);
  };

  it('says of each problem whether it is sound, cooked, short, or has no solution', async () => {
    const checked = await study(
      'problems.epd',
      [
        '8/8/7k/6Q1/8/8/8/K7 h#6',
        '8/8/7k/6Q1/8/8/8/K7 b - - stip "h#7"; id "too long";',
        '7k/5K2/6Q1/8/8/8/8/8 h#2',
        '8/8/8/8/7k/3K4/8/5Q2 h#3',
        '8/8/7k/6Q1/8/8/8/K7 h#6 2.1...',
      ].join('\n'),
    );
    expect(checked).toContain('h#6: sound\n  1.Kh7 Kb2 2.Kh8 Kc3');
    expect(checked).toContain('too long\n');
    expect(checked).toContain('h#7: short, h#6 with 1 solution\n');
    expect(checked).toContain('h#2: no solution\n');
    expect(checked).toContain('h#6 2.1...: fewer solutions than claimed, 1 of 2\n');
    expect(checked).toMatch(/^h#3: (?:cooked|short), /m);
  });

  it('reads input of Popeye, and tags of PGN', async () => {
    const popeye = 'BeginProblem\nauthor Jenő Bán\nstip h#4.5 pieces white Kg1 Rf2 black Kd8\nEndProblem\n';
    expect(await study('x.inp', popeye)).toMatch(/^Jenő Bán\n.*\nh#4\.5: sound\n {2}1…/);
    const pgn = `[FEN "${SOUND}"]\n[Stipulation "h#6"]\n\n*\n`;
    expect(await study('x.pgn', pgn, '--json')).toContain('"verdict":"sound"');
  });

  it('names a problem that it cannot check, with its place', async () => {
    writeFileSync(join(store, 'bad.epd'), '8/8/7k/6Q1/8/8/8/K7 w - - stip "h#6";\n8/8/7k/6Q1/8/8/8/K7 q#3\n');
    const words = await fail(['study', join(store, 'bad.epd')]);
    expect(words).toMatch(/bad\.epd, line 2: stipulation "q#3": there are no tables of this kind/);
  });
});
