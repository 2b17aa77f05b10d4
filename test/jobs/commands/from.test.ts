/** `plan --from`, `solve --from`, and `probe` of positions whose tables are made for them alone. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pawnFiles } from '../../pipeline/games/chess/syzygy/making.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const store = newFolder();
const mergemate = program(store);
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** Has four men, so that counting what each limit reaches takes a tenth of the time that it takes from LOCKED. */
const BLOCKED = '8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1';

/** Seven men; each capture leads to six, which are unknown. */
const LOCKED = '8/k7/3p4/p2P4/P2P4/8/8/K7 w - - 0 1';
const ROOT = 'KPPPKPP_a4d4d5a5d6_s6_m0';
const HOW = ['--stop-at', '6', '--most-pieces', '0'];

interface Value {
  outcome: string;
  plies: number | null;
  known?: string;
  most?: { outcome: string; plies: number | null };
}

beforeAll(async () => {
  await mergemate.succeed(['solve', 'chess', '--from', LOCKED, ...HOW]);
}, 300_000);

test('plan says what can be reached, and which tables would make more known', async () => {
  const text = await mergemate.succeed(['plan', 'chess', '--from', LOCKED, ...HOW]);
  expect(text).toContain(`${ROOT}: 1 pawn structure in 1 slice\n`);
  expect(text).toMatch(/It stops at 2 endings: 0 looked up, 2 unknown; 1 slice can reach the unknown/);
  expect(text).toContain('Tables that would make more known: KPPKPP, KPPPKP\n');
  expect(text).toMatch(/To solve: \d+ slices?, /);
  const { root, slices } = await mergemate.succeedJson<{
    root: { name: string; unknown: string[] };
    slices: { slice: string }[];
  }>(['plan', 'chess', '--from', LOCKED, ...HOW]);
  expect(root).toMatchObject({ name: ROOT, unknown: ['KPPKPP', 'KPPPKP'] });
  expect(slices.map(({ slice }) => slice)).toEqual([`${ROOT}.KPPPKPP.44556.hi`, `${ROOT}.KPPPKPP.44556.lo`]);
});

test.skipIf(!LONG)(
  `plan compares where solving may stop${ifShort}`,
  async () => {
    interface Compared {
      stopAt?: number;
      mostPieces?: number;
      found: { structures: number; unknown: number; exact: number; slices: number } | null;
    }
    const ask = ['plan', 'chess', '--from', BLOCKED, '--promote', 'q', '--compare-stops'];
    const { stops, cheapest } = await mergemate.succeedJson<{ stops: Compared[]; cheapest: Compared }>(ask);
    // Where less is left out, no fewer structures are reached.
    for (const mostPieces of [0, 1, undefined]) {
      const reached = stops
        .filter((each) => each.mostPieces === mostPieces)
        .map(({ found }) => found!.structures);
      expect(reached).toEqual([...reached].sort((a, b) => a - b));
      expect(reached[0]).toBe(1);
    }
    expect(cheapest.found).toMatchObject({ unknown: 0, exact: cheapest.found!.slices });
    expect(cheapest).not.toHaveProperty('stopAt');
    for (const { stopAt, found } of stops)
      if (stopAt === 3) expect(found).toMatchObject({ slices: 1, exact: 0 });
    expect(await mergemate.succeed(ask)).toContain(
      'The cheapest that leaves nothing unknown: --most-pieces 1 (',
    );
    expect(await mergemate.run([...ask, '--stop-at', '4'])).toMatchObject({ code: 2 });
    expect(await mergemate.run(['plan', 'chess', 'KQK', '--compare-stops'])).toMatchObject({ code: 2 });
  },
  120_000,
);

