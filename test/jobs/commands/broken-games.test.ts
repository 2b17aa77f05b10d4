/** Broken games: each is found by `check`, and by `solve` where its table would be wrong; both name the position and the cause. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenGames, moduleOf, rules } from '../../support/broken-games.js';
import { program, run } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { LONG, LONGEST } from '../../support/long.js';

/** Modules of their own for each command: a process reads a module once, and what a broken game changed would stay changed. */
function written(folder: string, name: string, [, kind, change]: (typeof brokenGames)[number]): string {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'rules.js'), rules);
  const path = join(own, 'game.js');
  writeFileSync(path, kind === null ? change : moduleOf(name, kind, change));
  return path;
}

/** The lines that a command ended with, without the names that differ. */
function linesOf(stderr: string, name: string, path: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('mergemate: '))
    .map((line) => line.slice('mergemate: '.length).replaceAll(path, 'game.js').replaceAll(name, 'g'));
}

test('there are many broken games', () => {
  expect(brokenGames.length).toBeGreaterThanOrEqual(30);
  expect(new Set(brokenGames.map(([what, kind]) => `${what}, ${kind}`)).size).toBe(brokenGames.length);
});

const cases = brokenGames.map((each, i) => [`${each[0]} (${each[1] ?? 'module'})`, i, each] as const);
/** The long tests break numbered games with scores in every third of the ways: the same code reads those without scores. */
const isTried = ([, i, [, kind]]: (typeof cases)[number]) =>
  LONGEST || (LONG ? kind !== 'numberedScored' || i % 3 === 0 : i % 7 === 0);
test.each(cases.filter(isTried))('%s', async (_, i, game) => {
  const [, , , byCheck, bySolve = byCheck] = game;
  const folder = testFolder();
  const checking = `checked${i}`;
  const path = written(folder, checking, game);
  const checked = await run(['check', path]);
  const found = linesOf(checked.stderr, checking, path);
  // What cannot even be loaded is refused as other wrong input is.
  const isLoaded = checked.stdout !== '';
  expect(checked.code).toBe(isLoaded ? 1 : 2);
  expect(found[0]).toContain(byCheck);
  for (const line of found) expect(line).not.toMatch(/internal error|undefined position|\[object/);

  // A million moves take seconds, and the solver lists them as check does.
  if (game[0] === 'moves without an end' && game[1] === 'keyed' && !LONGEST) return;

  const solving = `solved${i}`;
  const other = written(folder, solving, game);
  const solved = await program(join(folder, 'tables')).run(['solve', other]);
  if (bySolve === null) {
    expect(solved.code).toBe(0);
    return;
  }
  expect(solved.code).toBe(2);
  const lines = linesOf(solved.stderr, solving, other);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(bySolve);
});

test('check reports a game without an end, and solve that nobody wins it', async () => {
  const folder = testFolder();
  const game = ['no end', 'keyed', "moves: (p) => [['on', { ...p, side: 1 - p.side }]]", ''] as const;
  const checked = await run(['check', written(folder, 'endless1', game)]);
  expect(checked.stdout).toContain('no position that can be reached ends the game: nobody ever wins\n');
  const solved = await program(join(folder, 'tables')).run(['solve', written(folder, 'endless2', game)]);
  expect(solved.stdout).toContain('20 w: nobody wins\n');
});
