/** The frequencies of tokens in their contexts over many files, and the codes made from them. */
import { limitedLengths } from '../../../../operators/core/limited-lengths.js';
import type { BlockEncoder, Training } from '../codec.js';
import { LONGEST_WORD } from '../huffman/canonical.js';
import { ALPHABET, ESCAPE, tokenSymbol } from './alphabet.js';
import { cluster, type Histogram } from './clusters.js';
import { codesPayload } from './code.js';
import { newParser } from './parser.js';
import { CONTEXTS, usedRows } from './row-state.js';

/** Where blocks end is not known before there are codes; about so many tokens are in one. */
const TOKENS_A_BLOCK = 1000;

export function newRowsTraining(): Training {
  /** By context: frequencies by symbol. */
  const seen = new Map<number, Float64Array>();

  function note(context: number, symbol: number): void {
    let frequencies = seen.get(context);
    if (frequencies === undefined) seen.set(context, (frequencies = new Float64Array(ALPHABET)));
    frequencies[symbol]++;
  }

  function newPass(rows: readonly number[]): BlockEncoder {
    const parser = newParser(usedRows(rows));
    let tokens = 0;
    parser.startBlock();
    function take(ending: boolean): void {
      while (parser.next(ending)) {
        if (tokens === TOKENS_A_BLOCK || parser.full()) {
          parser.startBlock();
          tokens = 0;
          continue;
        }
        note(parser.token.context, tokenSymbol(parser.token.kind, parser.token.length));
        parser.accept();
        tokens++;
      }
    }
    return {
      add(symbols) {
        for (let from = 0; from < symbols.length; ) {
          from += parser.feed(symbols.subarray(from));
          take(false);
        }
      },
      end: () => take(true),
    };
  }

  return {
    file: ({ rows }) => newPass(rows),
    payload() {
      const contexts = [...seen.keys()].sort((a, b) => a - b);
      const codeOf = new Uint8Array(CONTEXTS);
      if (contexts.length === 0) return codesPayload(codeOf, [withEscape(new Float64Array(ALPHABET))]);
      const clusters = cluster(
        contexts.map((context) => histogramOf(seen.get(context)!)),
        ALPHABET,
      );
      contexts.forEach((context, i) => {
        codeOf[context] = clusters.codeOf[i];
      });
      return codesPayload(codeOf, clusters.frequencies.map(withEscape));
    },
  };
}

function histogramOf(frequencies: Float64Array): Histogram {
  const symbols: number[] = [];
  frequencies.forEach((count, symbol) => {
    if (count > 0) symbols.push(symbol);
  });
  return { symbols, counts: symbols.map((symbol) => frequencies[symbol]) };
}

function withEscape(frequencies: Float64Array): Uint8Array {
  frequencies[ESCAPE] = 1;
  return limitedLengths(frequencies, LONGEST_WORD);
}
