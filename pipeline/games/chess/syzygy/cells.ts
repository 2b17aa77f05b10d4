/**
 * What an index of a file must hold. Programs that probe look at captures themselves (and for DTZ at moves of pawns), so
 * where such a move is as good as the position is worth, the file may hold what compresses best.
 */
import { NO_POSITION, Outcome, outcomeOf, RULE } from './subtable.js';

/**
 * A cell is a symbol that must stand there, or ANY_UP_TO + the greatest of the symbols 0, 1, ... of which any may.
 */
export type Cell = number;
export const ANY_UP_TO = 0x8000;

/** How cells follow from codes and from what moves that zero the counter achieve (the fields of a `Subtable`). */
export interface Coding {
  cellOf(code: number, zeroing: number): Cell;
  /** What files hold for the symbols 0, 1, ...: outcomes (WDL); values by class of outcome (DTZ). */
  readonly leaves: readonly number[];
  /** DTZ: whether plies of wins, of losses are all told apart. */
  readonly exact: { readonly wins: boolean; readonly losses: boolean };
  /** DTZ: for wins, losses, cursed wins and blessed losses the values that the leaves stand for; null if for themselves. */
  readonly maps: readonly (readonly number[])[] | null;
}

interface Cells {
  readonly codes: Int16Array;
  readonly zeroing: Uint8Array;
}

/** The outcomes of positions; at most that outcome where a capture achieves it. */
export function wdlCoding({ codes, zeroing }: Cells): Coding {
  const exact = new Array<boolean>(5).fill(false);
  let least: number = Outcome.win;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === NO_POSITION) continue;
    const outcome = outcomeOf(codes[i]);
    if ((zeroing[i] & 15) !== outcome + 1) exact[outcome] = true;
    else least = Math.min(least, outcome);
  }
  // Some outcome must be there for the freest index that is least free.
  if (!exact.some((is, outcome) => is && outcome <= least)) exact[least] = true;
  const leaves = [0, 1, 2, 3, 4].filter((outcome) => exact[outcome]);
  const symbolOf = exact.map((is, outcome) => (is ? leaves.indexOf(outcome) : -1));
  const upTo = exact.map((_, outcome) => ANY_UP_TO + leaves.filter((leaf) => leaf <= outcome).length - 1);
  return {
    leaves,
    maps: null,
    exact: { wins: false, losses: false },
    cellOf(code, zeroing) {
      if (code === NO_POSITION) return upTo[Outcome.win];
      const outcome = outcomeOf(code);
      return (zeroing & 15) === outcome + 1 ? upTo[outcome] : symbolOf[outcome];
    },
  };
}

/** Classes of outcomes in the order of a file's maps. */
export const CLASS_OF = [1, 3, -1, 2, 0];

/** `exact`: plies as they are. `halved`: an even number is told as the odd one below it, as in the published files. */
export type Plies = 'exact' | 'halved';

/**
 * Plies of wins and losses; anything where a draw is, or where a capture or move of a pawn wins. Beyond the 50-move rule the
 * format has plies halved; below, `halved` ones are exact all the same where a ply might decide under the rule.
 */
export function dtzCoding({ codes, zeroing }: Cells, plies: Plies): Coding {
  const needed = (code: number, zeroing: number) => {
    if (code === NO_POSITION || code === 0) return false;
    return code < 0 || zeroing >> 4 !== outcomeOf(code) + 1;
  };
  const exact = { wins: plies === 'exact', losses: plies === 'exact' };
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === RULE - 1 || codes[i] === RULE) exact.wins = true;
    if (codes[i] === -RULE || codes[i] === -RULE - 1) exact.losses = true;
  }
  /** Values count from 0; that of a position lost already is that of one lost in one ply. */
  const storedPlies = (code: number) => {
    const plies = code > 0 ? code : -code - 1;
    if (plies > RULE) return (plies - RULE - 1) >> 1;
    const stored = Math.max(0, plies - 1);
    return (code > 0 ? exact.wins : exact.losses) ? stored : stored >> 1;
  };
  const counts = [0, 1, 2, 3].map(() => new Map<number, number>());
  for (let i = 0; i < codes.length; i++) {
    if (!needed(codes[i], zeroing[i])) continue;
    const count = counts[CLASS_OF[outcomeOf(codes[i])]];
    const stored = storedPlies(codes[i]);
    count.set(stored, (count.get(stored) ?? 0) + 1);
  }
  // Frequent values get small symbols, so that the classes share them.
  const maps = counts.map((count) =>
    [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([stored]) => stored),
  );
  const symbolOf = maps.map((map) => new Map(map.map((stored, symbol) => [stored, symbol])));
  const longest = maps.reduce((a, b) => (b.length > a.length ? b : a));
  const alike = maps.every((map) => map.every((stored, i) => stored === longest[i]));
  const symbols = Math.max(1, longest.length);
  return {
    leaves: Array.from({ length: symbols }, (_, symbol) => (alike ? (longest[symbol] ?? 0) : symbol)),
    maps: alike ? null : maps,
    exact,
    cellOf(code, zeroing) {
      if (!needed(code, zeroing)) return ANY_UP_TO + symbols - 1;
      return symbolOf[CLASS_OF[outcomeOf(code)]].get(storedPlies(code))!;
    },
  };
}

/**
 * Replaces cells by symbols so that there are as few runs of equal ones as can be: a run goes on for as long as one
 * symbol fits all its cells. Returns how many runs there are.
 */
export function settle(cells: Uint16Array): number {
  let runs = 0;
  let start = 0;
  let least = 0;
  let most = 0xffff;
  let before = 0;
  const close = (end: number) => {
    // Several fit where none must stand: that of the run before, if it does.
    const symbol = least <= before && before <= most ? before : least > 0 ? least : most;
    cells.fill(symbol, start, end);
    if (symbol !== before || runs === 0) runs++;
    before = symbol;
  };
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    const low = cell < ANY_UP_TO ? cell : 0;
    const high = cell < ANY_UP_TO ? cell : cell - ANY_UP_TO;
    if (low > most || high < least) {
      close(i);
      start = i;
      least = low;
      most = high;
    } else {
      if (low > least) least = low;
      if (high < most) most = high;
    }
  }
  if (cells.length > 0) close(cells.length);
  return runs;
}
