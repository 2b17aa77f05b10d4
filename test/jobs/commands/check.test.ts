/** Games that authors get wrong, in modules: `check` ends with 1 and one line that says what, where and in which line of the module. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedGame } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { openKeyedProber } from '../../../pipeline/graph/keyed-prober.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { withoutProgress } from '../../support/cli.js';
import { program, run } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';

/** A walk along a line of `size` squares, a step or two at a time; `change` overrides functions of the game. */
const keyed = (name: string, change: string, size = 600) => `import { keyedGame } from 'mergemate';
const game = {
  name: '${name}',
  roots: () => [{ at: ${size} }],
  key: ({ at }) => at,
  position: (at) => ({ at }),
  mover: ({ at }) => at % 2,
  moves: ({ at }) => [1, 2].filter((n) => n <= at).map((n) => ['-' + n, { at: at - n }]),
};
export default keyedGame({ ...game,
  ${change}
});
`;
const numbered = (name: string, change: string) => `import { numberedGame } from 'mergemate';
const game = {
  name: '${name}',
  size: 500,
  index: ({ at }) => at,
  position: (at, side) => ({ at, side }),
  mover: ({ side }) => side,
  moves: ({ at, side }) => [1, 2].filter((n) => n <= at).map((n) => ['-' + n, { at: at - n, side: 1 - side }]),
};
export default numberedGame({ ...game,
  ${change}
});
`;
/** The line of the change. */
const LINE = '(game.mjs, line 11)';

let games = 0;
async function checked(
  module: (name: string, change: string, size?: number) => string,
  change: string,
  size?: number,
) {
  const folder = testFolder();
  const name = `wrong_${games++}`;
  const path = join(folder, 'game.mjs');
  writeFileSync(path, module(name, change, size));
  return { ...(await run(['check', path])), name, path, folder };
}

const throwsAt = (at: number) => `(p) => { if (p.at === ${at}) throw new Error('lost the way'); return game`;
const cases = [
  [
    'moves throws far from the roots',
    keyed,
    `moves: ${throwsAt(7)}.moves(p); }`,
    'moves: ',
    '7: moves failed: lost the way',
    LINE,
  ],
  [
    'mover throws',
    keyed,
    `mover: ${throwsAt(7)}.mover(p); }`,
    'mover: ',
    '7: mover failed: lost the way',
    LINE,
  ],
  ['key is NaN', keyed, 'key: ({ at }) => (at === 7 ? NaN : at),', 'key: ', 'its key is NaN', LINE],
  [
    'ended is a word of its own',
    keyed,
    "ended: ({ at }) => (at === 7 ? 'maybe' : null),",
    'ended: ',
    '7: ended is "maybe", not',
    LINE,
  ],
  ['ended is a boolean', keyed, 'ended: ({ at }) => at === 0,', 'ended: ', 'ended is false, not', LINE],
  [
    'mover is a name',
    keyed,
    "mover: ({ at }) => (at === 7 ? 'white' : 0),",
    'mover: ',
    '7: mover is "white", not 0 or 1',
    LINE,
  ],
  ['score is NaN', keyed, 'score: ({ at }) => at / 0,', 'score: ', '0: score is NaN, not an integer', LINE],
  [
    'a move to undefined',
    keyed,
    "moves: (p) => (p.at === 7 ? [['on', undefined]] : game.moves(p)),",
    'moves: ',
    '7: its move "on" leads to undefined',
    LINE,
  ],
  [
    'moves is a number',
    keyed,
    'moves: (p) => (p.at === 7 ? 3 : game.moves(p)),',
    'moves: ',
    '7: moves gives 3, not a list',
    LINE,
  ],
  ['moves is async', keyed, 'moves: async (p) => game.moves(p),', 'moves: ', 'moves is async', LINE],
  [
    'moves without an end',
    keyed,
    "*moves(p) { for (;;) yield ['on', p]; },",
    'moves: ',
    'has more than 1,048,576 moves',
    LINE,
  ],
  ['no roots', keyed, 'roots: () => [],', 'roots: ', 'roots lists no position', ''],
  [
    'a key that two of 600 positions share',
    keyed,
    'key: ({ at }) => (at === 17 ? 15 : at),',
    'same: ',
    'so key leaves out',
    '',
  ],
  [
    'index out of range',
    numbered,
    'index: ({ at }) => (at === 7 ? 500 : at),',
    'index and position: ',
    'is 500, not a whole number from 0 to 499',
    LINE,
  ],
  [
    'index is NaN',
    numbered,
    'index: ({ at }) => (at === 7 ? NaN : at),',
    'index and position: ',
    'is NaN, not a whole number',
    LINE,
  ],
  [
    'ended is won',
    numbered,
    "ended: ({ at }) => (at === 7 ? 'won' : null),",
    'turns: ',
    "7 w: ended is 'won', which no table",
    LINE,
  ],
  [
    'the same side moves again',
    numbered,
    "moves: (p) => (p.at > 1 ? [['on', { ...p, at: p.at - 1 }]] : []),",
    'turns: ',
    'with the same side to move',
    '',
  ],
  [
    'unmoves leave some out',
    numbered,
    'unmoves: () => [],',
    'turns: ',
    'not at all, but one move leads from there to here',
    '',
  ],
  [
    'moves throws',
    numbered,
    `moves: ${throwsAt(7)}.moves(p); }`,
    'moves: ',
    '7 w: moves failed: lost the way',
    LINE,
  ],
  [
    'moves that differ when they are asked twice',
    numbered,
    'moves: (p) => game.moves(p).slice((globalThis.turn = 1 - (globalThis.turn ?? 0))),',
    'again: ',
    'moves differs when it is asked twice',
    '',
  ],
] as const;

