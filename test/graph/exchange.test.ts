/** Rows that are put to those who own their majors. */
import { expect, test } from 'vitest';
import { newRows } from '../../operators/runs/rows.js';
import type { Rows } from '../../operators/runs/types.js';
import { seededRandom } from '../../pipeline/game/sample.js';
import { type Exchange, Halted } from '../../pipeline/graph/exchange.js';
import { ALONE, newExchangeMemory, openExchange } from '../../pipeline/graph/shared-exchange.js';
import { MAJORS } from '../../pipeline/graph/spread.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function opened(of: number): Exchange[] {
  const memory = newExchangeMemory(of, 1);
  return Array.from({ length: of }, (_, self) => openExchange(memory, self));
}

/** Rows that one has taken, as text. */
function newTaking(slow = false) {
  const taken: string[] = [];
  return {
    taken,
    take: async (rows: Rows): Promise<void> => {
      if (slow) await turn();
      for (let i = 0; i < rows.length; i++) taken.push(textOf(rows, i));
    },
  };
}

const textOf = ({ major, minor, payload }: Rows, i: number) => `${major[i]} ${minor[i]} ${payload[0][i]}`;

function drawRows(length: number, random: (below: number) => number): Rows {
  const rows = newRows(Math.max(1, length), 1);
  rows.length = length;
  for (let i = 0; i < length; i++) {
    rows.major[i] = random(MAJORS);
    rows.minor[i] = random(2 ** 32);
    rows.payload[0][i] = random(2 ** 24);
  }
  return rows;
}

test.each([1, 2, 3, 7])('every row comes to its owner once: %i of them, one slow', async (of) => {
  const all = of === 1 ? [ALONE] : opened(of);
  expect(all.map(({ majors }) => majors.to - majors.from).reduce((a, b) => a + b)).toBe(MAJORS);
  for (let layer = 0; layer < 3; layer++) {
    const put: string[] = [];
    const found = await Promise.all(
      all.map(async (exchange) => {
        const { taken, take } = newTaking(exchange.self === 0);
        const random = seededRandom(10 * layer + exchange.self);
        // Far more than the slots hold, and the last puts nothing.
        for (let i = 0; i < (exchange.self === of - 1 && of > 1 ? 0 : 20); i++) {
          const rows = drawRows(random(900), random);
          for (let row = 0; row < rows.length; row++) put.push(textOf(rows, row));
          await exchange.put(rows, take);
        }
        await exchange.meet(take);
        return { taken, said: (await exchange.say([taken.length, exchange.self])).map((each) => [...each]) };
      }),
    );
    for (const [i, { taken, said }] of found.entries()) {
      const { from, to } = all[i].majors;
      expect(taken.every((row) => Number(row.split(' ')[0]) >= from && Number(row.split(' ')[0]) < to)).toBe(
        true,
      );
      expect(said.map((each) => each.slice(0, 2))).toEqual(
        found.map((each, who) => [each.taken.length, who]),
      );
    }
    expect(put.length).toBeGreaterThan(1000);
    expect(found.flatMap(({ taken }) => taken).sort()).toEqual(put.sort());
  }
});

test('others go on to the next meeting with one that fails, and end there', async () => {
  const [first, second, third] = opened(3);
  const taking = newTaking();
  const random = seededRandom(1);
  const failing = (async () => {
    await third.meet(taking.take);
    third.fail();
  })();
  const ends = [first, second].map(async (exchange) => {
    // The one that failed was at this meeting; nobody waits for it to take rows.
    await exchange.meet(taking.take);
    for (let i = 0; i < 20; i++) await exchange.put(drawRows(500, random), taking.take);
    await expect(exchange.meet(taking.take)).rejects.toThrow(Halted);
    return true;
  });
  await failing;
  expect(await Promise.all(ends)).toEqual([true, true]);
});
