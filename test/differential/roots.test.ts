/** Tables of roots beside a naive solver, which knows the rules alone and holds all positions that can be reached in memory. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric, ValueColumn } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { formatFen, parseManyMen } from '../../pipeline/games/chess/fen.js';
import { nameOfRoot, type RootOptions, rootOf } from '../../pipeline/games/chess/root.js';
import { rootGame } from '../../pipeline/games/chess/root-game.js';
import { readNever } from '../../pipeline/games/chess/root-never.js';
import { BOUNDS, type Bound, slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../pipeline/games/chess/root-structures.js';
import {
  type ChessBoard,
  type CoordinateMove,
  inCheck,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';
import { needTable } from '../../pipeline/tables/table.js';
import { randomNumbers } from '../pipeline/games/chess/kernel-rows.js';
import { ifNotLongest, LONGEST, sweep } from '../support/long.js';
import { randomPositions } from '../support/random-positions.js';
import { leafFilesOf3, makeLeavesOf, withLeaves } from '../support/root-leaves.js';
import { MiB, solveGame } from '../support/solving.js';
import { squaresText } from '../support/squares-text.js';

/** Where solving stops. */
function isUnknown({ squares }: ChessBoard, { stopAt = 0, mostPieces }: RootOptions): boolean {
  let men = 0;
  let pieces = 0;
  for (const man of squares) {
    if (man !== 0) men++;
    if (Math.abs(man) > 1 && Math.abs(man) !== PAWN) pieces++;
  }
  return men <= stopAt || pieces > (mostPieces ?? 64);
}

/** Whether a promotion is forbidden, or the restriction of one side forbids a move. */
function isNever(
  { squares, side, passant }: ChessBoard,
  move: CoordinateMove,
  { never, promotions }: RootOptions,
): boolean {
  if (move.promotion !== undefined && promotions?.includes(LETTERS[Math.abs(move.promotion)]) === false)
    return true;
  if (never == null || never.side !== side) return false;
  const man = Math.abs(squares[move.from]);
  const captures = squares[move.to] !== 0 || (man === PAWN && move.to === passant);
  return (
    never.from.includes(move.from) ||
    never.to.includes(move.to) ||
    (captures &&
      never.takes.some((take) => take.square === move.to && ['A', LETTERS[man]].includes(take.man)))
  );
}

interface Reached {
  readonly boards: ChessBoard[];
  /** By position: the numbers of those that moves lead to; those below 0 are where solving stops: {@link UNKNOWN}, or {@link stopped}. */
  readonly next: number[][];
}

const UNKNOWN = -1;
/** The number of a position whose value is known: a win for the side to move there 1, a loss -1. */
const stopped = (code: number) => -3 - code;
/** Behind a move that is forbidden: the side to move there has won. */
const FORBIDDEN = stopped(1);

/** @param codeOf the value of a position at which solving stops; null if it is unknown. */
function reach(
  fen: string,
  options: RootOptions,
  codeOf: (board: ChessBoard) => number | null = () => null,
): Reached {
  const numbers = new Map<string, number>();
  const reached: Reached = { boards: [], next: [] };
  const numberOf = (board: ChessBoard): number => {
    if (isUnknown(board, options)) {
      const code = codeOf(board);
      return code === null ? UNKNOWN : stopped(code);
    }
    const { counters: _, ...plain } = board;
    const text = `${squaresText(plain.squares)} ${plain.side} ${plain.passant ?? ''}`;
    let number = numbers.get(text);
    if (number === undefined) {
      numbers.set(text, (number = reached.boards.length));
      reached.boards.push(plain);
    }
    return number;
  };
  numberOf(parseManyMen(fen));
  for (let i = 0; i < reached.boards.length; i++)
    reached.next.push(
      legalMoves(reached.boards[i]).map((move) =>
        isNever(reached.boards[i], move, options) ? FORBIDDEN : numberOf(play(reached.boards[i], move)),
      ),
    );
  return reached;
}

