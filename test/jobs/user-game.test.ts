/** Games of users: modules in the place of a game's name. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadGame } from '../../jobs/user-game.js';
import { UserError } from '../../operators/core/errors.js';
import { program, run, succeed, succeedJson } from '../support/command.js';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

const NIM = 'samples/nim.ts';
const nim = readFileSync(NIM, 'utf8');

/** The game by another name: a process knows the games that it has loaded by their names. */
const named = (name: string) => nim.replace("name: 'nim'", `name: '${name}'`);

/** Writes a module, and returns its path. */
function moduleOf(text: string, name = 'game.ts'): string {
  const path = join(testFolder(), name);
  writeFileSync(path, text);
  return path;
}

/** The result of a check of forward moves. */
interface Compared {
  readonly positions: number;
}

interface Solved {
  readonly slices: readonly { readonly slice: string; readonly digests: unknown }[];
}

describe('a game of a user', () => {
  it.skipIf(!LONG)(
    `is solved, also by worker threads and by processes, with the same tables${ifShort}`,
    async () => {
      const folder = testFolder();
      const solve = (name: string, ...more: string[]) =>
        program(join(folder, name)).succeedJson<Solved>(['solve', NIM, 'N2', ...more]);
      const inOne = await solve('one');
      expect(inOne.slices.map(({ slice }) => slice)).toEqual(['N0', 'N1', 'N2']);
      const digests = ({ slices }: Solved) => slices.map(({ digests }) => digests);
      expect(digests(await solve('two', '--workers', '2'))).toEqual(digests(inOne));
      const bySteps = await solve('steps', '--engine', 'processes', '--partitions', '1');
      expect(digests(bySteps)).toEqual(digests(inOne));

      // Nim's own theory: the player to move loses if and only if the heaps' exclusive or is 0.
      const mergemate = program(join(folder, 'one'));
      for (const heaps of [
        [3, 5],
        [15, 15],
      ]) {
        const lost = heaps.reduce((sum, counters) => sum ^ counters) === 0;
        const text = await mergemate.succeed(['probe', NIM, `black: ${heaps.join(' ')}`]);
        expect(text).toContain(lost ? 'Black to move: loses' : 'Black to move: wins');
      }
      expect(await mergemate.succeed(['verify', NIM, 'N2'])).toContain('all values are right');
      expect(await mergemate.succeed(['status', NIM])).toMatch(/^N2 +dtw +450/m);
      expect(await mergemate.succeed(['scrub', '--collect', NIM])).toContain('0 to delete');
      const small = join(folder, 'small');
      expect(await mergemate.succeed(['publish', NIM, 'N2', '--to', small])).toContain('all are right');
      expect(await succeed(['probe', NIM, 'white: 7 7', '--published', small])).toContain(
        'White to move: loses',
      );
    },
  );

  it('is named in job files from where they are', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'games'));
    writeFileSync(join(folder, 'games', 'nim.ts'), named('nim-1'));
    const job = join(folder, 'job.json');
    writeFileSync(job, JSON.stringify({ game: 'games/nim.ts', endings: ['N2'] }));
    const { slices } = await program(join(folder, 'tables')).succeedJson<Solved>(['solve', job]);
    expect(slices).toHaveLength(3);
  });

  it('may be in JavaScript, in several files, and wait for what it loads', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'nim.ts'), nim);
    for (const name of ['a.mjs', 'a.mts']) {
      const text = "import { chess } from 'mergemate';\nconst { default: nim } = await import('./nim.js');\n";
      const game = `export default { ...nim, name: 'nim-${name}', metrics: chess.metrics.filter((name) => name === 'wdl') };\n`;
      writeFileSync(join(folder, name), text + game);
      const { metric } = await succeedJson<{ metric: string }>(['plan', join(folder, name), 'N1']);
      expect(metric).toBe('wdl');
    }
  });
});

