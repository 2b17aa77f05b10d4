/** Games whose keys forget something, or whose functions do not give the same twice, are refused when they are solved. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { LONG } from '../../support/long.js';

/**
 * A heap from which one, two or three are taken; the player who takes the last has won. Each player may pass once, not after a
 * pass. The key is four digits: the mover, the players who have passed, whether the last move was a pass, and the rest of the
 * heap.
 */
const RULES = `
import { keyedGame } from 'mergemate';

const start = { left: 60, side: 0, passed: [false, false], after: false };
export const game = {
  name: 'heap',
  roots: () => [start],
  key: ({ left, side, passed: [w, b], after }) => BigInt(left * 16 + side + 2 * w + 4 * b + 8 * after),
  position: (key) => {
    const bit = (n) => ((Number(key) >> n) & 1) === 1;
    return { left: Number(key >> 4n), side: Number(bit(0)), passed: [bit(1), bit(2)], after: bit(3) };
  },
  mover: ({ side }) => side,
  *moves({ left, side, passed, after }) {
    for (let n = 1; n <= Math.min(3, left); n++)
      yield ['take ' + n, { left: left - n, side: 1 - side, passed, after: false }];
    if (left > 0 && !passed[side] && !after)
      yield ['pass', { left, side: 1 - side, passed: passed.map((each, i) => each || i === side), after: true }];
  },
  format: ({ left, side, passed: [w, b], after }) =>
    left + ' ' + 'wb'[side] + (w ? ' w has passed' : '') + (b ? ' b has passed' : '') + (after ? ' just now' : ''),
};
/** Numbers from 0 to 1 that are the same in every run. */
let seed = 1;
export const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
export const broken = (change) => keyedGame({ ...game, ...change });
`;

async function solve(change: string) {
  const folder = testFolder();
  const path = join(folder, 'game.ts');
  writeFileSync(join(folder, 'rules.ts'), RULES);
  writeFileSync(
    path,
    `import { broken, game, random } from './rules.ts';\nexport default broken({ ${change} });\n`,
  );
  return program(join(folder, 'tables')).run(['solve', path]);
}

test('the right game is solved, and the output says how much was compared', async () => {
  const { code, stdout } = await solve('');
  expect(code).toBe(0);
  expect(stdout).toContain('keys compared with the positions they are read back as: after all moves\n');
});

