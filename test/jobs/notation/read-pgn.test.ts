/**
 * Games of chess as programs and people write them. What is expected is what python-chess reads; it is asked itself where it is
 * installed, about the PGN files of the folder that MERGEMATE_TEST_PGN names.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { Study, StudyMove } from '../../../jobs/notation/read-game.js';
import { readStudies } from '../../../jobs/notation/read-studies.js';
import { annotated, NO_FINDINGS } from '../../../jobs/study/annotate.js';
import { PYTHON_CHESS } from '../../pipeline/games/chess/syzygy/python-chess.js';
import { testFolder } from '../../support/folders.js';
import { LONG, LONGEST, sweep } from '../../support/long.js';
import { all, readText, sans } from './reading.js';

const folder = mkdtempSync(join(tmpdir(), 'mergemate-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The games of a text, as moves; texts in which anything cannot be read fail. */
async function games(text: string): Promise<string[]> {
  const { studies, problems } = await readText(text);
  expect(problems).toEqual([]);
  return studies.map(({ moves }) => sans(moves));
}

describe('moves', () => {
  const BEFORE_PROMOTION = '[FEN "1n6/P1k5/8/8/8/8/6K1/8 w - - 0 1"]\n\n';
  test.each([
    ['long algebraic moves', '1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6', 'e4 e5 Nf3 Nc6', 0],
    ['coordinates', '1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. e1g1', 'e4 e5 Nf3 Nc6 Bb5 a6 O-O', 0],
    ['figurines', '1. ♘f3 ♞f6 2. ♙e3 ♟e6', 'Nf3 Nf6 e3 e6', 0],
    ['the rank of the origin', '1. N1f3 N8f6', 'Nf3 Nf6', 0],
    ['the file of the origin', '1. Ngf3 Ngf6 2. Nb1c3', 'Nf3 Nf6 Nc3', 0],
    ['zeros', '1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0', 'e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O', 0],
    [
      'marks of check and of e.p.',
      '1. e4! a6!? 2. e5 d5 3. exd6 e.p. Nc6 4. dxc7+ Nb8 5. cxd8=Q+',
      'e4 a6 e5 d5 exd6 Nc6 dxc7 Nb8 cxd8=Q+',
      0,
    ],
    ['e.p. without a space', '1. e4 a6 2. e5 d5 3. exd6e.p.', 'e4 a6 e5 d5 exd6', 0],
    ['null moves', '1. e4 -- 2. d4 Z0 3. c4 0000 4. b4 @@@@', 'e4 -- d4 -- c4 -- b4 --', 0],
    ['a promotion with =', `${BEFORE_PROMOTION}1. a8=N+`, 'a8=N+', 0],
    ['a promotion in brackets', `${BEFORE_PROMOTION}1. axb8(Q)+ Kxb8`, 'axb8=Q+ Kxb8', 0],
    ['a promotion of letters alone', `${BEFORE_PROMOTION}1. axb8R Kxb8`, 'axb8=R Kxb8', 0],
    ['a promotion with a small letter', `${BEFORE_PROMOTION}1. a8q`, 'a8=Q', 0],
    ['a promotion with a slash', `${BEFORE_PROMOTION}1. a7-a8/B`, 'a8=B', 0],
  ])('%s', async (_, text, moves, problems) => {
    const read = await readText(text);
    expect(sans(read.studies[0].moves)).toBe(moves);
    expect(read.problems).toHaveLength(problems);
  });

  test('castling of Chess960, in the words of every program', async () => {
    const tags = '[Variant "Chess960"]\n[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]\n\n';
    for (const text of ['1. O-O O-O-O', '1. e1g1 e8b8', '1. Ke1-g1 Ke8-c8']) {
      const { studies, problems } = await readText(tags + text);
      expect(problems).toEqual([]);
      expect(studies[0].moves.map(({ san, uci }) => [san, uci])).toEqual([
        ['O-O', 'e1g1'],
        ['O-O-O', 'e8b8'],
      ]);
      expect(studies[0].moves[1].after).toBe('2kr2r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2');
    }
  });

  test('a null move passes the turn, and what could be taken en passant no longer can', async () => {
    const { studies } = await readText('1. e4 a6 2. e5 d5 3. -- h6');
    expect(studies[0].moves[4]).toMatchObject({ san: '--', uci: '0000', number: '3.' });
    expect(studies[0].moves[5].after).toBe('rnbqkbnr/1pp1ppp1/p6p/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 4');
  });

  test('lead to the positions of another program', async () => {
    const chess = new Chess();
    let state = 7;
    const moves: string[] = [];
    for (let ply = 0; ply < 200 && !chess.isGameOver(); ply++) {
      const legal = chess.moves();
      state = (state * 48271) % 2147483647;
      moves.push(legal[state % legal.length]);
      chess.move(moves.at(-1)!);
    }
    const { studies, problems } = await readText(moves.join(' '));
    expect(problems).toEqual([]);
    expect(studies[0].moves.map(({ san }) => san)).toEqual(moves);
    expect(studies[0].moves.at(-1)!.after).toBe(chess.fen());
  });
});

