/** The same tables over both carriers: strategies, kinds of games, numbers of partitions, ranks and workers. */
import { describe, expect, test } from 'vitest';
import { PACE } from '../../../../pipeline/engine/crew/pace.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { strategies } from '../../../../pipeline/game/strategy.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { withoutUnmoves } from '../../../support/forward-only.js';
import { graphGame, naiveValues, randomGraph } from '../../../support/graph-game.js';
import { ifShort, LONG, LONGEST, sweep } from '../../../support/long.js';
import { EAGER } from '../../../support/pace.js';
import { valuesOf } from '../../../support/paged.js';
import { solveByRanks } from '../../../support/ranks.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

const graph = randomGraph(7, {
  name: 'above',
  size: 400,
  width: 23,
  ladder: false,
  dependency: randomGraph(8, { name: 'below', size: 90, width: 40, ladder: false }),
});
const numbered = graphGame(graph.dependency!, graph) as Game;
const games = [
  { what: 'a game of moves and unmoves', game: numbered, slice: 'above' },
  { what: 'a game of moves', game: withoutUnmoves(numbered), slice: 'above' },
  // Larger slices, of several parts.
  ...(LONG
    ? [
        { what: 'chess', game: chess as Game, slice: 'KBBK' },
        { what: 'chess of moves', game: withoutUnmoves(chess as Game), slice: LONGEST ? 'KBBK' : 'KRK' },
        { what: 'checkers', game: checkers as Game, slice: '3100.00' },
      ]
    : []),
] as const;
/** Whether one partition does rounds with few requests. */
const paces = { 'all rounds by all': { ...PACE, fewRequests: 0 }, 'few requests by one': EAGER };

/** Partitions and ranks of small slices, for each pace: fewer ranks than partitions, as many, and one. */
const SMALL = (
  [
    [
      [1, 1],
      [8, 8],
    ],
    [
      [2, 1],
      [2, 2],
    ],
  ] as const
).map((pairs) =>
  sweep<readonly [partitions: number, ranks: number]>([[4, 2]], pairs, [
    [4, 1],
    [4, 4],
    [8, 1],
    [8, 2],
  ]),
);

describe.each(games)(`$what${LONG ? '' : ifShort}`, ({ game, slice }) => {
  // Edges take the place of unmoves, whatever the strategy.
  // Lookups of larger slices take longest: processes.test.ts has some by ranks.
  const isSmall = slice === 'above';
  test.each((isSmall ? LONG || game === numbered : LONGEST) ? strategies : (['count'] as const))(
    '%s',
    { timeout: 600_000 },
    async (strategy) => {
      const one = await solveGame(game, [slice], { strategy, verify: true });
      const expected = digestsOf(one.summaries);
      if (isSmall) {
        expect(await valuesOf(game, slice, game.metrics[0], one.store)).toEqual(
          naiveValues(graph, game.metrics[0]),
        );
      }
      for (const workers of isSmall ? sweep([3], [2]) : [3]) {
        const { summaries } = await solveGame(game, [slice], { strategy, workers, verify: true });
        expect(digestsOf(summaries)).toEqual(expected);
      }
      for (const [i, pace] of Object.values(paces).entries()) {
        // Lookups take as long as all else here.
        if (strategy === 'lookup' && i === 0 && !LONG) continue;
        // Larger slices take long: one number of partitions for each pace, by two ranks.
        for (const [partitions, ranks] of isSmall ? SMALL[i] : [[i === 0 ? 2 : 8, 2]]) {
          const { summaries } = await solveByRanks(game, [slice], { strategy, partitions, ranks, pace });
          expect(digestsOf(summaries)).toEqual(expected);
          const { table, verified } = summaries.at(-1)!;
          expect(verified).toBe(table.positions[0] + table.positions[1]);
          expect(table.requests).toBe(one.summaries.at(-1)!.table.requests);
        }
      }
    },
  );
});
