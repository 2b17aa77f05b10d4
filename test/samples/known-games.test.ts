/** Games that people know: every position against a naive solver that knows no symmetries; and what is published of them. */
import {
  type KeyedGame,
  type KeyedRules,
  keyedGame,
  localStore,
  newCounters,
  newScratch,
  openKeyedProber,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { openNames } from '../../pipeline/graph/node-names.js';
import { amazons } from '../../samples/amazons/game.js';
import { breakthrough } from '../../samples/breakthrough/game.js';
import chomp from '../../samples/chomp/game.js';
import { connectFour } from '../../samples/connect-four/rules.js';
import { dotsAndBoxes } from '../../samples/dots-and-boxes/game.js';
import { foxAndHounds } from '../../samples/fox-and-hounds/game.js';
import { hex } from '../../samples/hex/game.js';
import { hexapawn } from '../../samples/hexapawn/game.js';
import { othello } from '../../samples/othello/game.js';
import { variant } from '../../samples/tic-tac-toe/variants.js';
import wythoff from '../../samples/wythoff.js';
import { solvedNaively } from '../bench/in-memory-keyed.js';
import { gridOf, marginsOf } from '../support/boxes-margins.js';
import { testFolder } from '../support/folders.js';
import { hexValues } from '../support/hex-values.js';
import { ifNotLongest, ifShort, LONG, LONGEST, sweep } from '../support/long.js';
import {
  type KeyedValues,
  naiveScores,
  naiveValues,
  solvedScores,
  solvedValues,
  withoutSymmetries,
} from '../support/naive-keyed.js';
import { nodeValuesOf } from '../support/node-values.js';

async function compare<Position>(
  game: KeyedRules<Position>,
): Promise<{ naive: KeyedValues; root: number; nodes: number }> {
  const naive = naiveValues(withoutSymmetries(game));
  const { graph, summary, values } = await solvedValues(game);
  expect(graph.boards).toBe(naive.size);
  expect(summary.verified).toBe(values.size);
  const wrong: unknown[] = [];
  for (const [key, value] of naive) {
    const solved = values.get(game.keyOf(game.at(key)));
    if (solved !== value) wrong.push([key, value, solved]);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  const [start] = game.roots();
  return { naive, root: naive.get(game.ownKeyOf(start!))!, nodes: graph.nodes };
}

test('Chomp: the first player wins (Gale), and bars are paths from corner to corner', async () => {
  const { naive, root } = await compare(chomp);
  expect(root).toBeGreaterThan(0);
  // C(13, 5) bars but the empty one, with either side to move but the whole, and those that one bite leaves.
  const bars = new Set([...naive.keys()].map((key) => key >> 1n));
  expect(bars.size).toBe(1287 - 1);
}, 60_000);

test('Wythoff: lost are the squares that the golden ratio gives, and no others', async () => {
  const { naive } = await compare(wythoff);
  const ratio = (1 + Math.sqrt(5)) / 2;
  const expected = new Set<string>();
  for (let n = 0; n < 20; n++) {
    const [small, large] = [Math.floor(n * ratio), Math.floor(n * ratio ** 2)];
    expected.add(`${small} ${large}`).add(`${large} ${small}`);
  }
  const wrong = [...naive].filter(([key, value]) => {
    const { x, y } = wythoff.at(key);
    return value <= 0 !== expected.has(`${x} ${y}`);
  });
  expect(naive.size).toBe(477);
  expect(wrong).toEqual([]);
});

/** Every value against a solver apart; the openings with which White wins. */
async function compareHex(size: number): Promise<string[]> {
  const game = keyedGame(hex(size));
  const values = hexValues(size);
  const store = localStore(testFolder(), { durable: false });
  const scratch = newScratch(localStore(testFolder(), { durable: false }), 'scratch');
  const { graph, summary } = await solveKeyed({ game, store, scratch });
  expect(graph.boards).toBe(values.positions);
  expect(summary.verified).toBe(graph.nodes);
  const sides = await nodeValuesOf(graph, store);
  const names = await openNames(store, graph.runs.names, newCounters());
  let nodes = 0;
  let wrong = 0;
  for await (const key of names.all()) {
    const side = sides[0][nodes] === null ? 1 : 0;
    const code = sides[side][nodes++]!;
    const [white, black] = game.at(BigInt(key));
    const { winner, plies } = values.of(white, black);
    // Won in n plies is n, lost -n - 1, and 0 would be drawn.
    if (code !== (winner === side ? plies : -plies - 1) || code === 0) wrong++;
  }
  expect([nodes, wrong]).toEqual([graph.nodes, 0]);
  const prober = await openKeyedProber(game, store);
  const { wdl, moves } = await prober.probe([0, 0]);
  expect(wdl).toBe('win');
  return moves.flatMap(({ name, wdl }) => (wdl === 'win' ? [name] : [])).sort();
}

test('Hex 3x3: the first player wins (Nash), nothing is drawn, and five openings win', async () => {
  expect(await compareHex(3)).toEqual(['a3', 'b1', 'b2', 'b3', 'c1']);
}, 60_000);

test.skipIf(!LONGEST)(
  `Hex 4x4: the openings on the short diagonal win, and no others${ifNotLongest}`,
  async () => {
    expect(await compareHex(4)).toEqual(['a4', 'b3', 'c2', 'd1']);
  },
  1_800_000,
);

/** The score of the root, of a game that is solved once. */
async function compareScores<Position>(
  definition: KeyedGame<Position, number>,
): Promise<{ root: number; nodes: number; boards: number }> {
  const game = keyedGame(definition);
  const naive = naiveScores(definition);
  const { graph, summary, scores } = await solvedScores(game);
  expect(graph.boards).toBe(naive.size);
  expect(summary.verified).toBe(scores.size);
  const wrong = [...naive].filter(([key, score]) => scores.get(game.keyOf(game.at(key))) !== score);
  expect(wrong.slice(0, 5)).toEqual([]);
  const [start] = game.roots();
  return { root: scores.get(game.keyOf(start!))!, nodes: graph.nodes, boards: naive.size };
}

/** The scores of the solve against margins of what is left, which know nothing of who has the boxes that are taken. */
async function compareMargins(size: number): Promise<{ root: number; nodes: number }> {
  const game = keyedGame(dotsAndBoxes(size));
  const margins = marginsOf(size);
  const { graph, summary, scores } = await solvedScores(game);
  expect(summary.verified).toBe(scores.size);
  let wrong = 0;
  const seen = new Set<number>();
  for (const [key, score] of scores) {
    const { drawn, white, side } = game.at(key);
    const { taken, lines } = gridOf(size, drawn);
    seen.add(lines);
    if (score !== 2 * white - taken + (side === 0 ? 1 : -1) * margins[lines]) wrong++;
  }
  expect(wrong).toBe(0);
  // Each set of lines can be drawn, and eight look alike, or fewer.
  expect(seen.size).toBeGreaterThan(margins.length / 8);
  return { root: scores.get(game.keyOf([...game.roots()][0]))!, nodes: graph.nodes };
}

test.skipIf(!LONG)(
  `dots and boxes 2x2: the first player wins by 2${ifShort}`,
  async () => {
    const { root, nodes, boards } = await compareScores(dotsAndBoxes(2));
    expect(root).toBe(2);
    expect(nodes).toBeLessThan(boards / 4);
    expect((await compareMargins(2)).root).toBe(2);
  },
  60_000,
);

test.skipIf(!LONGEST)(
  `dots and boxes 3x3: the first player loses by 3${ifNotLongest}`,
  async () => {
    expect((await compareMargins(3)).root).toBe(-3);
  },
  3_600_000,
);

test('Connect Four on boards that are not square has the values of a naive solver', async () => {
  await compare(keyedGame(connectFour(4, 3)));
  await compare(keyedGame(connectFour(3, 4)));
}, 60_000);

const VARIANTS = [
  ['misere', 'drawn'],
  ['notakto', 'won'],
  ['wild', 'won'],
] as const;
// All values are held against those of the naive solver.
test.each(sweep(VARIANTS.slice(0, 2), VARIANTS.slice(2)))(
  'tic-tac-toe, %s: %s for the first player',
  async (name, result) => {
    const { root } = await compare(keyedGame(variant(name)));
    expect(root === 0 ? 'drawn' : root > 0 ? 'won' : 'lost').toBe(result);
  },
);

type Tromp = readonly [width: number, height: number, positions: number];
const boards = sweep<Tromp>(
  [],
  [[4, 4, 161_029]],
  [
    [4, 5, 1_706_255],
    [5, 4, 3_945_711],
  ],
);
test.skipIf(!LONG).each(boards)(
  `Connect Four with %i columns of %i squares has as many positions as Tromp counted: %i${ifShort}`,
  async (width, height, positions) => {
    const { graph, summary } = await solveKeyed({
      game: keyedGame(connectFour(width, height)),
      store: localStore(testFolder(), { durable: false }),
      scratch: newScratch(localStore(testFolder(), { durable: false }), 'scratch'),
    });
    expect([graph.boards, summary.verified]).toEqual([positions, graph.nodes]);
    const { wins, losses } = summary.table;
    const naive = solvedNaively(connectFour(width, height));
    expect([wins[0] + losses[1], wins[1] + losses[0], graph.nodes]).toEqual([...naive.won, naive.positions]);
  },
  120_000,
);

test.skipIf(!LONG)(
  `Othello 4x4: the second player wins by 8${ifShort}`,
  async () => {
    const { root } = await compareScores(othello);
    expect(root).toBe(-8);
  },
  120_000,
);

test.skipIf(!LONG)(`Fox and Hounds: half-way positions as the naive solver has them${ifShort}`, async () => {
  const parse = (text: string) => foxAndHounds.parse!(text);
  const text = 'fox c3, hounds b6 d6 f6 h6, fox to move';
  expect(foxAndHounds.format!(parse(text))).toBe(text);
  expect(() => parse('fox c3, hounds b6 d6 f6 f6, fox to move')).toThrow('on dark squares');
  const { nodes } = await compare(keyedGame({ ...foxAndHounds, roots: () => [parse(text)] }));
  expect(nodes).toBeGreaterThan(50_000);
});

test.skipIf(!LONGEST)(
  `Fox and Hounds: the hounds win, and as often as C++ has it${ifNotLongest}`,
  async () => {
    const { graph, summary, values } = await solvedValues(keyedGame(foxAndHounds));
    expect(graph.edges).toBe(3_407_278);
    expect(summary.verified).toBe(895_363);
    const wins = [0, 0];
    for (const [key, value] of values) wins[value > 0 ? Number(key & 1n) : 1 - Number(key & 1n)]++;
    // By test/bench/naive-fox.cpp.
    expect(wins).toEqual([836_195, 59_168]);
    for (const root of foxAndHounds.roots()) expect(values.get(BigInt(root))).toBe(-45);
  },
);

test.each([
  {
    game: amazons,
    text: 'white a2, black d3, blocked a1 b1 c1 d1 a3 c3 a4 d4',
    wrong: 'white a2, black d3, blocked a1 a1',
    message: 'each square once',
    least: 200,
  },
  {
    game: breakthrough,
    text: 'B.B/.B./.W./W.W/... w',
    wrong: 'B.B/.B./.W./W.W w',
    message: 'five rows',
    least: 500,
  },
  {
    game: hexapawn(4, 4),
    text: 'BB.B/..B./W.../.WWW w',
    wrong: 'BB.B/..B./W... w',
    message: '4 rows of 4 squares',
    least: 200,
  },
])('$game.name: positions from the middle of the game as the naive solver has them', async (each) => {
  const { game, text, wrong, message, least } = each;
  expect(game.format!(game.parse!(text))).toBe(text);
  expect(() => game.parse!(wrong)).toThrow(message);
  const { nodes } = await compare(keyedGame({ ...game, roots: () => [game.parse!(text)] }));
  expect(nodes).toBeGreaterThan(least);
});

test.skipIf(!LONGEST)(
  `Breakthrough: the second player wins, and as often as C++ has it${ifNotLongest}`,
  async () => {
    const { graph, summary, values } = await solvedValues(keyedGame(breakthrough));
    expect(graph.edges).toBe(7_236_094);
    expect(summary.verified).toBe(2_418_400);
    const wins = [0, 0];
    for (const [key, value] of values) wins[value > 0 ? Number(key & 1n) : 1 - Number(key & 1n)]++;
    // By test/bench/naive-breakthrough.cpp.
    expect(wins).toEqual([1_224_891, 1_193_509]);
    const [root] = breakthrough.roots();
    expect(values.get(BigInt(root))).toBe(-19);
  },
);
