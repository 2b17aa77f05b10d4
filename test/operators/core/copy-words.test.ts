import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyWords } from '../../../operators/core/copy-words.js';

it.each([true, false])('copies words between any two offsets (shared memory: %s)', (shared) => {
  const words = new Uint32Array(shared ? new SharedArrayBuffer(4 * 300) : new ArrayBuffer(4 * 300));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 0x9e3779b1);
  fc.assert(
    fc.property(fc.nat(100), fc.nat(200), fc.nat(50), (from, length, at) => {
      const into = new Uint32Array(260).fill(5);
      copyWords(words, from, length, into, at);
      const expected = new Uint32Array(260).fill(5);
      for (let i = 0; i < length; i++) expected[at + i] = words[from + i];
      expect(into).toEqual(expected);
    }),
  );
});
