/** Games that others have solved: each is held to the published figures. */
import { type KeyedGame, keyedGame, localStore, newScratch, openKeyedProber, solveKeyed } from 'mergemate';
import { expect, test } from 'vitest';
import { graphStats } from '../../pipeline/graph/graph-stats.js';
import { dobutsuWithoutDrops } from '../support/dobutsu.js';
import { domineering } from '../support/domineering.js';
import { testFolder } from '../support/folders.js';
import { hareAndHounds } from '../support/hare-and-hounds.js';
import { hexapawn } from '../support/hexapawn.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { smallChess } from '../support/small-chess.js';

/** The manifest of the graph, the store that has it, and the value of each root: plies of a win, less of a loss than that, for who moves first. */
async function solvedGame<Position>(definition: KeyedGame<Position, number>) {
  const game = keyedGame(definition);
  const store = localStore(testFolder(), { durable: false });
  const scratch = newScratch(localStore(testFolder(), { durable: false }), 'scratch');
  const { graph, summary } = await solveKeyed({ game, store, scratch });
  expect(summary.verified).toBe(graph.nodes);
  const prober = await openKeyedProber(game, store);
  const roots: string[] = [];
  for (const root of game.roots()) {
    const { wdl, plies } = await prober.probe(root);
    roots.push(`${wdl} ${plies}`);
  }
  return { graph, roots, store };
}

/** Breuker, Uiterwijk and van den Herik 2000, "Solving 8 x 8 Domineering", Theoretical Computer Science 230: who wins if upright begins. */
const DOMINEERING: readonly (readonly [size: number, winner: 'win' | 'loss'])[] = [
  [2, 'win'],
  [3, 'win'],
  [4, 'win'],
  ...(LONG ? ([[5, 'loss']] as const) : []),
];

test.each(DOMINEERING.map(([size, winner]) => ({ size, winner })))(
  `Domineering $size x $size is a $winner for the player who begins${LONG ? '' : ' (5 x 5 skipped: MERGEMATE_TEST_LONG is not 1)'}`,
  async ({ size, winner }) => {
    const { graph, roots } = await solvedGame(domineering(size));
    expect(roots[0]).toMatch(new RegExp(`^${winner} `));
    // A quarter turn exchanges the players.
    expect(graph.exchanging).toBe(graph.nodes);
    if (size === 5) expect([graph.nodes, graph.boards]).toEqual([114_134, 910_634]);
  },
  120_000,
);

test('Hare and Hounds: the hounds win, wherever the hare begins (Gardner, Scientific American, October 1963)', async () => {
  const { roots } = await solvedGame(hareAndHounds);
  // From the far end, with the hounds and the hare to move: in 23 and 24 plies.
  expect(roots.slice(0, 2)).toEqual(['win 23', 'loss 24']);
  for (const [i, root] of roots.entries()) expect(root).toMatch(i % 2 === 0 ? /^win / : /^loss /);
});

test.skipIf(!LONGEST)(
  `Hexapawn 5 x 5: the player who begins wins in 19 plies; 3,210,411 positions${ifNotLongest}`,
  async () => {
    const { graph, roots } = await solvedGame(hexapawn(5, 5));
    expect([graph.nodes, roots]).toEqual([3_210_411, ['win 19']]);
  },
  1_800_000,
);

test.skipIf(!LONG)(
  `3 x 3 chess: the longest mate that can be forced takes 16 moves (Kryukov, "3x3 Chess"); 282,620 positions can follow${ifShort}`,
  async () => {
    const { graph, roots } = await solvedGame(smallChess('KpNbPkBqN'));
    expect([graph.nodes, roots]).toEqual([282_620, ['win 31']]);
  },
  240_000,
);

/**
 * The numbers of positions, of finished ones and of draws, and the plies of the longest win or loss, are those of a separate program, which keeps
 * boards as text seen by the mover and goes over all positions until nothing changes.
 */
test.skipIf(!LONGEST)(
  `Dōbutsu shōgi without drops is a draw; 962,894 positions, 575,179 of them finished${ifNotLongest}`,
  async () => {
    const { graph, roots, store } = await solvedGame(dobutsuWithoutDrops);
    expect([graph.nodes, roots]).toEqual([962_894, ['draw null']]);
    const { ends, all, byPlies } = await graphStats(store, graph.name, 'dtw', async () => {});
    // The mover can take the lion, or the other lion is safe on its far rank: 575,179 together.
    expect(ends).toEqual({ won: 537_026, drawn: 0, lost: 38_153 });
    expect(all.nobody).toBe(39_489);
    expect(Math.max(...byPlies.flatMap((counts) => [...counts.keys()]))).toBe(37);
  },
  240_000,
);
