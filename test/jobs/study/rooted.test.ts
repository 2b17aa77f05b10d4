/** `study` of games whose positions only the tables of a root have. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckedStudy } from '../../../jobs/study/check-study.js';
import { localStore } from '../../../operators/storage/local.js';
import { judgeMove, type Verdict } from '../../../pipeline/analysis/judge-move.js';
import type { Wdl } from '../../../pipeline/game/value.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { LOCKED, ONE_PIECE, putRoot, RACE, SHORT } from '../../support/roots.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
beforeAll(async () => {
  await putRoot(localStore(store, { durable: false }), RACE, ONE_PIECE);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NEAR = '8/P7/8/8/8/7p/6k1/K7 w - - 0 1';
const BLACK = NEAR.replace(' w ', ' b ');
const game = (fen: string, moves: string, result = '*') =>
  `[Event "x"]\n[SetUp "1"]\n[FEN "${fen}"]\n[Result "${result}"]\n\n${moves} ${result}\n`;

let files = 0;
function file(text: string): string {
  const path = join(folder, `${++files}.pgn`);
  writeFileSync(path, text);
  return path;
}

const checked = (text: string) => mergemate.succeedJson<CheckedStudy>(['study', file(text)]);

test('a move whose best case is worse than the worst case before it is a mistake', async () => {
  const { start, moves } = await checked(game(NEAR, '1. a8=B+'));
  expect(start).toMatchObject({ wdl: 'win', plies: null, known: 'White to move: win in 15 to 29 plies' });
  expect(start).not.toHaveProperty('most');
  expect(moves).toMatchObject([
    {
      verdict: 'mistake',
      wdl: 'win',
      after: 'loss',
      mostAfter: 'draw',
      others: [{ san: 'a8=Q+', plies: null }],
    },
  ]);
  const text = await mergemate.succeed(['study', file(game(NEAR, '1. a8=B+'))]);
  expect(text).toMatch(/1\. a8=B\+ +gives the win away \(at most a draw(, for .*)?\); win by a8=Q\+\n/);
});

test('where the bounds leave the judgement open, it is not known, and no mistake', async () => {
  const text = await mergemate.succeed(['study', file(game(NEAR, '1. Ka2 (1. a8=Q+)', '0-1')), '--replies']);
  expect(text).toContain('White to move: win in 15 to 29 plies, by a8=Q+\n');
  expect(text).toContain('Result 0-1: the tables give a win of White\n');
  expect(text).toMatch(/1\. Ka2 +not known: win before the move, at least a draw after it\n/);
  expect(text).toMatch(/1\. a8=Q\+ +keeps the win; whether another move does is not known\n/);
  expect(text).toMatch(/^Black to win: refuted$/m);
});

test('a result is wrong if the bounds exclude it, and else not decided', async () => {
  const claimOf = async (result: string) => (await checked(game(BLACK, '1... Kg1', result))).claims[0];
  expect(await claimOf('0-1')).toMatchObject({
    right: false,
    says: 'the tables give: Black to move: at most a draw',
  });
  for (const result of ['1-0', '1/2-1/2'])
    expect(await claimOf(result)).toMatchObject({
      right: null,
      says: 'not decided: Black to move: at most a draw',
    });
  const { claims } = await checked('8/P7/8/8/8/7p/6k1/K7 w - - bm a8=Q; am a8=B Ka2; dm 10;\n');
  expect(claims.map(({ right, says }) => [right, says])).toEqual([
    [true, 'right'],
    [true, 'right: it gives the win away (at most a draw)'],
    [null, 'not decided'],
    [null, 'not decided: White to move: win in 15 to 29 plies'],
  ]);
});

test('comments say what is not known, and no glyph calls it a mistake', async () => {
  const out = join(folder, 'annotated.pgn');
  await mergemate.succeed(['study', file(game(NEAR, '1. Ka2 h2')), '--out', out]);
  const text = readFileSync(out, 'utf8').replace(/\s+/g, ' ');
  expect(text).toContain('1. Ka2 {not known: win before the move, at least a draw after it}');
  expect(text).not.toContain('$2');
});

test('values of a game with fewer promotions judge nothing', async () => {
  const other = join(folder, 'restricted');
  await putRoot(localStore(other, { durable: false }), LOCKED, { ...SHORT, promote: 'q' });
  const { code, stdout, stderr } = await program(other).run(['study', file(game(LOCKED, '1. Kb1'))]);
  expect(code).toBe(0);
  expect(stdout).toContain('in no table');
  expect(stderr).toContain('has tables of a game in which pawns become Q only, which judge no move');
});

test('judgements by bounds', () => {
  type Bounds = readonly [least: Wdl, most: Wdl];
  const bounded = ([wdl, most]: Bounds) => ({ wdl, ...(most !== wdl && { most }) });
  const verdictOf = (position: Bounds, ...moves: Bounds[]): Verdict =>
    judgeMove(
      { ...bounded(position), moves: moves.map((move, i) => ({ uci: String(i), ...bounded(move) })) },
      '0',
    )!.verdict;
  // The only move that is sure to hold, though it may win.
  expect(verdictOf(['draw', 'win'], ['draw', 'win'], ['loss', 'loss'])).toBe('only');
  expect(verdictOf(['draw', 'win'], ['draw', 'win'], ['loss', 'draw'])).toBe('unknown');
  expect(verdictOf(['draw', 'win'], ['loss', 'loss'], ['draw', 'win'])).toBe('mistake');
  expect(verdictOf(['draw', 'draw'], ['draw', 'draw'], ['loss', 'draw'])).toBe('keeps');
  expect(verdictOf(['loss', 'draw'], ['loss', 'loss'], ['loss', 'draw'])).toBe('unknown');
  expect(verdictOf(['loss', 'loss'], ['loss', 'loss'], ['loss', 'loss'])).toBe('lost');
  expect(verdictOf(['loss', 'win'], ['loss', 'win'])).toBe('forced');
});
