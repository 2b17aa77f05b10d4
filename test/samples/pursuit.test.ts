/** Cops and robber in the streets of the sample and in graphs that theory knows, against an attractor in memory. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pursuit, readStreets, type Streets } from '../../samples/pursuit/make-graph.js';
import { randomFrom } from '../support/graph-game.js';
import { LONG, sweep } from '../support/long.js';
import { type AttractorNode, attractor } from './attractor.js';
import { type SolvedLines, solvedLines } from './solved-graph.js';

const town = readStreets(readFileSync('samples/pursuit/town.txt', 'utf8'));

/** The game for one or two cops, written a second time: a position is "a b|robber|turn". */
function played(streets: Streets, cops: 1 | 2): Map<string, number> {
  const corners = [...streets.keys()].sort();
  const near = (from: string, to: string) => from === to || streets.get(from)!.has(to);
  const pairs: string[][] = [];
  for (const a of corners)
    for (const b of corners) if (cops === 2 ? a <= b : a === b) pairs.push(cops === 2 ? [a, b] : [a]);
  const canGo = (from: string[], to: string[]) =>
    cops === 1
      ? near(from[0], to[0])
      : (near(from[0], to[0]) && near(from[1], to[1])) || (near(from[0], to[1]) && near(from[1], to[0]));
  const text = (pair: string[], robber: string, turn: string) => `${pair.join('+')} ${robber} ${turn}`;
  const places = new Map<string, AttractorNode>();
  places.set('start', { chooses: 'attacker', next: pairs.map((pair) => pair.join('+')) });
  for (const pair of pairs) {
    places.set(pair.join('+'), {
      chooses: 'defender',
      next: corners.map((robber) => text(pair, robber, 'cops')),
    });
    const after = pairs.filter((next) => canGo(pair, next));
    for (const robber of corners) {
      const caught = pair.includes(robber);
      const chase = after.map((next) => text(next, robber, 'robber'));
      const flight = corners.filter((to) => near(robber, to)).map((to) => text(pair, to, 'cops'));
      places.set(text(pair, robber, 'cops'), caught ? 'won' : { chooses: 'attacker', next: chase });
      places.set(text(pair, robber, 'robber'), caught ? 'won' : { chooses: 'defender', next: flight });
    }
  }
  const won = attractor(places);
  return new Map([...places.keys()].map((name) => [name, won.get(name) ?? Number.POSITIVE_INFINITY]));
}

/** All nodes have the values of the attractor, and moves lead to nodes with the right values. */
function expectSolved({ rows }: SolvedLines, known: ReadonlyMap<string, number>): void {
  const found = new Map([...rows].map(([id, { plies }]) => [id, plies ?? Number.POSITIVE_INFINITY]));
  expect(found).toEqual(known);
  for (const { winner, plies, move } of rows.values()) {
    if (plies === 0) continue;
    const next = rows.get(JSON.parse(move!))!;
    expect(next.winner).toBe(winner);
    if (plies !== null) expect(next.plies).toBe(plies - 1);
  }
}

test.each(sweep<1 | 2>([1], [2]))(
  'the town with %d cops: all nodes have the values of an attractor computation',
  async (cops) => {
    const solved = await solvedLines(`town-${cops}`, pursuit(town, cops));
    expectSolved(solved, played(town, cops));
    const readme = readFileSync('samples/pursuit/README.md', 'utf8');
    expect(readme).toContain(solved.summary);
    if (cops === 1) return;
    expect(readme).toContain(await solved.probed('market+orchard gate robber'));
    const line = ['start'];
    for (let row = solved.rows.get('start')!; row.move !== null; row = solved.rows.get(line.at(-1)!)!)
      line.push(JSON.parse(row.move));
    expect(readme).toContain(line.join('\n'));
  },
);

function streetsOf(size: number, edges: Iterable<readonly [number, number]>): Streets {
  const streets = new Map(Array.from({ length: size }, (_, i) => [`${i}`, new Set<string>()]));
  for (const [a, b] of edges) {
    streets.get(`${a}`)!.add(`${b}`);
    streets.get(`${b}`)!.add(`${a}`);
  }
  return streets;
}

async function areCopsEnough(name: string, streets: Streets, cops: number): Promise<boolean> {
  const { rows } = await solvedLines(name, pursuit(streets, cops));
  return rows.get('start')!.winner === 0;
}

/** Corners that another corner sees all of, with itself, are taken away one by one (Nowakowski & Winkler 1983; Quilliot 1978). */
function isDismantlable(streets: Streets): boolean {
  const left = new Map([...streets].map(([corner, next]) => [corner, new Set([corner, ...next])]));
  const isCornered = ([a, seen]: [string, Set<string>]) =>
    [...left].some(([b, all]) => b !== a && [...seen].every((corner) => all.has(corner)));
  for (;;) {
    const found = [...left].find(isCornered);
    if (found === undefined) return left.size === 1;
    left.delete(found[0]);
    for (const seen of left.values()) seen.delete(found[0]);
  }
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const cycle = (n: number) =>
  streetsOf(
    n,
    range(n).map((i) => [i, (i + 1) % n] as const),
  );

test('one cop suffices on trees and chordal graphs', async () => {
  const random = randomFrom(5);
  const tree = streetsOf(
    12,
    range(11).map((i) => [i + 1, random(i + 1)] as const),
  );
  expect(await areCopsEnough('tree', tree, 1)).toBe(true);
  // Each corner is joined to one that is there, and to some of those that this one is joined to as a clique.
  const cliques: number[][] = [[0]];
  for (let corner = 1; corner < 12; corner++) {
    const clique = cliques[random(cliques.length)].filter((_, i) => i === 0 || random(3) > 0);
    cliques.push([corner, ...clique]);
  }
  const chordal = streetsOf(
    12,
    cliques.flatMap(([corner, ...clique]) => clique.map((to) => [corner, to] as const)),
  );
  expect(await areCopsEnough('chordal', chordal, 1)).toBe(true);
});

test('one cop suffices on a triangle, two are needed on longer cycles', async () => {
  expect(await areCopsEnough('cycle-3', cycle(3), 1)).toBe(true);
  for (const n of sweep([4, 9], [5])) {
    expect(await areCopsEnough(`cycle-${n}`, cycle(n), 1)).toBe(false);
    expect(await areCopsEnough(`cycle-${n}-2`, cycle(n), 2)).toBe(true);
  }
});

test('one cop suffices exactly on dismantlable graphs', async () => {
  const random = randomFrom(11);
  const seen = { true: 0, false: 0 };
  for (let trial = 0; trial < (LONG ? 16 : 12); trial++) {
    const edges = range(10).flatMap((b) => range(b).map((a) => [a, b] as const));
    const path = range(7).map((i) => [i, i + 1] as const);
    const more = edges.filter(([, b]) => b < 8 && random(10) < 3);
    const streets = streetsOf(8, [...path, ...more]);
    const expected = isDismantlable(streets);
    seen[`${expected}`]++;
    expect(await areCopsEnough(`random-${trial}`, streets, 1)).toBe(expected);
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(1);
});

test('on the Petersen graph three cops are needed (Aigner & Fromme 1984)', async () => {
  const petersen = streetsOf(
    10,
    range(5).flatMap(
      (i) =>
        [
          [i, (i + 1) % 5],
          [i, i + 5],
          [i + 5, ((i + 2) % 5) + 5],
        ] as const,
    ),
  );
  expect(await areCopsEnough('petersen-2', petersen, 2)).toBe(false);
  expect(await areCopsEnough('petersen-3', petersen, 3)).toBe(true);
});
