/** The water tower of the sample against an attractor in memory, and played as the table says. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { control } from '../../samples/controller/make-graph.js';
import { randomFrom } from '../support/graph-game.js';
import { type AttractorNode, attractor } from './attractor.js';
import { type SolvedLines, solvedLines } from './solved-graph.js';

/** The rules, written a second time: the pump is a number, minutes to wait if it runs and -1 - minutes if it does not. */
function states(capacity: number): Map<string, AttractorNode> {
  const name = (water: number, taken: number, pump: number, mover: string) =>
    `water ${water} taken ${taken} pump ${pump < 0 ? `off wait ${-1 - pump}` : `on wait ${pump}`} ${mover}`;
  const places = new Map<string, AttractorNode>([
    ['dry', 'won'],
    ['overflow', 'won'],
  ]);
  for (let water = 0; water <= capacity; water++) {
    for (let taken = 0; taken <= 3; taken++) {
      for (let pump = -3; pump <= 4; pump++) {
        // The pump needs five minutes on, counting the one that begins, and three off.
        const pumps = pump > 0 ? [pump - 1] : pump < -1 ? [pump + 1] : pump === 0 ? [0, -3] : [-1, 4];
        places.set(name(water, taken, pump, 'controller'), {
          chooses: 'defender',
          next: pumps.map((then) => name(water, taken, then, 'town')),
        });
        const next: string[] = [];
        for (let then = Math.max(0, taken - 1); then <= Math.min(3, taken + 1); then++) {
          const left = water - then + (pump < 0 ? 0 : 4);
          next.push(left < 0 ? 'dry' : left > capacity ? 'overflow' : name(left, then, pump, 'controller'));
        }
        places.set(name(water, taken, pump, 'town'), { chooses: 'attacker', next });
      }
    }
  }
  return places;
}

const solved = new Map<number, Promise<SolvedLines>>();
function tower(capacity: number): Promise<SolvedLines> {
  if (!solved.has(capacity)) solved.set(capacity, solvedLines(`tower-${capacity}`, control(capacity)));
  return solved.get(capacity)!;
}

test.each([20, 21, 30])(
  'a tower of %d litres: all nodes have the values of an attractor computation',
  async (capacity) => {
    const { rows } = await tower(capacity);
    const places = states(capacity);
    const known = attractor(places);
    expect(new Map([...rows].map(([id, { plies }]) => [id, plies]))).toEqual(
      new Map([...places.keys()].map((id) => [id, known.get(id) ?? null])),
    );
  },
);

const NODE = 'water 12 taken 0 pump off wait 0 controller';

test('the README has the figures of the tables', async () => {
  const readme = readFileSync('samples/controller/README.md', 'utf8');
  const { summary, probed, rows } = await tower(30);
  expect(readme).toContain(summary.replace('tower-30', 'tower'));
  expect(readme).toContain(await probed(NODE));
  const { owner, winner, plies, move } = rows.get(NODE)!;
  expect({ owner, winner, plies }).toEqual({ owner: 0, winner: null, plies: null });
  expect(readme).toContain(`{"id":"${NODE}","owner":"controller","winner":null,"plies":null,"move":${move}}`);
  for (const capacity of [20, 21, 30]) {
    const { rows } = await tower(capacity);
    const held = [...rows.values()].filter(({ winner }) => winner === null).length;
    const counts = [capacity, rows.size, held].map((n) => n.toLocaleString('en-US'));
    expect(readme).toContain(`| ${counts.join(' | ')} |`);
  }
});

test('who follows the strategy holds the tower whatever the town takes', async () => {
  const { rows } = await tower(21);
  const random = randomFrom(3);
  const places = states(21);
  const held = [...rows].filter(([id, { winner }]) => winner === null && id.endsWith('controller'));
  expect(held.length).toBeGreaterThan(0);
  for (const [start] of held.slice(0, 50)) {
    let at = start;
    for (let minute = 0; minute < 300; minute++) {
      at = JSON.parse(rows.get(at)!.move!);
      const { next } = places.get(at) as Exclude<AttractorNode, string>;
      at = next[random(next.length)];
      expect(at.startsWith('water')).toBe(true);
    }
  }
});
