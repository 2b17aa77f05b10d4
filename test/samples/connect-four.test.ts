/** The sample, against the published number of positions and value, and what its README says. */

import { readFileSync } from 'node:fs';
import { memoryStore, openKeyedProber, solveKeyed } from 'mergemate';
import { expect, test } from 'vitest';
import game from '../../samples/connect-four/game.js';
import { connectFour } from '../../samples/connect-four/rules.js';
import { solvedNaively } from '../bench/in-memory-keyed.js';
import { ifShort, LONG } from '../support/long.js';

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

test('positions and ends', () => {
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
