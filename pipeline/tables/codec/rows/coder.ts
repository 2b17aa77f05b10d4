/**
 * Runs and copies of earlier rows, in prefix codes by context. An index is a number of several digits, and the values
 * of positions that differ in one digit resemble each other. So much of what comes stands one row back, where the
 * next digit is one less. A token is a run or a copy from there (parser.ts). Its code depends on the values and the
 * token before it, and on how the rows go on (row-state.ts). Contexts that behave alike share a code (clusters.ts).
 *
 * Block: tokens one after another, each a word for kind and length, then the low bits of longer lengths. The number of
 * positions ends it.
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
import { BLOCK_BYTES, BLOCK_POSITIONS, type BlockEncoder, type Coder, type Emit } from '../codec.js';
import { decodeWord } from '../huffman/canonical.js';
import { newRunList, RUNS } from '../run-list.js';
import {
  ALPHABET,
  COPY,
  ESCAPE,
  ESCAPED_KIND_BITS,
  ESCAPED_LENGTH_BITS,
  extraBitsOf,
  KINDS,
  kindOf,
  LONGEST_TOKEN,
  leastOf,
  tokenSymbol,
} from './alphabet.js';
import { type RowCodes, readCodes } from './code.js';
import { newParser } from './parser.js';
import { applyToken, contextOf, hasRow, newRowState, startBlock, usedRows } from './row-state.js';

/** @param payload as trained. Null if it is not that. */
export function rowsCoder(digest: string, payload: Uint8Array): Coder | null {
  const codes = readCodes(payload);
  if (codes === null) return null;
  const { codeOf, tables } = codes;
  const list = newRunList();
  const state = newRowState(list);
  const source = newBitSource();
  return {
    codec: 'rows',
    digest,
    newEncoder: ({ rows }, emit) => newRowsEncoder(codes, usedRows(rows), emit),
    decode(bytes, positions, { rows }) {
      fillBitSource(source, bytes);
      const end = 8 * bytes.length;
      startBlock(state, usedRows(rows));
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
        applyToken(state, kind, length);
        left -= length;
      }
      return list;
    },
  };
}

function newRowsEncoder(
  { codeOf, lengths, words }: RowCodes,
  rows: readonly number[],
  emit: Emit,
): BlockEncoder {
  const parser = newParser(rows);
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
    const base = codeOf[token.context] * ALPHABET;
    const symbol = tokenSymbol(token.kind, token.length);
    const known = lengths[base + symbol] > 0;
    const coded = known ? symbol : ESCAPE;
    const extraBits = known ? extraBitsOf[symbol] : ESCAPED_KIND_BITS + ESCAPED_LENGTH_BITS;
    if (writer.bits + lengths[base + coded] + extraBits > 8 * BLOCK_BYTES) return false;
    putBits(writer, words[base + coded], lengths[base + coded]);
    if (known) putBits(writer, token.length - leastOf[symbol], extraBits);
    else {
      putBits(writer, token.kind, ESCAPED_KIND_BITS);
      putBits(writer, token.length, ESCAPED_LENGTH_BITS);
    }
    return true;
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
