/** Tables and the files and modules that they were made from: no command answers for a source that was changed since. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim } from '../../../jobs/run/claims.js';
import { gameRemoval, graphRemoval, remove } from '../../../jobs/run/removal.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import {
  type KeyedRules,
  keyedGame,
  openGraphProber,
  openKeyedProber,
  type Side,
  solveGraph,
  solveKeyed,
} from '../../../pipeline/index.js';
import { solving } from '../../pipeline/graph/memory-graph.js';
import { program as programProcess, run as runProcess } from '../../support/cli.js';
import { program, run, succeed, succeedJson } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { killed } from '../../support/killed-store.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { served } from '../../support/serving.js';
import { putEndings } from '../../support/solving.js';

/** One edge, from "s" to an end that a player has won, or nobody. */
function graphWonBy(winner: 0 | 1 | null): string {
  return `{"players":["x","y"]}\n{"id":"s","owner":0,"edges":["e"]}\n{"id":"e","winner":${winner}}\n`;
}

/** Heaps of 21 from which up to `most` may be taken. Whoever takes the last wins. */
function heapModule(most: string, more = ''): string {
  return `import { keyedGame } from 'mergemate';
export default keyedGame({
  name: 'heap',
  roots: () => [{ n: 21, side: 0 }],
  key: ({ n, side }) => n * 2 + side,
  position: (key) => ({ n: key >> 1, side: key & 1 }),
  mover: ({ side }) => side,
  *moves({ n, side }) {
    for (let t = 1; t <= Math.min(n, ${most}); t++) yield ['take ' + t, { n: n - t, side: 1 - side }];
  },
});
${more}`;
}

function countersModule(most: string, more = ''): string {
  return `import { numberedGame } from 'mergemate';
export default numberedGame({
  name: 'counters',
  size: 30,
  index: ({ n }) => n,
  position: (n, side) => ({ n, side }),
  mover: ({ side }) => side,
  *moves({ n, side }) {
    for (let t = 1; t <= Math.min(n, ${most}); t++) yield ['take ' + t, { n: n - t, side: 1 - side }];
  },
});
${more}`;
}

