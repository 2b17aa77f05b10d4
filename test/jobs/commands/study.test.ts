/** `study`: comments on the moves of games, on endings whose theory is known. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
beforeAll(async () => {
  await putEndings(store, chess, ['KPK']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Checked {
  title: string;
  fen: string;
  start: { wdl: string; plies: number | null; metric: string; keeping: { san: string }[] } | null;
  moves: {
    number: string;
    san: string;
    depth: number;
    fen: string;
    wdl: string;
    after: string;
    plies: number | null;
    verdict: string;
    others: { san: string; plies: number | null }[];
    refutations: string[];
  }[];
  unknown: number;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const study = (path: string, ...more: string[]) => mergemate.run(['study', path, ...more]);

async function checked(path: string, ...more: string[]): Promise<Checked[]> {
  const { code, stdout, stderr } = await study(path, '--json', ...more);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Checked);
}

/** The opposition decides: only Kd5 wins for White, any other move of the king draws; the variation shows one that does. */
const OPPOSITION = `[White "Opposition"]
[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]
[SetUp "1"]
[Result "1-0"]

1. Ke6! {a comment
[%clk 0:01:00] goes on} (1. Kc6 Kc8 (1... Ke8? 2. d6 $1 Kd8 3. d7) 2. d6 Kd8) 1... Ke8 2. d6 Kd8 3. d7 Kc7 4. Ke7 1-0
`;

test('moves of a line and of its variations are compared with the table', async () => {
  const [found] = await checked(file('opposition.pgn', OPPOSITION));
  expect(found).toMatchObject({ title: 'Opposition', start: { wdl: 'win' }, unknown: 0 });
  const said = found.moves.map(({ number, san, depth, verdict }) => `${depth} ${number} ${san} ${verdict}`);
  expect(said.slice(0, 4)).toEqual([
    expect.stringMatching(/^0 1\. Ke6 /),
    expect.stringMatching(/^1 1\. Kc6 /),
    expect.stringMatching(/^1 1\.\.\. Kc8 /),
    expect.stringMatching(/^2 1\.\.\. Ke8 /),
  ]);
  // All findings follow from the values of all moves, which `probe` gives.
  for (const move of found.moves) {
    const { stdout } = await mergemate.run(['probe', 'chess', move.fen, '--json']);
    const probed = JSON.parse(stdout) as {
      outcome: string;
      moves: { san: string; outcome: string }[];
    };
    const keeping = probed.moves.filter(({ outcome }) => outcome === probed.outcome).map(({ san }) => san);
    expect(move.wdl).toBe(probed.outcome);
    expect(move.after).toBe(probed.moves.find(({ san }) => san === move.san)!.outcome);
    const others = keeping.filter((san) => san !== move.san);
    if (probed.moves.length === 1) expect(move.verdict).toBe('forced');
    else if (probed.outcome === 'loss') expect(move.verdict).toBe('lost');
    else {
      const verdict = keeping.includes(move.san) ? (others.length === 0 ? 'only' : 'keeps') : 'mistake';
      expect([move.san, move.verdict]).toEqual([move.san, verdict]);
      expect(move.others.map(({ san }) => san).sort()).toEqual(others.sort());
    }
  }
});

test('a mistake is shown with its refutation and with the moves that avoid it', async () => {
  const path = file(
    'mistake.pgn',
    '[FEN "4k3/8/8/3K4/4P3/8/8/8 w - - 0 1"]\n\n1. e5 (1. Ke6 Kd8) 1... Kd7 *\n',
  );
  const [found] = await checked(path);
  const mistakes = found.moves.filter(({ verdict }) => verdict === 'mistake');
  // The king had to take the opposition in front of its pawn.
  expect(mistakes.map(({ san, wdl, after }) => [san, wdl, after])).toEqual([['e5', 'win', 'draw']]);
  for (const { fen, san, refutations, others } of mistakes) {
    const after = new Chess(fen);
    after.move(san);
    const { stdout } = await mergemate.run(['probe', 'chess', after.fen(), '--json']);
    const replies = JSON.parse(stdout) as {
      outcome: string;
      moves: { san: string; outcome: string }[];
    };
    const right = replies.moves.filter(({ outcome }) => outcome === replies.outcome).map(({ san }) => san);
    expect(refutations.sort()).toEqual(right.sort());
    expect(others.length).toBeGreaterThan(0);
  }
});