describe('check ends with 1, and one line for the fault', () => {
  // A million moves take three seconds; in the long tests broken-games.test.ts has them.
  test.each(cases.filter(([what]) => LONGEST || what !== 'moves without an end'))(
    '%s',
    async (_, module, change, rule, message, place) => {
      const { code, stdout, stderr } = await checked(module, change);
      expect(code).toBe(1);
      const line = stderr.split('\n').find((each) => each.startsWith(`mergemate: ${rule}`)) ?? stderr;
      expect(line).toContain(message);
      expect(line).toContain(place);
      expect(stdout).toContain('breaks the contract');
      // The positions behind the fault are not known.
      expect(stdout).not.toMatch(/nobody ever wins|in all|the whole game/);
      expect(`${stdout}${stderr}`).not.toMatch(/is broken|census|kernel|part \d|internal error/);
    },
  );
});

test('a fault that only random games reach is reported as that fault, not as a game without an end', async () => {
  // Steps of 1,500 come soon to the end; the nearest 20,000 positions have no square 3 among them.
  const moves = "[1, 2, 1500].filter((n) => n <= at).map((n) => ['-' + n, { at: at - n }])";
  const change = `moves: ({ at }) => { if (at === 3) throw new Error('lost the way'); return ${moves}; }`;
  const { code, stdout, stderr } = await checked(keyed, change, 24_000);
  expect(code).toBe(1);
  expect(stderr).toContain('3: moves failed: lost the way (game.mjs, line 11)');
  expect(stdout).toContain(
    'a sample was compared: games of up to 20,000 positions and 200,000 moves are compared whole',
  );
});

test.skipIf(!LONG)(
  `a game in which no end was reached is not said to keep the contract${ifShort}`,
  async () => {
    const { code, stdout, stderr } = await checked(
      keyed,
      "moves: ({ at }) => [1, 2].map((n) => ['+' + n, { at: at + n }]),",
    );
    expect([code, withoutProgress(stderr)]).toEqual([0, '']);
    expect(stdout).toMatch(
      /no end of the game was ever reached: of \d+ random games 0 came to an end within 10,000 moves\n/,
    );
    expect(stdout).toContain('but whether it ever ends, and has finitely many positions, is not known');
    expect(stdout).not.toContain('keeps the contract');
  },
);

test('a game of 6,000 positions is compared whole, and says so', async () => {
  const { code, stdout, stderr } = await checked(keyed, '', 6000);
  expect([code, withoutProgress(stderr)]).toEqual([0, '']);
  expect(stdout).toContain('the whole game was compared; ');
  expect(stdout).toContain('keeps the contract in all 6,001 positions that can be reached');
});

test('names may have _, and check says why it takes no --store', async () => {
  const { path, folder } = await checked(keyed, '', 20);
  expect((await program(join(folder, 'tables')).run(['solve', path])).code).toBe(0);
  const { code, stderr } = await program('tables').run(['check', path]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^mergemate: check reads no tables, .*"mergemate verify .*\n$/);
});

test('a module without a game says in one line what to write', async () => {
  const path = join(testFolder(), 'game.mjs');
  const definition = "{ name: 'x', position: (n) => n, mover: () => 0, moves: () => []";
  const modules = [
    [`export const game = 1;`, 'it exports game; write "export default game"'],
    [`export default () => 1;`, 'it is not an object but a function: export what it returns, '],
    [
      `export default ${definition}, roots: () => [1], key: (n) => n };`,
      'write "export default keyedGame({ … })"',
    ],
    [
      `export default ${definition}, size: 2, index: (n) => n };`,
      'write "export default numberedGame({ … })"',
    ],
  ];
  for (const [i, [text, message]] of modules.entries()) {
    const own = path.replace('game.mjs', `game${i}.mjs`);
    writeFileSync(own, text);
    const { code, stderr } = await run(['check', own]);
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(message);
  }
});

test('the result of a root is read without generating its moves, however many there are', async () => {
  const store = memoryStore();
  const definition: KeyedGame<number, number> = {
    name: 'wide_root',
    roots: () => [0],
    key: (n) => n,
    position: (n) => n,
    mover: (n) => (n === 0 ? 0 : 1),
    moves: (n) => {
      calls++;
      return n === 0 ? Array.from({ length: 300 }, (_, i) => [`m${i}`, i + 1] as const) : [];
    },
  };
  let calls = 0;
  const game = keyedGame(definition);
  await solveKeyed({ game, store });
  // Opening compares a sample of the rules.
  const prober = await openKeyedProber(game, store);
  calls = 0;
  expect(await prober.value(0)).toEqual({ mover: 0, wdl: 'win', plies: 1, score: null, isOver: false });
  expect(await prober.value(7)).toMatchObject({ mover: 1, wdl: 'loss', plies: 0, isOver: true });
  expect(calls).toBe(0);
});
