/** `positions`: against the export of the same tables, and EPD as another program reads it. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { run, succeed, succeedJson } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

interface Line {
  slice: string;
  position: string;
  mover: string;
  outcome: string;
  plies: number | null;
  weight: number;
  best?: string[];
}

const store = newFolder();
const stored = ['--store', store];
beforeAll(async () => {
  await putEndings(store, chess, ['KQK', 'KRK']);
  await putEndings(store, chess, ['KRK'], ['wdl']);
  await putEndings(store, checkers, ['1011']);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const positions = async (...args: string[]): Promise<Line[]> =>
  linesOf(await succeed(['export', ...args, ...stored]));

const exports = new Map<string, Promise<string>>();
async function exported(ending: string): Promise<Line[]> {
  const args = ['export', 'chess', ending, '--format', 'jsonl', '--out', '-', ...stored];
  if (!exports.has(ending)) exports.set(ending, succeed(args));
  return linesOf(await exports.get(ending)!);
}

test.skipIf(!LONG)(`the selected positions are those of the export, in its order${ifShort}`, async () => {
  const endings = ['KKQ', 'KRK'];
  const rows = (await Promise.all(endings.map(exported))).flat();
  // As texts: to compare a hundred thousand objects takes long.
  expect(
    JSON.stringify(
      await positions('chess', ...endings.map((name) => name.toLowerCase()), '--limit', '999999'),
    ),
  ).toBe(JSON.stringify(rows));
  for (const [args, wanted] of [
    [['--where', 'result=draw side=white'], ({ outcome, mover }) => outcome === 'draw' && mover === 'white'],
    [['--where', 'plies=5'], ({ plies }) => plies === 5],
    [
      ['--where', 'result=loss plies=10..12 side=white'],
      ({ outcome, plies, mover }) => outcome === 'loss' && mover === 'white' && plies! >= 10 && plies! <= 12,
    ],
  ] as [string[], (row: Line) => boolean][]) {
    const wanting = rows.filter(wanted);
    expect(wanting.length).toBeGreaterThan(0);
    expect(JSON.stringify(await positions('chess', ...endings, ...args))).toBe(JSON.stringify(wanting));
  }
  expect(await positions('chess', ...endings, '--limit', '700')).toEqual(rows.slice(0, 700));
});

/** The square of a man of whom there is one. */
function squareOf(fen: string, man: string): string {
  const rows = fen
    .split(' ')[0]
    .replace(/\d/g, (count) => '.'.repeat(Number(count)))
    .split('/');
  const row = rows.findIndex((each) => each.includes(man));
  return `${'abcdefgh'[rows[row].indexOf(man)]}${8 - row}`;
}

test.skipIf(!LONG)(
  `with men on given squares, each position is printed in the image that has them there${ifShort}`,
  async () => {
    const found = await positions('chess', 'KRK', '--where', 'on=Kg1 r', '--limit', '3').catch(
      (error: Error) => error,
    );
    expect(String(found)).toMatch(/"r" is not a man on a square, file or rank/);
    const all = await positions('chess', 'KRK', '--where', 'side=white');
    const there = await positions('chess', 'KRK', '--where', 'side=white on=Kh8 k1');
    const stand = ({ position }: Line) => {
      const game = new Chess(position, { skipValidation: true });
      const [king] = game.findPiece({ type: 'k', color: 'b' });
      return game.get('h8')?.type === 'k' && king.endsWith('1');
    };
    expect(there.every(stand)).toBe(true);
    // A king in a corner, and the other on one of the two far edges.
    const corner = /^(.)(.)$/;
    const asked = all.filter(({ position }) => {
      const [white, black] = [squareOf(position, 'K'), squareOf(position, 'k')];
      const [, file, rank] = corner.exec(white)!;
      if (!'ah'.includes(file) || !'18'.includes(rank)) return false;
      return black[0] === (file === 'a' ? 'h' : 'a') || black[1] === (rank === '1' ? '8' : '1');
    });
    expect(asked.length).toBeGreaterThan(100);
    expect(there.map(({ outcome, plies }) => `${outcome} ${plies}`)).toEqual(
      asked.map(({ outcome, plies }) => `${outcome} ${plies}`),
    );
  },
);

