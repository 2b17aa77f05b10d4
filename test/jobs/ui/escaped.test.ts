import { expect, test } from 'vitest';
import { escaped } from '../../../jobs/ui/escaped.js';

test.each([
  ['\n', '\\n'],
  ['\u001b', '\\u001b'],
  // What JSON leaves as it is: commands of a terminal, and signs of two units.
  ['\u007f', '\\u007f'],
  ['\u009b', '\\u009b'],
  ['\u{e0001}', '\\udb40\\udc01'],
])('%j becomes %s', (sign, text) => {
  expect(escaped(sign)).toBe(text);
});
