/** The sample, against the published number of positions and value, and what its README says. */

import { readFileSync } from 'node:fs';
import { keyedGame, localStore, memoryStore, newScratch, openKeyedProber, solveKeyed } from 'mergemate';
import { expect, test } from 'vitest';
import game from '../../samples/connect-four/game.js';
import { connectFour } from '../../samples/connect-four/rules.js';
import six from '../../samples/connect-four/six.js';
import { solvedNaively } from '../bench/in-memory-keyed.js';
import { testFolder } from '../support/folders.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';

test.skipIf(!LONG)(`4x4 has 161,029 positions and is drawn (Tromp)${ifShort}`, async () => {
  const store = memoryStore();
  const { graph, summary, reached } = await solveKeyed({ game, store });
  expect(graph.boards).toBe(161_029);
  expect(reached!.layers.length).toBe(17);
  expect(summary.verified).toBe(graph.nodes);
  const prober = await openKeyedProber(game, store);
  const { wdl, moves } = await prober.probe([...game.roots()][0]);
  expect(wdl).toBe('draw');
  expect(moves.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd']);

  const naive = solvedNaively(connectFour(4, 4));
  expect(naive.positions).toBe(graph.nodes);

  const { wins, losses } = summary.table;
  const won = [wins[0] + losses[1], wins[1] + losses[0]] as const;
  expect(naive.won).toEqual(won);
  const grouped = (n: number) => n.toLocaleString('en-US');
  const readme = readFileSync('samples/connect-four/README.md', 'utf8');
  for (const line of [
    `| positions, mirror images merged | ${grouped(graph.nodes)} |`,
    `| positions, mirror images apart | ${grouped(graph.boards!)} |`,
    `| moves | ${grouped(graph.edges)} |`,
    `| White wins / nobody / Black wins | ${[won[0], graph.nodes - won[0] - won[1], won[1]].map(grouped).join(' / ')} |`,
  ])
    expect(readme).toContain(`${line}\n`);
});

test.skipIf(!LONGEST).each([
  ['4x6', keyedGame(connectFour(4, 6)), 15_835_683, { wdl: 'draw', plies: null }],
  // Who moves second wins with the last man (Steininger).
  ['6x4', six, 94_910_577, { wdl: 'loss', plies: 24 }],
] as const)(
  `%s has as many positions as Tromp counted, and the known value${ifNotLongest}`,
  async (_, game, positions, value) => {
    const store = localStore(testFolder(), { durable: false });
    const scratch = newScratch(localStore(testFolder(), { durable: false }), 'scratch');
    const { graph, summary } = await solveKeyed({ game, store, scratch });
    expect([graph.boards, summary.verified]).toEqual([positions, graph.nodes]);
    const prober = await openKeyedProber(game, store);
    expect(await prober.probe([...game.roots()][0])).toMatchObject(value);
  },
  3_600_000,
);

test('positions are read and written, and ends are recognized', () => {
  const board = game.parse('..../..../.o../.xx.');
  expect(game.format(board)).toBe('..../..../.o../.xx.');
  expect(game.mover(board)).toBe(1);
  expect(game.moves(board).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
  for (const won of [
    'x.../xo../xo../xo..',
    '..../..../ooo./xxxx',
    '...x/.oxo/.xoo/xoxx',
    'xx../ox../oox./xoox',
  ])
    expect(game.ended(game.parse(won))).toBe('lost');
  expect(game.ended(board)).toBe(null);
  expect(() => game.parse('..../..../..../xx..')).toThrow('x has as many men as o, or one more');
  expect(() => game.parse('x')).toThrow('a position looks like');
});
