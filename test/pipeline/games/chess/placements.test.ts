/**
 * Slices whose pawns have a table of placements that is not the sets of files of a rank: pawns that block each other, and pairs that face
 * each other on any ranks with the same number of steps behind them. Their kernels are checked against the rules, and their tables against
 * a naive solver that knows the rules alone.
 */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../operators/storage/store.js';
import { checkGame } from '../../../../pipeline/check/check-game.js';
import { describeViolation } from '../../../../pipeline/check/violation.js';
import type { Address, Game, Side, Slice } from '../../../../pipeline/game/game.js';
import { brokenIn, type Metric, type ValueColumn } from '../../../../pipeline/game/value.js';
import { changesOf } from '../../../../pipeline/games/chess/changes.js';
import { boardIn, chess, locateIn } from '../../../../pipeline/games/chess/chess.js';
import { illegality } from '../../../../pipeline/games/chess/fen.js';
import { Kind } from '../../../../pipeline/games/chess/geometry.js';
import { newSpace, type Space, spaceOf } from '../../../../pipeline/games/chess/index-space.js';
import { filesOnRank, type Man, Placements } from '../../../../pipeline/games/chess/placements.js';
import { type ChessBoard, legalMoves, PAWN, play, terminal } from '../../../../pipeline/games/chess/rules.js';
import { type EndingShape, shapeOf, sliceOf } from '../../../../pipeline/games/chess/shape.js';
import { newSlice } from '../../../../pipeline/games/chess/slice.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { ifNotLongest, LONG, LONGEST, sweep } from '../../../support/long.js';
import { solveGame } from '../../../support/solving.js';

const WHITE: Man = { side: 0, kind: Kind.pawn };
const BLACK: Man = { side: 1, kind: Kind.pawn };
const at = (square: string) => 'abcdefgh'.indexOf(square[0]) + 8 * (Number(square[1]) - 1);
const FILES = [...'abcdefgh'];

/** White and black pawns on one file with these ranks. */
const facing = (ranks: readonly (readonly [number, number])[]) =>
  new Placements(
    [WHITE, BLACK],
    ranks.flatMap(([white, black]) => FILES.map((file) => [at(file + white), at(file + black)])),
  );

/** A white pawn on e4 that a black one on e5 blocks, and their mirror images. */
const blocked = facing([[4, 5]]).all.filter(([white]) => white === at('e4') || white === at('d4'));
const BLOCKED = new Placements([WHITE, BLACK], blocked);
/** Two pawns of each side that block each other: c4, c5 and f3, f4, which are not their own mirror image. */
const CHAINS = new Placements(
  [WHITE, WHITE, BLACK, BLACK],
  [
    ['f3', 'c4', 'f4', 'c5'],
    ['c3', 'f4', 'c4', 'f5'],
  ].map((men) => men.map(at)),
);
/** Pairs that have made one step together. */
const ONE_STEP = facing([
  [2, 6],
  [3, 7],
]);
const STEPS = ['26', '37'];
/** With the colours exchanged, the one is the other. */
const ONE_STEP_BY_RANKS = 'KPKP.37';

interface WithPlacements {
  readonly game: Game<ChessBoard>;
  readonly name: string;
  readonly slice: Slice;
  readonly space: Space;
  isHere(board: ChessBoard): boolean;
  /** The slices by ranks whose positions it has. */
  readonly ofRanks: readonly string[];
}

/** Pawns that block each other move only as they take pieces. */
const areBlocked: IsReached = (before, after) =>
  after.ranks.flat().length < before.ranks.flat().length || after.men.join() !== before.men.join();

type IsReached = (before: EndingShape, after: EndingShape) => boolean;

/**
 * Chess with a slice more: that of an ending whose pawns stand as in a table. @param isReached whether moves lead to a shape. @param smaller slices like it that
 * moves lead to.
 */