describe('is refused, in one line:', () => {
  it.each<[string, string | null, RegExp]>([
    ['a file that is not there', null, /there is no such file/],
    ['no default export', 'export const game = 1;\n', /it has no default export \(export default a Game\)/],
    ['no object', 'export default 5;\n', /its default export is not a Game: it is not an object/],
    [
      'parts that are missing',
      "export default { name: 'x', colours: ['white', 'red'], metrics: [], locatesMirrored: false, slice() {} };\n",
      /missing are colours \(\['white', 'black'\] or the reverse\), metrics \(one or more of wdl, .*\), ending \(a function\), endingsUpTo/,
    ],
    ['a syntax error', 'export const a = 1;\n\nconst = 3;\n', /syntax error in line 3, column 6: /],
    [
      'an import of nothing',
      "import x from './nothing.js';\nexport default x;\n",
      /Cannot find module '\.\/nothing\.js'/,
    ],
    ['an error when it is run', "const a = 1;\nif (a) throw new TypeError('boom');\n", /line 2: boom/],
    ['a name that is no folder', named('a/b'), /its name "a\/b" cannot be used as a folder name/],
    ['a name of dots', named('..'), /its name "\.\." cannot be used as a folder name/],
    ['the name of a game there is', named('Chess'), /its name Chess is taken by another game, chess/],
  ])('%s', async (_, text, problem) => {
    const path = text === null ? join(testFolder(), 'none.ts') : moduleOf(text);
    const error = await loadGame(path, './game.ts', ['chess', 'checkers']).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toMatch(problem);
    expect(error.message).toMatch(/^game \.\/game\.ts: /);
    expect(error.message).not.toContain('\n');
  });

  it('by the command line too, in one line', async () => {
    const path = moduleOf('const = 3;\n');
    const { code, stdout, stderr } = await run(['solve', path, 'N1']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^mergemate: game [^\n]*: syntax error in line 1, column 6: [^\n]*\n$/);
  });

  it('what is neither a game nor a module', async () => {
    const { code, stderr } = await run(['check', 'nimm']);
    expect([code, stderr]).toEqual([
      2,
      'mergemate: there is no game "nimm" (games: chess, checkers), nor a module with one, whose path is its name on the command line (.ts, .mts, .js, .mjs)\n',
    ]);
  });
});

describe('mergemate check', () => {
  it('reports what it examined, and that nothing is wrong', async () => {
    const text = await succeed(['check', NIM, 'N1', 'N2', '--positions', '300']);
    expect(text).toMatch(
      /^N2 +225 +all +450 +colours, search, local, unconversions, rowConversions, rowKernels, rowMoves, symmetry$/m,
    );
    expect(text).toContain('local was not asked: the slice has no local\n');
    expect(text).toContain('nim keeps the contract in these 2 slices (seed 1)\n');
  });

  it.skipIf(!LONG)(
    `compares a numbered game with its forward moves, in the slices that are named${ifShort}`,
    async () => {
      const text = await succeed(['check', 'samples/tic-tac-toe/game.ts', '--positions', '500']);
      expect(text).toContain('tic-tac-toe keeps the contract in all 765 positions (seed 1)\n');
      const awari = 'samples/awari/game.ts';
      const all = await succeedJson<Compared>(['check', awari, '--positions', '16']);
      expect(all).toMatchObject({ game: 'awari', all: false, violations: [] });
      const [first] = await succeedJson<{ slices: { slice: string }[] }>(['plan', awari, 'awari']).then(
        ({ slices }) => slices,
      );
      const some = await succeedJson<Compared>(['check', awari, first.slice]);
      expect(some).toMatchObject({ all: true, violations: [] });
      expect(some.positions).toBeLessThan(all.positions);
    },
  );

  it.skipIf(!LONG)(`without endings takes the smallest${ifShort}`, async () => {
    expect(await succeed(['check', NIM, '--positions', '20'])).toContain('in these 4 slices');
    const { slices } = await succeedJson<Solved>(['check', 'chess', '--positions', '20']);
    expect(slices.map(({ slice }) => slice)).toContain('KRK');
  });

  it('names what is wrong, with exit code 1', async () => {
    // A heap may grow to fifteen, not to fourteen only.
    const right = named('nim-3');
    const broken = right.replace('length: MOST - counters }', 'length: Math.max(0, MOST - counters - 1) }');
    expect(broken).not.toBe(right);
    const path = moduleOf(broken);
    const { code, stdout, stderr } = await run(['check', path, 'N2', 'N3', '--seed', '7']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^mergemate: unmoves: N1, (white|black) to move, part 0, key \d+ \((white|black): \d+\): unmoves of N1\/\d\/0\/\d+ \(.*\) emits it not at all; moves leads there once$/m,
    );
    expect(stdout).toContain(
      'unmoves is broken: it must hold that unmoves(q) emits p exactly as often as moves(p) emits q\n',
    );
    expect(stdout).toContain('nim-3 breaks the contract in N2 (seed 7)\n');
    const json = await run(['check', path, 'N2', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      game: 'nim-3',
      violations: [{ rule: 'unmoves', slice: 'N1' }],
    });
  });

  it('refuses impossible options', async () => {
    for (const args of [['--positions', '0'], ['--seed', 'x'], ['--pieces', '0'], ['KQQ']]) {
      const { code, stderr } = await run(['check', 'chess', ...args]);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });
});
