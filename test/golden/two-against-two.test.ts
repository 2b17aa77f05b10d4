import { expect, test } from 'vitest';
import { ifShort, LONG } from '../support/long.js';
import { endingsOf, solveChess } from '../support/solving.js';
import { expectPublished } from './published.js';

const endings = endingsOf(4).filter((name) => /^K.K.$/.test(name));

test.skipIf(!LONG)(
  `two men against two: longest mates, every table verified${ifShort}`,
  { timeout: 400_000 },
  async () => {
    expect(endings).toHaveLength(10);
    await expectPublished(endings);
  },
);

// Wendroff et al. 1993, Table 1.
test.skipIf(!LONG)(`KRKN: longest win to conversion${ifShort}`, { timeout: 120_000 }, async () => {
  const { summaries } = await solveChess(['KRKN'], { metric: 'dtc', verify: true });
  expect(Math.ceil(summaries.at(-1)!.table.longestWin[0]! / 2)).toBe(27);
});
