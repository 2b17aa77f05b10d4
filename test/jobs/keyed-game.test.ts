/** Keyed games of users on the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, testFolder } from '../support/cli.js';

const THREE = 'samples/dodgem/three.ts';
const START = '>../>../.^^ w';

describe('mergemate', () => {
  test('graph solves, probes and exports the module of a keyed game', async () => {
    const store = join(testFolder(), 'tables');
    const solve = ['graph', 'solve', THREE, '--store', store, '--memory', '1MiB'];
    const solved = await run(solve);
    expect(solved.code).toBe(0);
    expect(solved.stdout).toContain('graph dodgem-3x3: 1,963 nodes, 5,373 edges, 22 rounds, verified\n');
    expect(solved.stdout).toContain(
      'reached in 17 layers, the largest of 293 positions 8 moves from the start\n',
    );
    // Again: everything is there.
    const again = JSON.parse((await run([...solve, '--json'])).stdout) as Record<string, unknown>;
    expect(again).toMatchObject({ graph: 'dodgem-3x3', nodes: 1963, won: [975, 988], nobody: 0 });
    expect(again).not.toHaveProperty('layers');

    const asked = await run(['graph', 'probe', THREE, START, '--store', store]);
    expect(asked.stdout).toBe(
      '>..\n>..\n.^^\n\nWhite to move: wins in 19 plies\n\n' +
        'move   value  distance\n-----  -----  --------\n' +
        'a3-b3    win  19 plies\na2-b2   loss  18 plies\na2-a1   loss  16 plies\n',
    );
    const over = ['graph', 'probe', THREE, '>^./^../... w', '--store', store, '--json'];
    expect(JSON.parse((await run(over)).stdout)).toMatchObject({
      over: true,
      wdl: 'win',
      plies: 0,
      moves: [],
    });

    for (const [position, message] of [
      ['>../>../.^^ b', 'dodgem-3x3: >../>../.^^ b: no game comes to this position'],
      ['x', `dodgem-3x3: "x": a position looks like "${START}"`],
    ] as const)
      expect(await run(['graph', 'probe', THREE, position, '--store', store])).toMatchObject({
        code: 2,
        stderr: `mergemate: ${message}\n`,
      });

    const rows = (await run(['graph', 'export', THREE, '--store', store, '--out', '-'])).stdout
      .trim()
      .split('\n');
    expect(rows.length).toBe(1963);
    expect(JSON.parse(rows[0]!)).toMatchObject({ id: 3144, owner: 'white', winner: 'white', plies: 19 });
  });

  test('check holds it to its contract', async () => {
    const good = await run(['check', THREE, '--positions', '5000']);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain(
      'dodgem-3x3 keeps the contract in all 1,963 positions that can be reached (seed 1)\n',
    );
    const path = join(testFolder(), 'bad.ts');
    writeFileSync(
      path,
      `import { keyedGame } from 'mergemate';
       export default keyedGame<number>({
         name: 'bad', roots: () => [1], key: (n) => BigInt(n), position: Number,
         mover: (n) => (n === 50 ? 2 as never : 0), moves: (n) => (n < 100 ? [['on', n + 1]] : []),
       });`,
    );
    expect(await run(['check', path])).toMatchObject({
      code: 1,
      stderr: 'mergemate: mover: bad: 50: mover is 2, not 0 or 1\n',
    });
    expect(await run(['graph', 'solve', path, '--store', testFolder()])).toMatchObject({
      code: 2,
      stderr: 'mergemate: bad: 50: mover is 2, not 0 or 1\n',
    });
    expect(await run(['check', THREE, 'ending'])).toMatchObject({
      code: 2,
      stderr:
        'mergemate: dodgem-3x3 is a keyed game, which has no endings: it is checked from its roots on\n',
    });
  });

  test.each([
    [
      ['solve', THREE],
      `game ${THREE}: it is a keyed game: "mergemate graph solve ${THREE}" solves it, "graph probe" asks it`,
    ],
    [
      ['graph', 'solve', 'samples/subtraction/game.ts'],
      'game samples/subtraction/game.ts: its default export is no keyed game (export default keyedGame({ … })): "mergemate solve" is for other games',
    ],
    [['graph', 'solve', 'nowhere.ts'], 'game nowhere.ts: there is no such file'],
  ])('%s is refused', async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: `mergemate: ${message}\n` });
  });
});
