/** Stipulations: what the tables of each metric hold. */
import { expect, test } from 'vitest';
import { isGoal, labellingOf } from '../../../pipeline/game/labelling.js';
import { isDirectMate, type Metric, metrics, stipulations } from '../../../pipeline/game/stipulation.js';

const PROBLEMS = ['help', 'help-stalemate', 'self', 'self-stalemate'];
const having = (test: (metric: Metric) => boolean) => metrics.filter(test);

test('metrics keep their order, which messages and descriptions of the API show', () => {
  expect(metrics).toEqual(['wdl', 'dtm', 'dtc', 'dtz', 'dtw', 'dtm50', 'score', ...PROBLEMS]);
});

test('each field separates the metrics that differ in it', () => {
  expect(having((metric) => !stipulations[metric].plies)).toEqual(['wdl']);
  expect(having((metric) => stipulations[metric].restartsAt === 'conversion')).toEqual(['dtc']);
  expect(having((metric) => stipulations[metric].restartsAt === 'zeroing move')).toEqual(['dtz']);
  expect(having((metric) => stipulations[metric].rule50 === 'cursed')).toEqual(['dtz']);
  expect(having((metric) => stipulations[metric].rule50 === 'clocked')).toEqual(['dtm50']);
  expect(having((metric) => stipulations[metric].scores)).toEqual(['score']);
  expect(having((metric) => stipulations[metric].roundsLaw === 'counting')).toEqual([
    'wdl',
    'dtm',
    'self',
    'self-stalemate',
  ]);
  expect(having(isDirectMate)).toEqual(['dtm', 'dtm50']);
  expect(having((metric) => stipulations[metric].numbers)).toEqual(PROBLEMS);
  expect(having((metric) => stipulations[metric].goalOf !== 'either')).toEqual(PROBLEMS);
});

test('where the goal is of either side, both seek it', () => {
  for (const metric of having((each) => stipulations[each].goalOf === 'either'))
    expect(stipulations[metric].roles).toEqual({ first: 'seek', second: 'seek' });
});

test('positions are labelled by what the sides do', () => {
  // Flows: won with White and with Black to move, lost with White and with Black to move.
  expect(labellingOf('dtm')).toMatchObject({
    by: ['any', 'any', 'all', 'all'],
    counts: [true, true],
    numbering: null,
  });
  expect(labellingOf('help')).toMatchObject({
    by: ['any', null, null, 'any'],
    counts: [false, false],
    numbering: 'solutions',
  });
  expect(labellingOf('self')).toMatchObject({
    by: [null, 'all', 'any', null],
    counts: [false, true],
    numbering: 'moves',
  });
});

test('a position without moves is a goal for the side that is to be mated or stalemated', () => {
  const goals = (metric: Metric) =>
    ([0, 1] as const).flatMap((side) => [isGoal(metric, side, true), isGoal(metric, side, false)]);
  expect(goals('dtm')).toEqual([true, false, true, false]);
  expect(goals('help')).toEqual([false, false, true, false]);
  expect(goals('help-stalemate')).toEqual([false, false, false, true]);
  expect(goals('self')).toEqual([true, false, false, false]);
  expect(goals('self-stalemate')).toEqual([false, true, false, false]);
});
