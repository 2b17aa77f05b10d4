/** The sample, against rules written for pictures of the board, positions found by a set, and a naive solver; and theory. */
import { readFileSync } from 'node:fs';
import {
  findPositions,
  type KeyedRules,
  memoryStore,
  newCounters,
  newScratch,
  openKeyedProber,
  solveKeyed,
  unpackedNodes,
} from 'mergemate';
import { beforeAll, describe, expect, test } from 'vitest';
import four, { type Board } from '../../samples/dodgem/game.js';
import three from '../../samples/dodgem/three.js';
import { LONGEST } from '../support/long.js';
import { nodeValuesOf } from '../support/node-values.js';

/** The texts after each move of the mover, from a text such as ">../>../.^^ w". */
function movesOf(text: string): string[] {
  const [picture, colour] = text.split(' ') as [string, string];
  const rows = picture.split('/');
  const [sign, steps] =
    colour === 'w'
      ? ([
          '>',
          [
            [1, 0],
            [0, 1],
            [0, -1],
          ],
        ] as const)
      : ([
          '^',
          [
            [0, -1],
            [1, 0],
            [-1, 0],
          ],
        ] as const);
  const after: string[] = [];
  rows.forEach((row, y) => {
    [...row].forEach((man, x) => {
      if (man !== sign) return;
      for (const [n, [dx, dy]] of steps.entries()) {
        const there = rows[y + dy]?.[x + dx];
        // Only the first step, ahead, leaves the board.
        if (there === undefined ? n > 0 : there !== '.') continue;
        const next = rows.map((each) => [...each]);
        next[y][x] = '.';
        if (there !== undefined) next[y + dy][x + dx] = sign;
        after.push(`${next.map((each) => each.join('')).join('/')} ${colour === 'w' ? 'b' : 'w'}`);
      }
    });
  });
  return after;
}

interface Naive {
  readonly texts: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Values for the mover: n + 1 for won in n plies, -n - 1 for lost, 0 for neither. */
  readonly values: Int32Array;
}

/** The mover has won if all his cars are gone or none can move, and lost if the other's are gone. */
function solveNaively(start: string): Naive {
  const texts = [start];
  const numbers = new Map([[start, 0]]);
  const successors: number[][] = [];
  const over: number[] = [];
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    const theirs = text.endsWith('w') ? '^' : '>';
    const moves = text.includes(theirs) ? movesOf(text) : [];
    over.push(text.includes(theirs) ? (moves.length === 0 ? 1 : 0) : -1);
    successors.push(
      moves.map((after) => {
        const known = numbers.get(after) ?? texts.push(after) - 1;
        numbers.set(after, known);
        return known;
      }),
    );
  }
  const values = Int32Array.from(over);
  for (let ply = 1, found = true; found; ply++) {
    const news: [number, number][] = [];
    for (let i = 0; i < texts.length; i++) {
      if (values[i] !== 0) continue;
      const after = successors[i];
      if (after.some((to) => values[to] < 0)) news.push([i, ply + 1]);
      else if (after.every((to) => values[to] > 0)) news.push([i, -ply - 1]);
    }
    for (const [i, value] of news) values[i] = value;
    found = news.length > 0;
  }
  return { texts, numbers, values };
}

const scratch = () => newScratch(memoryStore(), 'scratch');

