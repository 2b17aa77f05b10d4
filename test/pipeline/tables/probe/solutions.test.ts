import { expect, test } from 'vitest';
import { StorageError } from '../../../../operators/core/errors.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import type { ProbedMove } from '../../../../pipeline/tables/probe/probed.js';
import { Solutions } from '../../../../pipeline/tables/probe/solutions.js';

test('a position that could not be read is looked up again, and one that was read is not', async () => {
  let asked = 0;
  const probe = async () => {
    if (++asked === 1) throw new StorageError('bucket', 'refused');
    return {
      code: 0,
      wdl: 'draw' as const,
      plies: null,
      category: 'draw' as const,
      precise: true,
      moves: [],
    };
  };
  const prober = { metric: 'help' as const, probe, code: async () => 0 };
  const solutions = new Solutions(chess, prober);
  const board = chess.parse('8/8/8/8/3k4/8/8/K6Q w - - 0 1');
  await expect(solutions.moves(board)).rejects.toThrow('refused');
  expect([await solutions.moves(board), await solutions.moves(board), asked]).toEqual([[], [], 2]);
});

test('of more last moves than matter, no more are looked up', async () => {
  // A position is the moves that led to it: three, after each of which three reach the goal.
  const looked = new Set<string>();
  const code = (board: string) => 2 - board.length;
  const solutions = (board: string): ProbedMove<string>[] =>
    [...'abc'].slice(0, 3 * (2 - board.length)).map((uci) => ({
      ...{ uci, san: uci, board: board + uci, code: code(board), wdl: 'win', plies: code(board) },
      ...{ category: 'win', precise: true, conversion: false, restarts: false },
    }));
  const probe = async (board: string) => {
    looked.add(board);
    const moves = solutions(board);
    const judged = { wdl: 'win', plies: code(board), category: 'win', precise: true } as const;
    return { ...judged, code: moves.length === 0 ? -1 : code(board), moves };
  };
  const game = { format: (board: string) => board, locate: () => ({ side: 0 }) } as unknown as Game<string>;
  const counted = async (most?: number) => {
    looked.clear();
    const ends = await new Solutions(game, {
      metric: 'help',
      probe,
      code: async (board) => code(board),
    }).ends('', most);
    return [ends, looked.size];
  };
  expect([await counted(), await counted(1), await counted(0)]).toEqual([
    [3, 13],
    [2, 4],
    [1, 3],
  ]);
});
