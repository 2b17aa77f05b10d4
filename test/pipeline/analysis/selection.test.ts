/**
 * Selections from endings of several slices, against the statistics of the same tables and every value of them.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../operators/storage/store.js';
import { resultsOf, signOf } from '../../../pipeline/analysis/codes.js';
import { endingOutcomes } from '../../../pipeline/analysis/outcomes.js';
import { type Selection, selectPositions } from '../../../pipeline/analysis/selection.js';
import { endingStats } from '../../../pipeline/analysis/stats.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { allOf } from '../../support/batches.js';
import { classGame } from '../../support/class-game.js';
import { solveGame } from '../../support/solving.js';

const game = classGame as Game;
const metric: Metric = 'dtw';
const everything: Selection = {
  result: null,
  plies: null,
  sides: ['black', 'white'],
  longest: false,
  zugzwang: false,
};
let store: Store;
beforeAll(async () => {
  const slices = ['11', '21'].flatMap((name) => game.ending(name).slices);
  ({ store } = await solveGame(game, slices, { metric }));
});
const optionsOf = (name: string) => ({
  game,
  metric,
  ending: game.ending(name),
  open: (slice: string) => needTable(store, game, metric, slice),
  report: async () => {},
});
const select = async (name: string, selection: Partial<Selection>) =>
  await allOf(selectPositions({ ...optionsOf(name), selection: { ...everything, ...selection } }));

test('men that an ending does not have are not looked for in all of its positions', async () => {
  const { store: solved } = await solveGame(chess as Game, ['KQK'], { metric: 'dtm' });
  let made = 0;
  const counted = {
    ...(chess as Game),
    board(...args: Parameters<Game['board']>) {
      made++;
      return (chess as Game).board(...args);
    },
  };
  const select = async (asked: string) => {
    made = 0;
    const found = await allOf(
      selectPositions({
        game: counted,
        metric: 'dtm',
        ending: chess.ending('KQK'),
        open: (slice) => needTable(solved, chess as Game, 'dtm', slice),
        report: async () => {},
        selection: { ...everything, standing: chess.standing!(asked) as Selection['standing'] & object },
      }),
    );
    return [found.length, made];
  };
  expect(await select('pa2')).toEqual([0, 1]);
  const [found, boards] = await select('Qa2 kc3');
  expect(found).toBeGreaterThan(100);
  expect(boards).toBeGreaterThan(40_000);
});

test.each(['11', '21', '12', '11.01'])(
  '%s: as many positions as the statistics count, each once',
  async (name) => {
    const stats = await endingStats(optionsOf(name));
    for (const side of ['white', 'black'] as const) {
      const own = stats[side];
      const opposite = side === 'white' ? 'black' : 'white';
      const all = await select(name, { sides: [side] });
      expect(all.every((each) => each.side === side)).toBe(true);
      expect(new Set(all.map(({ board }) => board)).size).toBe(own.legal.orbits);
      expect(all).toHaveLength(own.legal.orbits);
      for (const [result, tally, byPly, longest] of [
        [
          'win',
          own[`${side}Wins`],
          own[`${side}WinsByPly`],
          side === 'white' ? own.longestWhiteWin : own.longestBlackWin,
        ],
        [
          'loss',
          own[`${opposite}Wins`],
          own[`${opposite}WinsByPly`],
          side === 'white' ? own.longestBlackWin : own.longestWhiteWin,
        ],
      ] as const) {
        const found = await select(name, { sides: [side], result });
        expect(found).toEqual(all.filter(({ value }) => value.wdl === result));
        expect(found).toHaveLength(tally.orbits);
        const [least, most] = [2, 5];
        const inRange = await select(name, { sides: [side], result, plies: { least, most } });
        expect(inRange).toEqual(found.filter(({ value }) => value.plies! >= least && value.plies! <= most));
        const deepest = await select(name, { sides: [side], result, longest: true });
        if (longest === null) expect(deepest).toEqual([]);
        else {
          expect(deepest).toEqual(found.filter(({ value }) => value.plies === longest.plies));
          expect(deepest).toHaveLength(byPly[longest.plies].orbits);
          expect(deepest[0].board).toBe(longest.fen);
        }
      }
      expect(await select(name, { sides: [side], result: 'draw' })).toHaveLength(own.draws.orbits);
    }
  },
);

test.each(['11', '21', '12'])('%s: outcomes add up to the statistics', async (name) => {
  const stats = await endingStats(optionsOf(name));
  const outcomes = await endingOutcomes(optionsOf(name));
  expect(outcomes.map(({ side }) => side)).toEqual(['black', 'white']);
  for (const { side, legal, results, longestWin, longestLoss } of outcomes) {
    const own = stats[side];
    const [wins, losses] = side === 'white' ? (['white', 'black'] as const) : (['black', 'white'] as const);
    expect(legal).toEqual(own.legal);
    expect([...results.keys()]).toEqual(['win', 'draw', 'loss']);
    const [win, draw, loss] = [...results.values()];
    expect(win).toMatchObject(own[`${wins}Wins`]);
    expect(draw).toEqual({ ...own.draws, byPly: [] });
    expect(loss).toMatchObject(own[`${losses}Wins`]);
    expect(Object.fromEntries(win.byPly)).toEqual(own[`${wins}WinsByPly`]);
    expect(Object.fromEntries(loss.byPly)).toEqual(own[`${losses}WinsByPly`]);
    const [white, black] = side === 'white' ? [longestWin, longestLoss] : [longestLoss, longestWin];
    expect(white?.board).toBe(own.longestWhiteWin?.fen);
    expect(black?.board).toBe(own.longestBlackWin?.fen);
  }
});

test.each<[string, Metric, Partial<Selection>, RegExp]>([
  ['plies of wdl', 'wdl', { plies: { least: 1, most: 1 } }, /metric wdl holds no distances/],
  ['the longest of wdl', 'wdl', { longest: true }, /metric wdl holds no distances/],
  ['plies of draws', 'dtw', { result: 'draw', plies: { least: 1, most: 1 } }, /draws have no distances/],
  [
    'a result of another metric',
    'dtw',
    { result: 'cursed win' },
    /no result is a cursed win under metric dtw \(it has: win, draw, loss\)/,
  ],
  ['zugzwangs of graphs', 'dtw', { zugzwang: true }, /mutual zugzwangs are not looked for/],
])('%s are refused', async (_what, metric, wrong, message) => {
  const selection = { ...everything, ...wrong };
  const positions = selectPositions({ ...optionsOf('11'), metric, selection });
  await expect(positions.next()).rejects.toThrow(message);
});

test('the results of each metric are ordered, the best first', () => {
  for (const metric of ['wdl', 'dtm', 'dtc', 'dtw'] as const)
    expect(resultsOf(metric)).toEqual(['win', 'draw', 'loss']);
  const five = resultsOf('dtz');
  expect(five).toEqual(['win', 'cursed win', 'draw', 'blessed loss', 'loss']);
  expect(five.map(signOf)).toEqual([1, 1, 0, -1, -1]);
});
