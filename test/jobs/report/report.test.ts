/** `report`: its figures against `stats`, its page as a file that needs nothing else. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvText } from '../../../jobs/ui/csv.js';
import type { SideStats, TableStats } from '../../../pipeline/analysis/stats.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { run, succeed, succeedJson } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const store = newFolder();
const stored = ['--store', store];
const out = (name: string) => join(store, name);
/** Of all endings of checkers that are counted together. */
const PIECES = LONGEST ? '3' : '2';

beforeAll(async () => {
  const quickly = [...stored, '--no-verify', '--memory', '8MiB'];
  await putEndings(store, chess, ['KQK', 'KRK']);
  await putEndings(store, chess, ['KRK'], ['wdl']);
  if (LONG) await succeed(['solve', 'checkers', '--pieces', PIECES, ...quickly]);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** Fields with quotes have no quotes within. */
function rowsOf(path: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain,
    );
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(cells.map((cell, i) => [names[i], cell]));
  });
}

function sharesAddUp(row: Record<string, string>): void {
  const shares = Object.entries(row).filter(([name]) => name.endsWith('_percent'));
  expect(shares.length).toBe(3);
  const sum = shares.reduce((total, [, share]) => total + Number(share), 0);
  expect(Math.abs(sum - 100), JSON.stringify(row)).toBeLessThan(0.001);
}

/** From another tally of the same tables. */
async function expectStats(game: string, ending: string, folder: string): Promise<void> {
  const stats = await succeedJson<TableStats>(['stats', game, ending, ...stored]);
  for (const side of ['white', 'black'] as const) {
    const other = side === 'white' ? 'black' : 'white';
    const own: SideStats = stats[side];
    const row = rowsOf(join(folder, 'endings.csv')).find(
      (each) => each.ending === ending && each.side_to_move === side,
    )!;
    sharesAddUp(row);
    expect([row.boards, row.canonical].map(Number)).toEqual([own.legal.placements, own.legal.orbits]);
    expect([row.win, row.draw, row.loss].map(Number)).toEqual(
      [own[`${side}Wins`], own.draws, own[`${other}Wins`]].map(({ placements }) => placements),
    );
    const [win, loss] =
      side === 'white'
        ? [own.longestWhiteWin, own.longestBlackWin]
        : [own.longestBlackWin, own.longestWhiteWin];
    const said = (plies: string | undefined) => (plies === '' ? null : Number(plies));
    expect([said(row.longest_win_plies), said(row.longest_loss_plies)]).toEqual([
      win?.plies ?? null,
      loss?.plies ?? null,
    ]);
    const plies = rowsOf(join(folder, 'plies.csv')).filter(
      (each) => each.ending === ending && each.side_to_move === side,
    );
    for (const [result, byPly] of [
      ['win', own[`${side}WinsByPly`]],
      ['loss', own[`${other}WinsByPly`]],
    ] as const) {
      const found = plies.filter((each) => each.result === result);
      expect(found.map((each) => [each.plies, Number(each.boards), Number(each.canonical)])).toEqual(
        Object.entries(byPly).map(([ply, { placements, orbits }]) => [ply, placements, orbits]),
      );
    }
  }
}