test('CSV and PGN have the same values as JSON', async () => {
  const args = ['chess', 'KQK', '--where', 'longest', '--moves'];
  const lines = await positions(...args);
  const csv = (await succeed(['export', ...args, '--format', 'csv', ...stored])).trimEnd().split('\n');
  expect(csv[0]).toBe('slice,position,mover,outcome,plies,best,weight');
  expect(csv.slice(1)).toEqual(
    lines.map(
      ({ slice, position, mover, outcome, plies, weight, best }) =>
        `${slice},${position},${mover},${outcome},${plies},${best!.join(' ')},${weight}`,
    ),
  );
  const games = (await succeed(['export', ...args, '--format', 'pgn', ...stored])).trimEnd().split('\n\n[');
  expect(games).toHaveLength(lines.length);
  for (const [i, text] of games.entries()) {
    const game = new Chess();
    game.loadPgn(i === 0 ? text : `[${text}`);
    expect(game.fen()).toBe(lines[i].position);
    expect(game.getHeaders()).toMatchObject({ Event: `KQK ${i + 1}`, Result: '1-0', SetUp: '1' });
    expect(game.getComments()[0].comment).toBe(
      `win in 19 plies (dtm); best: ${[...lines[i].best!].join(' ')}`,
    );
  }
});

test('the longest wins are the published ones', async () => {
  const wins = await positions('chess', '--pieces', '3', '--where', 'longest').catch(
    (error: Error) => error.message,
  );
  expect(wins).toMatch(/8 of 10 slices are not solved/);
  const found = await positions('chess', 'KQK', 'KRK', '--where', 'longest');
  expect(
    new Set(found.map(({ slice, mover, outcome, plies }) => `${slice} ${mover} ${outcome} ${plies}`)),
  ).toEqual(new Set(['KQK white win 19', 'KRK white win 31']));
  const losses = await positions('chess', 'KQK', 'KRK', '--where', 'longest result=loss');
  expect(new Set(losses.map(({ slice, plies }) => `${slice} ${plies}`))).toEqual(
    new Set(['KQK 20', 'KRK 32']),
  );
});

test('best moves are those of probe', async () => {
  const found = await positions(
    'chess',
    'KQK',
    '--moves',
    '--where',
    'side=black plies=18..20',
    '--limit',
    '20',
  );
  expect(found).toHaveLength(20);
  for (const { position, best, outcome, plies } of found.filter((_, i) => i % 7 === 0)) {
    const probed = await succeedJson<{ moves: { san: string; outcome: string; plies: number }[] }>([
      ...['probe', 'chess', position, ...stored],
    ]);
    expect(best).toEqual(
      probed.moves.filter((move) => move.outcome === outcome && move.plies === plies).map(({ san }) => san),
    );
  }
  const mated = await positions('chess', 'KQK', '--where', 'plies=0', '--moves', '--limit', '1');
  expect(mated[0]).toMatchObject({ outcome: 'loss', plies: 0, best: [] });
});