async function solved(game: KeyedRules<Board>, memory: number) {
  const store = memoryStore();
  const result = await solveKeyed({
    game,
    store,
    scratch: scratch(),
    metric: 'dtw',
    verify: true,
    fingerprint: '',
    budget: { memory, fanIn: 16, batchRows: 65_536 },
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  return { game, store, result };
}

/** Equal to solveNaively; where the game is over the table has the value for the loser. */
async function valuesByText({
  game,
  store,
  result,
}: Awaited<ReturnType<typeof solved>>): Promise<Map<string, number>> {
  const sides = await nodeValuesOf(result.graph, store);
  const env = { scratch: scratch(), counters: newCounters() };
  const budget = { memory: 2 ** 26, fanIn: 16, batchRows: 65_536 };
  const values = new Map<string, number>();
  await findPositions(game, { ...env, budget }, (packed) => {
    for (const { id, owner } of unpackedNodes(packed)) {
      const side = sides[owner][values.size] === null ? 1 - owner : owner;
      const code = sides[side][values.size]!;
      const position = game.at(id as bigint);
      const value = side === game.mover(position) ? (code > 0 ? code + 1 : code) : -code;
      values.set(game.format(position), value);
    }
  });
  return values;
}

const grouped = (n: number) => n.toLocaleString('en-US');

/** The lines of the README. */
async function figures({ game, store, result }: Awaited<ReturnType<typeof solved>>): Promise<string[]> {
  const { layers } = result.reached!;
  const { wins, losses } = result.summary.table;
  const decided = [wins[0] + losses[1], wins[1] + losses[0]];
  const prober = await openKeyedProber(game, store, 'dtw');
  const [start] = [...game.roots()];
  const value = await prober.probe(start);
  const described = value.wdl === 'draw' ? 'drawn' : `won in ${value.plies} plies`;
  return [
    `| positions | ${grouped(result.graph.nodes)} |`,
    `| moves | ${grouped(result.graph.edges)} |`,
    `| layers, the largest | ${layers.length}, ${grouped(Math.max(...layers.map(({ positions }) => positions)))} |`,
    `| White wins / nobody / Black wins | ${grouped(decided[0])} / ${grouped(result.graph.nodes - decided[0] - decided[1])} / ${grouped(decided[1])} |`,
    `| the start | ${described} |`,
    `| its moves | ${value.moves.map(({ name, wdl, plies }) => `${name} ${wdl === 'draw' ? 'draws' : `${wdl === 'win' ? 'wins' : 'loses'} in ${plies}`}`).join(', ')} |`,
    `| the longest win | ${Math.max(...result.summary.table.longestWin.map(Number))} plies |`,
  ];
}

const boards = [
  ['3x3', three, 2 ** 20],
  ['4x4', four, 2 ** 23],
] as const;

describe.each(LONGEST ? boards : boards.slice(0, 1))('%s', (name, game, memory) => {
  let found: Awaited<ReturnType<typeof solved>>;
  let naive: Naive;
  beforeAll(async () => {
    found = await solved(game, memory);
    naive = solveNaively(game.format([...game.roots()][0]));
  }, 60_000);

  test('every reachable position has the value of a naive solver', async () => {
    const { result } = found;
    expect(result.graph.nodes).toBe(naive.texts.length);
    expect(result.summary.verified).toBe(naive.texts.length);
    const wrong: unknown[] = [];
    const values = await valuesByText(found);
    expect(values.size).toBe(naive.texts.length);
    for (const [text, value] of values) {
      const expected = naive.values[naive.numbers.get(text)!];
      if (value !== expected) wrong.push([text, value, expected]);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  }, 60_000);

  test('the README has the figures of the tables', async () => {
    const readme = readFileSync('samples/dodgem/README.md', 'utf8');
    const section = readme.slice(readme.indexOf(`## ${name}`));
    for (const line of await figures(found)) expect(section).toContain(`${line}\n`);
  });

  test('the first position has the published result', () => {
    // On 3x3 the first player wins, and no position is drawn ("Winning Ways", chapter 22); 4x4 is drawn (des Jardins 1996).
    expect(naive.values[0]).toBe(name === '3x3' ? 20 : 0);
    expect(naive.values.includes(0)).toBe(name !== '3x3');
  });
});

test('positions and moves have names', () => {
  const start = three.parse('>../>../.^^ w');
  expect([...three.roots()]).toEqual([start]);
  expect(three.format(start)).toBe('>../>../.^^ w');
  expect(three.diagram(start)).toBe('>..\n>..\n.^^\n');
  expect(three.moves(start).map(([name, after]) => [name, three.format(after)])).toEqual([
    ['a2-b2', '>../.>./.^^ b'],
    ['a2-a1', '>../.../>^^ b'],
    ['a3-b3', '.>./>../.^^ b'],
  ]);
  const late = three.parse('..>/.../.^. w');
  expect(three.moves(late).map(([name]) => name)).toEqual(['c3-off', 'c3-c2']);
  expect(three.ended(three.parse('.../.../.^. b'))).toBe('lost');
  // A player who shuts the other in has lost.
  expect(three.ended(three.parse('>^./^../... w'))).toBe('won');
  for (const [text, message] of [
    ['>../>.. w', 'a position looks like ">../>../.^^ w"'],
    ['>>./>../.^^ w', 'each player has 2 cars'],
    ['>../>../.^^', 'who is to move is "w" or "b"'],
  ] as const)
    expect(() => three.parse(text)).toThrow(message);
});
