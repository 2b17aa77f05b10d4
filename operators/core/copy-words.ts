/**
 * Copies words of pages, which are short. Out of shared memory, V8 copies with atomics, and byte by byte where one of the
 * places is no multiple of 8 bytes. A loop takes half of that.
 *
 * The parameters are separate because loops over local variables are faster than loops over the fields of an object.
 */
export function copyWords(
  words: Uint32Array,
  from: number,
  length: number,
  into: Uint32Array,
  at: number,
): void {
  if (words.buffer instanceof SharedArrayBuffer) copyByLoop(words, from, from + length, into, at - from);
  else into.set(words.subarray(from, from + length), at);
}

function copyByLoop(words: Uint32Array, from: number, to: number, into: Uint32Array, shift: number): void {
  // @unroll 8 ahead word
  for (let i = from; i < to; i++) {
    const word = words[i];
    into[i + shift] = word;
  }
}
