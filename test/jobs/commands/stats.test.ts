/** `stats`, against a count of all boards by the plain rules. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tally } from '../../../pipeline/analysis/outcomes.js';
import type { ClassTally, SideStats, TableStats } from '../../../pipeline/analysis/stats.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program, succeed, succeedJson } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

type Stats = TableStats & { game: string; ending: string; metric: string; classes: ClassTally[] };

const METRICS = sweep<Metric>(['dtm', 'wdl'], ['dtc', 'dtz']);
const store = newFolder();
const mergemate = program(store);
beforeAll(async () => {
  await putEndings(store, chess, ['KQK'], METRICS);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

const stats = (ending: string, metric = 'dtm') =>
  mergemate.succeedJson<Stats>(['stats', 'chess', ending, '--metric', metric]);

/** Every board of king and queen against king with White's king in the lower left quarter, by FEN: a quarter of all, by symmetry. */
function* boards(mover: 'w' | 'b'): Generator<string> {
  for (let squares = 0; squares < 64 ** 3; squares++) {
    if ((squares & 0b100_100) !== 0) continue;
    const men = new Map([
      [squares & 63, 'K'],
      [(squares >> 6) & 63, 'k'],
      [squares >> 12, 'Q'],
    ]);
    if (men.size < 3) continue;
    const ranks = Array.from({ length: 8 }, (_, rank) =>
      Array.from({ length: 8 }, (_, file) => men.get(8 * rank + file) ?? '.')
        .join('')
        .replace(/\.+/g, (free) => String(free.length)),
    );
    yield `${ranks.join('/')} ${mover} - - 0 1`;
  }
}

test.skipIf(!LONG)(
  `placements are boards: legal positions, mates and stalemates of KQK counted one by one${ifShort}`,
  async () => {
    const { black } = await stats('KQK');
    const counted = { legal: 0, mates: 0, stalemates: 0 };
    for (const fen of boards('b')) {
      let board: ReturnType<typeof chess.parse>;
      try {
        board = chess.parse(fen);
      } catch {
        continue;
      }
      counted.legal++;
      const terminal = chess.terminal(board);
      if (terminal === 'lost') counted.mates++;
      else if (terminal === 'drawn') counted.stalemates++;
    }
    expect(counted.mates).toBeGreaterThan(0);
    expect(counted.stalemates).toBeGreaterThan(0);
    for (const field of ['legal', 'mates', 'stalemates'] as const) {
      expect(black[field].placements, field).toBe(4 * counted[field]);
      expect(black[field].orbits, field).toBeGreaterThanOrEqual(counted[field] / 2);
    }
    expect(black.whiteWinsByPly['0']).toEqual(black.mates);
  },
);

const total = (tallies: readonly Tally[]): Tally => ({
  placements: tallies.reduce((sum, { placements }) => sum + placements, 0),
  orbits: tallies.reduce((sum, { orbits }) => sum + orbits, 0),
});

test.each(METRICS)('wins, draws and losses add up under %s, and agree between metrics', async (metric) => {
  const found = await stats('KQK', metric);
  const reference = await stats('KQK');
  expect([found.game, found.ending, found.metric]).toEqual(['chess', 'KQK', metric]);
  for (const side of ['white', 'black'] as const) {
    const { legal, whiteWins, draws, blackWins, whiteWinsByPly, blackWinsByPly } = found[side];
    expect(total([whiteWins, draws, blackWins])).toEqual(legal);
    // No win of KQK is a cursed one.
    const none = metric === 'dtz' ? { placements: 0, orbits: 0 } : undefined;
    expect([found[side].whiteCursedWins, found[side].blackCursedWins]).toEqual([none, none]);
    for (const field of ['legal', 'whiteWins', 'draws', 'blackWins', 'mates', 'stalemates'] as const) {
      expect(found[side][field], field).toEqual(reference[side][field]);
    }
    if (metric === 'wdl') {
      expect([whiteWinsByPly, blackWinsByPly]).toEqual([{}, {}]);
      expect([found[side].longestWhiteWin, found[side].longestBlackWin]).toEqual([null, null]);
    } else {
      expect(total(Object.values(whiteWinsByPly))).toEqual(whiteWins);
      expect(Object.keys(whiteWinsByPly).map(Number)).toEqual(
        Object.keys(whiteWinsByPly)
          .map(Number)
          .sort((a, b) => a - b),
      );
      expect(found[side].longestWhiteWin!.plies).toBe(Math.max(...Object.keys(whiteWinsByPly).map(Number)));
    }
  }
});

test('the position of the longest win has that value in the table', async () => {
  const { white, black } = await stats('KQK');
  expect([white.longestWhiteWin!.plies, black.longestWhiteWin!.plies]).toEqual([19, 20]);
  for (const { plies, fen } of [white.longestWhiteWin!, black.longestWhiteWin!]) {
    const probed = await mergemate.succeedJson<{ plies: number }>(['probe', 'chess', fen]);
    expect(probed.plies).toBe(plies);
  }
});

