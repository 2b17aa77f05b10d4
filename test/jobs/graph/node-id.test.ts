import { expect, test } from 'vitest';
import { readNodeId, writeNodeId } from '../../../jobs/graph/node-id.js';

test.each([
  ['a', 'a'],
  [7, '7'],
  ['7', '"7"'],
  ['', '""'],
  [' a', '" a"'],
  ['"a', '"\\"a"'],
  ['a\nb', '"a\\nb"'],
])('the name %j is written as %s, in one line, and read again', (id, text) => {
  expect(writeNodeId(id)).toBe(text);
  expect(readNodeId(text)).toBe(id);
});