function write(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

type Probed = { winner: string | null };

describe('two graphs in files of one name', () => {
  test.skipIf(!LONG)(
    `are both solved in one store, and each is probed by its own values${ifShort}`,
    async () => {
      const folder = testFolder();
      const mergemate = program(join(folder, 'tables'));
      const [a, b] = [join(folder, 'a/game.jsonl'), join(folder, 'b/game.jsonl')];
      write(a, graphWonBy(0));
      write(b, graphWonBy(1));
      await mergemate.succeed(['solve', a]);
      const unsolved = await mergemate.run(['probe', b, 's']);
      expect(unsolved.stderr).toContain(`${b} is not solved in `);
      expect(unsolved.stderr).toContain(`run "mergemate solve ${b}" first`);
      expect(unsolved.code).toBe(2);
      await mergemate.succeed(['solve', b]);
      expect((await mergemate.succeedJson<Probed>(['probe', a, 's'])).winner).toBe('x');
      expect((await mergemate.succeedJson<Probed>(['probe', b, 's'])).winner).toBe('y');
      // Solved again, each is there, and nothing new is made.
      await mergemate.succeed(['solve', a]);
      await mergemate.succeed(['solve', b]);
      expect((await mergemate.succeedJson<{ slices: object[] }>(['status', 'graph'])).slices).toHaveLength(2);
    },
  );

  test.skipIf(!LONG)(
    `are told apart, too, where their names differ only in letters that are left out${ifShort}`,
    async () => {
      const folder = testFolder();
      const mergemate = program(join(folder, 'tables'));
      const [a, u] = ['täst.jsonl', 'tüst.jsonl'].map((name) => join(folder, name)) as [string, string];
      write(a, graphWonBy(0));
      write(u, graphWonBy(1));
      await mergemate.succeed(['solve', a]);
      expect((await mergemate.run(['stats', u])).code).toBe(2);
      await mergemate.succeed(['solve', u]);
      expect((await mergemate.succeedJson<Probed>(['probe', a, 's'])).winner).toBe('x');
      expect((await mergemate.succeedJson<Probed>(['probe', u, 's'])).winner).toBe('y');
    },
  );

  test.skipIf(!LONG)(`are told apart in published files${ifShort}`, async () => {
    const folder = testFolder();
    const [store, small] = [['--store', join(folder, 'tables')], join(folder, 'small')];
    const [a, b] = [join(folder, 'a/game.jsonl'), join(folder, 'b/game.jsonl')];
    write(a, graphWonBy(0));
    write(b, graphWonBy(1));
    await succeed(['solve', a, ...store]);
    await succeed(['publish', a, '--to', small, ...store]);
    const other = await run(['probe', b, 's', '--published', small]);
    expect(other.stderr).toContain(`was not published from ${b} as it is now`);
    expect(other.code).toBe(2);
    await succeed(['solve', b, ...store]);
    await succeed(['publish', b, '--to', small, ...store]);
    expect((await succeedJson<Probed>(['probe', a, 's', '--published', small])).winner).toBe('x');
    expect((await succeedJson<Probed>(['probe', b, 's', '--published', small])).winner).toBe('y');
  });

  test('a file that is moved or given a name by hand is found by what it holds', async () => {
    const folder = testFolder();
    const mergemate = program(join(folder, 'tables'));
    const a = write(join(folder, 'a/game.jsonl'), graphWonBy(0));
    await mergemate.succeed(['solve', a, '--name', 'by-hand']);
    const moved = write(join(folder, 'c/other.jsonl'), graphWonBy(0));
    expect((await mergemate.succeedJson<Probed>(['probe', moved, 's'])).winner).toBe('x');
    // The file that was solved need not be there any more; another that never was is no name for it.
    rmSync(a);
    expect((await mergemate.succeedJson<Probed>(['probe', a, 's'])).winner).toBe('x');
    const never = await mergemate.run(['probe', join(folder, 'z/game.jsonl'), 's']);
    expect(never.stderr).toMatch(/there is no file .*z\/game\.jsonl, and no graph in .* was made from it/);
    expect(never.code).toBe(2);
  });
});

const GRAPH_COMMANDS = [
  ['probe', 's'],
  ['probe', '--line', 's'],
  ['stats'],
  ['verify'],
  ['export', '--where', 'longest'],
  ['export', '--out', 'OUT/rows.jsonl'],
  ['stats', '--html', 'OUT/report'],
  ['publish', '--to', 'OUT/small'],
  ['solve'],
];

describe('a graph in a file that was changed since it was solved', () => {
  let folder: string;
  let file: string;
  let store: string[];
  beforeAll(async () => {
    folder = newFolder();
    store = ['--store', join(folder, 'tables')];
    file = write(join(folder, 'town.jsonl'), graphWonBy(0));
    await succeed(['solve', file, ...store]);
    write(file, graphWonBy(1));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(GRAPH_COMMANDS)(
    'is refused by %s, with the command that solves it again',
    async (name, ...words) => {
      const args = words.map((word) => word.replace('OUT', folder));
      const { code, stdout, stderr } = await run([name, file, ...args, ...store]);
      expect(stderr).toContain(`${file} was changed since graph town in `);
      expect(stderr).toContain(`run "mergemate solve ${file} --again"`);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    },
  );

  test.skipIf(!LONG)(`is solved again in its place${ifShort}`, async () => {
    const own = join(folder, 'own');
    cpSync(join(folder, 'tables'), own, { recursive: true });
    await program(own).succeed(['solve', file, '--again']);
    expect((await program(own).succeedJson<Probed>(['probe', file, 's'])).winner).toBe('y');
    expect((await program(own).succeedJson<{ slices: object[] }>(['status', 'graph'])).slices).toHaveLength(
      1,
    );
    await program(own).succeed(['verify', file]);
    // What was not changed can be solved again as well.
    await program(own).succeed(['solve', file, '--again']);
    expect((await program(own).succeedJson<Probed>(['probe', file, 's'])).winner).toBe('y');
  });

  test.skipIf(!LONG)(`keeps the name that it was given by hand, or gets another${ifShort}`, async () => {
    const mergemate = program(join(folder, 'named'));
    const path = write(join(folder, 'named.jsonl'), graphWonBy(0));
    await mergemate.succeed(['solve', path, '--name', 'one']);
    write(path, graphWonBy(1));
    const same = await mergemate.run(['solve', path, '--name', 'one']);
    expect(same.stderr).toMatch(
      /graph one in .* was not made from .*named\.jsonl as it is now: --again replaces it/,
    );
    expect(same.code).toBe(2);
    await mergemate.succeed(['solve', path, '--name', 'two']);
    await mergemate.succeed(['solve', path, '--name', 'one', '--again']);
    expect((await mergemate.succeedJson<Probed>(['probe', 'one', 's'])).winner).toBe('y');
  });
});

const KEYED_COMMANDS = [
  ['probe'],
  ['probe --line'],
  ['stats'],
  ['verify'],
  ['export', '--where', 'longest'],
  ['export', '--out', 'OUT/rows.jsonl'],
  ['stats', '--html', 'OUT/report'],
  ['publish', '--to', 'OUT/small'],
  ['solve'],
];

describe('a keyed game whose rules were changed since it was solved', () => {
  let folder: string;
  let store: string[];
  let changed: string;
  beforeAll(async () => {
    folder = newFolder();
    store = ['--store', join(folder, 'tables')];
    const old = write(join(folder, 'old/heap.js'), heapModule('3'));
    changed = write(join(folder, 'new/heap.js'), heapModule('4'));
    await succeed(['solve', old, ...store]);
    await succeed(['publish', old, '--to', join(folder, 'published'), ...store]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(KEYED_COMMANDS)(
    'is refused by %s, with the command that solves it again',
    async (name, ...words) => {
      const args = words.map((word) => word.replace('OUT', folder));
      const { code, stdout, stderr } = await run([...name.split(' '), changed, ...args, ...store]);
      expect(stderr).toContain(`${changed} has other rules than heap in `);
      expect(stderr).toContain(`run "mergemate solve ${changed} --again"`);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    },
  );

  test('is refused by published files', async () => {
    const { code, stderr } = await run(['probe', changed, '--published', join(folder, 'published')]);
    expect(stderr).toContain('the rules of heap are not those that heap was solved by');
    expect(code).toBe(2);
  });

  test.skipIf(!LONG)(`is refused by serve before it begins to serve${ifShort}`, async () => {
    const { code, stderr } = await runProcess(['serve', '--game', changed, '--port', '0', ...store]);
    expect(stderr).toContain(`${changed} has other rules than heap in `);
    expect(code).toBe(2);
  });

  test('is solved again in its place', async () => {
    const own = join(folder, 'own');
    cpSync(join(folder, 'tables'), own, { recursive: true });
    await program(own).succeed(['solve', changed, '--again']);
    await program(own).succeed(['verify', changed]);
    expect(await program(own).succeed(['probe', changed])).toContain('take 4');
  });

  test('is noticed where the change is in a module that it imports', async () => {
    const mergemate = program(join(folder, 'parts'));
    const text = `import { MOST } from './most.js';\n${heapModule('MOST')}`;
    const old = write(join(folder, 'parts-old/heap.js'), text);
    write(join(folder, 'parts-old/most.js'), 'export const MOST = 3;');
    const now = write(join(folder, 'parts-new/heap.js'), text);
    write(join(folder, 'parts-new/most.js'), 'export const MOST = 4;');
    await mergemate.succeed(['solve', old]);
    expect((await mergemate.run(['stats', now])).code).toBe(2);
  });

  test.skipIf(!LONG)(
    `is noticed where the text is the same and the environment is not${ifShort}`,
    async () => {
      const mergemate = programProcess(join(folder, 'environment'));
      const module = write(join(folder, 'environment.js'), heapModule("Number(process.env.MOST ?? '3')"));
      expect((await mergemate.run(['solve', module])).code).toBe(0);
      process.env.MOST = '2';
      try {
        const { code, stderr } = await mergemate.run(['stats', module]);
        expect(stderr).toContain('has other rules than heap');
        expect(code).toBe(2);
      } finally {
        delete process.env.MOST;
      }
    },
  );

  test('a comment, or another order of moves, is no change of the rules', async () => {
    const text = heapModule('3').replace(
      'let t = 1; t <= Math.min(n, 3); t++',
      'let t = Math.min(n, 3); t > 0; t--',
    );
    const edited = write(join(folder, 'edited/heap.js'), `// Taking from a heap.\n${text}`);
    const { code, stderr } = await run(['stats', edited, ...store]);
    // All positions were compared, so there is nothing to say.
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test.skipIf(!LONG)(
    `a large game whose text was edited is answered with a note that a sample was compared${ifShort}`,
    async () => {
      const mergemate = program(join(folder, 'large'));
      const text = heapModule('3').replace('n: 21', 'n: 5000');
      const old = write(join(folder, 'large-old/heap.js'), text);
      const edited = write(join(folder, 'large-new/heap.js'), `${text}// edited`);
      await mergemate.succeed(['solve', old]);
      const { code, stderr } = await mergemate.run(['probe', edited]);
      expect(stderr).toMatch(
        /heap\.js was edited since heap was solved .* the moves of \d+ sampled positions are the same/,
      );
      expect(code).toBe(0);
    },
  );
});

// Each needs a process. All commands compare the rules at one place, and all of them are run on a keyed game.
const NUMBERED_COMMANDS = sweep(
  [['probe', '7 w'], ['solve']],
  [['verify'], ['export', '--where', 'longest'], ['serve', '--port', '0']],
  [
    ['publish', '--to', 'OUT/small'],
    ['probe', '--line', '7 w'],
    ['stats'],
    ['export', '--out', 'OUT/rows.jsonl'],
    ['stats', '--html', 'OUT/report'],
  ],
);

describe('a numbered game whose rules were changed since it was solved', () => {
  let folder: string;
  let store: string[];
  let module: string;
  beforeAll(async () => {
    folder = newFolder();
    store = ['--store', join(folder, 'tables')];
    module = write(join(folder, 'counters.js'), countersModule('3'));
    // Processes, because this one would know the module as it was loaded first.
    const { code, stderr } = await runProcess(['solve', module, ...store]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    write(module, countersModule('4'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(NUMBERED_COMMANDS)(
    'is refused by %s, with the command that solves it again',
    async (name, ...words) => {
      const args = words.map((word) => word.replace('OUT', folder));
      const game = name === 'serve' ? ['--game', module] : [module];
      const { code, stdout, stderr } = await runProcess([name, ...game, ...args, ...store]);
      expect(stderr).toContain(`${module} has other rules than counters in `);
      expect(stderr).toContain(`run "mergemate solve ${module} --again"`);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    },
  );

  test.skipIf(!LONG)(`is solved again in its place, under all metrics${ifShort}`, async () => {
    const own = join(folder, 'own');
    cpSync(join(folder, 'tables'), own, { recursive: true });
    expect((await programProcess(own).run(['solve', module, '--again'])).code).toBe(0);
    const verified = await programProcess(own).run(['verify', module]);
    expect(verified.stdout).toContain('all values are right');
    write(module, countersModule('4', '// a comment\n'));
    expect((await programProcess(own).run(['stats', module])).code).toBe(0);
    write(module, countersModule('4'));
  });

  test('tables without a record of rules are read, with a note', async () => {
    const own = join(folder, 'earlier');
    cpSync(join(folder, 'tables'), own, { recursive: true });
    rmSync(join(own, 'counters/rules.json'));
    const { code, stderr } = await programProcess(own).run(['stats', module]);
    expect(stderr).toMatch(/tables of counters in .* have no record of their rules, so .* was not compared/);
    expect(code).toBe(0);
  });
});

test('the server refuses positions of a keyed game whose rules were changed', async () => {
  const store = memoryStore();
  await solveKeyed({ game: heap(3), store });
  const { app } = served(store, { keyed: [heap(4) as KeyedRules] });
  const answer = await app.request('/probe?game=heap&position=42');
  expect([answer.status, await answer.text()]).toEqual([
    409,
    expect.stringContaining('rules of the game were changed'),
  ]);
  const same = served(store, { keyed: [heap(3) as KeyedRules] });
  expect((await same.app.request('/probe?game=heap&position=42')).status).toBe(200);
});

test('a program that looks positions up by other rules than those that solved them is refused', async () => {
  const store = memoryStore();
  await solveKeyed({ game: heap(3), store });
  await expect(openKeyedProber(heap(4), store)).rejects.toThrow('the rules of heap are not those');
  await openKeyedProber(heap(3), store);
});

function heap(most: number) {
  return keyedGame<{ n: number; side: Side }, number>({
    name: 'heap',
    roots: () => [{ n: 21, side: 0 }],
    key: ({ n, side }) => n * 2 + side,
    position: (key) => ({ n: key >> 1, side: (key & 1) as Side }),
    mover: ({ side }) => side,
    *moves({ n, side }) {
      for (let t = 1; t <= Math.min(n, most); t++)
        yield [`take ${t}`, { n: n - t, side: (1 - side) as Side }];
    },
  });
}

describe('what is solved is deleted', () => {
  test("is named by a graph's name or file, a game's module, or an ending", async () => {
    const folder = testFolder();
    const mergemate = program(join(folder, 'tables'));
    const town = write(join(folder, 'town.jsonl'), graphWonBy(0));
    const module = write(join(folder, 'heap.js'), heapModule('3'));
    await mergemate.succeed(['solve', town]);
    await mergemate.succeed(['solve', module]);
    await putEndings(join(folder, 'tables'), chess, ['KQK']);
    type Removed = { deleted: boolean; removed: { what: string; objects: number }[] };
    const listed = await mergemate.succeedJson<Removed>(['scrub', '--remove', 'town', module, 'chess/KQK']);
    expect(listed.removed.map(({ what }) => what)).toEqual(['graph town', 'graph heap', 'KQK of chess']);
    expect(listed.deleted).toBe(false);
    expect((await mergemate.run(['probe', town, 's'])).code).toBe(0);
    // Of a file that was changed, its graph.
    write(town, graphWonBy(1));
    await mergemate.succeed(['scrub', '--remove', town, module, 'chess/dtm/KQK', '--delete']);
    expect(await mergemate.succeedJson(['status', 'graph'])).toMatchObject({ slices: [] });
    const gone = await mergemate.run(['stats', 'chess', 'KQK']);
    expect(gone.stderr).toContain('KQK is not solved');
    const again = await mergemate.run(['scrub', '--remove', 'town', '--delete']);
    expect(again.stderr).toContain(' has nothing of town');
    expect(again.code).toBe(2);
    await mergemate.succeed(['solve', town]);
    expect((await mergemate.succeedJson<Probed>(['probe', town, 's'])).winner).toBe('y');
  });

  test('is refused while a process works on it', async () => {
    const folder = testFolder();
    const tables = join(folder, 'tables');
    const town = write(join(folder, 'town.jsonl'), graphWonBy(0));
    await program(tables).succeed(['solve', town]);
    const never = () => expect.unreachable();
    const options = { game: 'graph', undone: async () => ['town'], say: never, lost: never };
    const held = await claim(localStore(tables, { durable: false }), options);
    for (const args of [
      ['scrub', '--remove', 'town', '--delete'],
      ['solve', town, '--again'],
    ]) {
      const { code, stderr } = await program(tables).run(args);
      expect(stderr).toMatch(/graph town in .*: process \d+ of .* is at work on it: nothing was deleted/);
      expect(code).toBe(2);
    }
    expect((await program(tables).run(['probe', town, 's'])).code).toBe(0);
    await held.release();
    await program(tables).succeed(['scrub', '--remove', 'town', '--delete']);
  });

  test.skipIf(!LONG)(`a kill at any instant leaves it either whole or unsolved${ifShort}`, async () => {
    const nodes = [
      { id: 's', owner: 0 as const, winner: null, edges: ['e'] },
      { id: 'e', owner: 0 as const, winner: 0 as const, edges: [] },
    ];
    const graph = { nodes, edges: [], stuck: 'lost' as const };
    const other = { ...graph, nodes: [nodes[0], { ...nodes[1], winner: 1 as const }] };
    let kills = 0;
    for (let after = 0; ; after++) {
      const store = memoryStore();
      await solveGraph(solving(graph, { store }));
      const wasKilled = await removing(store, killed(store, after), 'test');
      const left = await openGraphProber(store, 'test', 'dtw').catch((error: Error) => error);
      if (left instanceof Error) expect(left.message).toMatch(/not solved|no graph|not imported/);
      else expect((await left.node('s'))?.winner).toBe(0);
      if (!wasKilled) break;
      kills++;
      // The same again, of a file that was changed.
      await removing(store, store, 'test');
      await solveGraph(solving(other, { store, fingerprint: '2' }));
      expect((await (await openGraphProber(store, 'test', 'dtw')).node('s'))?.winner).toBe(1);
    }
    expect(kills).toBeGreaterThan(5);
  });

  test("the record of a game's rules is deleted after all its tables", async () => {
    const names = ['table.json', 'verified.json', 'values-0-0-1.arrow'];
    const objects = ['dtw', 'wdl'].flatMap((metric) =>
      names.map((name) => `counters/${metric}/counters/${name}`),
    );
    for (let after = 0; after <= objects.length; after++) {
      const store = memoryStore();
      for (const name of [...objects, 'counters/rules.json'])
        await store.putIfAbsent(name, new Uint8Array(1));
      await remove(killed(store, after), await gameRemoval(store, 'counters')).catch(() => {});
      const left = await store.list('counters/');
      if (left.some((name) => name !== 'counters/rules.json')) expect(left).toContain('counters/rules.json');
    }
  });
});

/** Whether it was killed. */
async function removing(all: Store, store: Store, name: string): Promise<boolean> {
  try {
    await remove(store, await graphRemoval(all, name));
    return false;
  } catch (error) {
    expect((error as Error).message).toBe('killed');
    return true;
  }
}

test.skipIf(!LONG)(`--again solves a finished table again${ifShort}`, async () => {
  const folder = testFolder();
  const mergemate = program(join(folder, 'tables'));
  await putEndings(join(folder, 'tables'), chess, ['KNK']);
  const table = join(folder, 'tables/chess/dtm/KNK/table.json');
  const before = readFileSync(table, 'utf8');
  type Summary = { slices: { slice: string; found: boolean }[] };
  const { slices } = await mergemate.succeedJson<Summary>(['solve', 'chess', 'KNK', '--again']);
  expect(slices.find(({ slice }) => slice === 'KNK')?.found).toBe(false);
  const digests = (text: string) => JSON.parse(text).digests;
  expect(digests(readFileSync(table, 'utf8'))).toEqual(digests(before));
});