describe('text between moves', () => {
  test.each([
    [
      'comments of several lines with brackets and tags',
      '1. e4 {one (two\n\n[Event "x"]\n[%clk 1:00] ) } e5',
      ['e4 e5'],
    ],
    ['comments to the end of the line', '1. e4 ; e5 { no brace\ne5 2. Nf3', ['e4 e5 Nf3']],
    ['escaped lines', '% {\n1. e4\n% e5 {\ne6', ['e4 e6']],
    [
      'braces and semicolons within each other',
      '1. a3 ; { ; }\n\n1. b3 { ;\n% {\n1... g6 ; {\n\n1. c3 { }\n% {\n1... f6 ; { } {{{\n\n1. d3',
      ['a3', 'b3 f6', 'd3'],
    ],
    ['brackets that open before a move', '((( 1. c4 *', ['c4']],
    [
      'variations within variations',
      '1. e4 e5 (1... c5 2. Nf3 (2. c3) d6) (1... e6) 2. Nc3',
      ['e4 e5 (c5 Nf3 (c3) d6) (e6) Nc3'],
    ],
    [
      'glyphs, suffixes and words of annotators',
      '1. e4 $1 $14 e5 ?! 2. Nf3 +- N Nc6 = 3. Bb5 … a6',
      ['e4 e5 Nf3 Nc6 Bb5 a6'],
    ],
    ['numbers of any kind', '1.e4 e5 2 . Nf3 2. ... Nc6 3 Bb5 3… a6', ['e4 e5 Nf3 Nc6 Bb5 a6']],
    ['empty lines', '1. e4\n\n1... e5\n\n\n2. Nf3 {a\n\nb} Nc6\n\n*', ['e4 e5 Nf3 Nc6']],
    [
      'ends of lines of Windows',
      '[Event "a"]\r\n\r\n1. e4\r\ne5 1-0\r\n\r\n[Event "b"]\r\n\r\n1. d4 *\r\n',
      ['e4 e5', 'd4'],
    ],
    ['a byte order mark', '\ufeff[Event "a"]\n\n1. e4 *', ['e4']],
    ['words before the first move', 'Réti, Ostrava 1921\n\n1. e4 e5 *\n\nBest regards', ['e4 e5']],
  ])('%s', async (_, text, expected) => {
    expect(await games(text)).toEqual(expected);
  });

  test('comments, clocks, arrows and glyphs are kept with their moves', async () => {
    const { studies } = await readText('1. e4!? $14 { [%clk 0:01:00] a } {[%cal Ge2e4]} e5 ; b\n');
    expect(studies[0].moves.map(({ comments, glyphs }) => [glyphs, comments])).toEqual([
      [
        ['!?', '$14'],
        ['[%clk 0:01:00] a', '[%cal Ge2e4]'],
      ],
      [[], ['b']],
    ]);
  });
});

