/** Keyed games with keys of more than 64 bits, beside the same games by narrow keys. */
import { tmpdir } from 'node:os';
import {
  checkKeyed,
  type KeyedGame,
  type KeyedRules,
  keyedGame,
  memoryStore,
  newScratch,
  openKeyedProber,
  openPublishedKeyed,
  publishKeyed,
  type Side,
  type Store,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { graphRows } from '../../../jobs/export/graph-rows.js';
import { type Cell, cellsOf } from '../../../jobs/export/rows.js';
import { readFen } from '../../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  inCheck,
  legalMoves,
  play,
  squareName,
  squareOf,
  terminal,
} from '../../../pipeline/games/chess/rules.js';
import { newKey, splitKey } from '../../../pipeline/games/yours/keyed/key-words.js';
import { mixKey, unmixedOf } from '../../../pipeline/graph/ids.js';
import { needGraph } from '../../../pipeline/graph/manifest.js';
import { verifyRules } from '../../../pipeline/graph/verify-rules.js';
import { connectFour } from '../../../samples/connect-four/rules.js';
import { sweep } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';

/** Wide keys for the numbers below 2^53. */
interface Widening {
  readonly keyBits: number;
  widen(key: number): bigint;
  narrow(key: bigint): number;
}

const spread: Widening = {
  keyBits: 257,
  widen: (key) => (BigInt(key) << 204n) | (2n ** 64n - 1n - BigInt(key)),
  narrow: (key) => Number(key >> 204n),
};

/** All wide keys have the same lowest words once they are mixed by seed 0. */
const ofOneHash: Widening = {
  keyBits: 128,
  widen(number) {
    const key = newKey(this.keyBits);
    [key.high, key.low] = [0x5eed, 0xf00d];
    [key.upper[0], key.upper[1]] = [number | 0, Math.floor(number / 2 ** 32)];
    return unmixedOf(key, 0);
  },
  narrow(wide) {
    const key = newKey(this.keyBits);
    splitKey(wide, key);
    mixKey(key, 0);
    return (key.upper[1] >>> 0) * 2 ** 32 + (key.upper[0] >>> 0);
  },
};

function widened<Position>(game: KeyedGame<Position, number>, by: Widening): KeyedRules<Position> {
  return keyedGame<Position>({
    ...game,
    keyBits: by.keyBits,
    key: (position) => by.widen(game.key(position)),
    position: (key) => game.position(by.narrow(key)),
  });
}

/** What an export has of each position, by layer and key. */
async function exported(game: KeyedRules, store: Store): Promise<Record<Column, Cell>[]> {
  const { name } = game;
  const source = {
    store,
    name,
    metric: 'dtw',
    budget: budgetOf(MiB),
    scratchParent: tmpdir(),
    game,
  } as const;
  const { columns, batches } = graphRows(source, COLUMNS, await needGraph(store, name), () => {});
  const found: Record<Column, Cell>[] = [];
  for await (const { rows, values } of batches) {
    const cells = columns.map((column, i) => cellsOf(column, values[i]));
    for (let row = 0; row < rows; row++)
      found.push(Object.fromEntries(COLUMNS.map((name, i) => [name, cells[i](row)])) as Record<Column, Cell>);
  }
  return found;
}

const COLUMNS = ['id', 'position', 'mover', 'outcome', 'plies', 'move', 'layer', 'weight'] as const;
type Column = (typeof COLUMNS)[number];

