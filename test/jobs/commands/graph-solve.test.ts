/** `mergemate graph` as people use it: a file becomes values, and a fault is one line. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealRecord } from '../../../pipeline/game/record.js';
import { IMPORT_VERSION } from '../../../pipeline/graph/graph-layout.js';
import { start, until } from '../../support/cli.js';
import { program, run, succeed } from '../../support/command.js';
import { filesUnder, newFolder } from '../../support/folders.js';
import { endedIdentity } from '../../support/identities.js';
import { killAfterWrites } from '../../support/kills.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const file = (name: string) => join(folder, name);
/** Opening it would wait for a writer. */
const pipe = () => {
  execFileSync('mkfifo', [file('pipe.json')]);
  return file('pipe.json');
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A cop that is one step behind on a street with a dead end, and may wait. */
const street = {
  players: ['robber', 'cop'],
  nodes: [
    { id: 'robber at 1', owner: 'robber', edges: ['cop at 1', 'cop at 2'] },
    { id: 'cop at 1', owner: 'cop', edges: ['caught', 'robber at 1'] },
    { id: 'cop at 2', owner: 'cop', edges: ['robber at 2'] },
    { id: 'robber at 2', owner: 'robber', edges: ['cop at 2', 7] },
    { id: 7, winner: null },
    { id: 'caught', winner: 'cop' },
  ],
};

describe('a graph', () => {
  beforeAll(async () => {
    writeFileSync(file('street.json'), JSON.stringify(street));
    await mergemate.succeed(['solve', file('street.json')]);
  });

  test('is solved, and found again', async () => {
    const again = await mergemate.succeedJson<object>(['solve', file('street.json')]);
    expect(again).toMatchObject({
      graph: 'street',
      nodes: 6,
      edges: 7,
      players: ['robber', 'cop'],
      won: [0, 2],
      nobody: 4,
      longestWin: [null, 1],
      verified: 6,
    });
    expect(await mergemate.succeedJson(['status', 'graph'])).toMatchObject({
      slices: [{ slice: 'street', metric: 'dtw', state: 'verified' }],
    });
    expect(await mergemate.succeed(['status', 'graph'])).toMatch(/street +dtw +6/);
  });

  test('is probed', async () => {
    const text = await mergemate.succeed(['probe', 'street', 'cop at 1']);
    expect(text).toContain('node cop at 1\n\nCop chooses: wins in 1 edge\n');
    expect(await mergemate.succeedJson(['probe', 'street', 'robber at 1'])).toEqual({
      metric: 'dtw',
      position: 'robber at 1',
      id: 'robber at 1',
      mover: 'robber',
      over: false,
      winner: null,
      outcome: 'draw',
      plies: null,
      moves: [
        { move: 'cop at 2', position: 'cop at 2', outcome: 'draw', plies: null },
        { move: 'cop at 1', position: 'cop at 1', outcome: 'loss', plies: 2 },
      ],
    });
    expect(await mergemate.succeed(['probe', 'street', '7'])).toBe(
      'node 7\n\nThe game is over: draw\n\nno legal moves\n',
    );
  });

  test('is counted', async () => {
    const counted = { won: [0, 0], nobody: 2 };
    expect(await mergemate.succeedJson(['stats', 'street'])).toEqual({
      graph: 'street',
      metric: 'dtw',
      players: ['robber', 'cop'],
      nodes: 6,
      edgesRead: 7,
      edges: 7,
      verified: true,
      turnMerged: false,
      byMover: [
        { mover: 'robber', won: 0, drawn: 2, lost: 0, longestWin: null, longestLoss: null },
        { mover: 'cop', won: 1, drawn: 1, lost: 0, longestWin: 1, longestLoss: null },
      ],
      // Where a file gives no owner, it is the player who has lost.
      finished: { won: 0, drawn: 1, lost: 1 },
      farthest: [
        { mover: 'robber', win: null, loss: null },
        { mover: 'cop', win: { plies: 1, node: 'cop at 1' }, loss: null },
      ],
      won: [0, 2],
      nobody: 4,
      chooses: [counted, { won: [0, 1], nobody: 1 }],
      over: { won: [0, 1], nobody: 1 },
      longest: [
        [null, null],
        [null, { plies: 1, node: 'cop at 1' }],
      ],
      byPlies: [{}, { 0: 1, 1: 1 }],
    });
    const text = await mergemate.succeed(['stats', 'street']);
    expect(text).toMatch(/^graph street, dtw: 6 nodes, 7 edges, verified\n/);
    expect(text).toMatch(/^cop chooses +2 +1 +50\.00 % +1 +50\.00 % +0 +0 % +1 +-$/m);
    expect(text).toMatch(/^the play is over +2 +0 +0 % +1 +50\.00 % +1 +50\.00 % +- +-$/m);
    expect(text).toContain(
      '\nrobber wins from 0 nodes (0 %), cop from 2 (33.33 %), nobody from 4 (66.67 %)\n',
    );
    expect(text).toContain('Longest win, cop chooses: 1 edge\n  node "cop at 1"\n');
    expect(text).toMatch(
      /cop wins by edges until the play is over, nodes:\nedges\n +0 +#+ +1\n +1 +#+ +1\n$/,
    );
  });

  test('is verified without its file, and listed by status', async () => {
    expect(await mergemate.succeed(['verify', 'street'])).toBe(
      'graph street, dtw: 6 nodes checked by 7 edges, all values are right\n',
    );
    const all = await mergemate.succeed(['status']);
    expect(all).toMatch(/^graphs\n {2}street {2}imported: 6 nodes, 7 edges$/m);
    expect(all).toMatch(/^street +dtw +6 +1 +yes$/m);
    expect(await mergemate.succeed(['status', 'graph', 'street'])).toBe(all);
    expect(await mergemate.succeedJson(['status', 'graph'])).toMatchObject({
      slices: [{ game: 'graph', slice: 'street', state: 'verified' }],
      graphs: [
        {
          graph: 'street',
          imported: { nodes: 6, source: expect.stringMatching(/street\.json$/) },
        },
      ],
    });
    expect(await mergemate.succeedJson(['status', 'chess'])).toMatchObject({
      slices: [],
      graphs: [],
    });
    expect(await mergemate.succeedJson(['scrub', '--collect', '--older-than', '0s'])).toMatchObject({
      objects: [],
    });
  });

  test.skipIf(!LONG)(
    `is refused by verify when its values are those of another graph${ifShort}`,
    async () => {
      const [own, elsewhere] = [join(folder, 'own'), join(folder, 'elsewhere')];
      const blind = { id: 'cop at 1', owner: 'cop', edges: ['robber at 1'] };
      const other = { ...street, nodes: street.nodes.with(1, blind) };
      writeFileSync(file('blind.json'), JSON.stringify(other));
      await program(own).succeed(['solve', file('street.json')]);
      await program(elsewhere).succeed(['solve', file('blind.json'), '--name', 'street']);
      cpSync(join(elsewhere, 'graph/dtw'), join(own, 'graph/dtw'), { recursive: true });
      const { code, stdout, stderr } = await program(own).run(['verify', 'street', '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ graph: 'street', metric: 'dtw', nodes: 6, wrong: 1 });
      expect(JSON.parse(stdout).mismatches).toContainEqual({
        node: 'cop at 1',
        stored: { winner: null, plies: null },
        derived: { winner: 'cop', plies: 1 },
      });
      expect(stderr).toContain(
        'street, node "cop at 1": the table says nobody wins, its edges give cop wins in 1 edge\n',
      );
      expect(stderr).toContain('graph street, dtw: 1 of 6 values are wrong\n');
    },
  );

  test('is exported', async () => {
    const text = await mergemate.succeed(['export', 'street', '--out', '-']);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual({
      position: 'cop at 1',
      mover: 'cop',
      outcome: 'win',
      plies: 1,
      weight: 1,
    });
  });

  test.each<[string, string[], RegExp]>([
    ['no file', ['solve', 'none.json'], /there is no file none\.json/],
    ['a pipe without a name', ['solve', pipe()], /pipe\.json has no name .*give it one with --name/],
    ['no graph', ['probe', 'streat', '7'], /there is no game "streat".*, nor a graph of that name in /],
    ['no node', ['probe', 'street', '8'], /graph street has no node 8/],
    ['text that is an integer', ['probe', 'street', '"7"'], /graph street has no node "7"/],
    ['quotes that do not close', ['probe', 'street', '"7'], /the quotes do not close/],
    ['no table of the metric', ['probe', 'street', '7', '--metric', 'wdl'], /street is not solved for wdl/],
    ['no graph to verify', ['verify', 'streat'], /there is no game "streat".*, nor a graph of that name in /],
    ['no table to verify', ['verify', 'street', '--metric', 'wdl'], /street is not solved for wdl/],
    ['no graph to count', ['stats', 'streat'], /there is no game "streat".*, nor a graph of that name in /],
    ['no table to count', ['stats', 'street', '--metric', 'wdl'], /street is not solved for wdl/],
    ['no metric', ['probe', 'street', '7', '--metric', 'dtm'], /street has no "dtm"/],
    ['no name', ['solve', file('street.json'), '--name', 'a/b'], /"a\/b" cannot be a graph's name/],
    ['little memory', ['solve', file('street.json'), '--memory', '4KiB'], /at least 1MiB/],
    [
      'columns on standard output',
      ['export', 'street', '--out', '-', '--format', 'arrow'],
      /standard output takes text, not arrow: give --out FILE/,
    ],
    ['no command', ['slove'], /unknown command 'slove'/],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await run([...args, ...(args.includes('slove') ? [] : ['--store', store])]);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test.each<[string, string[], RegExp]>([
    ['the status of no graph', ['status', 'graph', 'streat'], /there is no graph "streat"/],
    ['the status of no name', ['status', 'graph', 'a/b'], /"a\/b" cannot be a graph's name/],
    [
      'a command for games',
      ['stats', 'graph', 'street'],
      /a graph is named by its file, or by its name in the store/,
    ],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await mergemate.run(args);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test('whose import was interrupted is listed as unfinished, and its remains are found as garbage', async () => {
    const own = join(folder, 'interrupted');
    const left = (name: string, text: string) => {
      mkdirSync(join(own, 'graph/import/half/steps'), { recursive: true });
      writeFileSync(join(own, 'graph/import/half', name), text);
    };
    const leftRecord = (name: string, record: object) => {
      const sealed = sealRecord(`graph/import/half/${name}`, { version: IMPORT_VERSION, ...record });
      left(name, new TextDecoder().decode(sealed));
    };
    leftRecord('steps/read.json', { runs: { names: ['graph/import/half/steps/names.arrow'] } });
    left('steps/names.arrow', 'named');
    left('steps/keys-2.arrow', 'of an attempt that died');
    left('index.arrow', 'of a step that was not committed');
    left('notes.txt', 'not ours');
    const ended = endedIdentity();
    left(`.tmp-${ended}-1`, 'part of a run');
    expect(await program(own).succeed(['status'])).toContain('half  import unfinished\n');
    for (const what of ['probe', 'stats', 'verify']) {
      const more = what === 'probe' ? ['7'] : [];
      const { code, stderr } = await program(own).run([what, 'half', ...more]);
      expect(stderr).toMatch(/^mergemate: graph half is not imported to its end in .*\n$/);
      expect(code).toBe(2);
    }
    type Found = { objects: { name: string; why: string }[] };
    const collect = (...flags: string[]) =>
      program(own).succeedJson<Found>(['scrub', '--collect', '--older-than', '0s', ...flags]);
    const found = await collect('--delete');
    expect(found.objects.map(({ name, why }) => [name, why])).toEqual([
      ['graph/import/half/index.arrow', 'orphan'],
      ['graph/import/half/steps/keys-2.arrow', 'orphan'],
      [`graph/import/half/.tmp-${ended}-1`, 'unfinished'],
    ]);
    rmSync(join(own, 'graph/import/half/steps/read.json'));
    const abandoned = await collect();
    expect(abandoned.objects.map(({ name, why }) => [name, why])).toEqual([
      ['graph/import/half/steps/names.arrow', 'orphan'],
    ]);
    // The same graph can still be imported, and its old objects are gone.
    await program(own).succeed(['solve', file('street.json'), '--name', 'half']);
    await program(own).succeed(['verify', 'half']);
    leftRecord('steps/read.json', { runs: ['graph/import/half/steps/names.arrow'] });
    left('steps/names.arrow', 'passing');
    const passing = await collect('--delete');
    expect(passing.objects.map(({ name, why }) => [name, why])).toEqual([
      ['graph/import/half/steps/names.arrow', 'passing'],
      ['graph/import/half/steps/read.json', 'left over'],
    ]);
    expect(await program(own).succeed(['probe', 'half', 'cop at 1'])).toContain('Cop chooses: wins');
  });

  test('with a fault leaves nothing behind, and is solved when the fault is mended', async () => {
    const own = join(folder, 'mended');
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[2]}]}');
    const { code, stderr } = await program(own).run(['solve', file('mended.json')]);
    expect(stderr).toMatch(/mended\.json: .*node.* 0.*byte 10.*there is no node 2/);
    expect(code).toBe(2);
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[2]},{"id":2,"winner":0}]}');
    await program(own).succeed(['solve', file('mended.json')]);
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[1]}]}');
    const changed = await program(own).run(['solve', file('mended.json')]);
    expect(changed.stderr).toMatch(
      /mended\.json was changed since graph mended in .*: run "mergemate solve .* --again"/,
    );
  });

  test('with a damaged run is refused by name', async () => {
    const own = join(folder, 'damaged');
    await program(own).succeed(['solve', file('street.json')]);
    const path = filesUnder(own).find((name) => name.endsWith('successors.arrow'))!;
    const bytes = readFileSync(path);
    bytes[bytes.length >> 2] ^= 0x40;
    writeFileSync(path, bytes);
    const { code, stderr } = await program(own).run(['probe', 'street', 'cop at 1']);
    expect(stderr).toMatch(/successors\.arrow/);
    expect(code).toBe(2);
    // The command that scrub names mends it, whatever is damaged.
    writeFileSync(join(own, 'graph/import/street/graph.json'), 'no manifest');
    await program(own).succeed(['solve', file('street.json'), '--name', 'street', '--again']);
    expect(await program(own).succeed(['probe', 'street', 'cop at 1'])).toContain('Cop chooses: wins');
  });
});

