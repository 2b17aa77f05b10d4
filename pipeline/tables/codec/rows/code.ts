/** The codes of a codebook: which context has which, and the lengths of their words. */

import { canonicalWords, type DecodeTable, isPrefixCode, newDecodeTable } from '../huffman/canonical.js';
import { BYTE_VALUES, WDL_VALUES } from '../symbols.js';
import { ALPHABET, ESCAPE } from './alphabet.js';
import { CONTEXTS, LITERAL_CONTEXTS } from './row-state.js';

/** What the words of some codes stand for, and how many contexts choose among the codes. */
export interface WordKind {
  readonly contexts: number;
  readonly alphabet: number;
  /** The symbol of what has no word. */
  readonly unknown: number;
}

/** What a token does, and for how many positions. */
export const TOKENS: WordKind = { contexts: CONTEXTS, alphabet: ALPHABET, unknown: ESCAPE };
/** The value of a run that its token does not tell: one of 255. */
export const LITERALS: WordKind = {
  contexts: LITERAL_CONTEXTS,
  alphabet: BYTE_VALUES + 1,
  unknown: BYTE_VALUES,
};

/** Prefix codes, of which a context chooses one. */
export interface ContextCodes {
  /** By context. */
  readonly codeOf: Uint8Array;
  /** By code · alphabet + symbol. */
  readonly lengths: Uint8Array;
  readonly words: Uint32Array;
  /** By code. */
  readonly tables: readonly DecodeTable[];
}

export interface RowCodes {
  readonly tokens: ContextCodes;
  /** Null if there are three values, so that tokens tell all. */
  readonly literals: ContextCodes | null;
}

/** `codeOf` by context, then the lengths of the words of each code. */
export function codesPayload(codeOf: Uint8Array, lengths: readonly Uint8Array[]): Uint8Array {
  const payload = new Uint8Array(codeOf.length + lengths.length * lengths[0].length);
  payload.set(codeOf);
  lengths.forEach((of, code) => {
    payload.set(of, codeOf.length + code * of.length);
  });
  return payload;
}

/** The codes of a payload: those of {@link TOKENS} and, of more than three values, of {@link LITERALS}. Null if these bytes are not codes. */
export function readCodes(payload: Uint8Array, values: number): RowCodes | null {
  const tokens = readContextCodes(payload, TOKENS);
  if (tokens === null) return null;
  const rest = payload.subarray(tokens.codeOf.length + tokens.lengths.length);
  if (values === WDL_VALUES) return rest.length === 0 ? { tokens, literals: null } : null;
  const literals = readContextCodes(rest, LITERALS);
  return literals === null || literals.codeOf.length + literals.lengths.length !== rest.length
    ? null
    : { tokens, literals };
}

/** The codes with which bytes begin. */
function readContextCodes(bytes: Uint8Array, { contexts, alphabet, unknown }: WordKind): ContextCodes | null {
  const codeOf = bytes.subarray(0, contexts);
  const count = codeOf.reduce((most, code) => Math.max(most, code + 1), 1);
  const lengths = bytes.subarray(contexts, contexts + count * alphabet);
  if (lengths.length !== count * alphabet) return null;
  const each = Array.from({ length: count }, (_, i) => lengths.subarray(i * alphabet, (i + 1) * alphabet));
  if (each.some((of) => of[unknown] === 0 || !isPrefixCode(of))) return null;
  const words = new Uint32Array(lengths.length);
  each.forEach((of, code) => {
    words.set(canonicalWords(of), code * alphabet);
  });
  return { codeOf, lengths, words, tables: each.map(newDecodeTable) };
}