function pageOf(folder: string): string {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  // Readers of the report have no use for folders of this machine.
  expect(page).not.toContain(folder);
  expect(page.startsWith('<!doctype html>')).toBe(true);
  expect(page.endsWith('</html>\n')).toBe(true);
  // Nothing is fetched, and nothing escaped its quotes.
  expect(page).not.toMatch(/https?:|<link|<img|@import|url\(/);
  expect(page).not.toMatch(/undefined|NaN|\[object/);
  for (const id of [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]))
    expect(page, id).toContain(`id="${id}"`);
  return page;
}

test('chess: the figures are those of stats; longest wins are the published ones', async () => {
  const folder = out('new/chess');
  const printed = await succeedJson<object>(['stats', 'chess', 'KQK', 'KRK', '--html', folder, ...stored]);
  const names = ['index.html', 'endings.csv', 'plies.csv', 'zugzwangs.csv'];
  expect(printed).toEqual({
    game: 'chess',
    endings: ['KQK', 'KRK'],
    metric: 'dtm',
    files: names.map((name) => join(folder, name)),
  });
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
  for (const ending of ['KQK', 'KRK']) await expectStats('chess', ending, folder);
  const rows = rowsOf(join(folder, 'endings.csv'));
  expect(
    rows.map(({ ending, side_to_move, longest_win_moves, longest_loss_moves }) => [
      ending,
      side_to_move,
      longest_win_moves,
      longest_loss_moves,
    ]),
  ).toEqual([
    ['KQK', 'white', '10', ''],
    ['KQK', 'black', '', '10'],
    ['KRK', 'white', '16', ''],
    ['KRK', 'black', '', '16'],
  ]);
  expect(rowsOf(join(folder, 'zugzwangs.csv'))).toHaveLength(6);

  const page = pageOf(folder);
  const { line } = await succeedJson<{ line: { move: string }[] }>([
    'probe',
    '--line',
    'chess',
    rows[0].longest_win_fen,
    ...stored,
  ]);
  expect(line).toHaveLength(19);
  expect(page).toContain(`1. ${line[0].move} ${line[1].move} 2. ${line[2].move}`);
  expect(page).toContain(`${line[18].move}</p>`);
  expect(page).toContain('White to move: wins in 31 plies (mate in 16)');
  expect(page.match(/<svg class="board"/g)).toHaveLength(4);
  expect(page.match(/<use href="#man-/g)).toHaveLength(4 * 3);
});

test.skipIf(!LONG)(`checkers: classes of several slices, no zugzwangs${ifShort}`, async () => {
  const folder = out('checkers');
  expect(await succeed(['stats', 'checkers', '--pieces', PIECES, '--html', folder, ...stored])).toBe(
    ['index.html', 'endings.csv', 'plies.csv'].map((name) => `${join(folder, name)}\n`).join(''),
  );
  const rows = rowsOf(join(folder, 'endings.csv'));
  expect(rows).toHaveLength(LONGEST ? 18 : 6);
  rows.forEach(sharesAddUp);
  for (const ending of ['1100', LONGEST ? '1011' : '1001']) await expectStats('checkers', ending, folder);
  const page = pageOf(folder);
  expect(page).toContain(`Checkers: all endings up to ${PIECES} pieces`);
  // All of up to three pieces are plausible but three against none, which have no ending.
  for (const [pieces, positions] of [[2, '3,488'], ...(LONGEST ? [[3, '196,032'] as const] : [])])
    expect(
      page.match(new RegExp(`<tr><td>${pieces}</td>(<td>[^<]*</td>)+`))?.[0].split(`<td>${positions}</td>`),
    ).toHaveLength(3);
  expect(page).not.toMatch(/zugzwang/i);
});

test('wdl: no plies', async () => {
  const folder = out('wdl');
  await succeed(['stats', 'chess', 'KRK', '--metric', 'wdl', '--html', folder, ...stored]);
  expect(readdirSync(folder).sort()).toEqual(['endings.csv', 'index.html', 'zugzwangs.csv']);
  rowsOf(join(folder, 'endings.csv')).forEach(sharesAddUp);
  expect(pageOf(folder)).not.toContain('longest win');
});

test('files are overwritten only by --force, and a report that fails leaves none', async () => {
  const folder = out('twice');
  const args = ['stats', 'chess', 'KQK', '--html', folder, ...stored];
  await succeed(args);
  rmSync(join(folder, 'index.html'));
  writeFileSync(join(folder, 'plies.csv'), 'precious');
  const { code, stderr } = await run(args);
  expect([code, existsSync(join(folder, 'index.html'))]).toEqual([2, false]);
  expect(stderr).toMatch(/plies\.csv|endings\.csv/);
  expect(readFileSync(join(folder, 'plies.csv'), 'utf8')).toBe('precious');
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  await succeed([...args, '--force']);
  expect(readdirSync(folder)).toHaveLength(4);
});

test.concurrent.each<[string, string[], RegExp]>([
  ['no endings', ['chess', '--html', out('x')], /name the endings of chess/],
  ['a file', ['chess', 'KQK', '--html', 'package.json'], /package\.json is a file, not a folder/],
  ['not solved', ['chess', 'KBK', '--html', out('x')], /KBK is not solved for dtm/],
])('%s: one line, exit code 2', async (_what, args, message) => {
  const { code, stdout, stderr } = await run(['stats', ...args, ...stored]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(existsSync(out('x'))).toBe(false);
});

test('CSV quotes what needs it', () => {
  expect(
    csvText(
      ['a', 'b,c'],
      [
        ['say "x"', 1],
        [null, 'two\nlines'],
      ],
    ),
  ).toBe('a,"b,c"\n"say ""x""",1\n,"two\nlines"\n');
});