test('statistics of a root keep the two values of a position apart', async () => {
  interface Counted {
    ending: string;
    white: { legal: { orbits: number }; whiteWins: { orbits: number }; blackWins: { orbits: number } };
  }
  const { bounds } = await mergemate.succeedJson<{ bounds: Counted[] }>(['stats', 'chess', ROOT]);
  expect(bounds.map(({ ending }) => ending)).toEqual([`${ROOT}.hi`, `${ROOT}.lo`]);
  const [hi, lo] = bounds.map(({ white }) => white);
  expect(hi.legal).toEqual(lo.legal);
  expect(hi.whiteWins.orbits).toBeGreaterThan(lo.whiteWins.orbits);
  expect(lo.blackWins.orbits).toBeGreaterThan(hi.blackWins.orbits);
  const { ending, ...alone } = await mergemate.succeedJson<Counted>(['stats', 'chess', `${ROOT}.lo`]);
  expect(ending).toBe(`${ROOT}.lo`);
  expect(alone.white).toEqual(lo);
  expect(await mergemate.run(['stats', 'chess', `${ROOT}.any`])).toMatchObject({ code: 2 });
});

test('probe finds the root of a position, and says what is known', async () => {
  const answer = await mergemate.succeedJson<Value & { moves: Value[] }>(['probe', 'chess', LOCKED]);
  expect(answer).toMatchObject({
    outcome: 'draw',
    known: 'at least a draw',
    most: { outcome: 'win', plies: 21 },
  });
  expect(answer.moves).toHaveLength(3);
  expect(await mergemate.succeed(['probe', 'chess', LOCKED])).toContain('White to move: at least a draw\n');
  // The mirror image has the same tables.
  const mirrored = await mergemate.succeedJson<Value>([
    'probe',
    'chess',
    '8/7k/4p3/4P2p/4P2P/8/8/7K w - - 0 1',
  ]);
  expect(mirrored).toMatchObject({ known: 'at least a draw', most: { plies: 21 } });
  const line = await mergemate.run(['probe', '--line', 'chess', LOCKED]);
  expect(line).toMatchObject({ code: 2 });
  expect(line.stderr).toContain('there is no best play: White to move: at least a draw');
});

test('values of a game with fewer promotions say so', async () => {
  const folder = newFolder();
  const other = program(folder);
  await other.succeed(['solve', 'chess', '--from', LOCKED, ...HOW, '--promote', 'q']);
  expect(await other.succeed(['probe', 'chess', LOCKED])).toContain(
    'White to move: at least a draw, if pawns become Q only\n',
  );
  expect(await other.succeedJson(['probe', 'chess', LOCKED])).toMatchObject({ promotions: 'Q' });
  rmSync(folder, { recursive: true, force: true });
});

