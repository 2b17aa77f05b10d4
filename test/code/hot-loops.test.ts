/** Hot loops that the builds write out do what the plain ones in the sources do. */
import { describe, expect, test } from 'vitest';
import { writeOut } from '../../vite.hot-loops.js';

const sum = `
// @copies scale 1 2
function sum(numbers, scale, n) {
  let all = 0;
  // @unroll 4 ahead value
  for (let i = 0; i < n; i++) {
    const value = numbers[i];
    const row = { i, value: value, scale };
    all += row.scale > 1 ? row.scale * row.value * i : row.value * row.i;
  }
  return all;
}`;

const made = writeOut('sum.js', sum);

test('an unrolled loop handles four rows a turn in each copy of the function', () => {
  expect(made.match(/i \+= 4/g)).toHaveLength(2);
  expect(made.match(/function sum[01]\(numbers, n\)/g)).toHaveLength(2);
  expect(made).toContain('const value3 = numbers[(i + 3)];');
  expect(made).not.toContain('@');
});

test.each([0, 1, 3, 4, 5, 8, 11])('the unrolled loop gives the same as the plain one for %i rows', (n) => {
  const numbers = Array.from({ length: n }, (_, i) => i * i + 1);
  const [plain, written] = [sum, made].map((text) => new Function(`${text}; return sum;`)());
  for (const scale of [1, 2]) expect(written(numbers, scale, n)).toBe(plain(numbers, scale, n));
  expect(() => written(numbers, 3, n)).toThrow('no copy of sum for 3');
});

test('the rest of a module is left unchanged', () => {
  const before = `import 'a';\n/** A sum. */\nexport const one: number = 1; // @ one\n`;
  expect(writeOut('a.ts', before)).toBe(before);
});

describe('code that cannot be unrolled', () => {
  test.each([
    ['no loop', '// @unroll 4\nlet i = 0;'],
    ['another statement first', '// @unroll 4\nlet j = 0; for (let i = 0; i < n; i++) { a[i] = 0; }'],
    ['a loop by steps', '// @unroll 4\nfor (let i = 0; i < n; i += 2) { a[i] = 0; }'],
    ['a loop that may end early', '// @unroll 4\nfor (let i = 0; i < n; i++) { if (a[i]) break; }'],
    [
      'constants in another order',
      '// @unroll 4 ahead b a\nfor (let i = 0; i < n; i++) { const a = 1; const b = 2; }',
    ],
    ['a function without the parameter', '// @copies b 1 2\nfunction f(a) {}'],
    ['nothing behind it', 'let a = 1;\n// @copies a 1 2'],
  ])('fails the build: %s', (_, text) =>
    expect(() => writeOut('a.js', text)).toThrow(/a\.js: the code behind/),
  );
});