describe('games', () => {
  test.each([
    ['without tags', '1. e4 *\n\n1. d4 *', ['e4', 'd4']],
    ['without tags or results', '1. e4 e5\n\n1. d4 d5', ['e4 e5', 'd4 d5']],
    ['without moves', '[Event "A"]\n\n\n[Event "B"]\n', ['', '']],
    ['without anything but a result', '[Event "A"]\n\n*\n\n[Event "B"]\n\n1. e4 *', ['', 'e4']],
    ['of a comment alone', '{ no moves }', ['']],
    ['on one line', '1. e4 e5 1-0 1. d4 d5 0-1 [Event "C"] 1. c4 *', ['e4 e5', 'd4 d5', 'c4']],
    ['without an empty line between', '[Event "A"]\n1. e4 *\n[Event "B"]\n1. d4 *', ['e4', 'd4']],
    ['with an empty line between tags', '[Event "A"]\n\n[Date "2000"]\n[Round "1"]\n\n1. e4 *', ['e4']],
    ['with a comment before the moves of the second', '1. e4 *\n\n{ of the second } 1. d4 *', ['e4', 'd4']],
  ])('%s', async (_, text, expected) => {
    expect(await games(text)).toEqual(expected);
  });

  test('unusual tags are read', async () => {
    const { studies } = await readText(
      [
        '  [Event "A ] \\"B\\" \\\\"]',
        '[Black "[=0040.34h5a4]"] [White "Robert "Bobby" Fischer"]',
        '[site Rome]',
        '[Round "2]',
        '[BlackType: "program"]',
        '[White Elo "2785"]',
        '[Nothing]',
        '',
        '1. e4',
      ].join('\n'),
    );
    expect(studies[0].tags).toEqual({
      Event: 'A ] "B" \\',
      Black: '[=0040.34h5a4]',
      White: 'Robert "Bobby" Fischer',
      site: 'Rome',
      Round: '2',
      'BlackType:': 'program',
      'White Elo': '2785',
    });
  });

  test('a name in Latin-1 is read, and what is UTF-8 beside it, too', async () => {
    const path = join(folder, 'latin-1.pgn');
    const latin = Buffer.from('[White "R\xe9ti"]\n\n1. e4 *\n\n', 'latin1');
    writeFileSync(path, Buffer.concat([latin, Buffer.from('[White "Ragosin–Réti"]\n\n1. d4 *\n')]));
    const { studies } = await all(readStudies(path));
    expect(studies.map(({ title }) => title)).toEqual(['Réti', 'Ragosin–Réti']);
  });

  test.each([
    ['[Result "1-0"]\n\n1. e4 *', '1-0'],
    ['[Result "*"]\n\n1. e4 0-1', '0-1'],
    ['1. e4 (1. d4 1-0) 1/2-1/2', '1/2-1/2'],
    ['1. e4 ½-½', '1/2-1/2'],
    ['1. e4 *', null],
  ])('the result of %j is %j', async (text, result) => {
    expect((await readText(text)).studies[0].result).toBe(result);
  });

  test.each(['From Position', 'Standard', 'chess', '', '?', 'Chess960', 'Fischerandom', 'wild/5'])(
    'of the variant %j are chess',
    async (variant) => {
      expect(await games(`[Variant "${variant}"]\n\n1. e4`)).toEqual(['e4']);
    },
  );

  test.each(['Atomic', 'Antichess', 'Crazyhouse', 'King of the Hill', 'Three-check'])(
    'of the variant %s are another game, and refused by name',
    async (variant) => {
      const { studies, problems } = await readText(
        `[Variant "${variant}"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4`,
      );
      expect(studies.map(({ moves }) => sans(moves))).toEqual(['d4']);
      expect(problems).toEqual([`x.pgn, game 1 (line 1): the variant "${variant}" is another game`]);
    },
  );
});

