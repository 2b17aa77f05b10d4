/**
 * Copies the words of a page, which are few. For shared memory, V8's own `set` copies with atomics, and byte by byte where one of the
 * two addresses is not a multiple of 8. This loop takes half the time.
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
