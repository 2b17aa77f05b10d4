/** `study --out` writes what it has read, and adds what was found: nothing of the author's text is lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PDN } from '../../../jobs/notation/read-pdn.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';
import { readText, sans } from '../notation/reading.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
beforeAll(async () => {
  await putEndings(store, chess, ['KPK']);
  await putEndings(store, checkers, ['1100']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tags in no usual order, every kind of comment, glyph and move, and games that nobody can read. */
const TEXT = `% an escaped line
[Annotator "A \\"B\\""]
[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]
[Custom Tag "kept"]
[Result "1-0"]

{Before the first move [%csl Gd5]}
1. Ke6! $14 { [%clk 0:01:00] [%cal Gd6e6] } (1. Kc6?! Kc8 {(brackets) in
[Event "braces"]} (1... Ke8 2. d6 $1 Kd8 3. -- Ke8) 2. d6 Kd8) 1... Ke8 ; to the end of the line
2. d6 Kd8 3. d7 Kc7 4. Ke7 $18 {The end.} 1-0

[Variant "Atomic"]

1. Ne6 {another game} 1-0

[Event "illegal"]
[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]

1. Ke6 {kept} Kh1 {kept, too} 2. d6 *

1. e4 {no tags} e5 *
`;

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function annotated(name: string, text: string, ...flags: string[]): Promise<string> {
  const out = join(folder, `out-${name}`);
  await mergemate.run(['study', file(name, text), '--out', out, '--force', ...flags]);
  return readFileSync(out, 'utf8');
}

/** The words of `part` stand in `whole` in their order, with others between. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of part.replace(/\s/g, '')) {
    at = whole.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe('games of chess', () => {
  test('keep tags, comments, clocks, arrows, glyphs, variations, null moves and results', async () => {
    const written = await annotated('all.pgn', TEXT);
    expect(isWithin(TEXT, written)).toBe(true);
    for (const part of [
      '[Custom Tag "kept"]\n[Result "1-0"]',
      '[%clk 0:01:00] [%cal Gd6e6]',
      '{Before the first move [%csl Gd5]}',
      '3. --',
      '{(brackets) in\n[Event "braces"]',
      'The end.',
    ])
      expect(written).toContain(part);
    const [before, after] = [await readText(TEXT), await readText(written)];
    expect(after.studies.map(({ moves }) => sans(moves))).toEqual(
      before.studies.map(({ moves }) => sans(moves)),
    );
    expect(after.studies.map(({ tags }) => Object.entries(tags))).toEqual(
      before.studies.map(({ tags }) => Object.entries(tags)),
    );
    expect(after.studies.map(({ result }) => result)).toEqual(before.studies.map(({ result }) => result));
    expect(written).toMatch(/3\. d7 \$7 \{only move \(win\)\}/);
  });

  test('that cannot be read are copied as they are, and the rest of one that can be read in part', async () => {
    const written = await annotated('unread.pgn', TEXT);
    expect(written).toContain('[Variant "Atomic"]\n\n1. Ne6 {another game} 1-0\n');
    expect(written).toMatch(/Kh1\s\{kept, too\} 2\. d6 \*/);
    expect(written).toContain('1. e4 {no tags} e5 *');
  });

  test('are not annotated twice', async () => {
    const once = await annotated('once.pgn', TEXT);
    expect(await annotated('twice.pgn', once)).toBe(once);
  });

  test('can be read by programs that read one comment a move', async () => {
    const text = '[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. Ke6 {words} Ke8 2. d6 Kd8 *\n';
    const written = await annotated('one.pgn', text);
    const chess = new Chess();
    chess.loadPgn(written);
    expect(chess.history()).toEqual(['Ke6', 'Ke8', 'd6', 'Kd8']);
    expect(written).toContain('{words; dual: win also by Kc6 (23); played: 21}');
  });

  test("remarks are set apart from the author's comments", async () => {
    const game = '[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"]\n\n';
    for (const [comment, wanted] of [
      ['not Kc6+', 'not Kc6+; '],
      ['heißt groß', 'heißt groß; '],
      ['Good!', 'Good! '],
      ['[%clk 0:01:00]', '[%clk 0:01:00] '],
    ]) {
      const text = await annotated('apart.pgn', `${game}1. Ke6 {${comment}} *\n`);
      expect(text.replace(/\s+/g, ' ')).toMatch(
        new RegExp(`\\{${wanted.replace(/[[\]+]/g, '\\$&')}(?:dual|only)`),
      );
    }
  });

  test('positions become games, with their operations and the remarks before them', async () => {
    const written = await annotated(
      'positions.epd',
      '# from a book\n3k4/8/3K4/3P4/8/8/8/8 w - - hmvc 7; fmvn 9; id "opposition"; bm Ke6; c0 "only move";\n',
    );
    expect(written).toBe(
      '% # from a book\n[Event "opposition"]\n[SetUp "1"]\n[FEN "3k4/8/3K4/3P4/8/8/8/8 w - - 7 9"]\n\n{bm Ke6; c0 "only move"; bm Ke6: right} *\n\n',
    );
  });
});

test('games of checkers keep everything, too', async () => {
  const text = `[Event "Kings"]
[GameType "21"]
[FEN "W:WK18:BK3"]

{first} 1... 18-15! (1... 18-14 {try} 2. 3-8) 2. 3-8* $1 {taken} 15-11 ; so
2-0

[GameType "20"]
1. 32-28 {another game} *
`;
  const written = await annotated('kings.pdn', text, '--game', 'checkers');
  expect(isWithin(text, written)).toBe(true);
  const [before, after] = [await readText(text, 'x', PDN), await readText(written, 'x', PDN)];
  expect(after.studies.map(({ moves }) => sans(moves))).toEqual(
    before.studies.map(({ moves }) => sans(moves)),
  );
});