const cases: readonly (readonly [what: string, change: string, message: string | RegExp])[] = [
  [
    'a key without who is to move',
    'key: (p) => game.key({ ...p, side: 0 })',
    'heap: 60 w: its move "take 1" leads to 59 b, whose key is 944n, but position(944n) is 59 w: mover is 1 there and 0 here, so key leaves out who is to move, or position does not read it back',
  ],
  [
    'a key without a flag: who has passed',
    'key: (p) => game.key({ ...p, passed: [false, false] })',
    /^heap: .* so key leaves out what moves asks for, or position does not read it back$/,
  ],
  [
    'a key without the last move',
    'key: (p) => game.key({ ...p, after: false })',
    'heap: 60 w: its move "pass" leads to 60 b w has passed just now, whose key is 963n, but position(963n) is 60 b w has passed: 3 moves there and 4 here, the move "pass" only here, so key leaves out what moves asks for, or position does not read it back',
  ],
  [
    'a key that takes two heaps for one',
    'key: (p) => game.key({ ...p, left: p.left === 7 ? 8 : p.left })',
    /heap: .* leads to 7 .*, but position\(\d+n\) is 8 .*: .*key leaves out what moves asks for/,
  ],
  [
    'an end that the key does not tell',
    `moves: (p) => [...game.moves(p)].map(([name, after]) => [name, { ...after, by: name }]),
     ended: (p) => (p.by === 'take 3' && p.left < 20 ? 'lost' : null)`,
    /heap: .* its move "take 3" leads to .*: ended is 'lost' there and null here, so key leaves out what ended asks for/,
  ],
  [
    'moves that differ when they are asked twice',
    'moves: (p) => [...game.moves(p)].filter(() => random() < 0.7)',
    /^heap: .*: moves differs when it is asked twice: .*, then .*; it must give the same each time$/,
  ],
  [
    'moves that can be gone through once only',
    'moves: (() => { const all = new Map(); return (p) => { const at = String(game.key(p)); if (!all.has(at)) all.set(at, game.moves(p)); return all.get(at); }; })()',
    /^heap: .*: moves differs when it is asked twice: /,
  ],
  [
    'an end that differs when it is asked twice',
    "ended: () => (random() < 0.2 ? 'drawn' : null)",
    /^heap: .*: (ended|moves) differs when it is asked twice: /,
  ],
  [
    'a mover that differs when it is asked twice',
    'mover: (() => { let n = 0; return () => (n++ % 3 === 0 ? 1 : 0); })()',
    /^heap: .*: mover differs when it is asked twice: [01], then [01]; it must give the same each time$/,
  ],
  [
    'a key that differs when it is asked twice',
    'key: (p) => (random() < 0.01 ? game.key(p) ^ 1n : game.key(p))',
    /^heap: .*(give the same each time|is position\(\d+n\), but its key is \d+n)(; the move .* leads there)?$/,
  ],
  [
    'moves that change the position they are asked about',
    'moves(p) { const all = [...game.moves({ ...p })]; p.left = 0; return all; }',
    /^heap: .*: its key was \d+n, and is \d+n after mover, ended and moves were asked: one of them changes the position that it is given, or /,
  ],
  [
    'a count that shows after many moves only',
    `roots: () => [{ left: 5000, side: 0, passed: [true, true], after: false, moves: 0 }],
     moves: (p) => [...game.moves(p)].map(([name, after]) => [name, { ...after, moves: (p.moves ?? 0) + 1 }]),
     ended: (p) => (p.moves >= 100 ? 'drawn' : null)`,
    /^heap: .*: ended is 'drawn' there and null here, so key leaves out what ended asks for/,
  ],
  [
    'a root that is not what its key is read back as',
    `roots: () => [{ left: 60, side: 0, passed: [false, false], after: false, bonus: 5 }],
     moves: (p) => [...game.moves({ ...p, left: p.left - (p.bonus ?? 0) })]`,
    /^heap: 60 w: its key is 960n, but position\(960n\) is 60 w: .*key leaves out what moves asks for/,
  ],
  [
    'a position that does not read the key back',
    'position: (key) => ({ ...game.position(key), passed: [false, false] })',
    /^heap: .*: is position\(\d+n\), but its key is \d+n; the move "pass" of .* leads there$/,
  ],
  [
    'a position that is not symmetric to the one that it is taken for',
    'symmetries: (p) => (p.left % 2 === 1 ? [{ ...p, left: p.left - 1 }] : [])',
    /^heap: 60 w: its move "take 1" leads to 59 b, which is taken for 58 b by symmetries: .*, so they are not alike$/,
  ],
  [
    'symmetries that are not given both ways',
    'symmetries: (p) => (p.left === 30 ? [{ ...p, left: 31 }] : [])',
    /^heap: .*: symmetries gives 31 .*, whose own symmetries are not the same positions: /,
  ],
  [
    'symmetries that are no list',
    'symmetries: () => 5',
    'heap: 60 w: symmetries gives 5, not a list (game.ts, line 2)',
  ],
  ['a symmetric position that is none', 'symmetries: () => [null]', /^heap: .*key failed: /],
  [
    'keys of two kinds',
    'key: (p) => (p.left === 55 ? Number(game.key(p)) : game.key(p))',
    /^heap: 5[678] .: after its move "take [123]": 55 .*: its key is \d+, not a bigint as that of others: a game has one kind of keys \(game\.ts, line 2\)$/,
  ],
  [
    'a number for a key that is too large',
    'key: () => 2 ** 53, position: () => game.roots()[0]',
    /^heap: 60 w: its key is 9007199254740992, not a bigint from 0 to 2\^64 - 1 or a number from 0 to 2\^53 - 1 \(game\.ts, line 2\)$/,
  ],
];

describe('a solve refuses', () => {
  // Each solves a game of its own in a process of its own.
  test.each(cases.filter((_, i) => LONG || i % 7 === 0))('%s', async (_, change, message) => {
    const { code, stdout, stderr } = await solve(change);
    // On a slow machine there is progress before it.
    const [first, ...more] = stderr.split('\n').filter((line) => line.startsWith('mergemate: '));
    expect(more).toEqual([]);
    const said = first.slice('mergemate: '.length);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
