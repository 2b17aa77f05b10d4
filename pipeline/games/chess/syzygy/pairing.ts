/**
 * Recursive pairing (Larsson & Moffat 2000, "Off-line dictionary-based compression", sections 2 and 3). The most
 * frequent pair of neighbouring symbols becomes a symbol of its own, again and again. Here a pass over the sequence
 * replaces as many pairs as do not get in each other's way. It counts the pairs of the sequence that it makes. Two
 * kinds of pairs may become more symbols in later passes. Some were passed over, others are more than twice as
 * frequent as a pair that is replaced. Their number is left free.
 *
 * Once passes replace little and the sequence fits the memory together with lists of where its pairs are, the best pair is replaced at a
 * time, at the cost of its occurrences (pairing/assembly/pair-lists.ts). So the symbols of a large table depend on the size of the arena
 * that threads share; what they stand for does not.
 *
 * Counts have 16 bits, and what passes them is noted: so many times 65,536. If they do not fit their share of the memory, pairs are
 * counted by further scans, each of some of the first symbols.
 */
import { bytesAt, ioBytesOf, symbolsAt } from './kernels.js';
import { PairingArena, type PairingKernels, type SharedArena } from './pairing-arena.js';
import { bytesOfSymbols, type Sequence } from './tape.js';

/** Symbols of the format have twelve bits, and the last number says "no pair". */
export const MOST_SYMBOLS = 4095;

/** The symbols of a pairing. */
export interface Dictionary {
  /** How many symbols there are; those below `leaves` stand for themselves. */
  readonly symbols: number;
  readonly leaves: number;
  /** The two symbols that each of the others stands for. */
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  /** How many values each symbol stands for. */
  readonly lengths: Uint16Array;
}

export interface Pairing extends Dictionary {
  /** The values after pairing, in the place of the sequence that was given. */
  readonly sequence: Sequence;
}

export interface PairingLimits {
  /** Pairs that occur less often stay as they are. */
  readonly leastCount: number;
  readonly mostSymbols: number;
  /** Pairs of longer sequences are not listed, even if they fit the memory. */
  readonly mostListed?: number;
}

/** The arenas of a thread. */
export class Pairer {
  readonly #shared: PairingArena;
  readonly #own: PairingArena;

  /** @param own for what is small, so that threads seldom wait for each other; null if no other thread uses the shared one. */
  constructor(shared: SharedArena, own: SharedArena | null) {
    this.#shared = new PairingArena(shared);
    this.#own = own === null ? this.#shared : new PairingArena(own);
  }

  /** An arena for passes. Little room for counts costs further scans, so the thread's own has to have some. */
  forPasses(): PairingArena {
    return this.#own.bytes >= ALL_COUNTS / 2 ? this.#own : this.#shared;
  }

  /** An arena for lists of so many bytes. */
  forLists(bytes: number): PairingArena {
    return bytes <= this.#own.bytes ? this.#own : this.#shared;
  }