describe('unreadable text', () => {
  test.each([
    ['1. e4 e5 2. Nf9', 'e4 e5', '2. Nf9 is not a move'],
    ['1. e4 e5 2. Nf6 d5', 'e4 e5', '2. Nf6 is not a legal move'],
    ['1. e4 Qa1 e5 2. Qxf8', 'e4', '1... Qa1 is not a legal move'],
    ['1. e4 what 2. d4', 'e4', '1... what is not a move'],
    ['1. Nf3 a6 2. d3 a5 3. Nd2', 'Nf3 a6 d3 a5', '3. Nd2 is ambiguous (Nbd2, Nfd2)'],
    ['1. e4 e5 (1... d5 2. exd4 dxe4) 2. Nf3 Nc6', 'e4 e5 (d5) Nf3 Nc6', '2. exd4 is not a legal move'],
    [
      '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8',
      '',
      '1. a8 does not name the man that the pawn becomes',
    ],
    ['1. e4 e5 { never closed', 'e4 e5', 'the comment that begins in line 1 does not end'],
  ])('%j: the moves before it are kept, and the place and the cause are named', async (text, moves, why) => {
    const { studies, problems } = await readText(text);
    expect(sans(studies[0].moves)).toBe(moves);
    expect(problems).toEqual([`x.pgn, game 1 (line 1): ${why}`]);
  });

  test('each variation that cannot be read is named, and the others are kept', async () => {
    const text =
      '[FEN "8/8/8/8/8/2k5/8/K6Q w - - 0 1"]\n\n1. Qa8 (1. Qh9) (1. Qz8 Kb3)\n(1. Qg2 Kd3\n(1... Kz4) 2. Ra1) Kb3 (1... Kx1 2. a1) 2. Qd5\n';
    const { studies, problems } = await readText(text);
    expect(sans(studies[0].moves)).toBe('Qa8 () () (Qg2 Kd3 ()) Kb3 () Qd5+');
    expect(problems).toEqual(
      [
        '1. Qh9 is not a move (in a variation, line 3)',
        '1. Qz8 is not a move (in a variation, line 3)',
        '1... Kz4 is not a move (in a variation, line 5)',
        '2. Ra1 is not a legal move (in a variation, line 5)',
        '1... Kx1 is not a move (in a variation, line 5)',
      ].map((why) => `x.pgn, game 1 (line 1): ${why}`),
    );
  });

  test('variations behind a move that cannot be read are counted', async () => {
    const { studies, problems } = await readText('1. e4 e5 2. Nf9 (2. d4 (2. c4)) Nc6 (2... d6) 3. d4');
    expect(sans(studies[0].moves)).toBe('e4 e5');
    expect(problems).toEqual([
      'x.pgn, game 1 (line 1): 2. Nf9 is not a move; 3 variations behind it cannot be read',
    ]);
  });

  test('of hundreds of faults the first are named and the others counted', async () => {
    const { problems } = await readText(`1. e4 ${'(1. Qz9) '.repeat(300)}e5`);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('x.pgn, game 1 (line 1): 280 more moves or comments cannot be read');
  });

  test.each([
    ['[Result "1-0"]\n\n1. e4 e5 1/2-1/2', ['the tag Result is 1-0, but the moves end with 1/2-1/2']],
    ['[Result "1-0"]\n\n1. e4 e5 0-1', ['the tag Result is 1-0, but the moves end with 0-1']],
    ['[Result "1/2"]\n\n1. e4 e5 1/2-1/2', []],
    ['[Result "1-0"]\n\n1. e4 e5 *', []],
    ['[Result "*"]\n\n1. e4 e5 1-0', []],
    ['(1. e4 e5) 2. d4', []],
  ])('%j is read with remarks', async (text, remarks) => {
    const { studies, problems } = await readText(text);
    expect(problems).toEqual([]);
    expect(studies[0].remarks).toEqual(remarks);
  });

  test.each([
    [
      `1. e4 e5\n${')'.repeat(1000)} 2. d4`,
      'e4 e5 d4',
      '1,000 closing brackets too many, the first in line 2',
    ],
    ['1. e4) e5)) 2. Nf3 *', 'e4 e5 Nf3', '3 closing brackets too many, the first in line 1'],
    ['1. e4 (1. d4)) e5', 'e4 (d4) e5', '1 closing bracket too many, the first in line 1'],
    ['1. d4 d5 (1... Nf6 2. c4 (2. Nf3', 'd4 d5 (Nf6 c4 (Nf3))', '2 variations without a closing bracket'],
  ])('%j is read, and its brackets are named', async (text, moves, problem) => {
    const { studies, problems } = await readText(text);
    expect(sans(studies[0].moves)).toBe(moves);
    expect(problems).toEqual([`x.pgn, game 1 (line 1): ${problem}`]);
  });

  test('a comment that does not end spoils its own game only', async () => {
    const text =
      '[Event "A"]\n\n1. e4 {open e5\n2. Nf3 *\n\n[Event "B"]\n\n1. d4 {closed} d5 *\n\n[Event "C"]\n\n1. c4 *';
    const { studies, problems } = await readText(text);
    expect(studies.map(({ moves }) => sans(moves))).toEqual(['e4', 'd4 d5', 'c4']);
    expect(problems).toEqual(['x.pgn, game 1 (line 1): the comment that begins in line 3 does not end']);
  });

  /** What makes a game longer than any: a little more than 1 MiB. */
  const LONG_TEXTS = {
    moves: `1. Nf3 Nf6 2. Ng1 Ng8 `.repeat(48_000),
    'lines of moves': `1. Nf3 Nf6 2. Ng1 Ng8\n`.repeat(48_000),
    'a comment': `1. e4 {${' so'.repeat(350_000)}} e5`,
    'a comment of many lines': `1. e4 {${'so\n'.repeat(350_000)}} e5`,
    'a comment of many lines that does not end': `1. e4 {${'so\n'.repeat(350_000)}`,
    variations: `1. e4 ${'(1. d4 d5)\n'.repeat(96_000)}`,
    'words that are no moves': 'what ever this may be\n'.repeat(48_000),
    'three times as much': `1. Nf3 Nf6 2. Ng1 Ng8\n`.repeat(180_000),
  };
  const names = sweep<keyof typeof LONG_TEXTS>(
    ['a comment of many lines that does not end'],
    ['variations'],
    [
      'moves',
      'lines of moves',
      'a comment',
      'a comment of many lines',
      'words that are no moves',
      'three times as much',
    ],
  );
  test.each(names)('a game that is too long is skipped alone, and copied as it is: %s', async (name) => {
    const long = LONG_TEXTS[name];
    const folder = testFolder();
    const path = join(folder, 'x.pgn');
    const text = `[Event "a"]\n\n1. e4 *\n\n[Event "b"]\n\n${long}\n\n[Event "c"]\n\n1. d4 d5 *\n`;
    writeFileSync(path, text);
    const studies: Study[] = [];
    const problems: string[] = [];
    let written = '';
    for await (const found of readStudies(path)) {
      written += 'study' in found ? annotated(found.study, NO_FINDINGS) : found.text;
      if ('study' in found) studies.push(found.study);
      else if (found.problem !== null) problems.push(found.problem.replace(path, 'x.pgn'));
    }
    expect(studies.map(({ title, moves }) => [title, sans(moves)])).toEqual([
      ['a', 'e4'],
      ['c', 'd4 d5'],
    ]);
    expect(problems).toEqual(['x.pgn, game 2 (line 5): the game is longer than 1048576 characters']);
    expect(written.replace(/\s+/g, ' ') === text.replace(/\s+/g, ' ')).toBe(true);
  });

  test('a study is called by its composer, else by the players; codes of men are nobody', async () => {
    const path = join(testFolder(), 'x.pgn');
    const tags = [
      '[White "Barbier=G"] [Black "(=0300.10d5b6)"] [Event "Glasgow"] [Date "1895.??.??"]',
      '[Composer "J. Smith"] [White "Smith, J."] [Black "(+0010.01)"]',
      '[White "Schlage"] [Black "Ahues"] [Event "?"]',
    ];
    writeFileSync(path, tags.map((each) => `${each}\n\n*\n\n`).join(''));
    const { studies } = await all(readStudies(path));
    expect(studies.map(({ title }) => title)).toEqual([
      'Barbier=G, Glasgow, 1895',
      'J. Smith',
      'Schlage - Ahues',
    ]);
  });

  test('games on one line that is longer than a game are read', async () => {
    const path = join(testFolder(), 'x.pgn');
    const one = `[White "a"] 1. Nf3 Nf6 {${'a word '.repeat(6000)}} ${'2. Ng1 Ng8 3. Nf3 Nf6 '.repeat(50)}1-0 `;
    writeFileSync(path, one.repeat(30));
    expect(one.length * 30).toBeGreaterThan(1 << 20);
    const { studies, problems } = await all(readStudies(path));
    expect(problems).toEqual([]);
    expect(studies.map(({ moves }) => moves.length)).toEqual(Array(30).fill(202));
  });

  test('extreme lengths and depths take little longer than a game of that length, and are read or refused by name', async () => {
    const n = LONGEST ? 100_000 : LONG ? 20_000 : 10_000;
    const reading = async (text: string) => {
      const began = process.cpuUsage();
      const { problems } = await readText(text);
      return { problems, cpu: process.cpuUsage(began).user };
    };
    const game = '1. Nf3 Nf6 2. Ng1 Ng8\n';
    const usual = (await reading(game.repeat((7 * n) / game.length))).cpu;
    const texts = [
      `1. e4 ${'(1. d4 '.repeat(n)}`,
      '('.repeat(n),
      '{'.repeat(n),
      `[a "`.repeat(n),
      `[Event ${' '.repeat(n)}[`,
      `[A${' '.repeat(n)}`,
      '1'.repeat(n),
      `1. e4 ${'$1'.repeat(n)}`,
      '{\n\n[Event "x"]\n'.repeat(n / 4),
      `"${' '.repeat(n)}`.repeat(3),
      `8/8/8/8/8/8/8/8 w - - id ${'"'.repeat(n)}`,
    ];
    for (const text of texts) {
      const { problems, cpu } = await reading(text);
      expect(problems.every((problem) => !problem.includes('\n'))).toBe(true);
      // What looks at every letter again for each letter takes hundreds of times as long.
      expect([text.slice(0, 20), cpu < 10 * usual]).toEqual([text.slice(0, 20), true]);
    }
  });
});

