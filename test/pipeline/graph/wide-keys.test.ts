/** Keyed games with keys of more than 64 bits: all that is known of a position by its key, beside the same game by narrow keys. */
import {
  checkKeyed,
  type KeyedGame,
  type KeyedRules,
  keyedGame,
  memoryStore,
  newScratch,
  openGraphRows,
  openKeyedProber,
  openPublishedKeyed,
  publishKeyed,
  type Side,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { readFen } from '../../../pipeline/games/chess/fen.js';
import { type ChessBoard, inCheck, legalMoves, play, squareOf, terminal } from '../../../pipeline/games/chess/rules.js';
import { newKey, splitKey } from '../../../pipeline/games/yours/keyed/key-words.js';
import { mixKey, unmixedOf } from '../../../pipeline/graph/ids.js';
import { verifyRules } from '../../../pipeline/graph/verify-rules.js';
import { connectFour } from '../../../samples/connect-four/rules.js';
import { ifShort, LONG } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';

/** Wide keys for the numbers below 2^53. */
interface Widening {
  readonly keyBits: number;
  widen(key: number): bigint;
  narrow(key: bigint): number;
}

const spread: Widening = {
  keyBits: 117,
  widen: (key) => (BigInt(key) << 64n) | (2n ** 64n - 1n - BigInt(key)),
  narrow: (key) => Number(key >> 64n),
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

async function keysOf(game: KeyedRules, store: ReturnType<typeof memoryStore>): Promise<bigint[]> {
  const keys: bigint[] = [];
  const scratch = newScratch(memoryStore(), 'rows');
  const { rows } = await openGraphRows({ store, name: game.name, metric: 'dtw', scratch, budget: budgetOf(MiB) });
  for await (const batch of rows) for (const { id } of batch) keys.push(BigInt(id));
  return keys;
}

test.each([
  ['of 117 bits', spread, 0],
  ['of 128 bits and one hash', ofOneHash, 1],
] as const)('keys %s: probes, publications and checks say what they say of narrow keys', async (_, by, seed) => {
  const rules = connectFour(3, 3);
  const narrow = keyedGame(rules) as KeyedRules;
  const wide = widened(rules, by) as KeyedRules;
  const [narrowStore, store, published] = [memoryStore(), memoryStore(), memoryStore()];
  await solveKeyed({ game: narrow, store: narrowStore });
  const { graph } = await solveKeyed({ game: wide, store });
  expect(graph).toMatchObject({ version: 7, seed, keyBits: by.keyBits });

  const scratch = newScratch(memoryStore(), 'publish');
  const budget = budgetOf(MiB);
  const { name } = wide;
  await publishKeyed({ store, name, metric: 'dtw', to: published, scratch, budget, verify: true });
  const expected = await openKeyedProber(narrow, narrowStore);
  const probers = [await openKeyedProber(wide, store), await openPublishedKeyed(wide, published)];
  const keys = await keysOf(wide, store);
  expect(keys.length).toBe(graph.nodes);
  expect(keys.every((key) => key >= 2n ** 64n || key === by.widen(0))).toBe(true);
  for (const key of keys) {
    const position = wide.at(key);
    const answer = await expected.probe(position);
    for (const prober of probers) {
      const { moves, ...value } = await prober.probe(position);
      const { moves: others, ...other } = answer;
      expect(value).toEqual(other);
      const worth = (all: typeof moves) => all.map(({ name, wdl, plies }) => `${name} ${wdl} ${plies}`).sort();
      expect(worth(moves)).toEqual(worth(others));
    }
  }

  expect((await checkKeyed(wide, { positions: 200, seed: 1 })).violations).toEqual([]);
  const verified = (game: KeyedRules) =>
    verifyRules({ game, name, store, again: memoryStore(), scratch, budget, progress: () => {} });
  expect((await verified(wide)).difference).toBeNull();
  const fewer: typeof rules = { ...rules, moves: (position) => [...rules.moves(position)].slice(0, 2) };
  expect((await verified(widened(fewer, by) as KeyedRules)).difference).toMatch(/^connect-/);
});

/** A problem with 12 men. The tool matetb (github.com/robertnurnberg/matetb) finds its mate in 36 in a tree of 40,252 positions. */
const PROBLEM = readFen('8/8/8/1p6/6k1/1p2Q3/p1p1p3/rbrbK3 w - - 0 1').board;
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
    for (let square = 63, rest = key; square >= 0; square--, rest >>= 4n) squares[square] = Number(rest & 15n) - 6;
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

test.skipIf(!LONG).each([
  ['twelve men', TWELVE_MEN],
  ['a whole board', WHOLE_BOARD],
])(`a mate in 36 with %s in the key${ifShort}`, async (_, keys) => {
  const game = keyedGame<ChessBoard>({
    name: 'mate',
    ...keys,
    roots: () => [{ squares: PROBLEM.squares, side: PROBLEM.side }],
    mover: ({ side }) => side,
    moves: (board) => movesOf(board).map((move) => [`${move.from}-${move.to}`, play(board, move)] as const),
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
  const [root] = game.roots();
  const { wdl, plies } = await (await openKeyedProber(game, store)).value(root);
  expect({ wdl, plies }).toEqual({ wdl: 'win', plies: 71 });
}, 600_000);
