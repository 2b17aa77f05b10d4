/** Stipulations: what the tables of each metric hold. */
import { expect, test } from 'vitest';
import { isDirectMate, type Metric, metrics, stipulations } from '../../../pipeline/game/stipulation.js';

const having = (test: (metric: Metric) => boolean) => metrics.filter(test);

test('metrics keep their order, which messages and descriptions of the API show', () => {
  expect(metrics).toEqual(['wdl', 'dtm', 'dtc', 'dtz', 'dtw', 'dtm50', 'score']);
});

test('each field separates the metrics that differ in it', () => {
  expect(having((metric) => !stipulations[metric].plies)).toEqual(['wdl']);
  expect(having((metric) => stipulations[metric].restartsAt === 'conversion')).toEqual(['dtc']);
  expect(having((metric) => stipulations[metric].restartsAt === 'zeroing move')).toEqual(['dtz']);
  expect(having((metric) => stipulations[metric].rule50 === 'cursed')).toEqual(['dtz']);
  expect(having((metric) => stipulations[metric].rule50 === 'clocked')).toEqual(['dtm50']);
  expect(having((metric) => stipulations[metric].scores)).toEqual(['score']);
  expect(having((metric) => stipulations[metric].roundsLaw === 'counting')).toEqual(['wdl', 'dtm']);
  expect(having(isDirectMate)).toEqual(['dtm', 'dtm50']);
});

test('where the goal is of either side, both seek it', () => {
  for (const metric of having((each) => stipulations[each].goalOf === 'either'))
    expect(stipulations[metric].roles).toEqual({ first: 'seek', second: 'seek' });
});
