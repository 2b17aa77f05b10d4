/**
 * Helpmates and selfmates from a position beside a naive solver with rules of its own (test/oracle/problems.ts). It holds all positions that can be
 * reached in memory: from every placement of the kings and pieces with the pawns of the root.
 */
import { expect, it } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { type Metric, pliesOfCode, type ValueColumn } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { nameOfRoot, type Root, type RootOptions, rootOf } from '../../pipeline/games/chess/root.js';
import { rootGame } from '../../pipeline/games/chess/root-game.js';
import { BOUNDS, type Bound, slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../pipeline/games/chess/root-structures.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { needTable } from '../../pipeline/tables/table.js';
import {
  eachMove,
  fenOf,
  isInCheck,
  type ProblemBoard,
  type ProblemValue,
  SolvedBefore,
  type Stipulation,
  solveProblems,
} from '../oracle/problems.js';
import { sweep } from '../support/long.js';
import { MiB, solveGame } from '../support/solving.js';
import { squaresText } from '../support/squares-text.js';

const LETTERS = ' KQRBNP';
const PAWN = 6;
const MOST = 255;

interface Material {
  readonly men: number;
  readonly pieces: number;
  readonly ending: string;
}

/** What boards with these men have in common, by how many there are of each kind. */
const materials = new Map<number, Material>();

function materialOf(squares: Int8Array): Material {
  let counts = 0;
  // No side has more than ten men of a kind.
  for (let square = 0; square < 64; square++)
    if (squares[square] !== 0) counts += 11 ** (squares[square] + PAWN);
  let found = materials.get(counts);
  if (found === undefined) materials.set(counts, (found = namesOf(squares)));
  return found;
}

/** Men by letters, White's as they are and Black's negative. */
function namesOf(squares: Int8Array): Material {
  const sorted = [...squares].filter((man) => man !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const half = (own: number) =>
    sorted
      .filter((man) => man * own > 0)
      .map((man) => LETTERS[man * own])
      .join('');
  const pieces = sorted.filter((man) => Math.abs(man) > 1 && Math.abs(man) < PAWN).length;
  return { men: sorted.length, pieces, ending: `${half(1)}v${half(-1)}` };
}

/** All legal placements of the kings and pieces, where pawns stand as in a position. */
function* placements(squares: Int8Array): Generator<ProblemBoard> {
  const men = [...squares].filter((man) => man !== 0 && Math.abs(man) !== PAWN);
  const bare = squares.map((man) => (Math.abs(man) === PAWN ? man : 0));
  function* put(i: number): Generator<ProblemBoard> {
    if (i === men.length) {
      for (const side of [0, 1] as const)
        if (!isInCheck(bare, side === 0 ? 1 : 0)) yield { squares: bare.slice(), side, passant: -1 };
      return;
    }
    for (let square = 0; square < 64; square++) {
      if (bare[square] !== 0) continue;
      bare[square] = men[i];
      yield* put(i + 1);
      bare[square] = 0;
    }
  }
  yield* put(0);
}

/** A position without a table: its two values are those of the bounds. */
type Leaf = ProblemValue | null | 'unknown';

/** Endings without pawns, which positions of several roots lead to. */
const endings = new SolvedBefore();

class Reached {
  readonly boards: ProblemBoard[] = [];
  /** The same as the product reads them. */
  readonly read: ChessBoard[] = [];
  /** By position: the numbers of those that moves lead to; -1 - i is the i-th leaf. */
  readonly next: number[][] = [];
  readonly leaves: Leaf[] = ['unknown'];
  private readonly numbers = new Map<string, number>();

  /** @param stipulation matters to the values of leaves that have any. */
  constructor(
    readonly root: Root,
    readonly stipulation: Stipulation,
    from: Int8Array,
  ) {
    for (const board of placements(from)) this.numberOf(board);
    for (let i = 0; i < this.boards.length; i++) {
      const board = this.boards[i];
      const before = board.squares.slice();
      const next: number[] = [];
      eachMove(board, (after, _, from, to) => {
        const [man, became] = [Math.abs(before[from]), Math.abs(after.squares[to])];
        if (man === became || root.promotions.includes(LETTERS[became])) next.push(this.numberOf(after));
      });
      this.next.push(next);
    }
  }

  private numberOf({ squares, side, passant }: ProblemBoard): number {
    const { men, pieces, ending } = materialOf(squares);
    const isStop = men <= this.root.stopAt || pieces > (this.root.mostPieces ?? 64);
    if (isStop && this.root.known === 0n) return -1;
    if (isStop || !ending.includes('P')) {
      const { value } = solveProblems(ending, this.stipulation, endings);
      return -this.leaves.push(value({ squares, side, passant }));
    }
    const text = `${squaresText(squares)} ${side} ${passant}`;
    let number = this.numbers.get(text);
    if (number === undefined) {
      this.numbers.set(text, (number = this.boards.length));
      const board: ProblemBoard = { squares: squares.slice(), side, passant };
      this.boards.push(board);
      this.read.push(parseManyMen(fenOf(board)));
    }
    return number;
  }
}

/** The last positions that were listed: roots without known leaves have the same ones under every stipulation. */
let last: Reached | null = null;

function reachedFrom(root: Root, stipulation: Stipulation, from: Int8Array): Reached {
  const isSame =
    last !== null &&
    nameOfRoot(last.root) === nameOfRoot(root) &&
    (last.stipulation === stipulation || last.leaves.length === 1);
  return isSame ? last! : (last = new Reached(root, stipulation, from));
}

/** Plies, -1 where there is no solution, and numbers: of solutions, or of White's best moves. */
function solved({ boards, next, leaves }: Reached, stipulation: Stipulation, bound: Bound) {
  const isHelp = stipulation.startsWith('help');
  const goalSide = isHelp ? 1 : 0;
  const plies = new Int16Array(boards.length).fill(-1);
  const numbers = new Uint8Array(boards.length);
  boards.forEach(({ squares, side }, i) => {
    if (next[i].length > 0 || side !== goalSide) return;
    if (isInCheck(squares, side) === stipulation.endsWith('stalemate')) return;
    plies[i] = 0;
    numbers[i] = 1;
  });
  const noSolution = { plies: -1, number: 0 };
  /** The value of a leaf behind position i. */
  const valueOfLeaf = (i: number, leaf: Leaf): ProblemValue => {
    if (leaf === null) return noSolution;
    if (leaf !== 'unknown') return leaf;
    return bound === 'lo' ? noSolution : { plies: boards[i].side === goalSide ? 1 : 0, number: 1 };
  };
  const longest = Math.max(...leaves.map((leaf) => (leaf === 'unknown' ? 1 : (leaf?.plies ?? 0))));
  for (let ply = 1, last = 0; ply <= Math.max(last, longest) + 1; ply++) {
    for (let i = 0; i < boards.length; i++) {
      if (plies[i] >= 0 || next[i].length === 0) continue;
      let best = 0;
      let sum = 0;
      let isForced = true;
      for (const to of next[i]) {
        const leaf = to >= 0 ? null : valueOfLeaf(i, leaves[-1 - to]);
        const after = leaf?.plies ?? plies[to];
        if (after < 0 || after >= ply) isForced = false;
        if (after !== ply - 1) continue;
        best++;
        sum += leaf?.number ?? numbers[to];
      }
      if (best === 0 || !(isHelp || boards[i].side === 0 || isForced)) continue;
      plies[i] = ply;
      numbers[i] = Math.min(MOST, isHelp ? sum : best);
      last = ply;
    }
  }
  return { plies, numbers };
}

/** The codes and numbers of tables, by slice and side. */
async function tablesOf(store: Store, slices: readonly string[], metric: Metric) {
  const known = new Map<string, { codes: Int16Array; numbers: Uint8Array }>();
  const positions = new Map<string, number>();
  for (const name of slices) {
    const table = await needTable(store, chess as Game, metric, name);
    const opened = openNumbers(store, table);
    for (const side of [0, 1] as const) {
      const codes = new Int16Array(table.slice.size);
      const numbers = new Uint8Array(table.slice.size);
      const { width, parts } = table.slice;
      for await (const { major, first, columns } of table.values(side, 0, parts))
        codes.set(columns[0] as ValueColumn, major * width + first);
      for await (const { major, first, columns } of opened.values(side, 0, parts))
        numbers.set(columns[0] as Uint8Array, major * width + first);
      known.set(`${name} ${side}`, { codes, numbers });
      positions.set(`${name} ${side}`, table.manifest.positions[side]);
    }
  }
  return { known, positions };
}

/** `isKnown`: where solving stops, there are tables. */
type Options = RootOptions & { readonly isKnown?: true };
type Case = readonly [what: string, metric: Stipulation, fen: string, options: Options];

const PAIR = '8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1';
const EN_PASSANT = '8/5p2/4p3/4P3/8/1k2K3/8/8 b - - 0 1';
const PAIRS = '8/8/2k5/p2p4/P2P4/2K5/8/8 w - - 0 1';
const EIGHT = '8/2k5/1p1p1p2/1P1P1P2/8/8/3K4/8 w - - 0 1';
const RACE = '8/P6p/7P/k7/8/8/8/1K6 w - - 0 1';
const SHORT = { stopAt: 5, mostPieces: 0 };

it.each(
  sweep<Case>(
    [['two locked pairs', 'self', PAIRS, SHORT]],
    // Positions are listed once for all stipulations of a root that follow each other.
    [
      ['two locked pairs', 'help', PAIRS, SHORT],
      ['two locked pairs', 'help-stalemate', PAIRS, SHORT],
      ['two locked pairs', 'self-stalemate', PAIRS, SHORT],
      ['en passant', 'help', EN_PASSANT, { stopAt: 4, mostPieces: 0 }],
      ['with queens and knights', 'self', PAIR, { promotions: 'QN' }],
      ['a locked pair, with tables of three men', 'help', PAIR, { stopAt: 3, isKnown: true }],
      ['a pawn that promotes', 'help', RACE, { stopAt: 4, mostPieces: 0 }],
    ],
    [
      ['en passant', 'self', EN_PASSANT, { stopAt: 4, mostPieces: 0 }],
      ['a locked pair, to the end', 'help', PAIR, {}],
      ['en passant', 'help-stalemate', EN_PASSANT, { stopAt: 4, mostPieces: 0 }],
      ['three locked pairs', 'self-stalemate', EIGHT, { stopAt: 7, mostPieces: 0 }],
      ['with rooks and knights', 'help', PAIR, { promotions: 'RN' }],
      ['with queens alone', 'self', PAIR, { promotions: 'Q' }],
      ['with queens alone', 'help', PAIR, { promotions: 'Q' }],
      ['a locked pair, to the end', 'self-stalemate', PAIR, {}],
      ['with knights alone', 'help', PAIR, { promotions: 'N' }],
      ['a locked pair, with tables of three men', 'self', PAIR, { stopAt: 3, isKnown: true }],
      ['three locked pairs', 'help', EIGHT, { stopAt: 6, mostPieces: 0 }],
      ['a bishop', 'help', '8/8/2k1p3/4P3/8/2B2K2/8/8 w - - 0 1', { stopAt: 4, mostPieces: 1 }],
      ['a rook', 'self', '8/8/2k1p3/4P3/8/2r2K2/8/8 w - - 0 1', { stopAt: 4, mostPieces: 1 }],
    ],
  ),
)(
  '%s, %s: %s %j',
  async (_, metric, fen, options) => {
    const board = parseManyMen(fen);
    const { root, store: ends } = await rootWith(board, options, metric);
    const name = nameOfRoot(root);
    const slices = slicesOfRoot(name, structuresOf(root));
    const { store } = await solveGame(chess.sided!, slices, {
      metric,
      verify: true,
      store: ends,
      budget: { memory: 64 * MiB, fanIn: 16, batchRows: 65536 },
    });
    const tables = await tablesOf(store, slices, metric);
    const reached = reachedFrom(root, metric, board.squares);
    const lo = solved(reached, metric, 'lo');
    // The two differ by what is unknown alone.
    const hi = reached.next.some((all) => all.includes(-1)) ? solved(reached, metric, 'hi') : lo;
    const values = BOUNDS.map((bound) => (bound === 'hi' ? hi : lo));
    for (const [b, bound] of BOUNDS.entries()) {
      const game = rootGame(name, bound);
      const wrong: unknown[] = [];
      const seen = new Map<string, Set<number>>();
      reached.boards.forEach((each, i) => {
        const { slice, side, part, key } = game.locate(reached.read[i]);
        const at = part * chess.slice(slice).width + key;
        const table = tables.known.get(`${slice} ${side}`)!;
        const code = table.codes[at];
        const isCounted = metric.startsWith('help') || (each.side === 0 && values[b].plies[i] > 0);
        const found = [code === 0 ? -1 : pliesOfCode(code), isCounted ? table.numbers[at] : 0];
        const expected = [values[b].plies[i], isCounted ? values[b].numbers[i] : 0];
        if (found.join() !== expected.join()) wrong.push([fenOf(each), slice, found, expected]);
        if (!seen.has(`${slice} ${side}`)) seen.set(`${slice} ${side}`, new Set());
        seen.get(`${slice} ${side}`)!.add(at);
      });
      expect(wrong.slice(0, 3)).toEqual([]);
      // The root's own slice has these positions and no others.
      for (const side of [0, 1] as const) {
        const own = `${game.locate({ ...board, side }).slice} ${side}`;
        expect(seen.get(own)!.size).toBe(tables.positions.get(own));
      }
    }
    expect(reached.boards.length).toBeGreaterThan(1000);
    // Nobody can be made to mate, or be mated by knights alone, where nothing is unknown.
    const hasUnknown = options.stopAt !== undefined && options.isKnown === undefined;
    if (hasUnknown || (metric.startsWith('help') && options.promotions !== 'N'))
      expect(values[0].plies.some((plies) => plies > 0)).toBe(true);
  },
  1_800_000,
);

/** The root of a position, and a store with the tables of the endings at which it stops, if these are known. */
async function rootWith(board: ChessBoard, { isKnown, ...options }: Options, metric: Metric) {
  const store = memoryStore();
  const root = rootOf(board, { ...options, naming: 'sided' });
  if (isKnown === undefined) return { root, store };
  const { stops } = structuresOf(root);
  const slices = stops.flatMap((ending) => chess.sided!.ending(ending).slices);
  await solveGame(chess.sided!, slices, { metric, store });
  return { root: { ...root, known: 2n ** BigInt(stops.length) - 1n }, store };
}
