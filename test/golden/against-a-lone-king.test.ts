import { expect, test } from 'vitest';
import { endingsOf } from '../support/solving.js';
import { expectPublished } from './published.js';

const endings = [...endingsOf(3), ...endingsOf(4).filter((name) => /^K..K$/.test(name))];

test('against a lone king: longest mates, every table verified', { timeout: 400_000 }, async () => {
  expect(endings).toHaveLength(4 + 10);
  await expectPublished(endings);
});
