/** Tables of roots beside the tables of their endings, which are solved by ranks: exact values are the same, and bounds enclose them. */
import { expect, it } from 'vitest';
import { RecentCache } from '../../operators/core/recent-cache.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { brokenCode, type Metric, preference, type ValueColumn } from '../../pipeline/game/value.js';
import { chess, locateIn } from '../../pipeline/games/chess/chess.js';
import { formatFen } from '../../pipeline/games/chess/fen.js';
import { type Space, spaceOf } from '../../pipeline/games/chess/index-space.js';
import { nameOfRoot, type Root, type RootOptions, rootOf } from '../../pipeline/games/chess/root.js';
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../pipeline/games/chess/root-structures.js';
import { type ChessBoard, exchangeColours, PAWN } from '../../pipeline/games/chess/rules.js';
import { sliceOf } from '../../pipeline/games/chess/shape.js';
import type { LeafFiles } from '../../pipeline/share/publish/leaves.js';
import { needTable } from '../../pipeline/tables/table.js';
import { ifNotLongest, LONGEST, sweep } from '../support/long.js';
import { randomPositions } from '../support/random-positions.js';
import { leafFilesOf3, makeLeavesOf, withLeaves } from '../support/root-leaves.js';
import { solveGame } from '../support/solving.js';

const BROKEN = brokenCode('i16');
/** Bytes of codes that are kept. */
const MOST_KNOWN = 1 << 30;

async function codesOf(store: Store, metric: Metric, slice: string, side: 0 | 1): Promise<Int16Array> {
  const table = await needTable(store, chess as Game, metric, slice);
  const broken = brokenCode(table.manifest.valueType);
  const codes = new Int16Array(table.slice.size);
  for await (const { major, first, length, columns } of table.values(side, 0, table.slice.parts)) {
    const some = columns[0] as ValueColumn;
    const at = major * table.slice.width + first;
    for (let i = 0; i < length; i++) codes[at + i] = some[i] === broken ? BROKEN : some[i];
  }
  return codes;
}

/** What the roots of one ending were found to be, and the values that they were compared with. */
class Compared {
  exact = 0;
  bounded = 0;
  readonly wrong: unknown[] = [];
  /** Codes of endings by slice and side: roots of one ending meet the same ones, which of five men would take all memory. */
  private readonly known = new RecentCache<string, Int16Array>(MOST_KNOWN);

  constructor(
    private readonly store: Store,
    private readonly metric: Metric,
  ) {}

  /** Solves a root. */
  async solve(root: Root, files?: LeafFiles): Promise<void> {
    const { store, metric } = this;
    const slices = slicesOfRoot(nameOfRoot(root), structuresOf(root));
    if (files !== undefined) expect(await makeLeavesOf(store, metric, files, slices)).toBeGreaterThan(0);
    await solveGame(chess, slices, { metric, store, verify: true });
  }

  /**
   * Holds the positions of a root's slices against the tables of their endings, which the store has. @param same a root with the same
   * positions, whose values must be exact.
   */
  async compare(root: Root, same: Root | null = null): Promise<void> {
    const { store, metric } = this;
    const name = nameOfRoot(root);
    for (const slice of slicesOfRoot(name, structuresOf(root))) {
      if (slice.endsWith('.lo')) continue;
      for (const side of [0, 1] as const) {
        const hi = await codesOf(store, metric, slice, side);
        const lo = slice.endsWith('.hi')
          ? await codesOf(store, metric, slice.replace(/hi$/, 'lo'), side)
          : hi;
        const sure =
          same === null
            ? null
            : await codesOf(store, metric, slice.replace(name, nameOfRoot(same)).replace(/\.hi$/, ''), side);
        await this.hold(slice, side, { hi, lo, sure });
      }
    }
  }

  private async hold(
    slice: string,
    side: Side,
    { hi, lo, sure }: { readonly hi: Int16Array; readonly lo: Int16Array; readonly sure: Int16Array | null },
  ): Promise<void> {
    // More is better for White.
    const worth = (code: number) => (side === 0 ? preference(code) : -preference(code));
    const { width } = chess.slice(slice);
    const endings = new Map<number, Ending>();
    for (let i = 0; i < hi.length; i++) {
      if (hi[i] === BROKEN) continue;
      const board = chess.board({ slice, side, part: Math.floor(i / width), key: i % width });
      const pawns = pawnsOn(board);
      let ending = endings.get(pawns);
      if (ending === undefined) endings.set(pawns, (ending = await this.endingOf(board)));
      const { space, codes } = ending;
      const there = locateIn(space, ending.side === side ? board : exchangeColours(board));
      const code = codes[there.part * ending.width + there.key];
      if (hi[i] === lo[i]) this.exact++;
      else this.bounded++;
      if (worth(code) > worth(hi[i]) || worth(code) < worth(lo[i]) || (sure !== null && sure[i] !== code))
        this.wrong.push([slice, formatFen(board), lo[i], code, hi[i], sure?.[i]]);
    }
  }

  /** Where positions with the men and pawns of a board are in the table of their ending. */
  private async endingOf(board: ChessBoard): Promise<Ending> {
    const { slice, side } = chess.locate(board);
    const key = `${slice} ${side}`;
    let codes = this.known.get(key);
    if (codes === undefined) {
      codes = await codesOf(this.store, this.metric, slice, side);
      this.known.set(key, codes, codes.byteLength);
    }
    return { space: spaceOf(slice), side, width: chess.slice(slice).width, codes };
  }
}

interface Ending {
  readonly space: Space;
  readonly side: Side;
  readonly width: number;
  readonly codes: Int16Array;
}

