/** Graphs that list where the play begins, and by how many points it ends. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const folder = newFolder();
const mergemate = program(join(folder, 'tables'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Node {
  readonly id: string;
  readonly owner?: string;
  readonly winner?: string | null;
  readonly score?: number;
  readonly edges?: readonly string[];
}

const lines = [
  { players: ['max', 'min'], stuck: 'drawn' },
  { roots: ['a', 'c', 'a'] },
  { id: 'a', owner: 'max', edges: ['b', 'c', 'd'] },
  { id: 'b', winner: 'max', score: 3 },
  { id: 'c', owner: 'min', edges: ['a', 'e', 'f'] },
  { id: 'd', winner: 'min', score: 5 },
  { id: 'e', winner: 'max', score: 7 },
  { id: 'f', winner: null, score: 0 },
  { id: 'g', owner: 'min', edges: ['d', 'b', 'h'] },
  { id: 'h', owner: 'min', winner: 'min', score: 4 },
];
const write = (name: string, all: readonly object[]) => {
  const path = join(folder, name);
  writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};
const file = write('points.jsonl', lines);

beforeAll(async () => {
  await mergemate.succeed(['solve', file]);
  await mergemate.succeed(['solve', file, '--metric', 'score']);
});

test('roots are printed by solve, each once, and answered by probe without a node', async () => {
  const roots = [
    { position: 'a', id: 'a', mover: 'max', over: false, winner: 'max', outcome: 'win', plies: 1 },
    { position: 'c', id: 'c', mover: 'min', over: false, winner: null, outcome: 'draw', plies: null },
  ];
  expect(await mergemate.succeedJson(['solve', file])).toMatchObject({ roots });
  expect(await mergemate.succeed(['solve', file])).toMatch(/\na: Max wins in 1 edge\nc: nobody wins\n$/);
  expect(await mergemate.succeed(['probe', 'points', '--metric', 'dtw'])).toBe(
    'a: Max wins in 1 edge\nc: nobody wins\n',
  );
  expect(await mergemate.succeedJson(['probe', 'points', '--metric', 'dtw'])).toMatchObject({ roots });
});

test('a document lists roots as lines do', async () => {
  const [head, { roots }, ...nodes] = lines;
  const path = join(folder, 'document.json');
  writeFileSync(path, JSON.stringify({ ...head, roots, nodes }));
  const one = await mergemate.succeedJson<{ roots: object; digests: object }>(['solve', path]);
  const other = await mergemate.succeedJson<{ roots: object; digests: object }>(['solve', file]);
  expect([one.roots, one.digests]).toEqual([other.roots, other.digests]);
});

describe('names of edges', () => {
  const named = write('named.jsonl', [
    { roots: ['s'] },
    { id: 's', owner: 0, edges: ['t', ['3', 'u'], ['back', 's'], ['also', 'u'], 'v'] },
    { id: 't', owner: 1, edges: [['to\u00fc', 'u']] },
    { id: 'u', winner: 0 },
    { id: 'v', winner: 1, edges: [['over', 's']] },
  ]);
  const plain = write('plain.jsonl', [
    { roots: ['s'] },
    { id: 's', owner: 0, edges: ['t', 'u', 's', 'v'] },
    { id: 't', owner: 1, edges: ['u'] },
    { id: 'u', winner: 0 },
    { id: 'v', winner: 1 },
  ]);

  test('are the moves of probes, lines and rows', async () => {
    await mergemate.succeed(['solve', named]);
    const { moves } = await mergemate.succeedJson<{ moves: { move: string; position: string }[] }>([
      'probe',
      'named',
      's',
    ]);
    expect(moves.map(({ move, position }) => [move, position])).toEqual([
      ['3', 'u'],
      ['also', 'u'],
      ['back', 's'],
      ['t', 't'],
      ['v', 'v'],
    ]);
    expect(await mergemate.succeed(['probe', 'named', 't', '--line'])).toContain('to\u00fc');
    const rows = await mergemate.succeed(['export', 'named', '--out', '-', '--columns', 'position,move']);
    expect(
      rows
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row).move),
    ).toEqual(['3', 'to\u00fc', null, null]);
    expect(await mergemate.succeed(['probe', 'named', 'v'])).toContain('no legal moves');
  });

  test('change no value, and survive strides and gc', async () => {
    const digests = async (path: string) =>
      (await mergemate.succeedJson<{ digests: unknown }>(['solve', path])).digests;
    expect(await digests(named)).toEqual(await digests(plain));
    await mergemate.succeed(['scrub', '--collect', '--delete']);
    expect(await mergemate.succeed(['probe', 'named', 't'])).toContain('to\u00fc');
  });

  test('follow more edges than a node hands on with itself', async () => {
    const many = Array.from({ length: 65_536 }, (_, i) => i);
    const { code, stderr } = await mergemate.run([
      'solve',
      write('many.jsonl', [{ id: 0, owner: 0, edges: [...many, ['late', 0]] }]),
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('node 0 (0): an edge with a name follows 65536 edges'),
    ]);
  });
});

test('scores order wins before plies, and are the default of lookups', async () => {
  expect(await mergemate.succeed(['probe', 'points'])).toBe('a: Max wins by 3 in 1 edge\nc: nobody wins\n');
  expect(await mergemate.succeedJson(['probe', 'points', 'g'])).toMatchObject({
    metric: 'score',
    winner: 'min',
    score: 5,
    moves: [
      { move: 'd', score: 5 },
      { move: 'h', score: 4, plies: 1 },
      { move: 'b', score: -3 },
    ],
  });
  const rows = await mergemate.succeed([
    'export',
    'points',
    '--out',
    '-',
    '--columns',
    'position,mover,score',
  ]);
  expect(rows.split('\n')).toContain('{"position":"h","mover":"min","score":4}');
  expect(await mergemate.succeed(['verify', 'points'])).toContain('all values are right');
});

test('scores are those of all orders of play, by a search', async () => {
  const worth = new Map<string, number>(lines.flatMap((line) => ('id' in line ? [[line.id, 0]] : [])));
  // Values of finite play of n edges, which settle: the graph is small.
  for (let round = 0; round < 50; round++)
    for (const line of lines) {
      if (!('id' in line)) continue;
      const { id, owner, winner, score = 0, edges } = line as Node;
      const sign = (owner ?? winner) === 'max' ? 1 : -1;
      if (edges === undefined) worth.set(id, winner === 'max' ? score : winner === 'min' ? -score : 0);
      else worth.set(id, sign * Math.max(...edges.map((to) => sign * worth.get(to)!)));
    }
  for (const [id, points] of worth) {
    const found = await mergemate.succeedJson<{ winner: string | null; mover: string; score: number }>([
      'probe',
      'points',
      id,
    ]);
    expect([id, found.mover === 'max' ? found.score : 0 - found.score]).toEqual([id, points + 0]);
  }
});

test.each<[string, object[], string[], RegExp]>([
  [
    'a root that is not a node',
    [{ roots: ['x'] }, { id: 1, winner: 0 }],
    [],
    /refused\.jsonl: "roots": there is no node "x"/,
  ],
  [
    'an end without a score',
    [...lines, { id: 'i', winner: 'max' }],
    ['--metric', 'score'],
    /node 8 \("i"\) at line 11, byte \d+: the game is lost there but has no score/,
  ],
  [
    'a node without edges that is lost',
    [
      { id: 1, winner: 0, score: 1 },
      { id: 2, owner: 0 },
    ],
    ['--metric', 'score'],
    /node 1 \(2\) at line 2, byte \d+: the game is lost there/,
  ],
  [
    'no scores',
    [{ id: 1, winner: 0 }],
    ['--metric', 'score'],
    /refused has no scores: solve it for dtw or wdl/,
  ],
])('%s is refused in one line', async (_, all, flags, message) => {
  const { code, stderr } = await mergemate.run(['solve', write('refused.jsonl', all), '--again', ...flags]);
  expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringMatching(message)]]);
});

test.skipIf(!LONG)(`ranks answer the same${ifShort}`, async () => {
  const ranks = [
    '--engine',
    'processes',
    '--workers',
    '2',
    '--metric',
    'score',
    '--store',
    join(folder, 'ranks'),
  ];
  expect(await mergemate.succeedJson(['solve', file, ...ranks])).toMatchObject({
    roots: [{ position: 'a', score: 3 }, { position: 'c' }],
  });
});