/** Games of a sweep, between which one is broken. */
const GAMES = [
  '[Event "0"]\n[White "Réti"]\n\n1. Nf3 d5 2. c4 (2. g3 {quiet} Nf6) d4 3. b4!? {[%clk 0:10:00]} *\n',
  '[Event "1"]\n[FEN "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"]\n\n1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+\n5. Kc2 Rd4 6. c8=R (6. c8=Q Rc4+ 7. Qxc4) Ra4 7. Kb3 1-0\n',
  '[Event "2"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O ; Spanish\nNf6 {a comment\nof two lines} 5. d4 1/2-1/2\n',
];

/** One or two of: a piece cut, doubled, or swapped with another. */
function mutated(text: string, random: (below: number) => number): string {
  let result = text;
  for (let i = 0; i <= random(2); i++) {
    const at = random(result.length);
    const to = Math.min(result.length, at + 1 + random(20));
    const piece = result.slice(at, to);
    const other = random(result.length);
    const how = random(3);
    if (how === 0) result = result.slice(0, at) + result.slice(to);
    else if (how === 1) result = result.slice(0, to) + piece + result.slice(to);
    else {
      const letters = [...result];
      [letters[at], letters[other]] = [letters[other], letters[at]];
      result = letters.join('');
    }
  }
  return result;
}