  /** The longest sequence that is listed. */
  mostListed(leastCount: number): number {
    return mostInLists(this.#shared.bytes, leastCount);
  }
}

/** Pairs the symbols 0 .. leaves - 1 in the sequence, which it overwrites. */
export function pairUp(pairer: Pairer, given: Sequence, leaves: number, limits: PairingLimits): Pairing {
  const { leastCount } = limits;
  const most = Math.min(limits.mostSymbols, MOST_SYMBOLS);
  const left = new Uint16Array(MOST_SYMBOLS);
  const right = new Uint16Array(MOST_SYMBOLS);
  const lengths = new Uint16Array(MOST_SYMBOLS).fill(1, 0, leaves);
  const mostListed = Math.min(pairer.mostListed(leastCount), limits.mostListed ?? Infinity);
  const symbols: Symbols = { count: leaves, most, left, right, lengths };
  let { length } = given;
  if (length > mostListed || length > LONG) {
    length = pairer.forPasses().use((kernels) => {
      const passes = newPasses(kernels, given, leastCount);
      const isLong = () => passes.length() > mostListed || passes.isWorthAnother();
      return replaceByPasses(kernels, passes, symbols, leastCount, isLong);
    });
  }
  if (length <= mostListed && length > 1) {
    length = pairer
      .forLists(listBytes(length, leastCount))
      .use((kernels) => replaceByLists(kernels, { tape: given.tape, length }, leastCount, symbols));
  }
  return { sequence: { tape: given.tape, length }, symbols: symbols.count, leaves, left, right, lengths };
}

/** The symbols of a pairing so far. */
interface Symbols {
  count: number;
  readonly most: number;
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  /** How many values each stands for. */
  readonly lengths: Uint16Array;
}

/** Adds the symbol of a pair. */
function addSymbol(symbols: Symbols, first: number, second: number): void {
  const { left, right, lengths } = symbols;
  left[symbols.count] = first;
  right[symbols.count] = second;
  lengths[symbols.count] = lengths[first] + lengths[second];
  symbols.count++;
}

/** Replaces pairs by passes as long as the sequence `isLong`; returns its length. */
function replaceByPasses(
  kernels: PairingKernels,
  passes: ReturnType<typeof newPasses>,
  symbols: Symbols,
  leastCount: number,
  isLong: () => boolean,
): number {
  const { wasm } = kernels;
  const lengths = symbolsAt(kernels, wasm.LENGTH.value, MOST_SYMBOLS);
  /** Symbols that are the first, the second of a pair that is replaced in this pass. */
  const firsts = bytesAt(kernels, wasm.IS_FIRST.value, MOST_SYMBOLS);
  const seconds = bytesAt(kernels, wasm.IS_SECOND.value, MOST_SYMBOLS);

  /** Gives symbols to pairs that do not get in each other's way. */
  function choose({ best, pairs }: Found): void {
    firsts.fill(0);
    seconds.fill(0);
    wasm.clearReplacements();
    let kept = 0;
    let frequent = best;
    for (const [i, { pair, count }] of pairs.entries()) {
      for (; frequent > 2 * count; frequent /= 2) kept += i;
      if (symbols.count === symbols.most || symbols.count + kept > symbols.most) break;
      const [a, b] = [pair >> 12, pair & 0xfff];
      // Its occurrences would overlap with those of a better pair.
      if (seconds[a] + firsts[b] !== 0) {
        kept++;
        continue;
      }
      firsts[a] = seconds[b] = 1;
      wasm.addReplacement(a, b, symbols.count);
      addSymbol(symbols, a, b);
    }
    lengths.set(symbols.lengths);
  }

  lengths.set(symbols.lengths);
  let found = passes.count(symbols.count);
  while (found.best >= leastCount && symbols.count < symbols.most && isLong()) {
    choose(found);
    found = passes.replace(symbols.count);
  }
  return passes.length();
}

/** Bytes of lists a symbol: two of the sequence, eight of its place in a list. */
const LIST_BYTES = 10;
const RECORD_BYTES = 16;
const BUCKETS = 4096;
/** So many pairs may be frequent enough at once. */
const recordsOf = (symbols: number, leastCount: number) => Math.ceil(symbols / leastCount) + 64;
const hashBitsOf = (records: number) => Math.ceil(Math.log2(2 * records));

function listBytes(symbols: number, leastCount: number): number {
  const records = recordsOf(symbols, leastCount);
  return LIST_BYTES * symbols + RECORD_BYTES * records + 4 * 2 ** hashBitsOf(records) + 4 * BUCKETS + 512;
}

/** The longest sequence whose lists fit an arena. */
function mostInLists(arena: number, leastCount: number): number {
  let [fits, beyond] = [0, Math.ceil(arena / LIST_BYTES) + 1];
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (listBytes(middle, leastCount) <= arena) fits = middle;
    else beyond = middle;
  }
  return fits;
}

/** Reads the sequence into the arena, replaces the best pair again and again, and writes it back; returns its length. */
function replaceByLists(
  kernels: PairingKernels,
  { tape, length }: Sequence,
  leastCount: number,
  symbols: Symbols,
): number {
  const { wasm } = kernels;
  const allocate = kernels.layOut();
  const records = recordsOf(length, leastCount);
  const bits = hashBitsOf(records);
  const at = allocate(2 * length);
  const places = allocate(8 * length);
  const recordsAt = allocate(RECORD_BYTES * records);
  const table = allocate(4 * 2 ** bits);
  wasm.setPairLists(at, length, places, recordsAt, records, table, bits, allocate(4 * BUCKETS), BUCKETS);
  symbolsAt(kernels, wasm.LENGTH.value, MOST_SYMBOLS).set(symbols.lengths);
  tape.read(0, bytesAt(kernels, at, 2 * length));
  wasm.listPairs(leastCount, symbols.count);
  while (symbols.count < symbols.most && wasm.replaceBest(symbols.count) !== 0) {
    addSymbol(symbols, Number(wasm.pairedFirst.value), Number(wasm.pairedSecond.value));
  }
  const left = wasm.closeGaps();
  tape.swap.write(0, bytesAt(kernels, at, 2 * left));
  return left;
}

