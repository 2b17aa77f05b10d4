import { describe, expect, it } from 'vitest';
import {
  readStipulation,
  solutionText,
  stipulationSign,
  stipulationText,
} from '../../../jobs/ui/problem-notation.js';
import { problemBrief } from '../../../jobs/ui/verdict.js';
import { metrics } from '../../../pipeline/game/stipulation.js';

describe('stipulations', () => {
  it.each([
    ['h#6', 'help', 12, 1],
    ['h#4.5', 'help', 9, 0],
    ['H#4,5', 'help', 9, 0],
    ['h # 3', 'help', 6, 1],
    ['h#3;', 'help', 6, 1],
    ['h‡3', 'help', 6, 1],
    ['h#7 0.1...', 'help', 13, 0],
    ['h=3', 'help-stalemate', 6, 1],
    ['s#3', 'self', 6, 0],
    ['s=2', 'self-stalemate', 4, 0],
    ['#2', 'dtm', 3, 0],
  ] as const)('reads %s', (text, metric, plies, mover) => {
    expect(readStipulation(text)).toMatchObject({ metric, plies, mover });
  });

  it.each([
    ['h#2', 1],
    ['h#2 2.1...', 2],
    ['h#2 2.2.1.1', 4],
    ['h#3 0.2.1...', 2],
  ])('reads the number of solutions that %s claims', (text, solutions) => {
    expect(readStipulation(text).solutions).toBe(solutions);
  });

  it.each([
    ['q#3', 'stipulation "q#3": there are no tables of this kind (there are: #, h#, h=, s#, s=)'],
    ['h#', 'stipulation "h#": must be like h#3, h#2.5, s#2, h=3 or #2'],
    ['h#2.3', 'stipulation "h#2.3": half a move is .5, as in h#2.5'],
    ['h#0', 'stipulation "h#0": the goal must be at least one move away'],
    ['#2.5', 'stipulation "#2.5": a direct mate has whole moves'],
    ['mate in 3', 'stipulation "mate in 3": must be like h#3, h#2.5, s#2, h=3 or #2'],
    ['ser-h#7', 'stipulation "ser-h#7": there are no tables of this kind (there are: #, h#, h=, s#, s=)'],
  ])('refuses %s in one line', (text, message) => {
    expect(() => readStipulation(text)).toThrow(message);
  });

  it('writes what it reads, for every metric that has a stipulation', () => {
    for (const metric of metrics) {
      if (stipulationSign(metric) === null) continue;
      for (const plies of [1, 2, 7, 12]) {
        const text = stipulationText(metric, plies)!;
        if (metric === 'dtm' && plies % 2 === 0) continue;
        expect([text, readStipulation(text)]).toMatchObject([text, { metric, plies }]);
      }
    }
  });

  it.each([
    [9, 2, 'h#4.5 · 2'],
    [8, 255, 'h#4 · 255+'],
    [8, undefined, 'h#4'],
    [0, 1, 'mate'],
    [null, undefined, 'none'],
  ])('writes %s plies and %s solutions in little room', (plies, number, text) => {
    expect(problemBrief({ plies, number }, 'help')).toBe(text);
  });

  it('has none for tables that count to something else, or not exactly', () => {
    expect(metrics.filter((metric) => stipulationSign(metric) === null)).toEqual(
      expect.arrayContaining(['wdl', 'dtc', 'dtz', 'dtw', 'dtm50', 'score']),
    );
    expect(stipulationText('dtc', 5)).toBeNull();
  });
});

describe('solutions', () => {
  it('have Black first in helpmates, and White first where half a move is left out', () => {
    expect(solutionText('help', ['Kc3', 'Bg2', 'Kd2', 'Bf1#'], 1)).toBe('1.Kc3 Bg2 2.Kd2 Bf1#');
    expect(solutionText('help', ['Bg2', 'Kc3', 'Bf1#'], 0)).toBe('1…Bg2 2.Kc3 Bf1#');
  });

  it('have White first in selfmates', () => {
    expect(solutionText('self', ['Qa1+', 'Kb3', 'Qb2+', 'Rxb2#'], 0)).toBe('1.Qa1+ Kb3 2.Qb2+ Rxb2#');
  });
});
