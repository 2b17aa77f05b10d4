/** Every command of games takes numbered games, keyed games and graphs, or says in a line what it takes. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../../../jobs/ui/numbers.js';
import { program, run, succeed } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

/** A game of each kind: how it is called, and a position that is won. */
const KINDS = {
  numbered: { path: 'samples/subtraction/game.ts', position: '5+2 w' },
  keyed: { path: 'samples/dodgem/three.ts', position: '>../>../.^^ w' },
  graph: { path: 'samples/town.jsonl', position: 'a' },
} as const;

describe.each(Object.entries(KINDS).filter(([kind]) => LONG || kind !== 'numbered'))(
  'a %s game',
  (kind, { path, position }) => {
    const folder = newFolder();
    const mergemate = program(join(folder, 'tables'));

    beforeAll(async () => {
      expect(await mergemate.succeed(['solve', path])).toContain('verified');
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('probe gives the value of a position and of each line of a file, and says what it needs without either', async () => {
      expect(await mergemate.succeed(['probe', path, position])).toMatch(/wins in \d+ (?:pl|edge)/);
      const probed = await mergemate.succeedJson<{ plies: number }>(['probe', path, position]);
      expect(probed.plies).toBeGreaterThan(0);
      const alone = await mergemate.run(['probe', path]);
      if (kind === 'keyed') expect(alone.stdout).toContain('to move');
      else
        expect(alone).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^mergemate: (?:give|name) .*\n$/),
        });
    });

    test('probe --line plays until somebody has won', async () => {
      const stdout = await mergemate.succeed(['probe', '--line', path, position]);
      expect(stdout).toMatch(/(?:White|Black|Cop) wins\n/);
    });

    test('stats counts as many positions as probe --where and export write', async () => {
      const rows = (await mergemate.succeed(['export', path])).trim().split('\n');
      const file = join(folder, `${kind}.jsonl`);
      await mergemate.succeed(['export', path, '--out', file]);
      expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(rows.length);
      const [first] = rows.map(
        (row) => JSON.parse(row) as Record<'position', string> & { plies: number | null },
      );
      expect(await mergemate.succeedJson(['probe', path, first.position])).toMatchObject({
        plies: first.plies,
      });
      expect(await mergemate.succeed(['stats', path])).toContain(
        kind === 'numbered' ? '%' : whole(rows.length),
      );
      const longest = (await mergemate.succeed(['export', path, '--where', 'longest', '--moves']))
        .trim()
        .split('\n');
      for (const row of longest)
        expect(JSON.parse(row)).toMatchObject({ outcome: 'win', best: expect.any(Array) });
    });

    test('verify derives every value again', async () => {
      expect(await mergemate.succeed(['verify', path])).toContain('all values are right');
    });

    test('report writes a page that shows the longest wins', async () => {
      const out = join(folder, 'report');
      await mergemate.succeed(['stats', path, '--html', out]);
      expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(/longest/i);
      const [result] = readdirSync(out).filter((name) => /^(?:results|endings)\.csv$/.test(name));
      expect(readFileSync(join(out, result), 'utf8').trim().split('\n').length).toBeGreaterThan(1);
    });

    test('publish succeeds without a message', async () => {
      const { code, stderr } = await mergemate.run(['publish', path, '--to', join(folder, 'published')]);
      expect([code, stderr.includes('mergemate:')]).toEqual([0, false]);
    });

    test('an ending and a metric that it does not have are refused in a line', async () => {
      const { code, stderr } = await mergemate.run(['stats', path, 'elsewhere', '--metric', 'dtz']);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^mergemate: .*\n$/);
    });
  },
);

test.skipIf(!LONG)(`a published graph answers as the store does${ifShort}`, async () => {
  const folder = testFolder();
  const path = join(folder, 'town.jsonl');
  cpSync('samples/town.jsonl', path);
  const mergemate = program(join(folder, 'tables'));
  const published = ['--published', join(folder, 'small')];
  await mergemate.succeed(['solve', path]);
  const said = await mergemate.succeed(['publish', path, '--to', published[1], '--as', 'site']);
  expect(said).toMatch(/: 4 nodes, 4 edges, 3 values, .*bits a node\nall names are found,.*\n.*index\.html/);
  for (const node of ['a', 'b', '7', 'haven'])
    expect(await succeed(['probe', path, node, ...published])).toBe(
      await mergemate.succeed(['probe', path, node]),
    );
  expect(await succeed(['probe', '--line', path, 'a', ...published])).toBe(
    await mergemate.succeed(['probe', '--line', path, 'a']),
  );
  expect(await run(['probe', path, 'nowhere', ...published])).toMatchObject({
    code: 2,
    stderr: 'mergemate: graph town has no node "nowhere"\n',
  });
  expect(await run(['probe', path, 'a', ...published, '--metric', 'wdl'])).toMatchObject({
    stderr: expect.stringMatching(/^mergemate: graph town is not published for wdl in .*town\.wdl\.nodes\n$/),
  });
});

test('a .json file is read as a job or as a graph, depending on its content', async () => {
  const folder = testFolder();
  const graph = join(folder, 'town.json');
  cpSync('samples/town.jsonl', graph);
  expect(await program(join(folder, 'tables')).succeed(['solve', graph])).toContain('graph town: 4 nodes');
  const { stderr } = await run(['solve', 'package.json']);
  expect(stderr).toMatch(/^mergemate: job file package\.json: /);
});
