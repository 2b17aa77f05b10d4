/** The frequencies of tokens and literals in their contexts over many files, and the codes made from them. */
import { limitedLengths } from '../../../../operators/core/limited-lengths.js';
import type { BlockEncoder, Training } from '../codec.js';
import { LONGEST_WORD } from '../huffman/canonical.js';
import { WDL_VALUES } from '../symbols.js';
import { OTHER, tokenSymbol } from './alphabet.js';
import { cluster, type Histogram } from './clusters.js';
import { codesPayload, LITERALS, TOKENS, type WordKind } from './code.js';
import { newParser } from './parser.js';
import { usedRows } from './row-state.js';

/** Where blocks end is not known before there are codes; about so many tokens are in one. */
const TOKENS_A_BLOCK = 1000;

/** @param values how many values the symbols have. */
export function newRowsTraining(values: number): Training {
  const tokens = newFrequencies(TOKENS);
  const literals = values === WDL_VALUES ? null : newFrequencies(LITERALS);

  function newPass(rows: readonly number[]): BlockEncoder {
    const parser = newParser(usedRows(rows), values);
    let inBlock = 0;
    parser.startBlock();
    function take(ending: boolean): void {
      while (parser.next(ending)) {
        if (inBlock === TOKENS_A_BLOCK || parser.full()) {
          parser.startBlock();
          inBlock = 0;
          continue;
        }
        const { context, kind, length, value, literalContext } = parser.token;
        tokens.note(context, tokenSymbol(kind, length));
        if (kind === OTHER) literals?.note(literalContext, value);
        parser.accept();
        inBlock++;
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
    file: ({ periods }) => newPass(periods),
    payload() {
      const parts = [tokens.payload(), literals?.payload() ?? new Uint8Array(0)];
      const payload = new Uint8Array(parts[0].length + parts[1].length);
      payload.set(parts[0]);
      payload.set(parts[1], parts[0].length);
      return payload;
    },
  };
}

/** Counts symbols by context. */
function newFrequencies({ contexts, alphabet, unknown }: WordKind) {
  /** By context: frequencies by symbol. */
  const seen = new Map<number, Float64Array>();

  function lengthsOf(frequencies: Float64Array): Uint8Array {
    frequencies[unknown] = 1;
    return limitedLengths(frequencies, LONGEST_WORD);
  }

  return {
    note(context: number, symbol: number): void {
      let frequencies = seen.get(context);
      if (frequencies === undefined) seen.set(context, (frequencies = new Float64Array(alphabet)));
      frequencies[symbol]++;
    },
    /** The codes that suit what was counted. */
    payload(): Uint8Array {
      const found = [...seen.keys()].sort((a, b) => a - b);
      const codeOf = new Uint8Array(contexts);
      if (found.length === 0) return codesPayload(codeOf, [lengthsOf(new Float64Array(alphabet))]);
      const clusters = cluster(
        found.map((context) => histogramOf(seen.get(context)!)),
        alphabet,
      );
      found.forEach((context, i) => {
        codeOf[context] = clusters.codeOf[i];
      });
      return codesPayload(codeOf, clusters.frequencies.map(lengthsOf));
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
