/** `mergemate graph` as people use it: a file becomes values, and what is wrong is one line. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesUnder, newFolder, run, start, succeed, succeedJson } from '../support/cli.js';
import { ifShort, LONG } from '../support/long.js';

const folder = newFolder();
const store = join(folder, 'tables');
const file = (name: string) => join(folder, name);
/** To open it would wait for a writer. */
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
    await succeed(['graph', 'solve', file('street.json'), '--store', store]);
  });

  test('is solved, and found again', async () => {
    const again = await succeedJson<object>(['graph', 'solve', file('street.json'), '--store', store]);
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
    expect(await succeedJson(['graph', 'list', '--store', store])).toMatchObject([
      { graph: 'street', nodes: 6, edges: 7, solved: ['dtw'] },
    ]);
    expect(await succeed(['graph', 'list', '--store', store])).toMatch(/street +6 +7 +dtw/);
  });

  test('is probed', async () => {
    const text = await succeed(['graph', 'probe', 'street', 'cop at 1', '--store', store]);
    expect(text).toContain('node "cop at 1": cop chooses, cop wins in 1 edge\n');
    expect(await succeedJson(['graph', 'probe', 'street', 'robber at 1', '--store', store])).toEqual({
      id: 'robber at 1',
      owner: 'robber',
      winner: null,
      plies: null,
      edges: [
        { id: 'cop at 2', owner: 'cop', winner: null, plies: null },
        { id: 'cop at 1', owner: 'cop', winner: 'cop', plies: 1 },
      ],
    });
    expect(await succeed(['graph', 'probe', 'street', '7', '--store', store])).toBe(
      'node 7: the play is over, nobody wins\n',
    );
  });

  test('is exported', async () => {
    const text = await succeed(['graph', 'export', 'street', '--out', '-', '--store', store]);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual({
      id: 'cop at 1',
      owner: 'cop',
      winner: 'cop',
      plies: 1,
      move: 'caught',
    });
  });

  test.each<[string, string[], RegExp]>([
    ['no file', ['solve', 'none.json'], /none\.json: there is no such file/],
    ['a pipe', ['solve', pipe()], /pipe\.json: it is not a file/],
    ['no graph', ['probe', 'streat', '7'], /there is no graph "streat"/],
    ['no node', ['probe', 'street', '8'], /graph street has no node 8/],
    ['text that is an integer', ['probe', 'street', '"7"'], /graph street has no node "7"/],
    ['quotes that do not close', ['probe', 'street', '"7'], /the quotes do not close/],
    ['no table of the metric', ['probe', 'street', '7', '--metric', 'wdl'], /street is not solved for wdl/],
    ['no metric', ['probe', 'street', '7', '--metric', 'dtm'], /'dtm' is invalid/],
    ['no name', ['solve', file('street.json'), '--name', 'a/b'], /"a\/b" cannot be a graph's name/],
    ['little memory', ['solve', file('street.json'), '--memory', '4KiB'], /at least 1MiB/],
    [
      'columns on standard output',
      ['export', 'street', '--out', '-', '--format', 'arrow'],
      /needs --out FILE/,
    ],
    ['no command', ['slove'], /unknown command 'slove'/],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await run([
      'graph',
      ...args,
      ...(args.includes('slove') ? [] : ['--store', store]),
    ]);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test('that is wrong leaves nothing behind, and can be mended', async () => {
    const own = join(folder, 'mended');
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[2]}]}');
    const { code, stderr } = await run(['graph', 'solve', file('mended.json'), '--store', own]);
    expect(stderr).toMatch(/mended\.json: .*node.* 0.*byte 10.*there is no node 2/);
    expect(code).toBe(2);
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[2]},{"id":2,"winner":0}]}');
    await succeed(['graph', 'solve', file('mended.json'), '--store', own]);
    writeFileSync(file('mended.json'), '{"nodes":[{"id":1,"owner":0,"edges":[1]}]}');
    const changed = await run(['graph', 'solve', file('mended.json'), '--store', own]);
    expect(changed.stderr).toMatch(/has a graph mended that was made from another/);
  });

  test('that is damaged says so', async () => {
    const own = join(folder, 'damaged');
    await succeed(['graph', 'solve', file('street.json'), '--store', own]);
    const path = filesUnder(own).find((name) => name.endsWith('successors.arrow'))!;
    const bytes = readFileSync(path);
    bytes[bytes.length >> 2]! ^= 0x40;
    writeFileSync(path, bytes);
    const { code, stderr } = await run(['graph', 'probe', 'street', 'cop at 1', '--store', own]);
    expect(stderr).toMatch(/successors\.arrow/);
    expect(code).toBe(2);
  });
});

test.skipIf(!LONG)(`killed at any instant, it goes on${ifShort}`, async () => {
  const own = join(folder, 'killed');
  const lines = ['{"players":["a","b"]}', '{"id":0,"winner":"a"}'];
  const nodes = 300_000;
  for (let i = 1; i < nodes; i++)
    lines.push(
      `{"id":${i},"owner":${i % 2},"edges":[${Math.max(0, i - 700 - (i % 13))},${Math.min(nodes - 1, i + 5)}]}`,
    );
  writeFileSync(file('killed.jsonl'), lines.join('\n'));
  const args = ['graph', 'solve', file('killed.jsonl'), '--memory', '8MiB', '--json', '--store'];
  const whole = JSON.parse(await succeed([...args, join(folder, 'whole')]));
  let kills = 0;
  for (const wait of [300, 900, 1500, 2500, 4000, 6000]) {
    const running = start([...args, own]);
    const timer = setTimeout(() => running.child.kill('SIGKILL'), wait);
    const { signal } = await running.ended;
    clearTimeout(timer);
    kills += signal === 'SIGKILL' ? 1 : 0;
  }
  expect(kills).toBeGreaterThan(2);
  const found = JSON.parse(await succeed([...args, own]));
  expect(found.digests).toEqual(whole.digests);
});
