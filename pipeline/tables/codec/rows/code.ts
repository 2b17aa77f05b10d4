/** The codes of a codebook: which context has which, and the lengths of their words. */
import { canonicalWords, type DecodeTable, isPrefixCode, newDecodeTable } from '../huffman/canonical.js';
import { ALPHABET, ESCAPE } from './alphabet.js';
import { CONTEXTS } from './row-state.js';

export interface RowCodes {
  /** By context. */
  readonly codeOf: Uint8Array;
  /** By code · ALPHABET + symbol. */
  readonly lengths: Uint8Array;
  readonly words: Uint32Array;
  /** By code. */
  readonly tables: readonly DecodeTable[];
}

/** `codeOf` by context, then the lengths of the words of each code. */
export function codesPayload(codeOf: Uint8Array, lengths: readonly Uint8Array[]): Uint8Array {
  const payload = new Uint8Array(CONTEXTS + lengths.length * ALPHABET);
  payload.set(codeOf);
  lengths.forEach((of, code) => {
    payload.set(of, CONTEXTS + code * ALPHABET);
  });
  return payload;
}

/** The inverse of {@link codesPayload}; null if these bytes are not codes. */
export function readCodes(payload: Uint8Array): RowCodes | null {
  const count = (payload.length - CONTEXTS) / ALPHABET;
  if (!Number.isInteger(count) || count < 1) return null;
  const codeOf = payload.subarray(0, CONTEXTS);
  if (codeOf.some((code) => code >= count)) return null;
  const lengths = payload.subarray(CONTEXTS);
  const each = Array.from({ length: count }, (_, i) => lengths.subarray(i * ALPHABET, (i + 1) * ALPHABET));
  if (each.some((of) => of[ESCAPE] === 0 || !isPrefixCode(of))) return null;
  const words = new Uint32Array(lengths.length);
  each.forEach((of, code) => {
    words.set(canonicalWords(of), code * ALPHABET);
  });
  return { codeOf, lengths, words, tables: each.map(newDecodeTable) };
}
