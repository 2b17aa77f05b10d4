/** How slices are cut for ranks. */
import { expect, test } from 'vitest';
import { cutSlices } from '../../pipeline/cut.js';
import type { Game } from '../../pipeline/game.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { withoutUnmoves } from '../support/forward-only.js';
import { solveByRanks } from '../support/ranks.js';
import { MiB } from '../support/solving.js';

test('slices without unmoves are cut like others, and ranks solve them alike', async () => {
  const options = { memory: MiB, partitions: 4, wholeBelow: 0 };
  const partitions = (game: Game) => cutSlices(game, ['4100'], options).map((cut) => cut.partitions);
  const game = withoutUnmoves(checkers as Game);
  expect(Math.max(...partitions(game))).toBeGreaterThan(1);
  expect(partitions(game)).toEqual(partitions(checkers as Game));
  const digests = async (of: Game, ranks: number) => {
    const { summaries } = await solveByRanks(of, ['3100'], { ranks });
    return summaries.map(({ slice, table }) => [slice, table.digests]);
  };
  expect(await digests(game, 3)).toEqual(await digests(checkers as Game, 1));
});