test('moves that the 50-move rule turns into mistakes are found in tables that ignore the rule, if others know it', async () => {
  const ruled = join(folder, 'ruled');
  await putEndings(ruled, chess, ['KQK'], ['dtm', 'dtz']);
  const late = '[FEN "8/8/8/8/8/4k3/8/K6Q w - - 84 80"]\n[SetUp "1"]\n\n80. Ka2 Ke2 81. Ka1 Ke3 82. Ka2 *\n';
  const path = file('late.pgn', late);
  const [under, alone] = await Promise.all([
    checked(path, '--store', ruled),
    checked(path, '--store', ruled, '--metric', 'dtz'),
  ]);
  const verdicts = ([{ moves }]: Checked[]) => moves.map(({ san, wdl, verdict }) => [san, wdl, verdict]);
  expect(verdicts(under)).toEqual(verdicts(alone));
  // Mate takes 13 plies, and after the king's move more than the 15 that are left.
  expect(under[0].moves[0]).toMatchObject({ wdl: 'win', after: 'cursed win', verdict: 'mistake' });
  expect(under[0].start).toMatchObject({ metric: 'dtm', plies: 13 });
});

test('a game from the first position is played to where the tables begin', async () => {
  const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O b5 6. Bb3 Be7 7. Re1 O-O 1-0';
  const [found] = await checked(file('opening.pgn', `[Event "Spanish"]\n\n${moves}\n`));
  expect(found).toMatchObject({ title: 'Spanish', start: null, moves: [], unknown: 14 });
});

test('a file has a position a line: as FEN, with underscores, or as EPD with operations', async () => {
  const lines = [
    '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1',
    '8/8/8/4k3/8/4K3/4P3/8_b_-_-_0_1',
    '4k3/8/4K3/4P3/8/8/8/8 w - - bm Kd6; id "a";',
  ];
  const found = await checked(file('positions.epd', `${lines.join('\n')}\n`));
  expect(found.map(({ start }) => start?.wdl)).toEqual([expect.any(String), expect.any(String), 'win']);
  expect(found[2].start!.keeping.length).toBeGreaterThan(0);
  const text = await study(file('one.epd', `${lines[2]}\n`));
  expect(text.stdout).toMatch(/^White to move: wins in \d+ plies \(mate in \d+\), by K/m);
});

test('games that cannot be read are named with their line, the others are checked', async () => {
  const broken = `[Event "broken"]\n[FEN "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]\n\n1. Kd6 Kd8 2. Kd7 *\n\n`;
  const path = file('broken.pgn', `${broken}[FEN "nonsense"]\n\n1. e4 *\n\n${OPPOSITION}`);
  const { code, stdout, stderr } = await study(path);
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toEqual([
    `mergemate: ${path}, game 1 (line 1): 2. Kd7 is not a legal move`,
    expect.stringContaining(`${path}, game 2 (line 6): `),
  ]);
  expect(stdout).toContain('Opposition');
});

test('each unreadable variation of a game is named, and what is odd about its text is said', async () => {
  const path = file(
    'variations.pgn',
    `[FEN "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]\n[Result "1-0"]\n\n1. Kd6 (1. Kz6) (1. Ke9 Kd8) (1. Kf6 Kf8) Kd8)) 1/2-1/2\n`,
  );
  const { code, stdout, stderr } = await study(path);
  expect([code, stderr.trim().split('\n')]).toEqual([
    2,
    [
      ...['Kz6', 'Ke9'].map((move) => `1. ${move} is not a move (in a variation, line 4)`),
      '2 closing brackets too many, the first in line 4',
    ].map((problem) => `mergemate: ${path}, game 1 (line 1): ${problem}`),
  ]);
  expect(stdout).toContain('\nThe tag Result is 1-0, but the moves end with 1/2-1/2\n');
  expect(stdout).toContain('\n    1. Kf6');
});

