/**
 * Positions of a table, counted as the published statistics of Syzygy's tables count them. They count boards up to
 * the symmetries of the board, like men told apart, without en-passant rights. So a canonical position counts once
 * for each way to tell its like men apart. Only where a mirror image exchanges like men are two of these ways the
 * same. Boards wholly on a diagonal are their own mirror images man by man.
 */
import { newCounters } from '../../operators/core/counters.js';
import type { Store } from '../../operators/storage/store.js';
import type { Address, Colour } from '../../pipeline/game/game.js';
import { brokenIn, RULE_PLIES, type ValueColumn } from '../../pipeline/game/value.js';
import { sideOf, viewsOf } from '../../pipeline/game/views.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';

/** Counts one colour to move, in the order and notation of syzygy-statistics.json. */
export interface CountedColour {
  /** Wins, cursed wins, draws, cursed losses, losses. */
  readonly counts: number[];
  /** The greatest number of plies of a win, a cursed win, a cursed loss and a loss; null where there is none. */
  readonly longest: (number | null)[];
  /** 'plies:positions …' */
  readonly won: string;
  readonly lost: string;
}

const LIKE_MEN = [1, 1, 2, 6, 24];

/** Number of ways to tell the like men of an ending apart. */
export function waysOf(ending: string): number {
  let ways = 1;
  for (const side of ending.slice(1).split('K')) {
    for (const letter of new Set(side)) ways *= LIKE_MEN[side.split(letter).length - 1];
  }
  return ways;
}

function onDiagonal(address: Address): boolean {
  const squares = [...chess.board(address).squares.entries()].filter(([, man]) => man !== 0);
  const all = (on: (rank: number, file: number) => boolean) => squares.every(([at]) => on(at >> 3, at & 7));
  return all((rank, file) => rank === file) || all((rank, file) => rank + file === 7);
}

/** Calls `add` with all codes of a side of a table and their weights. */
async function scan(
  table: Table,
  side: 0 | 1,
  ending: string,
  add: (code: number, positions: number) => void,
) {
  const { slice } = table;
  const ways = waysOf(ending);
  // No man stands on the axis of the only mirror that pawns leave.
  const mayExchange = ways > 1 && !ending.includes('P');
  for await (const batch of table.values(side, 0, slice.parts)) {
    const codes = batch.columns[0] as ValueColumn;
    const broken = brokenIn(codes);
    const sizes = new Uint8Array(batch.length);
    const keys = Uint32Array.from({ length: batch.length }, (_, i) => batch.first + i);
    slice.orbitSizes(batch.major, keys, batch.length, sizes);
    for (let i = 0; i < batch.length; i++) {
      if (codes[i] === broken || sizes[i] === 0) continue;
      const address = { slice: slice.name, side, part: batch.major, key: batch.first + i };
      add(codes[i], !mayExchange || sizes[i] === 8 || onDiagonal(address) ? ways : ways / 2);
    }
  }
}

/** Under `dtc`, the counts are those of plies to a conversion: without pawns they are the published ones, cursed or not. */
export async function countAsSyzygy(
  store: Store,
  name: string,
  metric: 'dtz' | 'dtc' = 'dtz',
): Promise<Record<Colour, CountedColour>> {
  const ending = chess.ending(name);
  const byCode = { white: new Map<number, number>(), black: new Map<number, number>() };
  for (const { slice, flipped } of viewsOf(chess, ending)) {
    const table = await needTable(store, chess, metric, slice, newCounters());
    for (const colour of chess.colours) {
      const sums = new Float64Array(1 << 16);
      const zero = 1 << 15;
      await scan(table, sideOf(chess, colour, flipped), name, (code, positions) => {
        sums[code + zero] += positions;
      });
      const map = byCode[colour];
      for (const [i, sum] of sums.entries()) {
        if (sum > 0) map.set(i - zero, (map.get(i - zero) ?? 0) + sum);
      }
    }
  }
  return { white: describe(byCode.white), black: describe(byCode.black) };
}

function describe(byCode: ReadonlyMap<number, number>): CountedColour {
  const won = [...byCode].filter(([code]) => code > 0);
  const lost = [...byCode]
    .filter(([code]) => code < 0)
    .map(([code, n]) => [-code - 1, n] as [number, number]);
  const sum = (pairs: [number, number][]) => pairs.reduce((total, [, n]) => total + n, 0);
  const most = (pairs: [number, number][]) =>
    pairs.length ? Math.max(...pairs.map(([plies]) => plies)) : null;
  const parts = [won, lost].map((pairs) => ({
    inTime: pairs.filter(([plies]) => plies <= RULE_PLIES),
    cursed: pairs.filter(([plies]) => plies > RULE_PLIES),
    text: pairs
      .sort(([a], [b]) => a - b)
      .map((pair) => pair.join(':'))
      .join(' '),
  }));
  const [wins, losses] = parts as [(typeof parts)[0], (typeof parts)[0]];
  return {
    counts: [sum(wins.inTime), sum(wins.cursed), byCode.get(0) ?? 0, sum(losses.cursed), sum(losses.inTime)],
    longest: [most(wins.inTime), most(wins.cursed), most(losses.cursed), most(losses.inTime)],
    won: wins.text,
    lost: losses.text,
  };
}
