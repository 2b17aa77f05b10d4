/** Here belong tests of graphs and keyed games: import, expansion, rounds, tables. */

/** Positions expanded beside the thread that sorts: the same nodes in the same order, and errors of the game. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyedGame, memoryStore, newCounters, newScratch, reachableGraph, unpackedNodes } from 'mergemate';
import { expect, test } from 'vitest';
import type { Expander } from '../../pipeline/graph/reachable/expander.js';
import { newExpansion } from '../../pipeline/graph/reachable/expansion.js';
import { newKeyCheck } from '../../pipeline/graph/reachable/key-check.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';
import { testFolder } from '../support/cli.js';
import { run, succeed } from '../support/command.js';
import { ifShort, LONG } from '../support/long.js';

/** Four moves from each number to four others: layers of 1, 4, 16 and so on. */
const tree = keyedGame<number, number>({
  name: 'tree',
  roots: () => [0],
  key: (n) => n,
  position: (n) => n,
  mover: (n) => (n % 2) as 0 | 1,
  moves: (n) => (n > 6000 ? [] : [1, 2, 3, 4].map((i) => [String(i), 4 * n + i] as const)),
});

/** Pieces are expanded at once, and handed out late, the second before the first. */
function slowExpander(): Expander & { pieces: number; closed: boolean } {
  const self = {
    ahead: 3,
    piece: 500,
    pieces: 0,
    closed: false,
    expand(keys: Parameters<Expander['expand']>[0]) {
      const number = self.pieces++;
      const expansion = newExpansion(tree as never, newKeyCheck(tree as never), 2 ** 20);
      const nodes: PackedNodes[] = [];
      for (let from = 0; from < keys.length; ) {
        from = expansion.expand(keys, from);
        nodes.push(structuredClone(expansion.nodes));
        expansion.clear();
      }
      return new Promise<PackedNodes[]>((resolve) =>
        setTimeout(() => resolve(nodes), number % 2 === 0 ? 4 : 0),
      );
    },
    close: async () => {
      self.closed = true;
    },
  };
  return self;
}

async function nodesOf(newExpander?: () => Expander): Promise<unknown[]> {
  const env = { scratch: newScratch(memoryStore(), 'reach'), counters: newCounters() };
  const budget = { memory: 2 ** 22, fanIn: 8, batchRows: 4096 };
  const nodes: unknown[] = [];
  for await (const { packed } of reachableGraph(tree, { ...env, budget }, () => {}, newExpander).read())
    if (packed !== undefined) nodes.push(...unpackedNodes(packed));
  return nodes;
}

test('the same nodes in the same order', async () => {
  const expander = slowExpander();
  const found = await nodesOf(() => expander);
  expect(found.length).toBeGreaterThan(20_000);
  expect(found).toEqual(await nodesOf());
  expect(expander.pieces).toBeGreaterThan(8);
  expect(expander.closed).toBe(true);
});

test('a fault of the game that another thread meets ends the solve, and is told as ever', async () => {
  const folder = testFolder();
  const path = join(folder, 'bad.ts');
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';
export default keyedGame<number, number>({
  name: 'bad', roots: () => [0], key: (n) => n, position: (n) => n, mover: (n) => (n === 9999 ? 7 : n % 2) as 0 | 1,
  moves: (n) => (n > 6000 ? [] : [1, 2, 3, 4].map((i) => [String(i), 4 * n + i] as const)),
});
`,
  );
  const said = await run(['solve', path, '--workers', '2', '--store', join(folder, 'tables')]);
  expect(said).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^mergemate: bad: 9999: mover is 7, not 0 or 1: .*\n$/m),
  });
});

test.skipIf(!LONG)(
  `two workers make the tables of one${ifShort}`,
  async () => {
    const folder = testFolder();
    const path = join(folder, 'five.ts');
    writeFileSync(
      path,
      `import { keyedGame } from 'mergemate';\nimport { connectFour } from ${JSON.stringify(join(process.cwd(), 'samples/connect-four/rules.js'))};\nexport default keyedGame(connectFour(5, 4));\n`,
    );
    const [one, two] = await Promise.all(
      ['1', '2'].map(async (workers) => {
        const store = join(folder, workers);
        const said = await succeed(['solve', path, '--workers', workers, '--store', store, '--json']);
        expect(await succeed(['verify', path, '--workers', workers, '--store', store])).toContain(
          'all values are right',
        );
        return JSON.parse(said) as { digests: string[]; nodes: number; verified: number };
      }),
    );
    expect(two!.digests).toEqual(one!.digests);
    expect(two!.verified).toBe(1_974_174);
  },
  600_000,
);