function withPlacements(
  ending: string,
  ranks: readonly string[],
  table: Placements,
  isReached: IsReached = () => true,
  smaller: readonly string[] = [],
): WithPlacements {
  const name = `${ending}.x`;
  const space = newSpace(name, `${ending}.${ranks[0]}`, [{ men: table.men, places: table }]);
  const shapes = ranks.map((each) => shapeOf(`${ending}.${each}`));
  const others = smaller.map((each) => withPlacements(each, ranks, table, isReached));
  const changes = changesOf(shapes, (shape) => {
    if (!shapes.some((before) => isReached(before, shape))) return null;
    const { slice, flipped } = sliceOf(shape);
    const other = others.find(({ ofRanks }) => ofRanks.includes(slice));
    return other === undefined
      ? { target: spaceOf(slice), flipped }
      : { target: other.space, flipped: false };
  });
  const slice = newSlice(space, changes);
  const pawns = ({ squares }: ChessBoard) =>
    table.men.map(({ side }, i) => {
      const man = side === 0 ? PAWN : -PAWN;
      const like = table.men.slice(0, i).filter((other) => other.side === side).length;
      return [...squares.entries()].filter(([, is]) => is === man)[like]?.[0] ?? -1;
    });
  const menOf = ({ squares }: ChessBoard) =>
    [...squares]
      .filter((man) => man !== 0)
      .sort()
      .join();
  const men = menOf(boardIn(space, { slice: name, side: 0, part: 0, key: keyApart() }));
  /** Of an index whose men stand apart. */
  function keyApart(): number {
    for (let key = 0; ; key++) {
      const { squares } = boardIn(space, { slice: name, side: 0, part: 0, key });
      if ([...squares].filter((man) => man !== 0).length === space.men + 2) return key;
    }
  }
  const isHere = (board: ChessBoard) => {
    if (board.passant !== undefined || menOf(board) !== men) return false;
    const squares = pawns(board);
    return squares.every((square) => square >= 0) && table.numberOf(squares, 0, 0) >= 0;
  };
  const gameOf = (of: string) => others.find((other) => other.name === of)?.game;
  const game: Game<ChessBoard> = {
    ...chess,
    slice: (of) => (of === name ? slice : (gameOf(of) ?? chess).slice(of)),
    ending: (of) =>
      of === name
        ? { name, class: name, exchanged: name, slices: [name], flipped: false, pieces: space.men + 2 }
        : (gameOf(of) ?? chess).ending(of),
    locate: (board) =>
      isHere(board)
        ? locateIn(space, board)
        : (others.find((other) => other.isHere(board))?.game ?? chess).locate(board),
    board: (address, flipped) =>
      address.slice === name
        ? boardIn(space, address, flipped)
        : (gameOf(address.slice) ?? chess).board(address, flipped),
  };
  return { game, name, slice, space, isHere, ofRanks: ranks.map((each) => `${ending}.${each}`) };
}

describe('a table of placements', () => {
  it.each([
    ['a rank', filesOnRank(WHITE, 3, 8), 56],
    ['opposing pairs', facing(LONG ? pairsOfRanks() : [[2, 7]]), LONG ? 120 : 8],
    ['blocked pawns', BLOCKED, 2],
    ['chains', CHAINS, 2],
  ] as const)('%s: each placement has its number, and others none', (_, table, size) => {
    expect(table.all.length).toBe(size);
    for (const [number, squares] of table.all.entries()) {
      expect(table.numberOf(squares, 0, 0)).toBe(number);
      const image = table.numberOf(squares, 0, 1);
      expect(table.numberOf(table.all[image], 0, 1)).toBe(number);
      expect(table.numberOf([squares[0] + 8, ...squares.slice(1)], 0, 0)).not.toBe(number);
    }
    expect(BLOCKED.numberOf([at('e4'), at('d5')], 0, 0)).toBe(-1);
  });

  it('needs the mirror image of each placement', () => {
    expect(() => new Placements([WHITE, BLACK], [[at('e4'), at('e5')]])).toThrow(/mirror images/);
  });
});

function pairsOfRanks(): [number, number][] {
  const ranks = [2, 3, 4, 5, 6, 7];
  return ranks.flatMap((white) =>
    ranks.filter((black) => black > white).map((black): [number, number] => [white, black]),
  );
}

type Case = readonly [
  ending: string,
  ranks: readonly string[],
  table: Placements,
  isReached?: IsReached | undefined,
  smaller?: readonly string[],
];

describe('kernels of slices with such tables agree with the rules', () => {
  it.each(
    sweep<Case>(
      [
        ['KPKP', ['45'], BLOCKED, areBlocked],
        ['KRPKP', ['45'], BLOCKED, areBlocked],
        ['KRPKP', STEPS, ONE_STEP, undefined, ['KPKP']],
      ],
      [
        ['KPKP', STEPS, ONE_STEP],
        ['KBBPKP', ['45'], BLOCKED, areBlocked],
        ['KNPPKPP', ['3445'], CHAINS, areBlocked],
        ['KBBPKP', STEPS, ONE_STEP, undefined, ['KBPKP']],
      ],
    ),
  )('%s %s', async (...given) => {
    const [ending, ranks, table, isReached, smaller] = given as unknown as Case;
    const { game, name } = withPlacements(ending, ranks, table, isReached, smaller);
    const { violations, slices } = await checkGame(game as Game, {
      slices: [name],
      positions: 60,
      seed: 3,
    });
    expect(violations.map((violation) => describeViolation(violation, chess.colours))).toEqual([]);
    expect(slices[0].legal).toBeGreaterThan(5);
  });
});

/** Codes of tables: of a win its plies, of a loss -1 less its plies. */
type Codes = Map<string, number>;

