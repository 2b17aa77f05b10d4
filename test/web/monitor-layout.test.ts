/** Where slices stand in the graph, and which edges are drawn. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgesOf, layOut, type Node } from '../../jobs/web/monitor-page/graph-layout.js';

const SIZE = { width: 80, height: 30, gap: 10, waveGap: 40 };

const nodes = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 40 }).map((all) => {
  const made: Node[] = [];
  for (const [i, picks] of all.entries()) {
    const dependencies = [...new Set(picks.map((pick) => pick % (i + 1)).filter((to) => to < i))].map(String);
    const wave = 1 + Math.max(0, ...dependencies.map((to) => made[Number(to)].wave));
    made.push({ slice: String(i), wave, dependencies });
  }
  return made;
});

test('every slice stands below all it depends on, none on another, all in the width', () => {
  fc.assert(
    fc.property(nodes, fc.integer({ min: 80, max: 900 }), (all, width) => {
      const { at, height, lines } = layOut(all, width, SIZE);
      expect(lines.flat().toSorted()).toEqual(all.map(({ slice }) => slice).toSorted());
      const boxes = all.map(({ slice }) => at.get(slice)!);
      for (const [i, { dependencies }] of all.entries()) {
        const { x, y } = boxes[i];
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + SIZE.width).toBeLessThanOrEqual(width);
        expect(y + SIZE.height).toBeLessThanOrEqual(height);
        for (const to of dependencies) expect(at.get(to)!.y).toBeLessThan(y);
        for (const other of boxes.slice(0, i)) {
          const areSeparate = Math.abs(other.x - x) >= SIZE.width || Math.abs(other.y - y) >= SIZE.height;
          expect(areSeparate).toBe(true);
        }
      }
    }),
    { numRuns: 50 },
  );
});

const reachable = (edges: ReadonlyMap<string, readonly string[]>, from: string): Set<string> => {
  const found = new Set<string>();
  const visit = (slice: string): void => {
    for (const to of edges.get(slice) ?? []) {
      found.add(to);
      visit(to);
    }
  };
  visit(from);
  return found;
};

test('edges that others imply are left out, and nothing else is', () => {
  fc.assert(
    fc.property(nodes, (all) => {
      const given = new Map(all.map(({ slice, dependencies }) => [slice, dependencies]));
      const drawn = edgesOf(all);
      const left = new Map(
        all.map(({ slice }) => [slice, drawn.filter(({ from }) => from === slice).map(({ to }) => to)]),
      );
      for (const { slice } of all) {
        expect(reachable(left, slice)).toEqual(reachable(given, slice));
        for (const to of left.get(slice)!) {
          const others = left.get(slice)!.filter((other) => other !== to);
          expect(others.some((other) => reachable(given, other).has(to))).toBe(false);
        }
      }
    }),
    { numRuns: 50 },
  );
});
