/**
 * Recursive pairing (Larsson & Moffat 2000, "Off-line dictionary-based compression", sections 2 and 3): the most frequent
 * pair of neighbouring symbols becomes a symbol of its own, again and again. Here a pass over the sequence replaces as many
 * pairs as do not get in each other's way and are at least half as frequent as the best.
 */

/** Symbols of the format have twelve bits, and the last number says "no pair". */
export const MOST_SYMBOLS = 4095;
/** A symbol stands for at most so many values. */
const LONGEST = 256;

export interface Pairing {
  /** What the values became; a view of the array that was given. */
  readonly sequence: Uint16Array;
  /** How many symbols there are; those below `leaves` stand for themselves. */
  readonly symbols: number;
  readonly leaves: number;
  /** Of the others: the two symbols they stand for. */
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  /** How many values each symbol stands for. */
  readonly lengths: Uint16Array;
}

export interface PairingLimits {
  /** Pairs that occur less often stay as they are. */
  readonly leastCount: number;
  readonly mostSymbols: number;
}

let table: Uint32Array | undefined;

/** Pairs the symbols 0 .. leaves - 1 in `sequence`, which it overwrites. Needs 64 MiB for counts. */
export function pairUp(sequence: Uint16Array, leaves: number, limits: PairingLimits): Pairing {
  const counts = (table ??= new Uint32Array((MOST_SYMBOLS + 1) ** 2));
  const most = Math.min(limits.mostSymbols, MOST_SYMBOLS);
  const left = new Uint16Array(MOST_SYMBOLS);
  const right = new Uint16Array(MOST_SYMBOLS);
  const lengths = new Uint16Array(MOST_SYMBOLS).fill(1, 0, leaves);
  /** Of a pass: symbols that are the first, the second of a pair to be replaced. */
  const firsts = new Uint8Array(MOST_SYMBOLS);
  const seconds = new Uint8Array(MOST_SYMBOLS);
  let symbols = leaves;
  let length = sequence.length;

  /** Counts pairs, of runs of one symbol every other. Returns the greatest count. */
  function count(): number {
    let best = 0;
    for (let i = 1; i < length; i++) {
      const a = sequence[i - 1];
      const b = sequence[i];
      if (a === b && i + 1 < length && sequence[i + 1] === b) {
        // A run of so many of them has half as many pairs.
        let end = i + 1;
        while (end < length && sequence[end] === b) end++;
        const is = (counts[(a << 12) | b] += (end - i + 1) >> 1);
        if (is > best && lengths[a] + lengths[b] <= LONGEST) best = is;
        i = end - 1;
        continue;
      }
      const is = ++counts[(a << 12) | b];
      if (is > best && lengths[a] + lengths[b] <= LONGEST) best = is;
    }
    return best;
  }

  /** The pairs counted at least so often, the most frequent first. Clears all counts. */
  function candidates(least: number): { a: number; b: number; times: number }[] {
    const found: { a: number; b: number; times: number }[] = [];
    for (let i = 1; i < length; i++) {
      const a = sequence[i - 1];
      const b = sequence[i];
      const times = counts[(a << 12) | b];
      if (times === 0) continue;
      counts[(a << 12) | b] = 0;
      if (times >= least && lengths[a] + lengths[b] <= LONGEST) found.push({ a, b, times });
    }
    return found.sort((x, y) => y.times - x.times || x.a - y.a || x.b - y.b);
  }

  for (;;) {
    const best = count();
    const found = candidates(Math.max(limits.leastCount, best / 2));
    if (best < limits.leastCount || symbols >= most) break;
    firsts.fill(0);
    seconds.fill(0);
    /** New symbols by their pair, kept where the counts are. */
    const from = symbols;
    for (const { a, b } of found) {
      if (symbols === most) break;
      const free = seconds[a] === 0 && firsts[b] === 0;
      // Also a pair that is passed over has better ones before it that its occurrences must not take from.
      firsts[a] = 1;
      seconds[b] = 1;
      if (!free) continue;
      left[symbols] = a;
      right[symbols] = b;
      lengths[symbols] = lengths[a] + lengths[b];
      counts[(a << 12) | b] = symbols++;
    }
    let to = 0;
    for (let i = 0; i < length; to++) {
      const symbol = i + 1 < length ? counts[(sequence[i] << 12) | sequence[i + 1]] : 0;
      sequence[to] = symbol === 0 ? sequence[i] : symbol;
      i += symbol === 0 ? 1 : 2;
    }
    length = to;
    for (let symbol = from; symbol < symbols; symbol++) counts[(left[symbol] << 12) | right[symbol]] = 0;
  }
  return { sequence: sequence.subarray(0, length), symbols, leaves, left, right, lengths };
}
