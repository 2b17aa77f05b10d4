/** The sample game, against rules written for pictures of the board and solved naively. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import game from '../../samples/lion-and-chick/game.js';
import { ifShort, LONG } from '../support/long.js';
import { solveNaively, type Turn } from './naive.js';
import { figures, type SolvedGame, solved } from './solved.js';

const START = '.l./.c./.../.C./.L. w';

/** Steps on a picture with four signs a row, the last of them "/": up is towards the first row. */
const [UP, DOWN, LEFT, RIGHT] = [-4, 4, -1, 1];
const STEPS: Record<string, number[]> = {
  L: [UP, DOWN, LEFT, RIGHT, UP + LEFT, UP + RIGHT, DOWN + LEFT, DOWN + RIGHT],
  C: [UP],
  H: [UP, DOWN, LEFT, RIGHT, UP + LEFT, UP + RIGHT],
};

const isWhite = (man: string) => 'LCH'.includes(man);
const isBlack = (man: string) => 'lch'.includes(man);

function targets(picture: string, from: number): number[] {
  const man = picture[from];
  const sign = isWhite(man) ? 1 : -1;
  return STEPS[man.toUpperCase()]
    .map((by) => from + sign * by)
    .filter((to) => /[.lch]/i.test(picture[to] ?? ''));
}

function canTakeLion(picture: string, white: boolean): boolean {
  const men = white ? isWhite : isBlack;
  const lion = picture.indexOf(white ? 'l' : 'L');
  return [...picture].some((man, from) => men(man) && targets(picture, from).includes(lion));
}

/** Everything on the first row is home of Black. */
function turn(text: string): Turn {
  const [picture, side] = text.split(' ') as [string, string];
  const white = side === 'w';
  const rows = picture.split('/');
  if (white ? rows[4].includes('l') : rows[0].includes('L')) return 'lost';
  const after: string[] = [];
  for (const [from, man] of [...picture].entries()) {
    if (white ? !isWhite(man) : !isBlack(man)) continue;
    for (const to of targets(picture, from)) {
      if (white ? isWhite(picture[to]) : isBlack(picture[to])) continue;
      const signs = [...picture];
      signs[from] = '.';
      signs[to] = man === 'C' && to < 3 ? 'H' : man === 'c' && to > 15 ? 'h' : man;
      const next = signs.join('');
      if (!canTakeLion(next, !white)) after.push(`${next} ${white ? 'b' : 'w'}`);
    }
  }
  return after.length === 0 ? 'lost' : after;
}

/** All pictures with a man of each of these kinds or, but for the lions, without. */
function* pictures(picture = '.../.../.../.../...', kinds = ['L', 'l', 'CH', 'ch']): Generator<string> {
  const [kind, ...others] = kinds;
  if (kind === undefined) {
    yield picture;
    return;
  }
  if (kind.length > 1) yield* pictures(picture, others);
  for (const man of kind) {
    for (const [at, sign] of [...picture].entries()) {
      if (sign === '.') yield* pictures(picture.slice(0, at) + man + picture.slice(at + 1), others);
    }
  }
}

/** Chicks on the far rank are hens; who moved last did not leave his lion hanging, nor did the mover win before. */
function* positions(): Generator<string> {
  for (const picture of pictures()) {
    const rows = picture.split('/');
    if (rows[0].includes('C') || rows[4].includes('c')) continue;
    if (!rows[0].includes('L') && !canTakeLion(picture, true)) yield `${picture} w`;
    if (!rows[4].includes('l') && !canTakeLion(picture, false)) yield `${picture} b`;
  }
}

let result: SolvedGame<unknown>;
beforeAll(async () => {
  if (!LONG) return;
  result = (await solved(game)) as SolvedGame<unknown>;
});

test.skipIf(!LONG)(`every position has the value of a naive solver${ifShort}`, () => {
  const known = solveNaively(positions(), turn);
  const { positions: counts, digests } = result.summaries[0].table;
  expect(counts[0] + counts[1]).toBe(known.size);
  const wrong = [...known].filter(([text, value]) => result.codeOf(text) !== value);
  expect(wrong.slice(0, 5)).toEqual([]);
  // Both players have the same chances.
  expect(digests[0]).toBe(digests[1]);
});

test.skipIf(!LONG)(`the side that moves first loses, White or Black${ifShort}`, async () => {
  expect(result.codeOf(START)).toBe(-14 - 1);
  expect(result.codeOf(START.replace('w', 'b'))).toBe(-14 - 1);
});

test.skipIf(!LONG)(`a game is over when a lion is home, or cannot move${ifShort}`, () => {
  expect(result.codeOf('.../L../.../..l/... w')).toBe(1);
  expect(result.codeOf('.L./.../.../..l/... b')).toBe(-1);
  // The hen gives mate, guarded by the lion.
  expect(result.codeOf('l../H../L../.../... b')).toBe(-1);
  // Nothing attacks the lion in the corner, but it has no square to go to.
  expect(result.codeOf('l../..H/.L./.../... b')).toBe(-1);
});

test.skipIf(!LONG)(`the README has the figures of the tables${ifShort}`, async () => {
  const readme = readFileSync('samples/lion-and-chick/README.md', 'utf8');
  for (const line of await figures(result, START)) expect(readme).toContain(`${line}\n`);
});

test('positions and moves have names', () => {
  const start = game.parse(START);
  expect(game.format(start)).toBe(START);
  expect(game.diagram(start)).toBe('.l.\n.c.\n...\n.C.\n.L.\n');
  const names = (text: string) => game.moves(game.parse(text)).map(({ san }) => san);
  expect(names(START).sort()).toEqual(['Cb2-b3', 'Lb1-a1', 'Lb1-a2', 'Lb1-c1', 'Lb1-c2']);
  expect(names('.../..C/.../l../..L w')).toContain('Cc4-c5=H');
  expect(names('.l./.../.c./.C./.L. b')).toContain('Cb3xb2');
  for (const [text, message] of [
    ['.l./.c./.../.C. w', 'a position looks like ".l./.c./.../.C./.L. w"'],
    ['.l./.c./.../CC./.L. w', 'each player has a lion, and at most one chick or hen'],
    ['.../.c./.../.C./.L. w', 'each player has a lion, and at most one chick or hen'],
    ['.../.../.l./.L./... w', 'is not a position'],
  ] as const)
    expect(() => game.parse(text)).toThrow(message);
});
