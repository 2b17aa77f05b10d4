import { expect, test } from 'vitest';
import { visible, visibleLines } from '../../../jobs/ui/escaped.js';

test.each([
  ['\n', '\\n'],
  ['\u001b', '\\u001b'],
  // What JSON leaves as it is: commands of a terminal, and signs of two units.
  ['\u007f', '\\u007f'],
  ['\u009b', '\\u009b'],
  ['\u{e0001}', '\\udb40\\udc01'],
])('%j becomes %s', (sign, text) => {
  expect(visible(sign)).toBe(text);
});

test.each([
  ['a command of a terminal', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['one of C1', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['the other direction', '\u202Eabc\u202c \u2066x\u2069', '\\u202eabc\\u202c \\u2066x\\u2069'],
  ['no width', 'a\u200bb\ufeffc\u00add', 'a\\u200bb\\ufeffc\\u00add'],
  ['separators of lines', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['half of a pair', 'a\ud83db', 'a\\ud83db'],
  ['a tag', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['letters of all kinds', 'Réti Ärger Ďurkovič Ж 王 😀 e\u0301', 'Réti Ärger Ďurkovič Ж 王 😀 e\u0301'],
])('%s is visible', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleLines(`${text}\n${text}\n`)).toBe(`${shown}\n${shown}\n`);
  expect(visible('a\nb')).toBe('a\\nb');
});
