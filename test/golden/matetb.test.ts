/**
 * Mates that matetb proves by tables of its own for one position, with some moves left out: https://github.com/robertnurnberg/matetb (matetb.epd,
 * commit 9d66c4e). A move that is left out is one of the side that mates, so its value is "win in at most". That must be the published one.
 *
 * These are positions with at most two pieces besides the kings. The others of the list have three or more, whose squares a table of a root has
 * all, while matetb keeps the few positions that can arise.
 */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { program } from '../support/command.js';
import { newFolder } from '../support/folders.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';

type Published = readonly [fen: string, moves: number];

const store = newFolder();
const mergemate = program(store);
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** Solves a root, and compares the values of positions that it has with the published ones: moves to mate, negative of the side that is mated. */
async function agree(how: readonly string[], published: readonly Published[]): Promise<void> {
  await mergemate.succeed(['solve', 'chess', '--from', published[0][0], ...how]);
  for (const [fen, moves] of published) {
    const value = await mergemate.succeedJson<{
      outcome: string;
      plies: number | null;
      most?: { outcome: string; plies: number | null };
    }>(['probe', 'chess', fen]);
    const sure = moves > 0 ? value : (value.most ?? value);
    expect([fen, sure.outcome, sure.plies]).toEqual([
      fen,
      moves > 0 ? 'win' : 'loss',
      moves > 0 ? 2 * moves - 1 : -2 * moves,
    ]);
  }
}

describe.skipIf(!LONG)(`published mates${ifShort}`, () => {
  it('of a rook against a pawn', async () => {
    await agree(
      [],
      [
        ['8/8/7p/R4K1k/8/8/8/8 b - - 0 1', -5],
        ['8/8/7p/5K1k/R7/8/8/8 w - - 0 1', 6],
      ],
    );
  }, 600_000);
});

describe.skipIf(!LONGEST)(`published mates${ifNotLongest}`, () => {
  it('of a queen against a bishop that cannot move', async () => {
    await agree(
      ['--never', 'white: g1', '--stop-at', '5', '--most-pieces', '2'],
      [
        ['8/6Q1/8/7k/8/6p1/6p1/6Kb w - - 0 1', 7],
        ['8/8/5Q2/7k/8/6p1/6p1/6Kb b - - 0 1', -6],
        ['8/8/8/8/Q7/5kp1/6p1/6Kb w - - 0 1', 7],
        ['4Q3/8/8/8/8/5kp1/6p1/6Kb b - - 0 1', -6],
      ],
    );
  }, 3_600_000);

  it('of a pawn against a bishop and three pawns', async () => {
    await agree(
      ['--never', 'white: b1', '--stop-at', '7', '--most-pieces', '2'],
      [
        ['8/8/7P/8/pp6/kp6/1p6/1Kb5 w - - 0 1', 7],
        ['8/7P/8/8/pp6/kp6/1p6/1Kb5 b - - 0 1', -6],
      ],
    );
  }, 3_600_000);
});