test('what tags have for a terminal is shown, not obeyed, and is in JSON as it is', async () => {
  const title = 'A\u001b[2J\u202Eb\u009bc';
  const path = file(
    'terminal.pgn',
    `[White "${title}"]\n[FEN "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]\n\n1. Kd6 x\u001by *\n`,
  );
  const text = await study(path);
  expect(text.stdout.split('\n')[0]).toBe('A\\u001b[2J\\u202eb\\u009bc');
  expect(text.stderr).toContain('x\\u001by is not a move');
  for (const sign of ['\u001b', '\u202e', '\u009b']) expect(text.stdout + text.stderr).not.toContain(sign);
  const json = JSON.parse((await study(path, '--json')).stdout) as Checked;
  expect(json.title).toBe(title);
});

test('positions that cannot be read, and positions that no table can hold, are named with their place', async () => {
  const wrong = '8/8/8/8/8/4k3/8/K6Q w - - hmvc -2;';
  const epd = file('wrong.epd', `# two positions\n${wrong}\n4k3/8/4K3/4P3/8/8/8/8 w - -\n`);
  const out = join(folder, 'wrong.pgn');
  const bad = await study(epd, '--out', out);
  expect([bad.code, bad.stderr]).toEqual([
    2,
    `mergemate: ${epd}, line 2: FEN "8/8/8/8/8/4k3/8/K6Q w - - -2 1": half-move clock is "-2", expected a number\n`,
  ]);
  expect(bad.stdout).toMatch(/^\S+, line 3\n.*\nWhite to move/);
  expect(readFileSync(out, 'utf8')).toContain(`${wrong}\n`);
  // Whoever may castle is in no table, but nothing is wrong with the game.
  const castling = file(
    'castling.pgn',
    '[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n[SetUp "1"]\n\n1. Rb1 Kd7 *\n',
  );
  const { code, stderr } = await study(castling);
  expect([code, stderr.split('\n')[0]]).toEqual([
    0,
    expect.stringMatching(/^mergemate: \S+castling.pgn, game 1 \(line 1\): FEN .* castling rights Q are not/),
  ]);
});

test.each([
  ['little', (bytes: Buffer) => bytes],
  ['big', (bytes: Buffer) => bytes.swap16()],
])('a file in UTF-16, %s end first, is refused by its encoding', async (end, ordered) => {
  const path = join(folder, `${end}.pgn`);
  writeFileSync(path, ordered(Buffer.from(`\uFEFF${OPPOSITION}`, 'utf16le')));
  expect(await study(path)).toMatchObject({
    code: 2,
    stderr: `mergemate: ${path} is UTF-16: save it as UTF-8 or Latin-1\n`,
  });
});

test.each(['study', 'probe chess --file', 'solve chess --from'])(
  '%s refuses a file that is not text',
  async (words) => {
    const path = join(folder, 'random.pgn');
    // Bytes of a multiplicative generator.
    let state = 1;
    const bytes = Array.from({ length: 3000 }, () => (state = (state * 48271) % 2147483647) & 255);
    writeFileSync(path, Buffer.from(bytes));
    expect(await mergemate.run([...words.split(' '), path])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `mergemate: ${path} is not text: it has bytes that no text has\n`,
    });
  },
);

test('a file is never taken for a folder, with a slash behind its name', async () => {
  const path = file('games.pgn', OPPOSITION);
  const out = file('there.pgn', 'precious');
  expect(await study(path, '--out', `${out}/`)).toMatchObject({
    code: 2,
    stderr: `mergemate: --out ${out}/ is a folder: name a file\n`,
  });
  expect(readFileSync(out, 'utf8')).toBe('precious');
});

test('an empty file, a missing file and endings that are not solved are refused', async () => {
  const empty = file('empty.pgn', '\n\n');
  expect(await study(empty)).toMatchObject({
    code: 2,
    stderr: `mergemate: ${empty}: it contains neither a game nor a position\n`,
  });
  expect(await study(join(folder, 'none.pgn'))).toMatchObject({ code: 2, stdout: '' });
  const other = await study(
    file('other.epd', '8/8/8/8/3k4/8/8/K6R w - - 0 1\n4k3/8/8/8/8/8/1RR5/4K3 w - -\n'),
  );
  expect(other.code).toBe(0);
  expect(other.stdout).toContain('in no table');
  expect(other.stderr).toMatch(/KRRK .*mergemate solve/);
});

