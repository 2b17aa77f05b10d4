/**
 * Positions that lila-tablebase's own test (test.py, commit a06a88b0) asks its server about, and the answers that it
 * wants. They are those that need tables of at most five men, or none. A position of six men has what follows from
 * those of five. Tables of five men are solved in the longest tests.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LichessAnswer } from '../../../jobs/server/lichess-shapes.js';
import { localStore } from '../../../operators/storage/local.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifNotLongest, LONGEST } from '../../support/long.js';
import { served } from '../../support/serving.js';

const folder = newFolder();
const open = () => served(localStore(folder, { durable: false })).app;
let app = open();
afterAll(() => rmSync(folder, { recursive: true }));

async function standard(fen: string): Promise<LichessAnswer> {
  const response = await app.request(`/standard?fen=${encodeURIComponent(fen)}`);
  expect(response.status, fen).toBe(200);
  return (await response.json()) as LichessAnswer;
}

/** A move by its place in the answer. */
interface Wanted {
  readonly at?: number;
  readonly san?: string;
  readonly category?: string;
  readonly dtz?: readonly number[];
}

type Case = readonly [fen: string, category: string, moves: readonly Wanted[]];

async function expectAnswer([fen, category, moves]: Case): Promise<void> {
  const answer = await standard(fen);
  expect(answer.category, fen).toBe(category);
  for (const { at = 0, san, category, dtz } of moves) {
    const move = answer.moves[at];
    if (san !== undefined) expect(move.san, fen).toBe(san);
    if (category !== undefined) expect(move.category, `${fen} ${move.san}`).toBe(category);
    if (dtz !== undefined) expect(dtz, `${fen} ${move.san}`).toContain(move.dtz);
  }
}

/** New tables are asked of a new server: a server remembers for a while which tables there are. */
async function solve(...endings: string[]): Promise<void> {
  await program(folder).succeed(['solve', 'chess', ...endings, '--metric', 'dtz', '--no-verify']);
  app = open();
}

describe('without any table', () => {
  test.each<Case>([
    ['8/4K2k/5Q1P/6P1/8/8/q7/8 w - - 99 148', 'win', [{ san: 'Qg7#', category: 'loss' }]],
    [
      '7k/7p/1R6/6P1/P7/5n2/4r3/7K b - - 0 41',
      'win',
      [
        { san: 'Rh2#', category: 'loss' },
        { at: 2, category: 'unknown' },
      ],
    ],
    ['4K1k1/1N1P4/8/8/8/1q6/5PPP/8 w - - 0 1', 'unknown', [{ category: 'unknown' }]],
  ])('%s', async (...wanted) => expectAnswer(wanted));
});

describe('with tables of four men', () => {
  beforeAll(() => solve('KBNK'));

  test.each<Case>([
    [
      'K7/2k5/3n4/8/2b5/8/8/8 w - - 97 128',
      'blessed-loss',
      [{ san: 'Ka7', dtz: [2, 3], category: 'cursed-win' }],
    ],
    [
      '2n5/K1k5/8/8/2b5/8/8/8 w - - 99 129',
      'blessed-loss',
      [{ san: 'Ka8', dtz: [1], category: 'cursed-win' }],
    ],
  ])('%s', async (...wanted) => expectAnswer(wanted));
});

describe.skipIf(!LONGEST)(`with tables of five men${ifNotLongest}`, () => {
  beforeAll(() => solve('KBBKN', 'KRRKQ'), 1_800_000);

  test.each<Case>([
    ['8/6B1/6B1/8/2K5/3nk3/8/8 b - - 0 1', 'loss', [{ san: 'Nf4', dtz: [99], category: 'win' }]],
    ['8/6B1/6B1/8/2K2n2/4k3/8/8 w - - 1 2', 'win', [{ dtz: [-98], category: 'loss' }]],
    [
      '4k3/5q2/8/8/8/8/8/R3K2R w KQ - 0 1',
      'unknown',
      [{ category: 'unknown' }, { at: 19, category: 'draw' }],
    ],
    [
      '4k2q/5q2/8/8/8/8/8/R3K2R w K - 0 1',
      'win',
      [
        { san: 'Rxh8+', category: 'loss' },
        { at: 1, category: 'unknown' },
      ],
    ],
  ])('%s', async (...wanted) => expectAnswer(wanted));
});

describe.skipIf(!LONGEST)(`with a pawn about to promote${ifNotLongest}`, () => {
  beforeAll(() => solve('KNPKQ.7'), 1_800_000);

  test.each<Case>([
    [
      '4K1k1/1N1P4/8/8/8/1q6/8/8 w - - 0 1',
      'blessed-loss',
      [
        { san: 'd8=N', category: 'cursed-win' },
        { at: 1, san: 'Na5', category: 'win' },
      ],
    ],
  ])('%s', async (...wanted) => expectAnswer(wanted));
});