/** Mate by the rules: passes over all boards, from those that moves lead to, until nothing changes. Other slices are looked up. */
function solveNaively(
  boards: readonly ChessBoard[],
  isHere: (board: ChessBoard) => boolean,
  lookUp: (board: ChessBoard) => number,
): Codes {
  const codes: Codes = new Map();
  const textOf = ({ squares, side }: ChessBoard) => `${squares.join()} ${side}`;
  const open = boards.map((board) => {
    const after = legalMoves(board).map((move) => play(board, move));
    codes.set(textOf(board), after.length === 0 && terminal(board) === 'lost' ? -1 : 0);
    const inside = after.filter(isHere).map(textOf);
    const outside = after.filter((next) => !isHere(next)).map(lookUp);
    return { text: textOf(board), inside, outside };
  });
  const most = open.reduce((all, { outside }) => Math.max(all, ...outside.map(Math.abs)), 0);
  for (let ply = 1, last = 0; ply <= Math.max(last, most) + 1; ply++) {
    for (const { text, inside, outside } of open) {
      if (codes.get(text) !== 0 || inside.length + outside.length === 0) continue;
      const all = [...inside.map((next) => codes.get(next)!), ...outside];
      if (all.some((code) => code === -ply)) codes.set(text, ply);
      else if (all.every((code) => code > 0) && Math.max(...all) === ply - 1) codes.set(text, -ply - 1);
      else continue;
      last = ply;
    }
  }
  return codes;
}

/** The codes of all positions of a slice of chess, as they are asked for. */
async function lookUps(
  store: Store,
  metric: Metric,
  slices: readonly string[],
): Promise<(board: ChessBoard) => number> {
  const known = new Map<string, { values: ValueColumn; width: number }>();
  for (const name of slices) {
    const table = await needTable(store, chess, metric, name);
    for (const side of [0, 1] as Side[]) {
      const values = new Int16Array(table.slice.size);
      for await (const { major, first, length, columns } of table.values(side, 0, table.slice.parts))
        values.set((columns[0] as ValueColumn).subarray(0, length), major * table.slice.width + first);
      known.set(`${name} ${side}`, { values, width: table.slice.width });
    }
  }
  return (board) => {
    const { slice, side, part, key } = chess.locate(board);
    const { values, width } = known.get(`${slice} ${side}`)!;
    return values[part * width + key];
  };
}

describe('tables of such slices are those of a naive solver', () => {
  it.skipIf(!LONG).each<Case>([['KPKP', ['45'], BLOCKED, areBlocked]])(
    '%s',
    async (...given) => {
      const [ending, ranks, placements, isReached] = given as unknown as Case;
      const { game, name, slice, isHere } = withPlacements(ending, ranks, placements, isReached);
      const { store, summaries } = await solveGame(game, [name], { metric: 'dtm', verify: true });
      const table = await needTable(store, game as Game, 'dtm', name);
      const lookUp = await lookUps(
        store,
        'dtm',
        summaries.map((summary) => summary.slice).filter((each) => each !== name),
      );
      const found: { board: ChessBoard; code: number }[] = [];
      for (const side of [0, 1] as Side[]) {
        for await (const { major: part, first, length, columns } of table.values(side, 0, slice.parts)) {
          const codes = columns[0] as ValueColumn;
          for (let i = 0; i < length; i++) {
            const address: Address = { slice: name, side, part, key: first + i };
            const board = game.board(address);
            const isLegal = isHere(board) && illegality(board) === null;
            if (isLegal !== (codes[i] !== brokenIn(codes)))
              expect({ address, isLegal }).toEqual({ address, isLegal: !isLegal });
            if (isLegal) found.push({ board, code: codes[i] });
          }
        }
      }
      const images = found.map(({ board: { squares, side } }) => ({
        squares: squares.map((_, square) => squares[square ^ 7]),
        side,
      }));
      const naive = solveNaively([...found.map(({ board }) => board), ...images], isHere, lookUp);
      const wrong = found.filter(
        ({ board: { squares, side }, code }) => naive.get(`${squares.join()} ${side}`) !== code,
      );
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(found.some(({ code }) => code > 1) && found.some(({ code }) => code < -1)).toBe(true);
    },
    600_000,
  );

  it.skipIf(!LONGEST)(
    `opposing pairs of two ranks are worth what they are worth rank by rank${ifNotLongest}`,
    async () => {
      const { game, name, slice } = withPlacements('KPKP', STEPS, ONE_STEP);
      const { store } = await solveGame(game, [name, ONE_STEP_BY_RANKS], { metric: 'dtz', verify: true });
      const table = await needTable(store, game as Game, 'dtz', name);
      let compared = 0;
      const wrong: unknown[] = [];
      const lookUp = await lookUps(store, 'dtz', [ONE_STEP_BY_RANKS]);
      for (const side of [0, 1] as Side[]) {
        for await (const { major: part, first, length, columns: found } of table.values(
          side,
          0,
          slice.parts,
        )) {
          const codes = found[0] as ValueColumn;
          for (let i = 0; i < length; i++) {
            if (codes[i] === brokenIn(codes)) continue;
            const board = game.board({ slice: name, side, part, key: first + i });
            if (lookUp(board) !== codes[i]) wrong.push({ board, found: codes[i] });
            compared++;
          }
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(compared).toBeGreaterThan(10_000);
    },
    600_000,
  );
});
