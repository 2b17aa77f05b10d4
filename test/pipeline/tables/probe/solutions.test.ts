import { expect, test } from 'vitest';
import { StorageError } from '../../../../operators/core/errors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
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