/** Plies to mate as tables have them: of a win its plies, of a loss -1 less its plies. The unknown is over at once. */
function codesOf({ boards, next }: Reached, bound: Bound): Int16Array {
  const codes = new Int16Array(boards.length);
  const winner = bound === 'hi' ? 0 : 1;
  boards.forEach(({ squares, side }, i) => {
    if (next[i].length === 0 && inCheck(squares, side)) codes[i] = -1;
  });
  const codeAfter = (from: number, to: number) =>
    to >= 0 ? codes[to] : to === FORBIDDEN || boards[from].side !== winner ? 1 : -1;
  for (let ply = 1, last = 1; ply <= last + 2; ply++) {
    for (let i = 0; i < boards.length; i++) {
      if (codes[i] !== 0 || next[i].length === 0) continue;
      let isWon = false;
      let isLost = true;
      let longest = 0;
      for (const to of next[i]) {
        const code = codeAfter(i, to);
        if (code === -ply) isWon = true;
        if (code <= 0) isLost = false;
        longest = Math.max(longest, code);
      }
      if (isWon) codes[i] = ply;
      else if (isLost && longest === ply - 1) codes[i] = -ply - 1;
      else continue;
      last = ply;
    }
  }
  return codes;
}

/** Wins 1 and losses -1 of the side to move. */
function outcomesOf({ boards, next }: Reached, bound: Bound): Int8Array {
  const codes = new Int8Array(boards.length);
  const winner = bound === 'hi' ? 0 : 1;
  boards.forEach(({ squares, side }, i) => {
    if (next[i].length === 0 && inCheck(squares, side)) codes[i] = -1;
  });
  const codeAfter = (from: number, to: number) => {
    if (to >= 0) return codes[to];
    if (to === FORBIDDEN) return 1;
    return to === UNKNOWN ? (boards[from].side === winner ? -1 : 1) : -3 - to;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < boards.length; i++) {
      if (codes[i] !== 0 || next[i].length === 0) continue;
      const after = next[i].map((to) => codeAfter(i, to));
      codes[i] = after.includes(-1) ? 1 : after.every((code) => code > 0) ? -1 : 0;
      changed ||= codes[i] !== 0;
    }
  }
  return codes;
}

/** The codes of tables, by slice and side. */
async function tablesOf(store: Store, slices: readonly string[], metric: Metric) {
  const known = new Map<string, Int16Array>();
  for (const name of slices) {
    const table = await needTable(store, chess as Game, metric, name);
    for (const side of [0, 1] as const) {
      const codes = new Int16Array(table.slice.size);
      for await (const { major, first, columns } of table.values(side, 0, table.slice.parts))
        codes.set(columns[0] as ValueColumn, major * table.slice.width + first);
      known.set(`${name} ${side}`, codes);
    }
  }
  return known;
}

/** The positions whose values in tables are others than those of the naive solver. */
function differences(
  { boards }: Reached,
  known: ReadonlyMap<string, Int16Array>,
  game: Pick<Game<ChessBoard>, 'locate'>,
  values: ArrayLike<number>,
): unknown[] {
  return boards.flatMap((board, i) => {
    const { slice, side, part, key } = game.locate(board);
    const found = known.get(`${slice} ${side}`)?.[part * chess.slice(slice).width + key];
    return found === values[i] ? [] : [[formatFen(board), slice, found, values[i]]];
  });
}

type Case = readonly [what: string, fen: string, options: RootOptions];