/** A number that differs with the squares of up to four pawns, and with the right to capture en passant. */
function pawnsOn({ squares, passant }: ChessBoard): number {
  let pawns = passant === undefined ? 1 : 2;
  for (let square = 8; square < 56; square++)
    if (Math.abs(squares[square]) === PAWN) pawns = pawns * 128 + square * 2 + Number(squares[square] > 0);
  return pawns;
}

/** Positions whose tables by ranks take little: pawns are about to promote. */
const isSmall = ({ squares }: ChessBoard) =>
  [...squares.entries()].every(
    ([square, man]) => Math.abs(man) !== PAWN || (man > 0 ? square >> 3 >= 5 : square >> 3 <= 2),
  );

/** Endings, and the men at which solving stops. To solve the tables by ranks takes most of the time. */
const ENDINGS = sweep<readonly [string, number]>(
  [],
  [['KPK', 2]],
  ['KPKP', 'KPPK', 'KRPK', 'KBPK', 'KNPK', 'KQPK', 'KPPKP', 'KNPKP'].map((ending) => [ending, 3] as const),
);
type Drawn = readonly [positions: number, isDrawn: (board: ChessBoard) => boolean, options: RootOptions];
/**
 * Positions of an ending, and how their roots are solved: with more than one piece they take tens of seconds each, with five men minutes. By
 * ranks the whole of an ending of five men with pawns would not fit the memory.
 */
const drawnOf = (ending: string) =>
  sweep<Drawn>(
    [[ending.length <= 4 ? 2 : 0, isSmall, {}]],
    [],
    [
      [ending.length <= 4 ? 30 : 4, isSmall, { mostPieces: 1 }],
      [ending.length <= 4 ? 2 : 0, () => true, { mostPieces: 1 }],
    ],
  );

it.each(ENDINGS)(
  '%s, stopped at %i men',
  async (ending, stopAt) => {
    const store = memoryStore();
    const metric = 'dtm';
    const boards = randomPositions(ending, LONGEST ? 4000 : 400, { seed: 7, close: 0 });
    const drawn = drawnOf(ending).flatMap(([positions, isDrawn, options]) => {
      // No position twice.
      const found = boards.filter(isDrawn).slice(0, positions);
      for (const board of found) boards.splice(boards.indexOf(board), 1);
      return found.map((board) => [board, options] as const);
    });
    const found = new Compared(store, metric);
    for (const [board, options] of drawn) {
      const root = rootOf(board, { stopAt, ...options });
      const { shapes, stops, sourceOf } = structuresOf(root);
      const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
      const endings = solved.map(({ shape }) => sliceOf(shape).slice);
      await solveGame(chess, endings, { metric, store });
      const allKnown = { ...root, known: 2n ** BigInt(stops.length) - 1n };
      await found.solve(root);
      await found.solve(allKnown);
      await found.compare(root, allKnown);
    }
    expect(found.wrong.slice(0, 3)).toEqual([]);
    expect(found.exact).toBeGreaterThan(1000);
    expect(found.bounded).toBeGreaterThan(0);
  },
  3_600_000,
);

/** Of the endings at which solving stops, those of three men are looked up in Syzygy files. */
const LOOKED_UP = sweep<readonly [string, Metric, RootOptions]>(
  [],
  (['wdl', 'dtz'] as const).map((metric) => ['KPK', metric, { mostPieces: 0 }] as const),
  (['dtc', 'wdl', 'dtz'] as const).flatMap((metric) => [
    ...(metric === 'dtc' ? [['KPK', metric, { mostPieces: 0 }] as const] : []),
    ['KPPK', metric, { stopAt: 3, mostPieces: 1 }] as const,
    ['KPKP', metric, { stopAt: 3 }] as const,
  ]),
);

it.each(LOOKED_UP)(
  '%s under %s, with positions looked up in Syzygy files: %j',
  async (ending, metric, options) => {
    const store = memoryStore();
    const files = await leafFilesOf3();
    const found = new Compared(store, metric);
    for (const board of randomPositions(ending, 400, { seed: 7, close: 0 })
      .filter(isSmall)
      .slice(0, LONGEST ? 2 : 1)) {
      const root = await withLeaves(rootOf(board, options), files);
      const { shapes, sourceOf } = structuresOf(root);
      const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
      await solveGame(
        chess,
        solved.map(({ shape }) => sliceOf(shape).slice),
        { metric, store },
      );
      await found.solve(root, files);
      await found.compare(root);
    }
    expect(found.wrong.slice(0, 3)).toEqual([]);
    expect(found.exact).toBeGreaterThan(1000);
  },
  1_800_000,
);

it.skipIf(!LONGEST)(
  `KPPKPP with two pairs of pawns that face each other${ifNotLongest}`,
  async () => {
    const store = memoryStore();
    const facing = ({ squares }: ChessBoard) =>
      [...squares.entries()].filter(([square, man]) => man === PAWN && squares[square + 8] === -PAWN)
        .length === 2;
    const found = new Compared(store, 'wdl');
    const boards = randomPositions('KPPKPP', 60_000, { seed: 3, close: 0 }).filter(facing);
    for (const board of boards.slice(0, 20)) {
      const root = rootOf(board, { stopAt: 5, mostPieces: 0 });
      const { shapes, sourceOf } = structuresOf(root);
      const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
      await solveGame(
        chess,
        solved.map(({ shape }) => sliceOf(shape).slice),
        { metric: 'wdl', store },
      );
      await found.solve(root);
      await found.compare(root);
    }
    expect(found.wrong.slice(0, 3)).toEqual([]);
    expect(found.bounded).toBeGreaterThan(1000);
  },
  7_200_000,
);
