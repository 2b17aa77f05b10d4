/**
 * The value that an index of a file must hold. Programs that probe look at captures themselves (and for DTZ at moves of pawns). So
 * where such a move is as good as the position is worth, the file may hold what compresses best.
 */
import { assert } from '../../../../operators/core/errors.js';
import { CLASS_OF, outcomeOf, RULE, SyzygyOutcome } from './format.js';
import { type Kernels, symbolsAt } from './kernels.js';
import { RAW_VALUES, readRaw } from './subtable.js';

/**
 * A cell is a symbol that must stand there, or ANY_UP_TO + the greatest of the symbols 0, 1, ... if any of these may stand there.
 */
export type SymbolCell = number;
export const ANY_UP_TO = 0x800;

/** How cells follow from raw values (subtable.ts). */
export interface Coding {
  /** The cell of each raw value. */
  readonly cells: Uint16Array;
  /** The cell of an index that has no position. */
  readonly any: SymbolCell;
  /** The values of the symbols 0, 1, ... in files: outcomes (WDL); values by class of outcome (DTZ). */
  readonly leaves: readonly number[];
  /** The place of each symbol in the order of frequency, the most frequent first. */
  readonly ranks: Uint16Array;
  /** DTZ: whether plies of wins, of losses are all told apart. */
  readonly exact: { readonly wins: boolean; readonly losses: boolean };
  /** DTZ: for wins, losses, cursed wins and blessed losses the values that the leaves stand for; null if for themselves. */
  readonly maps: readonly (readonly number[])[] | null;
}

/** Calls `use` for each raw value of positions that occurs. */
function eachValue(
  histogram: Uint32Array,
  use: (value: ReturnType<typeof readRaw>, count: number, raw: number) => void,
): void {
  for (let raw = 0; raw < RAW_VALUES; raw++) {
    if (histogram[raw] === 0) continue;
    const value = readRaw(raw);
    if (value.isPosition) use(value, histogram[raw], raw);
  }
}

/** The place of each symbol in the order of these counts, the greatest first. */
function ranksOf(counts: readonly number[]): Uint16Array {
  const ranks = new Uint16Array(counts.length);
  const ordered = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  for (const [rank, symbol] of ordered.entries()) ranks[symbol] = rank;
  return ranks;
}

/** The outcomes of positions; at most that outcome where a capture achieves it. */
export function wdlCoding(histogram: Uint32Array): Coding {
  const exact = new Array<boolean>(5).fill(false);
  const times = new Array<number>(5).fill(0);
  let least: number = SyzygyOutcome.win;
  eachValue(histogram, ({ code, byCapture }, count) => {
    const outcome = outcomeOf(code);
    if (!byCapture) {
      exact[outcome] = true;
      times[outcome] += count;
    } else least = Math.min(least, outcome);
  });
  // Some outcome must be there for the freest index that is least free.
  if (!exact.some((is, outcome) => is && outcome <= least)) exact[least] = true;
  const leaves = [0, 1, 2, 3, 4].filter((outcome) => exact[outcome]);
  const symbolOf = exact.map((is, outcome) => (is ? leaves.indexOf(outcome) : -1));
  const upTo = exact.map((_, outcome) => ANY_UP_TO + leaves.filter((leaf) => leaf <= outcome).length - 1);
  const any = upTo[SyzygyOutcome.win];
  const cells = new Uint16Array(RAW_VALUES).fill(any);
  eachValue(histogram, ({ code, byCapture }, _, raw) => {
    const outcome = outcomeOf(code);
    cells[raw] = byCapture ? upTo[outcome] : symbolOf[outcome];
  });
  const ranks = ranksOf(leaves.map((outcome) => times[outcome]));
  return { leaves, ranks, maps: null, exact: { wins: false, losses: false }, cells, any };
}

/** `exact`: plies as they are. `halved`: an even number is written as the odd one below it, as in the published files. */
export type Plies = 'exact' | 'halved';

/**
 * Plies of wins and losses; anything where a draw is, or where a capture or move of a pawn wins. Beyond the 50-move rule the
 * format has plies halved; below, `halved` ones are exact all the same where a ply might decide under the rule.
 */
export function dtzCoding(histogram: Uint32Array, plies: Plies): Coding {
  const isNeeded = ({ code, winsByZeroing }: ReturnType<typeof readRaw>) =>
    code < 0 || (code > 0 && !winsByZeroing);
  const exact = { wins: plies === 'exact', losses: plies === 'exact' };
  eachValue(histogram, ({ code }) => {
    if (code === RULE - 1 || code === RULE) exact.wins = true;
    if (code === -RULE || code === -RULE - 1) exact.losses = true;
  });
  /** Values count from 0; that of a position lost already is that of one lost in one ply. */
  const storedPlies = (code: number) => {
    const plies = code > 0 ? code : -code - 1;
    if (plies > RULE) return (plies - RULE - 1) >> 1;
    const stored = Math.max(0, plies - 1);
    return (code > 0 ? exact.wins : exact.losses) ? stored : stored >> 1;
  };
  const counts = [0, 1, 2, 3].map(() => new Map<number, number>());
  eachValue(histogram, (value, times) => {
    if (!isNeeded(value)) return;
    const count = counts[CLASS_OF[outcomeOf(value.code)]];
    const stored = storedPlies(value.code);
    count.set(stored, (count.get(stored) ?? 0) + times);
  });
  // Frequent values get small symbols, so that the classes share them.
  const maps = counts.map((count) =>
    [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([stored]) => stored),
  );
  const symbolOf = maps.map((map) => new Map(map.map((stored, symbol) => [stored, symbol])));
  const longest = maps.reduce((a, b) => (b.length > a.length ? b : a));
  const alike = maps.every((map) => map.every((stored, i) => stored === longest[i]));
  const symbols = Math.max(1, longest.length);
  assert(symbols < ANY_UP_TO, 'cells have room for all symbols');
  const any = ANY_UP_TO + symbols - 1;
  const cells = new Uint16Array(RAW_VALUES).fill(any);
  eachValue(histogram, (value, _, raw) => {
    if (!isNeeded(value)) return;
    cells[raw] = symbolOf[CLASS_OF[outcomeOf(value.code)]].get(storedPlies(value.code))!;
  });
  return {
    leaves: Array.from({ length: symbols }, (_, symbol) => (alike ? (longest[symbol] ?? 0) : symbol)),
    ranks: Uint16Array.from({ length: symbols }, (_, symbol) => symbol),
    maps: alike ? null : maps,
    exact,
    cells,
    any,
  };
}

/**
 * Replaces cells by symbols. A stretch of open cells takes the symbol before or behind it, if all its cells may hold
 * that. If both fit, it takes the more frequent one; if neither, the most frequent that may stand there. `ranks` are
 * those of the coding. `blocks` puts cells to the address that it is given, at most `room` of them. It returns how
 * many, 0 at the end. `take` takes the symbols. Returns how many runs of equal symbols there are. The buffers are at
 * `at`, of 4 bytes a cell.
 */
export function settle(
  kernels: Kernels,
  ranks: Uint16Array,
  { at, room }: { readonly at: number; readonly room: number },
  blocks: (cells: number) => number,
  take: (symbols: Uint16Array) => void,
): number {
  const { wasm, host } = kernels;
  const symbols = at + 2 * room;
  symbolsAt(kernels, wasm.RANK.value, ranks.length).set(ranks);
  host.drain = (count) => take(symbolsAt(kernels, symbols, count));
  wasm.beginSettling(symbols, room);
  for (let count = blocks(at); count > 0; count = blocks(at)) wasm.settle(at, count);
  return wasm.endSettling();
}