test('a name with the sides exchanged exchanges the colours', async () => {
  const straight = await stats('KQK');
  const exchanged = await stats('kkq');
  expect(exchanged.ending).toBe('KKQ');
  const colours = (side: SideStats): Record<string, unknown> => ({
    ...side,
    whiteWins: side.blackWins,
    blackWins: side.whiteWins,
    whiteWinsByPly: side.blackWinsByPly,
    blackWinsByPly: side.whiteWinsByPly,
    longestWhiteWin: side.longestBlackWin,
    longestBlackWin: side.longestWhiteWin,
  });
  const { fen } = exchanged.black.longestBlackWin!;
  expect(fen).toMatch(/^[1-8kqK/]+ b /);
  const anyFen = (side: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(side).replace(/"fen":"[^"]*"/g, '"fen":""'));
  expect(anyFen(colours(exchanged.black))).toEqual(anyFen({ ...straight.white }));
  expect(anyFen(colours(exchanged.white))).toEqual(anyFen({ ...straight.black }));
});

test.skipIf(!LONG)(
  `--pieces counts every ending with White to move, and with colours exchanged${ifShort}`,
  async () => {
    const folder = testFolder();
    await putEndings(folder, chess, ['KQK', 'KRK', 'KBK', 'KNK', 'KPK']);
    const solved = await program(folder).succeedJson<{ slices: { slice: string; positions: number }[] }>([
      ...['solve', 'chess', '--pieces', '3', '--memory', '8MiB', '--no-verify'],
    ]);
    const ofPawns = [7, 6, 5, 4, 3, 2].map((rank) => `KPK.${rank}`);
    expect(solved.slices.map(({ slice }) => slice)).toEqual(['KK', 'KQK', 'KRK', 'KBK', 'KNK', ...ofPawns]);
    const args = ['stats', 'chess', '--pieces', '3', '--store', folder];
    const { classes, ...head } = await succeedJson<{ classes: ClassTally[] }>(args);
    expect(head).toEqual({ game: 'chess', metric: 'dtm' });
    expect(classes.map((tally) => tally.class)).toEqual([
      'KQK',
      'KKQ',
      'KRK',
      'KKR',
      'KBK',
      'KKB',
      'KNK',
      'KKN',
      'KPK',
      'KKP',
    ]);
    for (const { total, wins, draws, losses } of classes) expect(wins + draws + losses).toBe(total);
    // With the queen White wins always; without her he may have taken her.
    expect(classes[0]).toMatchObject({ wins: classes[0].total, maxWinPlies: 19, maxLossPlies: null });
    const { black, classes: own } = await stats('KQK');
    expect(classes[1]).toEqual({
      class: 'KKQ',
      total: black.legal.placements,
      wins: 0,
      losses: black.whiteWins.placements,
      draws: black.draws.placements,
      maxWinPlies: null,
      maxLossPlies: 20,
    });
    expect(own).toEqual(classes.slice(0, 2));
    expect(classes.slice(4, 8).every(({ draws, total }) => draws === total)).toBe(true);
    // As many positions as Syzygy's statistics have, times two for the mirror images.
    expect(classes[8]).toMatchObject({ wins: 2 * 62_480, draws: 2 * 19_184, losses: 0, maxWinPlies: 55 });
    expect(await succeed(args)).toMatch(/^all of 3 pieces +1,945,584 .* 55 +56$/m);

    const checked = await succeedJson<object>(['verify', ...args.slice(1)]);
    const positions = solved.slices.slice(1).reduce((sum, slice) => sum + slice.positions, 0);
    expect(checked).toMatchObject({
      endings: ['KQK', 'KRK', 'KBK', 'KNK', 'KPK'],
      slices: 10,
      positions,
      wrong: 0,
    });
  },
);

test('the same boards count once, whatever names they are given', async () => {
  await putEndings(store, chess, ['KPK']);
  const classes = async (...names: string[]) =>
    (await mergemate.succeedJson<Stats>(['stats', 'chess', ...names])).classes;
  expect(await classes('KQK', 'KKQ', 'kqvk')).toEqual((await stats('KQK')).classes);
  const { classes: pawn } = await stats('KPK');
  expect(await classes('KPK.2', 'KPK', 'KPK.7')).toEqual(pawn);
  expect(await classes('KKP.7', 'KPK')).toEqual(pawn);
  const some = await classes('KPK.2', 'KPK.3', 'KKP.7');
  expect(some.map((tally) => tally.class)).toEqual(['KPK.2', 'KKP.7', 'KPK.3', 'KKP.6']);
});

test('the text is a table and a histogram', async () => {
  const { stdout, code } = await mergemate.run(['stats', 'chess', 'KQK']);
  expect(code).toBe(0);
  expect(stdout).toContain('white to move');
  expect(stdout).toContain('19 plies (mate in 10)');
  expect(stdout).toMatch(/#{10}/);
});
