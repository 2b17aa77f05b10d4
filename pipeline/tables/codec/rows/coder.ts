/**
 * Runs and copies of earlier rows, in prefix codes by context. An index is a number of several digits, and the values
 * of positions that differ in one digit resemble each other. So much of what comes stands one row back, where the
 * next digit is one less. A token is a run or a copy from there (parser.ts). Its code depends on the values and the
 * token before it, and on how the rows go on (row-state.ts). Contexts that behave alike share a code (clusters.ts).
 *
 * Of three values a token tells which one a run has: the last, the one before it, or the third. Codec `bytes` has 255 values: there a literal
 * follows a token of the third kind, in a prefix code by the value one row back and the size of the last one.
 *
 * Block: tokens one after another, each a word for kind and length, then the low bits of longer lengths, then the word of the literal. The number
 * of positions ends it.
 */
import {
  fillBitSource,
  firstBits,
  newBitSource,
  newBitWriter,
  peekBits,
  putBits,
  takeBytes,
} from '../bits.js';
import {
  BLOCK_BYTES,
  BLOCK_POSITIONS,
  type BlockEncoder,
  type Coder,
  type Emit,
  valuesOfCodec,
} from '../codec.js';
import { decodeWord } from '../huffman/canonical.js';
import { newRunList, RUNS } from '../run-list.js';
import {
  COPY,
  ESCAPE,
  ESCAPED_KIND_BITS,
  ESCAPED_LENGTH_BITS,
  extraBitsOf,
  KINDS,
  kindOf,
  LONGEST_TOKEN,
  leastOf,
  OTHER,
  tokenSymbol,
} from './alphabet.js';
import { LITERALS, type RowCodes, readCodes, TOKENS } from './code.js';
import { newParser } from './parser.js';
import {
  applyToken,
  contextOf,
  hasRow,
  literalContextOf,
  newRowState,
  startBlock,
  usedRows,
  valueFor,
} from './row-state.js';

/** Bits of a literal without a word. */
const LITERAL_BITS = 8;

/** @param payload as trained. Null if it is not that. */
export function rowsCoder(codec: 'rows' | 'bytes', digest: string, payload: Uint8Array): Coder | null {
  const values = valuesOfCodec(codec);
  const codes = readCodes(payload, values);
  if (codes === null) return null;
  const { literals } = codes;
  const { codeOf, tables } = codes.tokens;
  const list = newRunList();
  const state = newRowState(list, values);
  const source = newBitSource();
  return {
    codec,
    digest,
    newEncoder: ({ periods }, emit) => newRowsEncoder(codes, usedRows(periods), values, emit),
    decode(bytes, positions, { periods }) {
      fillBitSource(source, bytes);
      const end = 8 * bytes.length;
      startBlock(state, usedRows(periods));
      let at = 0;
      for (let left = positions; left > 0; ) {
        const window = peekBits(source, at);
        const word = decodeWord(tables[codeOf[contextOf(state)]], window);
        if (word === 0) return null;
        at += word & 31;
        const symbol = word >>> 5;
        let kind: number;
        let length: number;
        if (symbol === ESCAPE) {
          kind = firstBits(peekBits(source, at), ESCAPED_KIND_BITS);
          at += ESCAPED_KIND_BITS;
          length = firstBits(peekBits(source, at), ESCAPED_LENGTH_BITS);
          at += ESCAPED_LENGTH_BITS;
        } else {
          kind = kindOf[symbol];
          length = leastOf[symbol] + firstBits(peekBits(source, at), extraBitsOf[symbol]);
          at += extraBitsOf[symbol];
        }
        if (length === 0 || length > left || at > end || list.count === RUNS) return null;
        if (kind >= COPY && (kind >= KINDS || !hasRow(state, kind - COPY) || length > RUNS - list.count)) {
          return null;
        }
        let value: number;
        if (literals !== null && kind === OTHER) {
          const table = literals.tables[literals.codeOf[literalContextOf(state)]];
          const literal = decodeWord(table, peekBits(source, at));
          if (literal === 0) return null;
          at += literal & 31;
          value = literal >>> 5;
          if (value === LITERALS.unknown) {
            value = firstBits(peekBits(source, at), LITERAL_BITS);
            at += LITERAL_BITS;
          }
          if (value >= values || at > end) return null;
        } else value = valueFor(state, kind);
        applyToken(state, kind, length, value);
        left -= length;
      }
      return list;
    },
  };
}

function newRowsEncoder(
  { tokens: { codeOf, lengths, words }, literals }: RowCodes,
  rows: readonly number[],
  values: number,
  emit: Emit,
): BlockEncoder {
  const parser = newParser(rows, values);
  const { token, state } = parser;
  const writer = newBitWriter();
  parser.startBlock();

  function endBlock(): void {
    const { list } = state;
    if (list.count > 0) takeBytes(writer, (bytes) => emit(bytes, state.position, list.count));
    parser.startBlock();
  }

  /** Codes the token if the block has room for it. */
  function put(): boolean {
    const base = codeOf[token.context] * TOKENS.alphabet;
    const symbol = tokenSymbol(token.kind, token.length);
    const known = lengths[base + symbol] > 0;
    const coded = known ? symbol : ESCAPE;
    const extraBits = known ? extraBitsOf[symbol] : ESCAPED_KIND_BITS + ESCAPED_LENGTH_BITS;
    const literal = token.kind === OTHER ? literalOf() : null;
    const literalBits = literal === null ? 0 : literal.wordBits + literal.moreBits;
    if (writer.bits + lengths[base + coded] + extraBits + literalBits > 8 * BLOCK_BYTES) return false;
    putBits(writer, words[base + coded], lengths[base + coded]);
    if (known) putBits(writer, token.length - leastOf[symbol], extraBits);
    else {
      putBits(writer, token.kind, ESCAPED_KIND_BITS);
      putBits(writer, token.length, ESCAPED_LENGTH_BITS);
    }
    if (literal !== null) {
      putBits(writer, literal.word, literal.wordBits);
      putBits(writer, token.value, literal.moreBits);
    }
    return true;
  }

  /** The word of the token's literal, or that of the escape, which the value follows. Null if no literals are coded. */
  function literalOf() {
    if (literals === null) return null;
    const base = literals.codeOf[token.literalContext] * LITERALS.alphabet;
    const known = literals.lengths[base + token.value] > 0;
    const at = base + (known ? token.value : LITERALS.unknown);
    return { word: literals.words[at], wordBits: literals.lengths[at], moreBits: known ? 0 : LITERAL_BITS };
  }

  function code(ending: boolean): void {
    while (parser.next(ending)) {
      const full = parser.full() || state.position > BLOCK_POSITIONS - LONGEST_TOKEN;
      if (!full && put()) parser.accept();
      else endBlock();
    }
  }

  return {
    add(symbols) {
      for (let from = 0; from < symbols.length; ) {
        from += parser.feed(symbols.subarray(from));
        code(false);
      }
    },
    end() {
      code(true);
      endBlock();
    },
  };
}