test('--out writes the games again, with comments; other programs read them', async () => {
  const out = join(folder, 'annotated.pgn');
  await mergemate.succeed(['study', file('again.pgn', OPPOSITION), '--out', out]);
  const text = readFileSync(out, 'utf8');
  expect(text).toContain('[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]');
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  const chess = new Chess();
  chess.loadPgn(text);
  expect(chess.history()).toEqual(['Ke6', 'Ke8', 'd6', 'Kd8', 'd7', 'Kc7', 'Ke7']);
  const [again] = await checked(out);
  const [before] = await checked(join(folder, 'again.pgn'));
  expect(again.moves).toEqual(before.moves);
  expect(await study(join(folder, 'again.pgn'), '--out', out)).toMatchObject({ code: 2 });
  expect(await study(join(folder, 'again.pgn'), '--out', '-')).toMatchObject({ code: 0, stdout: text });
  expect(await study(join(folder, 'again.pgn'), '--out', '-', '--json')).toMatchObject({
    code: 2,
    stdout: '',
  });
});

describe('games of checkers', () => {
  const tables = join(folder, 'checkers');
  const pdn = (text: string, ...more: string[]) =>
    program(tables).run(['study', file('game.pdn', text), '--game', 'checkers', ...more]);
  beforeAll(async () => {
    await program(tables).succeed(['solve', 'checkers', '2100', '--no-verify', '--memory', '8MiB']);
  });

  /** White wins; after 18-22 Black takes the other king's opposition, and 15-11 is met by a capture. */
  const GAME = `[Event "Two kings"]
[FEN "W:WK15,K18:BK3"]
[SetUp "1"]
[Result "1-0"]

1... 15-10 {a word} (1... 18-22 2. 3-7) 2. 3-8 ; to the end
10-7 3. 8-11 1-0
`;

  test('are read, looked up and written with comments', async () => {
    const out = join(folder, 'out.pdn');
    const { code, stdout, stderr } = await pdn(GAME, '--json', '--out', out);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { fen, moves, start } = JSON.parse(stdout) as Checked;
    expect(fen).toBe('W:WK15,K18:BK3');
    expect(start?.wdl).toBe('win');
    expect(moves.map(({ number, san, depth }) => `${depth} ${number} ${san}`)).toEqual([
      '0 1... 15-10',
      '1 1... 18-22',
      '1 2. 3-7',
      '0 2. 3-8',
      '0 2... 10-7',
      '0 3. 8-11',
    ]);
    const again = await program(tables).run(['study', out, '--game', 'checkers', '--json']);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
  });

  test('that begin with all pieces are played through without tables until they reach one', async () => {
    const { code, stdout } = await pdn(
      '1. 11-15 23-19 2. 8-11 22-17 3. 9-13 17-14 4. 10x17 21x14 1/2-1/2\n',
      '--json',
    );
    expect(code).toBe(0);
    const { moves, unknown } = JSON.parse(stdout) as Checked;
    expect([moves.length, unknown]).toEqual([0, 8]);
  });

  test.each([
    ['1. 11-14', /1\. 11-14 is not a legal move/],
    ['1. what', /1\. what is not a move/],
    ['[FEN "W:W1"]\n\n1-5', /game 1 \(line 1\): FEN "W:W1": expected the side to move/],
  ])('%j is refused with its line', async (text, why) => {
    const { code, stderr } = await pdn(`${text}\n`);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
  });

  test('of two captures with the same ends and different prey, both are named in full', async () => {
    const fen = '[FEN "W:W31:BK18,K19,K26,K27"]\n[SetUp "1"]\n\n';
    expect((await pdn(`${fen}1... 31x15\n`)).stderr).toMatch(/1\.\.\. 31x15 is ambiguous/);
    const { code, stdout } = await pdn(`${fen}1... 31x22x15\n`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 in no table/);
  });
});
