/** A game whose symmetries exchange the colours, by every command that shows it. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const GAME = 'samples/l-game/game.ts';
const folder = newFolder();
const mergemate = program(join(folder, 'tables'));
let solved = '';

beforeAll(async () => {
  solved = await mergemate.succeed(['solve', GAME]);
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The table of results, by the first words of its rows. */
const rowsOf = (text: string) =>
  Object.fromEntries(
    ['to move', 'the game is over', 'all'].map((what) => [
      what,
      text
        .split('\n')
        .find((line) => line.startsWith(`${what} `))!
        .slice(what.length)
        .trim()
        .split(/ {2,}/),
    ]),
  );

const RESULTS = {
  'to move': ['2,281', '1,006', '44.10 %', '1,261', '55.28 %', '14', '0.61 %'],
  'the game is over': ['15', '0', '0 %', '0', '0 %', '15', '100 %'],
  all: ['2,296', '1,006', '43.82 %', '1,261', '54.92 %', '29', '1.26 %'],
};

test('solve and stats count with the turn merged, for the player to move', async () => {
  const stats = await mergemate.succeed(['stats', GAME]);
  for (const text of [solved, stats]) {
    expect(text).toContain(
      'the turn is merged: each position stands for either player to move, with the colours exchanged\n' +
        '36,736 positions with those that are symmetric to them\n',
    );
    for (const [what, cells] of Object.entries(rowsOf(text)))
      expect([what, ...cells.slice(0, 7)]).toEqual([what, ...RESULTS[what as keyof typeof RESULTS]]);
    expect(text).toContain('\noww./.bw./.bw./.bbo w: nobody wins\n');
    expect(text).not.toMatch(/(white|black) (wins|to move)/);
  }
});

test('JSON has no counts by player', async () => {
  const stats = (await mergemate.succeedJson(['stats', GAME])) as Record<string, unknown>;
  expect(stats).toMatchObject({
    nodes: 2296,
    boards: 36_736,
    turnMerged: true,
    byMover: [{ mover: null, won: 1006, drawn: 1261, lost: 14 }],
    finished: { won: 0, drawn: 0, lost: 15 },
    // Each position has sixteen that look alike.
    unmerged: {
      byMover: [{ mover: null, won: 16 * 1006, drawn: 16 * 1261, lost: 16 * 14 }],
      finished: { won: 0, drawn: 0, lost: 16 * 15 },
    },
  });
  for (const field of ['won', 'chooses', 'over', 'longest']) expect(stats).not.toHaveProperty(field);
});

test('probe answers for the side to move of the position that is asked', async () => {
  // The longest loss, and the same with the colours exchanged.
  const { farthest } = (await mergemate.succeedJson(['stats', GAME])) as {
    farthest: { loss: { plies: number; node: string } }[];
  };
  const { node, plies } = farthest[0].loss;
  const swapped = node.replace(/[wb]/g, (sign) => (sign === 'w' ? 'b' : 'w'));
  const winners = new Set<string>();
  for (const position of [node, swapped]) {
    const mover = position.endsWith('w') ? 'white' : 'black';
    const winner = mover === 'white' ? 'black' : 'white';
    const answer = await mergemate.succeedJson(['probe', GAME, position]);
    expect(answer).toMatchObject({ position, mover, winner, outcome: 'loss', plies });
    winners.add(winner);
    const line = (await mergemate.succeedJson(['probe', '--line', GAME, position])) as {
      line: { mover: string }[];
    };
    expect(line.line.map((step) => step.mover)).toEqual(
      Array.from({ length: plies }, (_, i) => (i % 2 === 0 ? mover : winner)),
    );
  }
  expect(winners.size).toBe(2);
});

test('rows count in weight all positions that they stand for', async () => {
  const out = join(folder, 'rows.jsonl');
  await mergemate.succeed(['export', GAME, '--out', out]);
  const rows = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { outcome: string; weight: number });
  expect(rows).toHaveLength(2296);
  expect(rows.reduce((sum, { weight }) => sum + weight, 0)).toBe(36_736);
  expect(rows.filter(({ outcome }) => outcome === 'loss')).toHaveLength(29);
  const longest = (await mergemate.succeed(['export', GAME, '--where', 'longest', '--out', '-']))
    .trim()
    .split('\n');
  expect(new Set(longest.map((line) => (JSON.parse(line) as { plies: number }).plies)).size).toBe(1);
  expect(await mergemate.run(['export', GAME, '--where', 'side=white', '--out', '-'])).toMatchObject({
    code: 2,
    stderr:
      'mergemate: l-game: its positions stand for either player to move, so there are none by side: leave side out\n',
  });
});

test.skipIf(!LONG)(`verify, verify --rules and a report${ifShort}`, async () => {
  expect(await mergemate.succeed(['verify', GAME])).toContain('2,296 positions checked');
  await mergemate.succeed(['verify', '--rules', GAME]);
  const report = join(folder, 'report');
  await mergemate.succeed(['stats', GAME, '--html', report]);
  expect(readFileSync(join(report, 'results.csv'), 'utf8')).toContain('the game is over,15,0,0,15,');
  expect(readFileSync(join(report, 'index.html'), 'utf8')).not.toMatch(/undefined|NaN/);
});

test('a publication has the same values', async () => {
  const small = join(folder, 'small');
  await mergemate.succeed(['publish', GAME, '--to', small]);
  for (const side of ['w', 'b']) {
    const asked = ['probe', GAME, `oww./.bw./.bw./.bbo ${side}`];
    const published = await mergemate.succeed([...asked, '--published', small]);
    // Moves of one value are in no order.
    const inOrder = (text: string) => text.split('\n').sort();
    expect(inOrder(published)).toEqual(inOrder(await mergemate.succeed(asked)));
  }
});
