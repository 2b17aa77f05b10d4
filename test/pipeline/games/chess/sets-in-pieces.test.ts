/** A row may come in several sets: a batch of positions ends anywhere. Labels and numbers are those of the row in one set. */
import { expect, test } from 'vitest';
import { labellingOf } from '../../../../pipeline/game/labelling.js';
import { DIGIT_BITS, WHOLE } from '../../../../pipeline/game/rows.js';
import type { Metric } from '../../../../pipeline/game/stipulation.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';

const ROW = 300;
/** The squares of one row, in halves. */
const LOW = 0x0f0f_5a5a;
const HIGH = 0x3c3c_a5a5;
/** In one set, by halves, by ranks, and by squares of every third file. */
const WAYS: readonly (readonly (readonly [number, number])[])[] = [
  [[LOW, HIGH]],
  [
    [LOW, 0],
    [0, HIGH],
  ],
  [
    [LOW & 0xff00_00ff, HIGH & 0x00ff_ff00],
    [LOW & 0x00ff_ff00, HIGH & 0xff00_00ff],
  ],
  [0x4924_9249, 0x9249_2492, 0x2492_4924].map((third) => [LOW & third, HIGH & third] as const),
];

test.each([
  ['KQvK', 'help'],
  ['KQQvK', 'help'],
  ['KRNvK', 'self'],
] as const)('%s, %s', (name, metric) => {
  const found = WAYS.map((sets) => labelled(name, metric, sets));
  expect(found[0].length).toBeGreaterThan(0);
  for (const each of found.slice(1)) expect(each).toEqual(found[0]);
});

function labelled(name: string, metric: Metric, sets: readonly (readonly [number, number])[]) {
  const slice = chess.sided!.slice(name);
  const rows = slice.rowKernels!.labelledAs!(labellingOf(metric));
  const labels = rows.open(1 << 20);
  try {
    const open = labels.allocate(slice.width / 8).fill(255);
    labels.label('any', 0, open, 0);
    const digit = rows.numbering === 'moves' ? WHOLE : 0;
    const minor = new Uint32Array(sets.length).fill(ROW * 2 ** DIGIT_BITS + digit);
    const low = Uint32Array.from(sets, ([half]) => half);
    const high = Uint32Array.from(sets, ([, half]) => half);
    labels.strikeWithin(1, 0, { minor, low, high }, sets.length);
    const drained: string[] = [];
    while (labels.hasLabelled()) {
      const out = labels.drain();
      for (let i = 0; i < out.length; i++) drained.push(`${out.minor[i]} ${out.low[i]} ${out.high[i]}`);
    }
    return drained;
  } finally {
    labels.close();
  }
}
