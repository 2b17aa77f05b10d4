/** Keyed games of users on the command line. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COLUMNS_OF } from '../../../jobs/export/columns.js';
import { withoutProgress } from '../../support/cli.js';
import { program, run } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const THREE = 'samples/dodgem/three.ts';
const START = '>../>../.^^ w';
const EVERY = COLUMNS_OF['keyed games'].filter((name) => name !== 'score' && name !== 'best').join(',');

interface Won {
  readonly mover: string;
  readonly outcome: string;
}

/** Null: nobody wins. */
const winnerOf = ({ mover, outcome }: Won): string | null =>
  outcome === 'draw' ? null : (outcome === 'win') === (mover === 'white') ? 'white' : 'black';

describe('mergemate', () => {
  test('solves, probes and exports the module of a keyed game', async () => {
    const store = join(testFolder(), 'tables');
    const solve = ['solve', THREE, '--memory', '1MiB'];
    const solved = await program(store).run(solve);
    expect(solved.code).toBe(0);
    expect(solved.stdout).toContain('dodgem-3x3: 1,963 positions, 5,373 moves, 22 rounds, verified\n');
    expect(solved.stdout).toContain(
      'reached in 17 layers, the largest of 293 positions 8 moves from the start\n',
    );
    // Again: everything is there.
    const again = JSON.parse((await program(store).run([...solve, '--json'])).stdout) as Record<
      string,
      unknown
    >;
    expect(again).toMatchObject({ graph: 'dodgem-3x3', nodes: 1963, won: [975, 988], nobody: 0 });
    expect(again).not.toHaveProperty('layers');

    const asked = await program(store).run(['probe', THREE, START]);
    expect(asked.stdout).toBe(
      '>..\n>..\n.^^\n\nWhite to move: wins in 19 plies\n\n' +
        'move   value  distance\n-----  -----  --------\n' +
        'a3-b3    win  19 plies\na2-b2   loss  18 plies\na2-a1   loss  16 plies\n',
    );
    const over = ['probe', THREE, '>^./^../... w', '--json'];
    expect(JSON.parse((await program(store).run(over)).stdout)).toMatchObject({
      over: true,
      outcome: 'win',
      plies: 0,
      moves: [],
    });

    for (const [position, message] of [
      ['>../>../.^^ b', 'dodgem-3x3: >../>../.^^ b: no game comes to this position'],
      ['x', `dodgem-3x3: "x": a position looks like "${START}"`],
    ] as const)
      expect(await program(store).run(['probe', THREE, position])).toMatchObject({
        code: 2,
        stderr: `mergemate: ${message}\n`,
      });

    // The commands of other games take it, too.
    expect((await program(store).run(['probe', THREE, START])).stdout).toContain('wins in 19 plies\n');

    const rows = (await program(store).run(['export', THREE, '--out', '-'])).stdout.trim().split('\n');
    expect(rows.length).toBe(1963);
    expect(JSON.parse(rows[0])).toEqual({
      position: START,
      mover: 'white',
      outcome: 'win',
      plies: 19,
      layer: 0,
      weight: 1,
    });
    // As many positions have each layer as the solve reported.
    const layers = rows.map((row) => (JSON.parse(row) as { layer: number }).layer);
    expect(layers).toEqual([...layers].sort((a, b) => a - b));
    expect([layers.at(-1), layers.filter((layer) => layer === 8).length]).toEqual([16, 293]);
  });

  test('a root that is named twice is printed once, and names are shown as they are not obeyed', async () => {
    const folder = testFolder();
    const game = join(folder, 'piles.ts');
    // Take one or two counters; who cannot loses. Roots are named again and again.
    writeFileSync(
      game,
      `import { keyedGame } from 'mergemate';
       export default keyedGame<number>({
         name: 'piles',
         roots: () => [10, 9, 10, 10, 9],
         key: (at) => at,
         position: (key) => Number(key),
         mover: (at) => (at % 2) as 0 | 1,
         moves: (at) => [1, 2].filter((n) => 2 * n <= at - (at % 2)).map((n) => [\`take \${n}\`, (at ^ 1) - 2 * n] as const),
         format: (at) => \`\\u202e\${at}\\u001b[1m\`,
         parse: (text) => Number(text.replace(/\\u202e|\\u001b\\[1m/g, '')),
       });`,
    );
    const piles = program(join(folder, 'tables'));
    const lines = (text: string) => text.split('\n').filter((line) => line.includes('u202e'));
    const solved = await piles.run(['solve', game]);
    expect(solved).toMatchObject({ code: 0 });
    expect(lines(solved.stdout).map((line) => line.split(':')[0])).toEqual([
      '\\u202e10\\u001b[1m',
      '\\u202e9\\u001b[1m',
    ]);
    const probed = await piles.run(['probe', game]);
    expect(lines(probed.stdout)).toEqual(lines(solved.stdout));
    const json = JSON.parse((await piles.run(['probe', game, '--json'])).stdout) as {
      roots: { position: string }[];
    };
    expect(json.roots.map(({ position }) => position)).toEqual(['\u202e10\u001b[1m', '\u202e9\u001b[1m']);
    // A line that is no position has no other name than that which it is.
    const list = join(folder, 'list');
    writeFileSync(list, '10\n77\n');
    const answered = (await piles.run(['probe', game, '--file', list])).stdout.trim().split('\n');
    expect(JSON.parse(answered[0])).toMatchObject({ id: '10' });
    expect(Object.keys(JSON.parse(answered[1]) as object)).toEqual(['position', 'error']);
  });

  test('positions selects what the export has', async () => {
    const mergemate = program(join(testFolder(), 'tables'));
    await mergemate.run(['solve', THREE]);
    const linesOf = (text: string) =>
      text
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    const rows = linesOf((await mergemate.run(['export', THREE, '--columns', EVERY])).stdout);
    const open = rows.filter(({ move }) => move !== null);
    const selected = async (...args: string[]) =>
      linesOf((await mergemate.run(['export', THREE, '--limit', '9999', ...args])).stdout);
    const all = await selected();
    expect(all.map(({ position, layer }) => [position, layer])).toEqual(
      rows.map(({ position, layer }) => [position, layer]),
    );
    expect((await selected('--where', 'plies=3..5 side=black')).map(({ position }) => position)).toEqual(
      rows
        .filter(({ position, plies }) => plies >= 3 && plies <= 5 && position.endsWith('b'))
        .map(({ position }) => position),
    );
    const longest = await selected('--where', 'longest result=loss', '--moves');
    for (const side of ['white', 'black']) {
      const lost = open.filter(({ mover, outcome }) => mover === side && outcome === 'loss');
      const most = Math.max(...lost.map(({ plies }) => plies));
      expect(
        longest.filter((line) => line.mover === side).map(({ position, plies }) => [position, plies]),
      ).toEqual(lost.filter(({ plies }) => plies === most).map(({ position }) => [position, most]));
    }
    for (const { best } of longest) expect(best.length).toBeGreaterThan(0);
    expect(await selected('--limit', '7')).toEqual(all.slice(0, 7));

    const out = join(testFolder(), 'report');
    const made = await mergemate.run(['stats', THREE, '--html', out]);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('results.csv') });
    const fields = (name: string) =>
      readFileSync(join(out, name), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
    const won = (winner: string | null, some = rows) =>
      String(some.filter((row: Won) => winnerOf(row) === winner).length);
    expect(fields('results.csv').at(-1)!.slice(0, 5)).toEqual([
      'all',
      String(rows.length),
      won('white'),
      won('black'),
      won(null),
    ]);
    for (const [winner, plies, positions] of fields('plies.csv'))
      expect(positions).toBe(
        won(
          winner,
          rows.filter((row) => String(row.plies) === plies),
        ),
      );
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page).toContain('White to move: wins in 19 plies');
    expect(page).not.toMatch(/https?:|undefined|NaN/);
  }, 120_000);

  test.skipIf(!LONG)(
    `report counts the positions of a game with scores by points${ifShort}`,
    async () => {
      const folder = testFolder();
      const [store, out] = [join(folder, 'tables'), join(folder, 'report')];
      const game = 'samples/dots-and-boxes/game.ts';
      await program(store).run(['solve', game]);
      const made = await program(store).run(['stats', game, '--html', out]);
      expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('points.csv') });
      const rows = (name: string) =>
        readFileSync(join(out, name), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(','));
      const [head, ...points] = rows('points.csv');
      expect(head).toEqual(['points', 'white_wins', 'black_wins']);
      // All four boxes, or three; with two each nobody wins.
      expect(points.map(([each]) => each)).toEqual(['4', '2']);
      const sum = (column: number) => String(points.reduce((all, row) => all + Number(row[column]), 0));
      expect(rows('results.csv').at(-1)!.slice(2, 4)).toEqual([sum(1), sum(2)]);
      expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<h2>Positions by points</h2>');
    },
    120_000,
  );

  test.skipIf(!LONG)(
    `all commands for games take a keyed game${ifShort}`,
    async () => {
      const store = join(testFolder(), 'tables');
      const at = ['--store', store];
      const solve = ['solve', THREE, ...at, '--memory', '1MiB'];
      const solved = await run(solve);
      expect(solved.code).toBe(0);
      expect(solved.stdout).toContain('1,963 positions, 5,373 moves, 22 rounds, verified\n');
      expect(solved.stdout).toContain(`\n${START}: White wins in 19 plies\n`);
      expect(JSON.parse((await run([...solve, '--json'])).stdout)).toMatchObject({
        movesCompared: 4524,
        roots: [{ position: START, id: '3144', mover: 'white', outcome: 'win', plies: 19 }],
      });

      expect(await run(['probe', THREE, ...at, '--metric', 'wdl'])).toMatchObject({
        code: 2,
        stderr: `mergemate: dodgem-3x3 is not solved for wdl in file:${store}: run "mergemate solve ${THREE} --metric wdl" first\n`,
      });
      const root = await run(['probe', THREE, ...at]);
      expect(root).toEqual(await run(['probe', THREE, START, ...at]));
      expect(root.stdout).toContain('White to move: wins in 19 plies\n\nmove   value  distance\n');
      const json = JSON.parse((await run(['probe', THREE, ...at, '--json'])).stdout) as { roots: unknown[] };
      const alone = JSON.parse((await run(['probe', THREE, START, ...at, '--json'])).stdout) as object;
      expect(alone).toMatchObject({ metric: 'dtw' });
      expect(json.roots).toEqual([alone]);
      const lines = await run(['probe', THREE, '--file', '-', ...at], `${START}\nx\n`);
      expect(lines.code).toBe(2);
      expect(
        lines.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        { position: START, plies: 19 },
        { position: 'x', error: `dodgem-3x3: "x": a position looks like "${START}"` },
      ]);

      const line = await run(['probe', '--line', THREE, ...at]);
      expect(line.stdout).toContain('White to move: wins in 19 plies\n\n1. a3-b3 ');
      expect(line.stdout).toMatch(/ 10\. \S+ White wins\n$/);
      const played = JSON.parse((await run(['probe', '--line', THREE, START, ...at, '--json'])).stdout) as {
        line: { move: string; mover: string }[];
      };
      expect(played.line.length).toBe(19);
      expect(played).toMatchObject({
        position: START,
        metric: 'dtw',
        mover: 'white',
        outcome: 'win',
        plies: 19,
      });
      expect(played.line[0]).toEqual({ move: 'a3-b3', mover: 'white', position: '.>./>../.^^ b' });
      expect(played.line.map(({ mover }) => mover)).toEqual(
        Array.from({ length: 19 }, (_, i) => (i % 2 === 0 ? 'white' : 'black')),
      );

      expect((await run(['stats', THREE, ...at])).stdout).toContain(
        'dodgem-3x3, dtw: 1,963 positions, 5,373 moves, verified\n',
      );
      expect((await run(['verify', THREE, ...at])).stdout).toBe(
        'dodgem-3x3, dtw: 1,963 positions checked by 5,373 moves, all values are right\n',
      );
      const out = join(testFolder(), 'rows.jsonl');
      expect((await run(['export', THREE, ...at, '--out', out])).stdout).toBe(`${out}: 1,963 rows\n`);
      const rows = readFileSync(out, 'utf8').trim().split('\n');
      const named = await run(['export', THREE, ...at, '--out', '-']);
      expect(named.stdout.trim().split('\n')).toEqual(rows);
      for (const format of ['arrow', 'parquet']) {
        const file = join(testFolder(), `rows.${format}`);
        expect((await run(['export', THREE, ...at, '--out', file])).code).toBe(0);
        expect(readFileSync(file).includes(Buffer.from('outcome'))).toBe(true);
        // Texts of Parquet are compressed.
        expect(readFileSync(file).includes(Buffer.from(START))).toBe(format === 'arrow');
      }
    },
    120_000,
  );

  test.skipIf(!LONG)(`several roots, and players who do not take turns${ifShort}`, async () => {
    const folder = testFolder();
    const path = join(folder, 'steps.ts');
    writeFileSync(
      path,
      `import { keyedGame } from 'mergemate';
       export default keyedGame({
         name: 'steps', roots: () => [{ at: 5 }, { at: 4 }, { at: 3 }, { at: 9 }],
         key: ({ at }) => BigInt(at), position: (key) => ({ at: Number(key) }),
         mover: ({ at }) => at % 4 < 2 ? 0 : 1,
         moves: ({ at }) => (at === 0 ? [] : at === 9 ? [['round', { at: 9 }]] : [['one', { at: at - 1 }]]),
         format: ({ at }) => 'step ' + at, parse: (text) => ({ at: Number(text.slice(5)) }),
       });`,
    );
    const store = join(folder, 'tables');
    const message =
      'step 5: Black wins in 5 plies\nstep 4: Black wins in 4 plies\nstep 3: Black wins in 3 plies\nstep 9: nobody wins\n';
    expect((await program(store).run(['solve', path])).stdout).toContain(`\n${message}`);
    expect((await program(store).run(['probe', path])).stdout).toBe(message);
    expect((await program(store).run(['probe', '--line', path, 'step 5'])).stdout).toBe(
      'step 5\n\nWhite to move: loses in 5 plies\n\nWhite: one, one Black: one, one White: one Black wins\n',
    );
    expect((await program(store).run(['probe', '--line', path, 'step 9'])).stdout).toContain('no main line');
  });

  test.skipIf(!LONG)(`check compares it with its contract${ifShort}`, async () => {
    const good = await run(['check', THREE, '--positions', '5000']);
    expect([good.code, withoutProgress(good.stderr)]).toEqual([0, '']);
    expect(good.stdout).toContain(
      'dodgem-3x3 keeps the contract in all 1,963 positions that can be reached (seed 1)\n',
    );
    const path = join(testFolder(), 'bad.ts');
    writeFileSync(
      path,
      `import { keyedGame } from 'mergemate';
       export default keyedGame<number>({
         name: 'bad', roots: () => [1], key: (n) => BigInt(n), position: Number,
         mover: (n) => (n === 50 ? 2 as never : 0), moves: (n) => (n < 100 ? [['on', n + 1]] : []),
       });`,
    );
    expect(await run(['check', path])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^mergemate: mover: bad: 50: mover is 2, not 0 or 1: chance .* no best move \(bad\.ts, line 4\); the move "on" of 49 leads there\n$/,
      ),
    });
    // On a slow machine there is progress before it.
    expect(await program(testFolder()).run(['solve', path])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^mergemate: bad: 50: mover is 2, not 0 or 1: .*\n$/m),
    });
    expect(await run(['check', THREE, 'ending'])).toMatchObject({
      code: 2,
      stderr:
        'mergemate: dodgem-3x3 is a keyed game, which has no endings: it is checked from its roots on\n',
    });
  });

  const refused = [
    [
      ['compare', THREE, 'x'],
      `game ${THREE}: it is a keyed game, which solve, probe, stats, export, publish, serve, verify and check take; "mergemate export ${THREE} --out FILE" writes all its positions`,
    ],
    [
      ['stats', THREE, 'KQK', '--html', 'x'],
      'dodgem-3x3 is a keyed game, which has no endings: it is solved as a whole',
    ],
    [['publish', THREE, '--codec', 'rows'], '--codec is not for keyed games, and dodgem-3x3 is one'],
    [
      ['publish', THREE, '--as', 'syzygy', '--to', 'x'],
      'Syzygy files are of chess: --as syzygy is not for dodgem-3x3',
    ],
    [['export', THREE, '--where', 'zugzwang'], '--zugzwang is not for keyed games, and dodgem-3x3 is one'],
    [
      ['export', THREE, '--format', 'epd'],
      '--format epd is for chess: positions of dodgem-3x3 can be written as jsonl, csv, parquet or arrow',
    ],
    [['solve', THREE, 'KQK'], 'dodgem-3x3 is a keyed game, which has no endings: it is solved as a whole'],
    [['solve', THREE, '--fan-in', '4'], '--fan-in is not for keyed games, and dodgem-3x3 is one'],
    [['stats', THREE, '--pieces', '4'], '--pieces is not for keyed games, and dodgem-3x3 is one'],
    [['probe', '--line', 'samples/subtraction/game.ts'], 'give either a position, in quotes or --file'],
    [
      ['probe', THREE, '--metric', 'dtm'],
      'metric: dodgem-3x3 has no "dtm" (it has: dtw, wdl) (Did you mean dtw?)',
    ],
    [['solve', 'nowhere.ts'], 'game nowhere.ts: there is no such file'],
  ] as [string[], string][];

  // Each takes as long as to read a module does.
  test.each(refused.filter((_, i) => LONG || i % 4 === 0))('%s is refused', async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: `mergemate: ${message}\n` });
  });
});