/** Pairs (first * 4096 + second) that are frequent enough, the most frequent first, and how often the first of them occurs. */
interface Found {
  readonly best: number;
  readonly pairs: readonly { readonly pair: number; readonly count: number }[];
}

/** A pass looks at so many pairs, at least so frequent beside the best. */
const MOST_PAIRS = 250;
const LEAST_SHARE = 1 / 64;

/** Sequences are long from so many symbols on; a pass is worth its time as long as the one before leaves less than so much. */
const LONG = 1 << 22;
const WORTH = 0.97;

const CARRY = 2 ** 16;
const PAIRS = 2 ** 24;
/** Counts are below this where they order pairs; more frequent pairs count as equal. */
const MOST_COUNT = 2 ** 28;

/** Bytes of the counts of all pairs. */
const ALL_COUNTS = 2 * (MOST_SYMBOLS + 1) ** 2;

function newPasses(kernels: PairingKernels, { tape, length: given }: Sequence, leastCount: number) {
  const { wasm, host, bytes } = kernels;
  const io = ioBytesOf(bytes);
  const allocate = kernels.layOut();
  const input = allocate(io);
  const output = allocate(io);
  const listed = allocate(io);
  const tableBytes = Math.min(ALL_COUNTS, bytes - 4 * io);
  const table = allocate(tableBytes);
  wasm.setPairing(input, output, io / 2, table);
  let length = given;
  let before = Infinity;
  let read = 0;
  let written = 0;
  host.refill = () => {
    const count = Math.min(io / 2, length - read);
    if (count > 0) tape.read(2 * read, bytesAt(kernels, input, 2 * count));
    read += count;
    return count;
  };
  host.drain = (count) => {
    tape.swap.write(2 * written, bytesOfSymbols(symbolsAt(kernels, output, count)));
    written += count;
  };

  function scan(symbols: number, isReplacing: boolean): Found {
    const bits = Math.max(3, Math.ceil(Math.log2(symbols)));
    const rows = Math.max(1, Math.min(symbols, Math.floor(tableBytes / 2 ** (bits + 1))));
    const found: number[] = [];
    let best = 0;
    for (let from = 0; from < symbols; from += rows) {
      const many = Math.min(rows, symbols - from);
      read = written = 0;
      if (isReplacing && from === 0) {
        wasm.replacePairs(from, many, bits);
        before = length;
        length = written;
      } else wasm.countPairs(from, many, bits);
      best = Math.max(best, list(from, bits, best, found));
    }
    const least = leastOf(best);
    const pairs = [...Float64Array.from(found).sort().subarray(0, MOST_PAIRS)]
      .map((key) => ({ pair: key % PAIRS, count: MOST_COUNT - Math.floor(key / PAIRS) }))
      .filter(({ count }) => count >= least);
    return { best, pairs };
  }

  const leastOf = (best: number) => Math.max(leastCount, Math.ceil(best * LEAST_SHARE));

  /** Adds what was counted of the rows from `from` on, if it is frequent enough, as keys to sort by. Returns the greatest count. */
  function list(from: number, bits: number, before: number, found: number[]): number {
    const carried = new Map<number, number>();
    for (const pair of new Uint32Array(wasm.memory.buffer, wasm.CARRIES.value, Number(wasm.carries.value))) {
      carried.set(pair, (carried.get(pair) ?? 0) + CARRY);
    }
    for (const [pair, carries] of carried) {
      const at = table + 2 * (((pair >> 12) - from) * 2 ** bits + (pair & 0xfff));
      const low = symbolsAt(kernels, at, 1);
      carried.set(pair, carries + low[0]);
      low[0] = 0;
    }
    const best = Math.max(before, wasm.greatestCount() >>> 0, ...carried.values());
    const least = leastOf(best);
    const add = (pair: number, count: number) =>
      found.push((MOST_COUNT - Math.min(count, MOST_COUNT)) * PAIRS + pair);
    for (const [pair, count] of carried) if (count >= least) add(pair, count);
    if (least >= CARRY) return best;
    const room = io >> 3;
    for (let isFirst = true, count = room; count === room; isFirst = false) {
      count = wasm.pairsFrom(least, listed, room, isFirst);
      const pairs = new Uint32Array(wasm.memory.buffer, listed, 2 * count);
      for (let i = 0; i < pairs.length; i += 2) add(pairs[i], pairs[i + 1]);
    }
    return best;
  }

  return {
    count: (symbols: number) => scan(symbols, false),
    replace: (symbols: number) => scan(symbols, true),
    length: () => length,
    /** Whether another pass probably costs less than lists do for what it replaces. */
    isWorthAnother: () => length > LONG && length < WORTH * before,
  };
}