describe('tables of a root are those of a naive solver', () => {
  it.each(
    sweep<Case>(
      [
        [
          'half of the study of Lasker and Reichhelm',
          '8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1',
          { stopAt: 6, mostPieces: 0 },
        ],
        ['two locked pairs', '8/8/8/p1k4p/P6P/2K5/8/8 w - - 0 1', { stopAt: 5, mostPieces: 0 }],
        [
          'promotions to knights and bishops alone',
          '8/4P3/8/1k6/8/1K6/8/8 w - - 0 1',
          { stopAt: 2, mostPieces: 0, promotions: 'BN' },
        ],
        [
          'a king that keeps away from squares',
          '8/8/2k5/p2p4/P2P4/2K5/8/8 w - - 0 1',
          { stopAt: 5, mostPieces: 0, never: readNever('wfc2tb4te3xKd5') },
        ],
      ],
      [
        ['en passant', '8/5p2/4p3/4P3/8/1k2K3/8/8 b - - 0 1', { stopAt: 4, mostPieces: 0 }],
        ['ten men', '8/2k5/1p1p1p2/1P1P1P2/7p/7P/3K4/8 w - - 0 1', { stopAt: 9, mostPieces: 0 }],
      ],
      [
        ['two pawns that both advance', '8/5p2/4k3/4P3/8/4K3/8/8 b - - 0 1', { stopAt: 3, mostPieces: 0 }],
        ['pawns that take each other', '8/8/1k6/2p1p3/3P4/8/2K5/8 b - - 0 1', { stopAt: 3, mostPieces: 0 }],
        [
          'a pawn that stays, and a side that does not take en passant',
          '8/5p2/4k3/4P3/2p5/4K3/3P4/8 b - - 0 1',
          { stopAt: 4, mostPieces: 0, never: readNever('bff7xPd3xKe5') },
        ],
        [
          'the study of Lasker and Reichhelm',
          '8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1',
          { stopAt: 7, mostPieces: 0 },
        ],
        [
          'half of it, with two captures',
          '8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1',
          { stopAt: 5, mostPieces: 0 },
        ],
        ['a bishop', '8/8/2k1p3/4P3/8/2B2K2/8/8 w - - 0 1', { stopAt: 4, mostPieces: 1 }],
        ['a knight against pawns', '8/8/2k1p3/4P1n1/6P1/5K2/8/8 w - - 0 1', { stopAt: 5, mostPieces: 1 }],
        ['locked and free', '8/8/1p1k4/1P6/5p2/3K1P2/6P1/8 w - - 0 1', { stopAt: 6, mostPieces: 0 }],
        ['a chain', '8/8/2p1k3/1pP5/1P1p4/3P1K2/8/8 b - - 0 1', { stopAt: 6, mostPieces: 0 }],
      ],
    ),
  )(
    '%s',
    async (_, fen, options) => {
      const { reached, values } = await agree(fen, options);
      expect(reached.boards.length).toBeGreaterThan(1000);
      expect(values[0].some((code, i) => code !== values[1][i])).toBe(true);
    },
    900_000,
  );

  it.skipIf(!LONGEST).each(LONGEST ? randomCases(30) : [])(
    `%s${ifNotLongest}`,
    async (_, fen, options) => {
      await agree(fen, options);
    },
    900_000,
  );
});

/** Holds all positions that can be reached against the naive solver. */
async function agree(fen: string, options: RootOptions): Promise<{ reached: Reached; values: Int16Array[] }> {
  const root = rootOf(parseManyMen(fen), options);
  const name = nameOfRoot(root);
  const slices = slicesOfRoot(name, structuresOf(root));
  const { store } = await solveGame(chess, slices, {
    metric: 'dtm',
    verify: true,
    budget: { memory: 64 * MiB, fanIn: 16, batchRows: 65536 },
  });
  const known = await tablesOf(store, slices, 'dtm');
  const reached = reach(fen, options);
  const values = BOUNDS.map((bound) => codesOf(reached, bound));
  for (const [b, bound] of BOUNDS.entries()) {
    const wrong = differences(reached, known, rootGame(name, bound), values[b]);
    expect(wrong.slice(0, 3)).toEqual([]);
  }
  return { reached, values };
}

/** Kings and two or three pawns, with limits, promotions and moves that are left out at random, and few pawn structures. */
function randomCases(count: number): Case[] {
  const next = randomNumbers(5);
  const one = <T>(all: readonly T[]): T => all[next() % all.length];
  const square = () => `${one([...'abcdefgh'])}${one([1, 2, 3, 4, 5, 6, 7, 8])}`;
  const cases: Case[] = [];
  while (cases.length < count) {
    const [board] = randomPositions(one(['KPKP', 'KPPK', 'KPPKP']), 1, { seed: next(), close: 0 });
    const left = `${one(['w', 'b'])}f${square()}t${square()}xA${square()}`;
    const options = {
      stopAt: one([2, 3, 4]),
      mostPieces: 0,
      promotions: one(['QRBN', 'QRBN', 'Q', 'QN', 'RB']),
      never: one([null, readNever(left)]),
    };
    const { shapes, sourceOf } = structuresOf(rootOf(board, options));
    const all = [...shapes.values()].map((each) => ({ ...each, source: sourceOf(each.shape) }));
    const solved = all.filter(({ source }) => source === 'solved');
    const found = solved.reduce((sum, { structures }) => sum + structures.length, 0);
    if (found === 0 || found > 60 || all.some(({ source }) => source === 'ending')) continue;
    // Where a structure and its mirror image are reached, more is forbidden than the naive solver leaves out.
    const hasTwo = (set: bigint) => (set & (set - 1n)) !== 0n;
    if (all.some(({ forbidden }) => forbidden?.some(({ from }) => hasTwo(from)))) continue;
    cases.push([`${formatFen(board)} ${JSON.stringify(options)}`, formatFen(board), options]);
  }
  return cases;
}

