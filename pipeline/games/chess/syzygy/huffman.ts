/**
 * Canonical Huffman codes as the format has them: at most 32 bits. Symbols are renumbered by descending length of their
 * code. So longer codes are smaller numbers, and codes of one length are consecutive ones. Symbols without a code come last.
 */
import { assert } from '../../../../operators/core/errors.js';

const LONGEST = 32;

export interface Codes {
  /** By symbol: the bits of its code, 0 if it never occurs; its code; its number in the file. */
  readonly lengths: Uint8Array;
  readonly codes: Uint32Array;
  readonly numbers: Uint16Array;
  /** The symbols by number in the file. */
  readonly symbols: Uint16Array;
  readonly least: number;
  readonly most: number;
  /** By length from `least` to `most`: the number of the first symbol with a code no longer than that. */
  readonly offsets: readonly number[];
}

/** Codes for symbols that occur so often; at least one does. */
export function huffmanCodes(counts: Float64Array): Codes {
  let weights = counts;
  let lengths = codeLengths(weights);
  // Weights that are less unlike give codes that are less unlike: the loss is nothing, for the symbols are rare.
  while (lengths.some((length) => length > LONGEST)) {
    weights = weights.map((weight) => (weight > 0 ? Math.ceil(weight / 2) : 0));
    lengths = codeLengths(weights);
  }
  const symbols = Uint16Array.from(counts.keys()).sort(
    (a, b) => lengths[b] - lengths[a] || counts[b] - counts[a] || a - b,
  );
  const numbers = new Uint16Array(counts.length);
  for (const [number, symbol] of symbols.entries()) numbers[symbol] = number;
  const most = lengths[symbols[0]];
  assert(most > 0, 'some symbol occurs');
  const withCode = lengths.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0);
  const least = lengths[symbols[withCode - 1]];
  const offsets: number[] = [];
  const codes = new Uint32Array(counts.length);
  let base = 0;
  let previous = 0;
  for (let length = most; length >= least; length--) {
    let offset = previous;
    while (offset < withCode && lengths[symbols[offset]] > length) offset++;
    if (length < most) base = (base + offset - previous) / 2;
    for (let number = offset; number < withCode && lengths[symbols[number]] === length; number++) {
      codes[symbols[number]] = base + number - offset;
    }
    offsets[length - least] = offset;
    previous = offset;
  }
  return { lengths, codes, numbers, symbols, least, most, offsets };
}

/** Lengths of the codes by Huffman's algorithm, with two queues: leaves by weight, and the nodes made of them. */
function codeLengths(weights: Float64Array): Uint8Array {
  const lengths = new Uint8Array(weights.length);
  const leaves = [...weights.keys()].filter((symbol) => weights[symbol] > 0);
  leaves.sort((a, b) => weights[a] - weights[b] || a - b);
  if (leaves.length === 1) lengths[leaves[0]] = 1;
  if (leaves.length < 2) return lengths;
  const parents = new Int32Array(2 * leaves.length - 1).fill(-1);
  const nodeWeights = [...leaves.map((symbol) => weights[symbol])];
  let leaf = 0;
  let inner = leaves.length;
  const lightest = () => {
    const takeLeaf =
      leaf < leaves.length && (inner >= nodeWeights.length || nodeWeights[leaf] <= nodeWeights[inner]);
    return takeLeaf ? leaf++ : inner++;
  };
  while (nodeWeights.length < parents.length) {
    const node = nodeWeights.length;
    const [a, b] = [lightest(), lightest()];
    parents[a] = parents[b] = node;
    nodeWeights.push(nodeWeights[a] + nodeWeights[b]);
  }
  const depths = new Uint8Array(parents.length);
  for (let node = parents.length - 2; node >= 0; node--) depths[node] = depths[parents[node]] + 1;
  for (const [i, symbol] of leaves.entries()) lengths[symbol] = depths[i];
  return lengths;
}
