/** Tables of roots beside the tables of their endings, which are solved by ranks: exact values are the same, and bounds enclose them. */
import { expect, it } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { brokenCode, type Metric, preference, type ValueColumn } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { formatFen } from '../../pipeline/games/chess/fen.js';
import { nameOfRoot, type Root, type RootOptions, rootOf } from '../../pipeline/games/chess/root.js';
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../pipeline/games/chess/root-structures.js';
import { type ChessBoard, PAWN } from '../../pipeline/games/chess/rules.js';
import { sliceOf } from '../../pipeline/games/chess/shape.js';
import type { LeafFiles } from '../../pipeline/share/publish/leaves.js';
import { needTable } from '../../pipeline/tables/table.js';
import { ifNotLongest, LONGEST, sweep } from '../support/long.js';
import { randomPositions } from '../support/random-positions.js';
import { leafFilesOf3, makeLeavesOf, withLeaves } from '../support/root-leaves.js';
import { solveGame } from '../support/solving.js';

const BROKEN = brokenCode('i16');

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
interface Compared {
  exact: number;
  bounded: number;
  readonly wrong: unknown[];
  /** Codes of endings by slice and side: roots of one ending meet the same ones. */
  readonly known: Map<string, Int16Array>;
}
const nothingYet = (known = new Map<string, Int16Array>()): Compared => ({
  exact: 0,
  bounded: 0,
  wrong: [],
  known,
});

/** Solves a root, and holds the positions of its slices against the tables of their endings, which the store has. */
async function compare(
  store: Store,
  metric: Metric,
  root: Root,
  found: Compared,
  files?: LeafFiles,
): Promise<void> {
  const { known } = found;
  const name = nameOfRoot(root);
  const structures = structuresOf(root);
  const slices = slicesOfRoot(name, structures);
  if (files !== undefined) expect(await makeLeavesOf(store, metric, files, slices)).toBeGreaterThan(0);
  await solveGame(chess, slices, { metric, store, verify: true });
  for (const slice of slices) {
    if (slice.endsWith('.lo')) continue;
    for (const side of [0, 1] as const) {
      const hi = await codesOf(store, metric, slice, side);
      const lo = slice.endsWith('.hi') ? await codesOf(store, metric, slice.replace(/hi$/, 'lo'), side) : hi;
      // More is better for White.
      const worth = (code: number) => (side === 0 ? preference(code) : -preference(code));
      const { width } = chess.slice(slice);
      for (let i = 0; i < hi.length; i++) {
        if (hi[i] === BROKEN) continue;
        const board = chess.board({ slice, side, part: Math.floor(i / width), key: i % width });
        const there = chess.locate(board);
        const key = `${there.slice} ${there.side}`;
        let codes = known.get(key);
        if (codes === undefined)
          known.set(key, (codes = await codesOf(store, metric, there.slice, there.side)));
        const code = codes[there.part * chess.slice(there.slice).width + there.key];
        if (hi[i] === lo[i]) found.exact++;
        else found.bounded++;
        if (worth(code) > worth(hi[i]) || worth(code) < worth(lo[i]))
          found.wrong.push([slice, formatFen(board), lo[i], code, hi[i]]);
      }
    }
  }
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
  ['KPKP', 'KPPK', 'KRPK', 'KBPK', 'KPPKP', 'KNPKP'].map((ending) => [ending, 3] as const),
);
type Drawn = readonly [positions: number, isDrawn: (board: ChessBoard) => boolean, options: RootOptions];
/**
 * Positions of an ending, and how their roots are solved. With more than one piece they take tens of seconds each. By ranks the whole of an
 * ending of five men with pawns would not fit the memory.
 */
const drawnOf = (ending: string) =>
  sweep<Drawn>(
    [[2, isSmall, {}]],
    [],
    [
      [30, isSmall, { mostPieces: 1 }],
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
    const unknown = nothingYet();
    const known = nothingYet(unknown.known);
    for (const [board, options] of drawn) {
      const root = rootOf(board, { stopAt, ...options });
      const { shapes, stops, sourceOf } = structuresOf(root);
      const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
      const endings = solved.map(({ shape }) => sliceOf(shape).slice);
      await solveGame(chess, endings, { metric, store });
      await compare(store, metric, root, unknown);
      await compare(store, metric, { ...root, known: 2n ** BigInt(stops.length) - 1n }, known);
    }
    expect(unknown.wrong.slice(0, 3)).toEqual([]);
    expect(known.wrong.slice(0, 3)).toEqual([]);
    expect(known.exact).toBeGreaterThan(1000);
    expect(known.bounded).toBe(0);
    expect(unknown.bounded).toBeGreaterThan(0);
  },
  3_600_000,
);

/** Of the endings at which solving stops, those of three men are looked up in Syzygy files. */
const LOOKED_UP = sweep<readonly [string, Metric, RootOptions]>(
  [],
  (['wdl', 'dtc', 'dtz'] as const).map((metric) => ['KPK', metric, { mostPieces: 0 }] as const),
  (['wdl', 'dtc', 'dtz'] as const).flatMap((metric) => [
    ['KPPK', metric, { stopAt: 3, mostPieces: 1 }] as const,
    ['KPKP', metric, { stopAt: 3 }] as const,
  ]),
);

it.each(LOOKED_UP)(
  '%s under %s, with positions looked up in Syzygy files: %j',
  async (ending, metric, options) => {
    const store = memoryStore();
    const files = await leafFilesOf3();
    const found = nothingYet();
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
      await compare(store, metric, root, found, files);
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
    const found = nothingYet();
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
      await compare(store, 'wdl', root, found);
    }
    expect(found.wrong.slice(0, 3)).toEqual([]);
    expect(found.bounded).toBeGreaterThan(1000);
  },
  7_200_000,
);