test('a second Event tag begins another game, even where the first was cut off among its tags', async () => {
  const { studies } = await readText('[Event "A"]\n[White "Mol\n[Event "B"]\n\n1. e4 *\n');
  expect(studies.map(({ tags, moves }) => [tags.Event, sans(moves)])).toEqual([
    ['A', ''],
    ['B', 'e4'],
  ]);
});

const MUTATIONS = LONGEST ? 10_000 : LONG ? 1_000 : 300;
test(`${MUTATIONS} games with pieces cut, doubled and swapped: the games beside each are read as before`, async () => {
  let state = 2024;
  const random = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const whole = new Map<string, string>();
  for (const game of GAMES) whole.set(game, JSON.stringify(strippedMoves((await readText(game)).studies[0])));
  const lost: string[] = [];
  for (let i = 0; i < MUTATIONS; i++) {
    const [before, broken, after] = [0, 1, 2].map((n) => GAMES[(i + n) % 3]);
    const text = [before, mutated(broken, random), after].join('\n');
    const { studies } = await readText(text);
    const found = new Set(studies.map((study) => JSON.stringify(strippedMoves(study))));
    for (const game of [before, after]) if (!found.has(whole.get(game)!)) lost.push(text);
  }
  expect(lost.slice(0, 3)).toEqual([]);
}, 600_000);

