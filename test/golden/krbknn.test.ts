/**
 * The record of docs/lab/krbknn.md. Its main line is replayed by rules that share no line with ours. A store that has the table
 * (`MERGEMATE_TEST_KRBKNN`) is counted as the published statistics count, in some ten minutes.
 */
import { readFileSync } from 'node:fs';
import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { countAsSyzygy } from './syzygy-counts.js';

const PLIES = 445;
const record = readFileSync(new URL('../../docs/lab/krbknn.md', import.meta.url), 'utf8');

test('the main line of KRBKNN is legal, and captures with its last ply alone', () => {
  const pgn = record.split('```pgn\n')[1].split('```')[0];
  const game = new Chess();
  game.loadPgn(pgn);
  const moves = game.history({ verbose: true });
  expect(moves).toHaveLength(PLIES);
  expect(moves.slice(0, -1).filter((move) => move.isCapture())).toEqual([]);
  expect(moves.at(-1)).toMatchObject({ captured: 'n', color: 'w' });
});

const tables = process.env.MERGEMATE_TEST_KRBKNN;

test.skipIf(tables === undefined)(
  `as many wins and losses in every number of plies as published${tables ? '' : ' (MERGEMATE_TEST_KRBKNN is not set)'}`,
  { timeout: 7_200_000 },
  async () => {
    const published = JSON.parse(
      readFileSync(new URL('krbknn-statistics.json', import.meta.url), 'utf8'),
    ) as Awaited<ReturnType<typeof countAsSyzygy>>;
    const found = await countAsSyzygy(localStore(tables as string, { durable: false }), 'KRBKNN', 'dtc');
    for (const colour of ['white', 'black'] as const)
      expect(found[colour]).toEqual(expect.objectContaining(published[colour]));
  },
);
