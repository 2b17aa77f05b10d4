/** Verification: right tables pass, and every single wrong value is found, by any kind of move. */
import { describe, expect, test } from 'vitest';
import { verify } from '../../../pipeline/engine/verify/verify.js';
import type { Game, Side } from '../../../pipeline/game/game.js';
import type { DerivedPart } from '../../../pipeline/game/step-manifests.js';
import type { Metric } from '../../../pipeline/game/value.js';
import type { Table } from '../../../pipeline/tables/table.js';
import { directMetrics } from '../../support/direct-metrics.js';
import { graphGame, naiveValues, randomGraph } from '../../support/graph-game.js';
import { MiB } from '../../support/solving.js';
import { tableOf, verifyContext } from '../../support/verifying.js';

function verifyTable(
  ...[metric, table, tables, limits]: Parameters<typeof verifyContext>
): Promise<DerivedPart> {
  return verify(verifyContext(metric, table, tables, limits), table);
}

/** Other than `right`, different from index to index. */
function forge(metric: Metric, right: number | null, index: number): number | null {
  const others = [null, 0, 1, -1, 9, -9].filter((code) =>
    metric === 'wdl' && code !== null && right !== null
      ? Math.sign(code) !== Math.sign(right)
      : code !== right,
  );
  return others[index % others.length];
}

describe.each(directMetrics)('random graphs, %s', (metric) => {
  const below = randomGraph(1001, { name: 'below', size: 90, width: 40, ladder: false });
  const above = randomGraph(1, { name: 'above', size: 300, width: 60, ladder: false, dependency: below });
  const game: Game = graphGame(below, above);
  const slice = game.slice('above');
  const { width, parts } = slice;
  const values = naiveValues(above, metric);
  const valuesBelow = naiveValues(below, metric);
  const tables = [tableOf(game.slice('below'), valuesBelow, 'i8')];
  const table = tableOf(slice, values, metric === 'dtc' ? 'i16' : 'i8');
  const moves = above.sides.flatMap((side) => [...side.moves, ...side.conversions]).flat().length;

  /** The table with another value of one position. */
  const changed = (side: Side, index: number, code: number | null): Table =>
    tableOf(
      slice,
      values.map((codes, s) => (s === side ? codes.with(index, code) : codes)),
      'i8',
    );

  test('right values pass, in any number of intervals and little memory', async () => {
    const positions = values.flat().filter((value) => value !== null).length;
    for (const memory of [1 << 11, 1 << 13, MiB]) {
      const whole = await verifyTable(metric, table, tables, { memory });
      expect(whole).toEqual({ positions, requests: moves, mismatches: [], wrong: 0, doubtful: 0 });
    }
    let requests = 0;
    for (const [from, to] of [
      [0, 2],
      [2, 3],
      [3, parts],
    ]) {
      const piece = await verifyTable(metric, table, tables, { parts: { from, to } });
      expect(piece.wrong).toBe(0);
      requests += piece.requests;
    }
    expect(requests).toBe(moves);
  });

  test('a wrong value of any position is found at that position', async () => {
    for (const side of [0, 1] as const) {
      for (let index = 0; index < above.size; index++) {
        const right = values[side][index];
        const stored = forge(metric, right, index);
        const part = Math.floor(index / width);
        const interval = { from: part, to: part + 1 };
        const { mismatches, wrong } = await verifyTable(metric, changed(side, index, stored), tables, {
          parts: interval,
        });
        expect(wrong).toBeGreaterThan(0);
        const found = mismatches.find((mismatch) => mismatch.side === side && mismatch.key === index % width);
        expect(found).toMatchObject({ slice: 'above', part, stored });
        expect(normal(metric, found!.derived)).toBe(right);
      }
    }
  });

  // The only winning move of a position leads to one whose value is changed.
  test.each(['in the part', 'to another part', 'to another slice'])(
    'through a move that leads %s',
    async (where) => {
      let tried = 0;
      for (const side of [0, 1] as const) {
        const there = (1 - side) as Side;
        for (let index = 0; index < above.size && tried < 20; index++) {
          const inside = above.sides[side].moves[index].map((to) => ({ to, code: values[there][to] }));
          const outside = above.sides[side].conversions[index].map((to) => ({
            to,
            code: valuesBelow[there][to],
          }));
          const winning = [...inside, ...outside].filter(({ code }) => code! < 0);
          if (winning.length !== 1) continue;
          const [only] = winning;
          const part = Math.floor(index / width);
          const leads = outside.includes(only)
            ? 'to another slice'
            : Math.floor(only.to / width) === part
              ? 'in the part'
              : 'to another part';
          if (leads !== where) continue;
          tried++;
          const drawn = (codes: (number | null)[], s: number) =>
            s === there ? codes.with(only.to, 0) : codes;
          const { mismatches } =
            where === 'to another slice'
              ? await verifyTable(metric, table, [tableOf(game.slice('below'), valuesBelow.map(drawn), 'i8')])
              : await verifyTable(metric, changed(there, only.to, 0), tables, {
                  parts: { from: part, to: part + 1 },
                });
          expect(mismatches).toContainEqual(
            expect.objectContaining({ side, part, key: index % width, stored: values[side][index] }),
          );
        }
      }
      expect(tried).toBeGreaterThan(2);
    },
  );
});

/** A derived value; under WDL only its sign means anything. */
function normal(metric: Metric, code: number | null): number | null {
  return metric === 'wdl' && code !== null ? Math.sign(code) : code;
}
