/** Rules of a user that never return: signals end the program all the same, and it says where it was. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { start } from '../support/cli.js';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG, LONGEST } from '../support/long.js';

/** A game whose functions loop where `where` says, after a line on stderr that the test waits for. */
const moduleOf = (where: string) => `
import { writeSync } from 'node:fs';
import { keyedGame } from 'mergemate';
const endless = (here) => {
  if (here !== '${where}') return;
  writeSync(2, 'looping\\n');
  for (;;);
};
endless('module');
export default keyedGame({
  name: 'endless-${where}',
  roots: () => (endless('roots'), [10]),
  key: (n) => n,
  position: (n) => n,
  mover: (n) => n % 2,
  moves: (n) => {
    if (n === 5) endless('moves');
    if (n === 5 && '${where}' === 'pattern') {
      writeSync(2, 'looping\\n');
      /^(a+)+$/.test('a'.repeat(60) + 'b');
    }
    return n > 0 ? [['one', n - 1]] : [];
  },
});
`;

async function interrupted(
  args: (path: string, store: string) => string[],
  where: string,
  signal: NodeJS.Signals,
) {
  const folder = testFolder();
  const path = join(folder, 'game.mjs');
  writeFileSync(path, moduleOf(where));
  const { child, ended } = start(args(path, join(folder, 'tables')));
  await new Promise<void>((done) => {
    let seen = '';
    child.stderr!.on('data', (text: string) => {
      seen += text;
      if (seen.includes('looping')) done();
    });
    void ended.then(() => done());
  });
  child.kill(signal);
  const result = await Promise.race([ended, wait(30_000, null, { ref: false })]);
  child.kill('SIGKILL');
  return result;
}

const check = (path: string) => ['check', path];
const solve = (path: string, store: string) => ['solve', path, '--store', store];
const line = (path: string, store: string) => ['probe', '--line', path, '10', '--store', store];
const codes = {
  SIGINT: ['interrupted', 130],
  SIGTERM: ['terminated', 143],
  SIGHUP: ['hung up', 129],
} as const;

describe('an endless loop in the rules', () => {
  test('SIGTERM ends check in moves, and the line names function and line of the module', {
    timeout: 60_000,
  }, async () => {
    const result = await interrupted(check, 'moves', 'SIGTERM');
    expect(result?.stderr).toContain(
      'mergemate: terminated in endless (game.mjs, line 7); nothing was changed\n',
    );
    expect(result?.code).toBe(143);
  });

  // No table is there, so `line` would end before it asks the game for moves.
  const commandsFor = (where: string) =>
    Object.entries(where === 'module' ? { check, solve, line } : { check, solve });
  // Each place, signal and command, by turns; all of them together in the longest tests.
  const chosen = [
    'module SIGINT line',
    'module SIGHUP solve',
    'roots SIGTERM check',
    'moves SIGINT solve',
    'moves SIGHUP check',
    'pattern SIGTERM solve',
  ];
  const cases = (['module', 'roots', 'moves', 'pattern'] as const).flatMap((where) =>
    (Object.keys(codes) as (keyof typeof codes)[]).flatMap((signal) =>
      commandsFor(where)
        .filter(([name]) => LONGEST || chosen.includes(`${where} ${signal} ${name}`))
        .map(([name, args]) => [where, signal, name, args] as const),
    ),
  );
  test.skipIf(!LONG).each(cases)(
    `%s: %s ends %s${ifShort}`,
    { timeout: 60_000 },
    async (where, signal, _name, args) => {
      const result = await interrupted(args, where, signal);
      const [how, code] = codes[signal];
      expect(result?.code).toBe(code);
      expect(result?.stderr).toMatch(new RegExp(`^mergemate: ${how}`, 'm'));
      expect(result?.stderr).not.toMatch(/Waiting for the debugger|Warning/);
    },
  );
});
