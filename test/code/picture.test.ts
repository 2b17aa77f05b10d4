/** The picture of the imports, docs/imports.svg: it shows the code as it is now. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn, importsOf } from './imports.js';
import { type ImportArrow, layered } from './layers.js';
import { pictureOf } from './picture.js';

test('docs/imports.svg is what the code gives: `npm run picture` draws it', () => {
  const imports = ['operators', 'pipeline', 'jobs'].flatMap(filesIn).flatMap(importsOf);
  expect(readFileSync('docs/imports.svg', 'utf8') === pictureOf(imports)).toBe(true);
});

const arrows = (...pairs: string[]): ImportArrow[] => pairs.map(([from, to]) => ({ from, to, weight: 1 }));
const nodesIn = (given: readonly ImportArrow[]) => {
  const { layers, down, up } = layered([...new Set(given.flatMap(({ from, to }) => [from, to]))], given);
  return {
    layers: layers.map((layer) => layer.flatMap(({ node }) => node ?? [])),
    down: down.map((way) => `${way[0].node}${way.at(-1)?.node}`).sort(),
    up: up.map(([from, to]) => `${from.node}${to.node}`),
  };
};

test('arrows point down, and one that others say as well is left out', () => {
  expect(nodesIn(arrows('ca', 'cb', 'ba'))).toEqual({
    layers: [['c'], ['b'], ['a']],
    down: ['ba', 'cb'],
    up: [],
  });
});

test('of a circle, the arrow with the fewest reasons points up', () => {
  const circle = arrows('ab', 'bc', 'ca').map((arrow) => ({ ...arrow, weight: arrow.from === 'b' ? 1 : 2 }));
  expect(nodesIn(circle)).toEqual({ layers: [['c'], ['a'], ['b']], down: ['ab', 'ca'], up: ['bc'] });
});

test('arrows that need not cross do not', () => {
  expect(nodesIn(arrows('ad', 'bc')).layers).toEqual([
    ['a', 'b'],
    ['d', 'c'],
  ]);
});
