import { expect, test } from 'vitest';
import { ifShort, LONG } from '../support/long.js';
import { endingsOf } from '../support/solving.js';
import { expectPublished } from './published.js';

test('one man against a lone king: longest mates, every table verified', async () => {
  expect(endingsOf(3)).toHaveLength(4);
  await expectPublished(endingsOf(3));
});

test.skipIf(!LONG)(`two men against a lone king${ifShort}`, { timeout: 400_000 }, async () => {
  const endings = endingsOf(4).filter((name) => /^K..K$/.test(name));
  expect(endings).toHaveLength(10);
  await expectPublished(endings);
});