test('EPD: four fields and operations in the order of their names; best moves are legal', async () => {
  const args = [
    'export',
    'chess',
    'KQK',
    'KRK',
    '--format',
    'epd',
    '--moves',
    '--where',
    'longest',
    ...stored,
  ];
  const lines = (await succeed(args)).trimEnd().split('\n');
  const ids: string[] = [];
  for (const line of lines) {
    const match = /^((?:\S+ ){3}\S+) (.*);$/.exec(line)!;
    const operations = match[2]
      .split('; ')
      .map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)] as const);
    expect(operations.map(([opcode]) => opcode)).toEqual(['bm', 'c0', 'dm', 'id']);
    const { bm, c0, dm, id } = Object.fromEntries(operations) as Record<string, string>;
    const game = new Chess(`${match[1]} 0 1`);
    expect(game.moves()).toEqual(expect.arrayContaining(bm.split(' ')));
    expect(bm.split(' ')).toEqual(bm.split(' ').sort());
    expect([c0, dm]).toEqual(
      id.startsWith('"KQK') ? ['"win in 19 plies (dtm)"', '10'] : ['"win in 31 plies (dtm)"', '16'],
    );
    ids.push(id);
  }
  const queens = ids.filter((id) => id.startsWith('"KQK'));
  expect(queens).toEqual(queens.map((_, i) => `"KQK ${i + 1}"`));
  expect(new Set(ids).size).toBe(lines.length);
  const drawn = await succeed([
    'export',
    'chess',
    'KRK',
    '--format',
    'epd',
    '--where',
    'result=draw',
    '--limit',
    '1',
    ...stored,
  ]);
  expect(drawn).toMatch(/^\S+ b - - c0 "draw"; id "KRK 1";\n$/);
  const mated = await succeed([
    'export',
    'chess',
    'KRK',
    '--format',
    'epd',
    '--where',
    'plies=0',
    '--limit',
    '1',
    '--moves',
    ...stored,
  ]);
  expect(mated).toMatch(/^\S+ b - - c0 "loss in 0 plies \(dtm\)"; id "KRK 1";\n$/);
});

test('wdl has results without plies', async () => {
  const found = await positions('chess', 'KRK', '--metric', 'wdl', '--where', 'result=draw');
  const drawn = (await exported('KRK')).filter(({ outcome }) => outcome === 'draw');
  expect(JSON.stringify(found)).toBe(JSON.stringify(drawn));
});

test('classes of checkers', async () => {
  const found = await positions('checkers', '1011', '--where', 'longest', '--moves');
  expect(new Set(found.map(({ mover }) => mover))).toEqual(new Set(['black', 'white']));
  for (const { position, mover, best } of found.slice(0, 3)) {
    expect(position[0]).toBe(mover === 'black' ? 'B' : 'W');
    expect(best!.length).toBeGreaterThan(0);
  }
});

test('a file appears when it is complete, and is overwritten only by --force', async () => {
  const path = join(store, 'positions.jsonl');
  const args = ['export', 'chess', 'KRK', '--where', 'plies=31', '--out', path, ...stored];
  const printed = await succeedJson<object>(args);
  const found = await positions('chess', 'KRK', '--where', 'plies=31');
  expect(printed).toEqual({
    game: 'chess',
    ending: 'KRK',
    metric: 'dtm',
    format: 'jsonl',
    out: path,
    columns: ['slice', 'position', 'mover', 'outcome', 'plies', 'weight'],
    rows: found.length,
  });
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual(found);
  writeFileSync(path, 'precious');
  const refused = await run(args);
  expect([refused.code, readFileSync(path, 'utf8')]).toEqual([2, 'precious']);
  expect(await succeed([...args, '--force'])).toBe(`${path}: ${found.length} rows\n`);
});

test.concurrent.each<[string, string[], RegExp]>([
  ['no endings', ['chess'], /name the endings of chess/],
  ['not solved', ['chess', 'KBK'], /KBK is not solved for dtm .*mergemate solve chess KBK/],
  ['EPD of checkers', ['checkers', '1011', '--format', 'epd'], /--format epd is for chess: .* jsonl/],
  [
    'a result of another metric',
    ['chess', 'KQK', '--where', 'result=cursed win'],
    /no result is a cursed win under metric dtm \(it has: win, draw, loss\)/,
  ],
  ['no plies', ['chess', 'KQK', '--where', 'plies=ten'], /plies: "ten" is neither a number/],
  ['plies backwards', ['chess', 'KQK', '--where', 'plies=9..3'], /plies: "9\.\.3" is neither a number/],
  ['plies and longest', ['chess', 'KQK', '--where', 'plies=3 longest'], /either longest or plies/],
  [
    'zugzwangs of checkers',
    ['checkers', '1011', '--where', 'zugzwang'],
    /mutual zugzwangs are not looked for in checkers/,
  ],
])('%s: one line, exit code 2', async (_what, args, message) => {
  const { code, stdout, stderr } = await run(['export', ...args, ...stored]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
