/** Games that the page copies, read back as the study command reads them. */
import { expect, test } from 'vitest';
import { studiesOf } from '../../../../jobs/notation/read-game.js';
import { PDN } from '../../../../jobs/notation/read-pdn.js';
import { PGN } from '../../../../jobs/notation/read-pgn.js';
import { winnerOf } from '../../../../jobs/study/position-text.js';
import { resultOf } from '../../../../jobs/ui/game-tags.js';
import type { Line } from '../../../../jobs/web/line.js';
import { lineText } from '../../../../jobs/web/share/line-text.js';

const line = (start: string, first: Line['first'], san: string): Line => ({
  start,
  first,
  steps: [{ uci: san, san, position: '' }],
  at: 1,
});

test.each([
  ['checkers', PDN, line('B:WK29:BK4', 'black', '4-8'), resultOf('win', true), 'b'],
  ['checkers', PDN, line('B:WK29:BK4', 'black', '4-8'), resultOf('loss', true), 'w'],
  ['chess', PGN, line('8/8/8/8/8/2k5/1R6/K7 w - - 0 1', 'white', 'Rb8'), resultOf('win', true), 'w'],
  ['chess', PGN, line('8/8/8/8/8/2k5/1R6/K7 w - - 0 1', 'white', 'Rb8'), resultOf('win', false), 'b'],
] as const)(
  'a copied game of %s is read with its moves and its winner',
  async (game, notation, moves, result, winner) => {
    const found = [];
    for await (const read of studiesOf(lineText(game, moves, result).split('\n'), 'copied', notation))
      found.push(read);
    expect(found).toHaveLength(1);
    const [read] = found;
    if (read === undefined || !('study' in read)) throw new Error(`not read: ${JSON.stringify(read)}`);
    const { study } = read;
    expect(study.moves.map(({ san }) => san)).toEqual(moves.steps.map(({ san }) => san));
    expect(study.result === null ? null : winnerOf(study.result, study.fen)).toBe(winner);
  },
);