test.each(
  sweep<readonly [string, Widening, number]>(
    [['of 128 bits and one hash', ofOneHash, 1]],
    [['of 257 bits', spread, 0]],
  ),
)(
  'keys %s: exports, probes, publications and checks agree with those of narrow keys',
  async (_, by, seed) => {
    const rules = connectFour(3, 3);
    const narrow = keyedGame(rules) as KeyedRules;
    const wide = widened(rules, by) as KeyedRules;
    const [narrowStore, store, published] = [memoryStore(), memoryStore(), memoryStore()];
    await solveKeyed({ game: narrow, store: narrowStore });
    const { graph } = await solveKeyed({ game: wide, store });
    expect(graph).toMatchObject({ version: 7, seed, keyBits: by.keyBits });

    const rows = await exported(wide, store);
    expect(rows.length).toBe(graph.nodes);
    const keys = rows.map(({ id }) => BigInt(id as string));
    expect(keys.every((key) => key >= 2n ** 64n)).toBe(true);
    // Of several best moves either export may have any: they are compared with those of the probes.
    const comparable = (row: (typeof rows)[number]) => ({ ...row, move: row.move !== null });
    const asNarrow = rows.map((row, i) => comparable({ ...row, id: String(by.narrow(keys[i])) }));
    expect(asNarrow).toEqual((await exported(narrow, narrowStore)).map(comparable));

    const scratch = newScratch(memoryStore(), 'publish');
    const budget = budgetOf(MiB);
    const { name } = wide;
    await publishKeyed({ store, name, metric: 'dtw', to: published, scratch, budget, verify: true });
    const expected = await openKeyedProber(narrow, narrowStore);
    const probers = [await openKeyedProber(wide, store), await openPublishedKeyed(wide, published)];
    for (const [i, key] of keys.entries()) {
      const position = wide.at(key);
      const { moves, ...value } = await expected.probe(position);
      const worth = (all: typeof moves) =>
        all.map(({ name, wdl, plies }) => `${name} ${wdl} ${plies}`).sort();
      for (const prober of probers) {
        const { moves: found, ...other } = await prober.probe(position);
        expect(other).toEqual(value);
        expect(worth(found)).toEqual(worth(moves));
      }
      const best = moves.filter(({ wdl, plies }) => wdl === moves[0].wdl && plies === moves[0].plies);
      expect(best.length === 0 ? [null] : best.map(({ name }) => name)).toContain(rows[i].move);
    }

    expect((await checkKeyed(wide, { positions: 200, seed: 1 })).violations).toEqual([]);
    const verified = (game: KeyedRules) =>
      verifyRules({ game, name, store, again: memoryStore(), scratch, budget, progress: () => {} });
    expect((await verified(wide)).difference).toBeNull();
    const fewer: typeof rules = { ...rules, moves: (position) => [...rules.moves(position)].slice(0, 2) };
    const { difference } = await verified(widened(fewer, by) as KeyedRules);
    const [, lost] = /: position (\d+) is stored, after \d moves, and the rules do not lead there$/.exec(
      difference!,
    )!;
    expect(keys).toContain(BigInt(lost));
  },
);

/**
 * A problem with twelve men. The tool matetb (github.com/robertnurnberg/matetb) publishes that it finds 40,252 positions, a mate in 36, and this line,
 * with the options `--excludeFrom e1 --excludeTo "a1 c1" --excludeToAttacked`. No pawn is ever promoted or steps two squares.
 */
const PROBLEM = readFen('8/8/8/1p6/6k1/1p2Q3/p1p1p3/rbrbK3 w - - 0 1').board;
const LINE = `
  e3b3 g4h4 b3f3 b5b4 f3g2 b4b3 g2f2 h4h3 f2g1 h3h4 g1g2 h4h5 g2f3 h5h4 f3b3 h4g4 b3e3 g4h4 e3f3 h4g5 f3h3 g5g6 h3h4 g6g7
  h4h5 g7f6 h5g4 f6f7 g4g5 f7e6 g5f4 e6e7 f4f5 e7d6 f5e4 d6d7 e4e5 d7c6 e5d4 c6c7 d4d5 c7c8 d5d6 c8b7 d6c5 b7a8 c5b5 a8a7
  b5d5 a7b8 d5c6 b8a7 c6c8 a7b6 c8d7 b6c5 d7e6 c5d4 e6f5 d4e3 f5g4 e3d3 g4f4 d3c3 f4e4 c3b3 e4d4 b3a3 d4c4 a3b2 c4b4`
  .trim()
  .split(/\s+/);
