/** What a metric means stands in its stipulation: code that compares names of metrics would not know of a new one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metrics } from '../../pipeline/game/stipulation.js';
import { filesIn } from './imports.js';

const NAME = `'(?:${metrics.join('|')})'`;
const COMPARISON = new RegExp(
  `metric\\)? *[!=]==? *${NAME}|${NAME} *[!=]==? *[\\w.]*metric\\b|(?:metrics|restarts)\\.includes\\(${NAME}`,
  'i',
);

function comparisons(text: string): string[] {
  return text.split('\n').filter((line) => COMPARISON.test(line));
}

test('no code compares the name of a metric', () => {
  const found = ['operators', 'pipeline', 'jobs']
    .flatMap(filesIn)
    .flatMap((file) => comparisons(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`));
  expect(found).toEqual([]);
});

test.each([
  "if (metric === 'wdl') return;",
  "return prober.metric !== 'dtz' && open;",
  "const isMate = 'dtm' === metric;",
  "return metrics.includes('dtm50');",
  "every(({ restarts }) => restarts.includes('dtz'))",
])('a comparison is found: %s', (line) => {
  expect(comparisons(line)).toEqual([line]);
});