test('moves that one side does not make bound what is true from one side', async () => {
  const folder = newFolder();
  const other = program(folder);
  const position = '8/8/2k5/p2p4/P2P4/2K5/8/8 w - - 0 1';
  const how = ['--stop-at', '5', '--most-pieces', '0', '--never', 'white: c2, -b4, Kxd5'];
  await other.succeed(['solve', 'chess', '--from', position, ...how]);
  const answer = await other.succeedJson<{ most?: object; leftOut: string[]; moves: object[] }>([
    'probe',
    'chess',
    position,
  ]);
  expect(answer).toMatchObject({ most: { outcome: 'win', plies: null }, leftOut: ['Kc2'] });
  expect(answer.moves).toHaveLength(4);
  const text = await other.succeed(['probe', 'chess', position]);
  expect(text).toContain('Left out, as --promote or --never says: Kc2\n');
  for (const [never, words] of [
    ['red: c2', '"red" must be white or black'],
    ['c9', '"c9" must be a square'],
    ['white:', 'no squares'],
  ])
    expect(await other.run(['plan', 'chess', '--from', position, '--never', never])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--never: ${words}`),
    });
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!LONG)(
  `a capture that mates may lead to the unknown${ifShort}`,
  async () => {
    const folder = newFolder();
    const other = program(folder);
    const position = '6k1/6p1/6K1/p7/P7/8/8/Q7 w - - 0 1';
    await other.succeed(['solve', 'chess', '--from', position, '--stop-at', '5', '--most-pieces', '1']);
    const answer = await other.succeedJson<Value & { moves: (Value & { move: string })[] }>([
      'probe',
      'chess',
      position,
    ]);
    expect(answer).toMatchObject({ outcome: 'win', plies: 3, most: { outcome: 'win', plies: 1 } });
    expect(answer.moves.find(({ move }) => move === 'Qxg7#')).toMatchObject({ known: 'unknown' });
    rmSync(folder, { recursive: true, force: true });
  },
  120_000,
);

test('a root that was noted and is not solved hides no other', async () => {
  const [solved, begun] = [ROOT, ROOT.replace('_s6', '_s5')].map((name) =>
    join(store, 'chess/roots', `${name}.json`),
  );
  copyFileSync(solved, begun);
  expect(await mergemate.succeed(['probe', 'chess', LOCKED])).toContain('White to move: at least a draw\n');
  rmSync(begun);
});

test('more men than any ending has are looked up without a metric, too', async () => {
  const nine = '8/k7/3p4/p2P3p/P2P3P/8/8/K7 w - - 0 1';
  await mergemate.succeed(['solve', 'chess', '--from', nine, '--stop-at', '8', '--most-pieces', '0']);
  expect(await mergemate.succeedJson(['probe', 'chess', nine])).toMatchObject({
    metric: 'dtm',
    known: 'at least a draw',
  });
  const { stderr } = await mergemate.run(['probe', '--line', 'chess', nine]);
  expect(stderr).toContain('there is no best play: White to move: at least a draw');
});

test.skipIf(!LONG)(
  `where solving stops, positions are looked up in Syzygy files${ifShort}`,
  async () => {
    const folder = newFolder();
    const files = newFolder();
    const other = program(folder);
    for (const [name, bytes] of await pawnFiles('exact')) writeFileSync(join(files, name), bytes);
    const how = [
      'chess',
      '--from',
      '8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1',
      '--stop-at',
      '3',
      '--most-pieces',
      '0',
    ];
    const read = ['--syzygy', newFolder(), '--syzygy', files, '--metric', 'dtz'];
    const text = await other.succeed(['plan', ...how, ...read]);
    expect(text).toContain('It stops at 1 ending: 0 looked up, 1 looked up in Syzygy files, 0 unknown;');
    expect(await other.succeedJson(['plan', ...how, ...read])).toMatchObject({
      root: { name: 'KPKP_d4d5_s3_m0_y1', looked: [], files: ['KPK'], unknown: [] },
    });
    await other.succeed(['solve', ...how, ...read]);
    // Lost after the capture of the pawn: the count restarts with it.
    const line = await other.succeed([
      'probe',
      '--line',
      ...how.slice(0, 1),
      '--metric',
      'dtz',
      '8/8/8/4pK2/4P3/8/8/k7 w',
    ]);
    expect(line).toMatch(/1\. Kxe5 1-0/);
    expect(line).toContain('the line goes on in Syzygy files');
    // Another engine finds the tables, without the files.
    await other.succeed(['solve', 'chess', 'KPKP_d4d5_s3_m0_y1', '--metric', 'dtz', '--engine', 'processes']);
    const refused = async (args: string[], words: string) => {
      const { code, stderr } = await other.run(args);
      expect([args, code, stderr.trim().split('\n').at(-1)]).toEqual([
        args,
        2,
        expect.stringContaining(words),
      ]);
    };
    await refused(
      ['solve', 'chess', 'KPKP_d4d5_s3_m0_y1', '--metric', 'wdl'],
      'these positions are looked up in Syzygy files, which --syzygy must name',
    );
    await refused(
      ['solve', ...how, '--syzygy', files, '--metric', 'dtm'],
      '--syzygy cannot be combined with --metric dtm',
    );
    const changed = readFileSync(join(files, 'KPvK.rtbw'));
    changed[changed.length - 1] ^= 1;
    writeFileSync(join(files, 'KPvK.rtbw'), changed);
    await refused(['solve', ...how, ...read], 'was looked up in another KPvK.rtbw than that of --syzygy');
    await refused(['solve', ...how, ...read, '--again'], 'does not match its checksum');
  },
  300_000,
);

/** Ten men: more than any ending has. */
const TEN = '4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1';

test('positions of a root that are asked for have its slices, numbers and best moves', async () => {
  const columns = ['--columns', 'slice,index,position,mover,outcome,plies,weight'];
  const lines = async (args: string[]) =>
    (await mergemate.succeed(['export', 'chess', ROOT, ...columns, ...args])).trim().split('\n').sort();
  const all = await lines([]);
  const wins = all.filter((line) => line.includes('"outcome":"win"'));
  expect(wins.length).toBeGreaterThan(10);
  expect(await lines(['--where', 'result=win'])).toEqual(wins);
  const best = async (...args: string[]) =>
    await mergemate.succeed(['export', 'chess', ROOT, '--moves', '--columns', 'position,best', ...args]);
  expect(await best('--where', 'plies=1', '--limit', '1')).toMatch(/"best":\["[^"]+"/);
  expect(await best('--limit', '1')).toMatch(/"best":\["[^"]+"/);
});

test('what the values of a root take for granted stands beside them', async () => {
  const won = 'the unknown is won for White';
  const { bounds } = await mergemate.succeedJson<{ bounds: object[] }>(['stats', 'chess', ROOT]);
  expect(bounds[0]).toMatchObject({ assumes: won });
  expect(await mergemate.succeed(['stats', 'chess', `${ROOT}.lo`])).toContain(
    `${ROOT}.lo, dtm; the unknown is won for Black`,
  );
  const epd = await mergemate.succeed(['export', 'chess', `${ROOT}.hi`, '--format', 'epd']);
  expect(epd).toContain(`c0 "win in 1 ply (dtm), if ${won}"; id "${ROOT}.hi `);
  expect(epd).not.toContain('; dm ');
  const pgn = await mergemate.succeed(['export', 'chess', `${ROOT}.hi`, '--format', 'pgn', '--limit', '1']);
  expect(pgn).toContain('[Result "*"]');

  const other = program(newFolder());
  const from = ['--from', '8/8/8/3k4/8/3p4/3P4/3K4 w - - 0 1', '--most-pieces', '0', '--no-verify'];
  await other.succeed(['solve', 'chess', ...from, '--promote', 'q', '--never', 'white: d2, Kxd3']);
  const restricted = 'pawns become Q only, White never leaves d2 or captures on d3 with the king';
  expect(await other.succeed(['stats', 'chess', 'KPKP_d2d3_m0_pQ_nwfd2xKd3.hi'])).toContain(
    `; ${won}, ${restricted}\n`,
  );
});

test('positions and reports have as many men as the root', async () => {
  const other = program(newFolder());
  await other.succeed(['solve', 'chess', '--from', TEN, '--stop-at', '9', '--most-pieces', '0']);
  const ten = 'KPPPPKPPPP_a5c5e5g5a6c6e6g6_s9_m0';
  const rows = await other.succeed(['export', 'chess', ten, '--where', 'longest', '--limit', '1', '--moves']);
  expect(rows).toContain(`{"slice":"${ten}.KPPPPKPPPP.55556666.`);
  expect(rows).toMatch(/"best":\["[^"]+"/);
  const to = newFolder();
  await other.succeed(['stats', 'chess', ten, '--html', join(to, 'report')]);
  expect(readFileSync(join(to, 'report/index.html'), 'utf8')).toContain(`${ten}.lo`);
});

test('a solve counts the two values of a position apart', async () => {
  const text = await mergemate.succeed(['solve', 'chess', '--from', LOCKED, ...HOW]);
  for (const bound of ['hi', 'lo']) expect(text).toContain(`${ROOT}.${bound}, positions up to symmetry: `);
  expect(text).not.toContain(`${ROOT}, positions`);
});

test('a site has the tables of a root that is named, or of all', async () => {
  const to = join(newFolder(), 'site');
  for (const named of [['chess', ROOT], []]) {
    const { games } = await mergemate.succeedJson<{ games: object[] }>([
      'publish',
      ...named,
      '--as',
      'site',
      '--to',
      to,
    ]);
    expect(games).toMatchObject([{ name: 'chess', metrics: ['dtm'], example: LOCKED }]);
    const index = JSON.parse(readFileSync(join(to, 'tables/index.json'), 'utf8')) as { roots: string[] };
    expect(index.roots).toContain(ROOT);
    if (named.length > 0) expect(index.roots).toHaveLength(1);
  }
});

test('mistakes are one line each', async () => {
  const refused = async (args: string[], words: string) => {
    const { code, stderr } = await mergemate.run(args);
    expect([args, code, stderr.trim().split('\n').length]).toEqual([args, 2, 1]);
    expect(stderr).toContain(words);
  };
  await refused(['solve', 'chess', 'KQK', '--stop-at', '4'], '--stop-at goes with --from');
  await refused(['solve', 'chess', 'KQK', '--from', LOCKED], 'give either endings (or --men) or --from');
  await refused(['solve', 'checkers', '--from', LOCKED], '--from takes a position of chess');
  await refused(['solve', 'chess', '--from', '8/8/8/2k5/8/8/8/K6Q w'], 'without pawns');
  await refused(['solve', 'chess', '--from', 'nonsense'], 'a placement must have 8 ranks, not 1');
  await refused(['solve', 'chess', '--from', 'none.epd'], 'there is no file none.epd');
  await refused(
    ['plan', 'chess', '--from', LOCKED, '--never', 'white: a4', '--never', 'black: a5'],
    '--never was given twice: "white: a4" and "black: a5"',
  );
  await refused(['plan', '--from', LOCKED, '--from', LOCKED], '--from was given twice');
  await refused(
    ['solve', 'chess', '--from', LOCKED, '--promote', 'k'],
    '--promote: "k" must be some of the letters',
  );
  await refused(
    ['solve', 'chess', '--from', LOCKED, '--metric', 'dtm50'],
    '--from cannot be combined with --metric dtm50',
  );
  await refused(['solve', 'chess', ROOT, '--metric', 'help'], 'in which both sides play to win');
  await refused(['solve', 'chess', ROOT.replace('PK', 'PvK')], 'of problems');
  for (const command of ['solve', 'plan'])
    await refused(
      [command, 'chess', '--from', LOCKED, '--stop-at', '7'],
      'solving stops at the position itself, by --stop-at or --most-pieces',
    );
  for (const as of ['compact', 'syzygy'])
    await refused(['publish', 'chess', ROOT, '--as', as, '--to', store], 'are of whole endings');
  await refused(['publish', 'chess', `${ROOT}.hi`, '--as', 'site'], `whole root: name ${ROOT}`);
  await refused(['publish', 'chess', 'KPKP_d4d5_s3_m0', '--as', 'site'], 'slices are not solved');
  await refused(['stats', 'chess', 'KPKP_e4e5'], 'is the mirror image of the root KPKP_d4d5: name that');
  for (const name of ['KPKP_b5b4_kzz', 'KPKP_b5b4_x4e', 'KPKP_b5b4_sxx', 'KPKP_b5b5', 'KPPK_c2a2', 'KQK_'])
    await refused(['stats', 'chess', name], 'expected each side');
  const slice = `${ROOT}.KPPPKPP.44556`;
  const noSlices = ['.hi~hi', '.hi~no', '', '.syzygy', '.hi.lo', '.hi~hi+', '.hi.'].map((end) => slice + end);
  const names = [...noSlices, `${ROOT}.`, `${ROOT}.KPPPKP.4455.hi`, `${ROOT}_k3.KPPPKPP.44556.hi`];
  const commands = ['solve', 'plan', 'stats', 'verify'];
  for (const [i, name] of names.entries())
    await refused([commands[i % commands.length], 'chess', name], 'has no such slice that is solved');
  await refused(['plan', 'chess', 'KQK', '--from', LOCKED], 'give either endings (or --men) or --from');
  await refused(['probe', 'chess', '8/k7/3p4/p2P4/P2P4/P7/8/K7 w - - 0 1'], 'at most 7 are supported');
});