const [E1, A1, C1] = ['e1', 'a1', 'c1'].map(squareOf);
const [KING, KNIGHT] = [1, 5];

/** Whether Black attacks a square as the men stand. */
function isAttacked({ squares }: ChessBoard, square: number): boolean {
  const men = squares.slice();
  men[men.indexOf(KING)] = KNIGHT;
  men[square] = KING;
  return inCheck(men, 0);
}

/** The moves that the tree has: White leaves its king where it stands, and moves neither to a1, to c1 nor to where it can be taken. */
function movesOf(board: ChessBoard) {
  const isWanted = (from: number, to: number) =>
    board.side === 1 || (from !== E1 && to !== A1 && to !== C1 && !isAttacked(board, to));
  return legalMoves(board, isWanted);
}

const WHOLE_BOARD = {
  keyBits: 257,
  key: ({ squares, side }: ChessBoard): bigint =>
    squares.reduce((key, man) => key * 16n + BigInt(man + 6), BigInt(side)),
  position(key: bigint): ChessBoard {
    const squares = new Int8Array(64);
    for (let square = 63, rest = key; square >= 0; square--, rest >>= 4n)
      squares[square] = Number(rest & 15n) - 6;
    return { squares, side: Number(key >> 256n) as Side };
  },
};

/** The squares of all twelve men, those of one kind in order; 64: it was taken. */
const MEN = [...PROBLEM.squares].filter((man) => man !== 0).sort((a, b) => a - b);
const TWELVE_MEN = {
  keyBits: 85,
  key({ squares, side }: ChessBoard): bigint {
    let key = BigInt(side);
    for (let i = 0, square = -1; i < MEN.length; i++) {
      if (MEN[i] !== MEN[i - 1]) square = -1;
      if (square < 64) square = squares.indexOf(MEN[i], square + 1);
      if (square < 0) square = 64;
      key = key * 128n + BigInt(square);
    }
    return key;
  },
  position(key: bigint): ChessBoard {
    const squares = new Int8Array(64);
    let rest = key;
    for (let i = MEN.length - 1; i >= 0; i--, rest >>= 7n) {
      const square = Number(rest & 127n);
      if (square < 64) squares[square] = MEN[i];
    }
    return { squares, side: Number(rest) as Side };
  },
};

interface Keys {
  readonly keyBits: number;
  key(board: ChessBoard): bigint;
  position(key: bigint): ChessBoard;
}

test.each(
  sweep<readonly [string, Keys]>(
    [],
    [['twelve men in the key', TWELVE_MEN]],
    [['a whole board in the key', WHOLE_BOARD]],
  ),
)('a mate in 36 with %s', async (_, keys) => {
  const game = keyedGame<ChessBoard>({
    name: 'mate',
    ...keys,
    roots: () => [{ squares: PROBLEM.squares, side: PROBLEM.side }],
    mover: ({ side }) => side,
    moves: (board) =>
      movesOf(board).map((move) => [squareName(move.from) + squareName(move.to), play(board, move)]),
    ended(board) {
      const end = terminal(board);
      return end === 'open' ? null : end;
    },
    // White may have no move that the tree has.
    stuck: 'drawn',
  });
  const store = memoryStore();
  const { graph } = await solveKeyed({ game, store });
  expect(graph.nodes).toBe(40_252);
  expect(graph.layers).toHaveLength(21);

  const prober = await openKeyedProber(game, store);
  let [position] = game.roots();
  const { moves } = await prober.probe(position);
  expect(moves.filter(({ plies }) => plies === 71).map(({ name }) => name)).toEqual(['e3b3']);
  for (let ply = 0; ; ply++) {
    const { wdl, plies, isOver } = await prober.value(position);
    expect({ wdl, plies, isOver }).toEqual({
      wdl: ply % 2 === 0 ? 'win' : 'loss',
      plies: 71 - ply,
      isOver: ply === 71,
    });
    if (ply === LINE.length) break;
    position = game.moves(position).find(([name]) => name === LINE[ply])![1];
  }
  expect(LINE).toHaveLength(71);
});