test.skipIf(!LONG)(
  `a solve that is killed at any instant continues to the same table${ifShort}`,
  async () => {
    const own = join(folder, 'killed');
    const lines = ['{"players":["a","b"]}', '{"id":0,"winner":"a"}'];
    const nodes = LONGEST ? 300_000 : 25_000;
    for (let i = 1; i < nodes; i++)
      lines.push(
        `{"id":${i},"owner":${i % 2},"edges":[${Math.max(0, i - 700 - (i % 13))},${Math.min(nodes - 1, i + 5)}]}`,
      );
    writeFileSync(file('killed.jsonl'), lines.join('\n'));
    const args = ['solve', file('killed.jsonl'), '--memory', LONGEST ? '8MiB' : '2MiB', '--json', '--store'];
    const whole = JSON.parse(await succeed([...args, join(folder, 'whole')]));
    // Nodes and edges that were read are not read again.
    const reading = start([...args, own]);
    await until(
      () => existsSync(join(own, 'graph/import/killed/steps/stride-00000.json')),
      'the end of reading',
    );
    reading.child.kill('SIGKILL');
    expect((await reading.ended).signal).toBe('SIGKILL');
    let kills = 0;
    for (const writes of LONGEST ? [1, 5, 10, 20, 40, 80] : [5, 20, 60])
      if (await killAfterWrites(start([...args, own]).child, own, writes)) kills++;
    expect(kills).toBeGreaterThan(0);
    const found = JSON.parse(await succeed([...args, own]));
    expect(found.digests).toEqual(whole.digests);
    // But for files that were being written when the process was killed: they are for gc.
    const left = filesUnder(own).filter((name) => name.includes('/steps/') && !name.includes('/.tmp-'));
    expect(left).toEqual([]);
  },
);