/** Tags and moves without places. */
function strippedMoves({ tags, moves }: Study): unknown {
  const strip = (line: readonly StudyMove[]): unknown =>
    line.map(({ san, after, comments, glyphs, variations }) => [
      san,
      after,
      comments,
      glyphs,
      variations.map(strip),
    ]);
  return [tags, strip(moves)];
}

interface PythonGame {
  readonly variant: string;
  readonly result: string;
  readonly fen: string;
  readonly moves: readonly unknown[];
}

function pythonGames(files: readonly string[]): PythonGame[][] {
  const output = execFileSync('python3', [join(import.meta.dirname, 'python-games.py'), ...files], {
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PythonGame[]);
}

/** As python-games.py writes games. */
const asPython = (moves: readonly StudyMove[]): unknown =>
  moves.map(({ san, after, variations }) => [san, after, variations.map(asPython)]);

async function expectAlike(files: readonly string[]): Promise<void> {
  const theirs = pythonGames(files);
  for (const [i, file] of files.entries()) {
    const { studies, problems } = await all(readStudies(file));
    const chess = theirs[i].filter(({ variant }) => variant === 'chess');
    expect([file, studies.length]).toEqual([file, chess.length]);
    for (const [j, { fen, moves, result }] of chess.entries()) {
      expect({
        fen: studies[j].fen,
        moves: asPython(studies[j].moves),
        result: studies[j].result ?? '*',
      }).toEqual({
        fen,
        moves,
        result,
      });
    }
    const others = theirs[i].length - chess.length;
    expect(problems.filter((problem) => problem.endsWith('is another game'))).toHaveLength(others);
  }
}

const PGN_FOLDER = process.env.MERGEMATE_TEST_PGN;
const noPython = PYTHON_CHESS ? '' : ' (skipped: no python-chess)';

describe.skipIf(!PYTHON_CHESS)(`python-chess${noPython}`, () => {
  test('reads the same games, moves, positions and results', async () => {
    const texts = [
      ...GAMES,
      '1. e4 -- 2. d4 Z0 3. c4 (3. a3 0000 4. b4) 3... h6 (3... @@@@) 1-0',
      '1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. Nf3 b5 5. Be2 Bb7 6. 0-0 Nc6 7. a3 Qd7 8. a4 0-0-0',
      '((( 1. c4 *\n\n1. e4 (1. d4))) !? *\n\n[Event "A"]\n\n\n[Event "B"]\n',
      '[FEN "1n6/P1k5/8/8/8/8/6K1/8 w - - 0 1"]\n\n1. axb8Q+ Kxb8 *\n\n1. e2-e4 e7e5 2. Ng1-f3 *',
      '[Variant "Chess960"]\n[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"]\n\n1. Nd3 Nd6 2. f3 f6 3. O-O *',
    ];
    const files = texts.map((_, i) => join(folder, `${i}.pgn`));
    for (const [i, text] of texts.entries()) writeFileSync(files[i], text);
    await expectAlike(files);
  });

  test.skipIf(PGN_FOLDER === undefined)(
    `reads the same in all files of a folder${PGN_FOLDER === undefined ? ' (skipped: MERGEMATE_TEST_PGN names none)' : ''}`,
    async () => {
      const files = readdirSync(PGN_FOLDER!).filter((file) => file.endsWith('.pgn'));
      expect(files.length).toBeGreaterThan(0);
      await expectAlike(files.map((file) => join(PGN_FOLDER!, file)));
    },
  );
});