it.each(
  sweep<Case>(
    [],
    [
      ['a locked pair', '8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1', { stopAt: 3, mostPieces: 0 }],
      // Black's pawn goes no farther, so that there are few structures.
      [
        'en passant',
        '8/5p2/4k3/4P3/8/4K3/8/8 b - - 0 1',
        { stopAt: 3, mostPieces: 0, never: readNever('bff5ff6') },
      ],
    ],
    [
      ['en passant', '8/5p2/4k3/4P3/8/4K3/8/8 b - - 0 1', { stopAt: 3, mostPieces: 0 }],
      ['a pawn takes', '8/8/1k6/2p5/3P4/8/2K5/8 b - - 0 1', { stopAt: 3, mostPieces: 0 }],
      ['a bishop', '8/8/8/1k6/5p2/8/2B2K2/8 w - - 0 1', { stopAt: 3, mostPieces: 1 }],
    ],
  ),
)(
  'positions that are looked up in Syzygy files count as a naive solver has them: %s',
  async (_, fen, options) => {
    const files = await leafFilesOf3();
    const root = await withLeaves(rootOf(parseManyMen(fen), options), files);
    const name = nameOfRoot(root);
    const slices = slicesOfRoot(name, structuresOf(root));
    const { store } = await solveGame(chess, ['KQK', 'KRK', ...chess.ending('KPK').slices], {
      metric: 'wdl',
    });
    expect(await makeLeavesOf(store, 'wdl', files, slices)).toBeGreaterThan(0);
    await solveGame(chess, slices, { metric: 'wdl', verify: true, store });
    const known = await tablesOf(store, slices, 'wdl');
    const stops = await tablesOf(store, ['KQK', 'KRK', ...chess.ending('KPK').slices], 'wdl');
    let lookedUp = 0;
    const reached = reach(fen, options, (board) => {
      if (board.squares.filter((man) => man !== 0).length > 3) return null;
      lookedUp++;
      const { slice, side, part, key } = chess.locate(board);
      return stops.get(`${slice} ${side}`)?.[part * chess.slice(slice).width + key] ?? 0;
    });
    for (const bound of BOUNDS) {
      const wrong = differences(reached, known, rootGame(name, bound), outcomesOf(reached, bound));
      expect(wrong.slice(0, 3)).toEqual([]);
    }
    expect(lookedUp).toBeGreaterThan(100);
  },
  900_000,
);

/** Studies whose results are known. In the first, White must make a rook: a queen leaves Black a stalemate. */
it.skipIf(!LONGEST).each([
  ['8/8/8/KP6/1p6/1k3p2/5P2/8 b - - 0 1', 'QR', -1],
  ['8/8/K7/1P6/1p6/1k3p2/5P2/8 b - - 0 1', 'Q', 1],
] as const)(
  `%s, with pawns that become %s${ifNotLongest}`,
  async (fen, promotions, outcome) => {
    const board = parseManyMen(fen);
    const root = rootOf(board, { promotions });
    const name = nameOfRoot(root);
    const { store } = await solveGame(chess, slicesOfRoot(name, structuresOf(root)), { metric: 'wdl' });
    const { slice, side, part, key } = rootGame(name, 'hi').locate(board);
    const table = await needTable(store, chess as Game, 'wdl', slice);
    const { first, columns } = await table.block(side, part, key);
    expect(Math.sign((columns[0] as ValueColumn)[key - first])).toBe(outcome);
  },
  7_200_000,
);
