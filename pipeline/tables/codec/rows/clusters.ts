/**
 * Contexts that behave alike share a code: every code has to be learnt and stored. Begins with the contexts that cost
 * most and has all others join the one they fit best, a few times over. Then joins codes while that saves more in their
 * storage than it costs in their words.
 */

/** How often each symbol was seen; sparse, ascending. */
export interface Histogram {
  readonly symbols: readonly number[];
  readonly counts: readonly number[];
}

/** Bits that it takes to store the length of one word, about. */
const WORD_COST = 10;
const MOST_CODES = 128;
const ROUNDS = 4;

export interface Clusters {
  /** By histogram: which code it has. */
  readonly codeOf: Uint8Array;
  /** Per code: frequencies by symbol. */
  readonly frequencies: Float64Array[];
}

/** @param alphabet how many symbols there are. At least one histogram. */
export function cluster(histograms: readonly Histogram[], alphabet: number): Clusters {
  const costs = histograms.map(costOf);
  const dearest = histograms.map((_, i) => i).sort((a, b) => costs[b] - costs[a] || a - b);
  let frequencies = dearest.slice(0, MOST_CODES).map((i) => sumOf([histograms[i]], alphabet));
  let codeOf = new Uint8Array(histograms.length);
  for (let round = 0; round < ROUNDS; round++) {
    const prices = frequencies.map(pricesOf);
    codeOf = Uint8Array.from(histograms, (histogram) => cheapest(histogram, prices));
    frequencies = frequencies.map((_, code) =>
      sumOf(
        histograms.filter((_, i) => codeOf[i] === code),
        alphabet,
      ),
    );
  }
  return joinCodes({ codeOf, frequencies });
}

function sumOf(histograms: readonly Histogram[], alphabet: number): Float64Array {
  const sum = new Float64Array(alphabet);
  for (const { symbols, counts } of histograms) {
    for (let i = 0; i < symbols.length; i++) sum[symbols[i]] += counts[i];
  }
  return sum;
}

/** Bits of all words of a code made for these frequencies, and of storing it. */
function bitsOf(frequencies: Iterable<number>): number {
  let total = 0;
  let bits = 0;
  for (const count of frequencies) {
    if (count === 0) continue;
    total += count;
    bits += WORD_COST - count * Math.log2(count);
  }
  return total === 0 ? 0 : bits + total * Math.log2(total);
}

function costOf({ counts }: Histogram): number {
  return bitsOf(counts);
}

/** Bits that each symbol costs in the code for these frequencies; one that was never seen is not free to add. */
function pricesOf(frequencies: Float64Array): Float64Array {
  const total = frequencies.reduce((sum, count) => sum + count, 1);
  return frequencies.map((count) => Math.log2(total / (count || 0.1)));
}

function cheapest({ symbols, counts }: Histogram, prices: readonly Float64Array[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let code = 0; code < prices.length; code++) {
    const price = prices[code];
    let bits = 0;
    for (let i = 0; i < symbols.length && bits < least; i++) bits += counts[i] * price[symbols[i]];
    if (bits < least) {
      least = bits;
      best = code;
    }
  }
  return best;
}

function joinCodes({ codeOf, frequencies }: Clusters): Clusters {
  const bits = frequencies.map(bitsOf);
  const joined = (a: number, b: number) => frequencies[a].map((count, i) => count + frequencies[b][i]);
  const saving = (a: number, b: number) => bits[a] + bits[b] - bitsOf(joined(a, b));
  let alive = frequencies.map((_, code) => code).filter((code) => codeOf.includes(code));
  const savings = frequencies.map(() => new Float64Array(frequencies.length));
  for (const a of alive) for (const b of alive) if (a < b) savings[a][b] = saving(a, b);
  for (;;) {
    let best = 0;
    let [into, from] = [-1, -1];
    for (const a of alive) {
      for (const b of alive) {
        if (a < b && savings[a][b] > best) [best, into, from] = [savings[a][b], a, b];
      }
    }
    if (into < 0) break;
    frequencies[into] = joined(into, from);
    bits[into] = bitsOf(frequencies[into]);
    codeOf.forEach((code, i) => {
      if (code === from) codeOf[i] = into;
    });
    alive = alive.filter((code) => code !== from);
    for (const other of alive) {
      if (other < into) savings[other][into] = saving(other, into);
      else if (other > into) savings[into][other] = saving(into, other);
    }
  }
  const numbers = new Map(alive.map((code, number) => [code, number]));
  return {
    codeOf: codeOf.map((code) => numbers.get(code)!),
    frequencies: alive.map((code) => frequencies[code]),
  };
}
