/**
 * Games of a few positions: what the adapter makes of a definition, and what it says of one that is wrong.
 */

import { simpleGame } from 'mergemate';
import { expect, test } from 'vitest';
import type { Side } from '../../../../../pipeline/game/game.js';
import type { NumberedGame } from '../../../../../pipeline/games/yours/numbered/numbered-definition.js';
import { numberedGame } from '../../../../../pipeline/games/yours/numbered/numbered-game.js';
import { randomFrom } from '../../../../support/graph-game.js';
import { ifShort, LONG } from '../../../../support/long.js';
import { valuesOf } from '../../../../support/paged.js';
import { budgetOf, digestsOf, MiB, solveGame } from '../../../../support/solving.js';
import { type At, walk } from './walks.js';

const solvedValues = async (definition: NumberedGame<At>, metric: 'dtw' | 'wdl' = 'dtw') => {
  const game = numberedGame(definition);
  const { store } = await solveGame(game, ['walk'], { metric, verify: true, budget: budgetOf(MiB) });
  return valuesOf(game, 'walk', metric, store);
};

const downBy = (n: number) => (at: number) => (at >= n ? [at - n] : []);

test('a player who cannot move has lost or draws, as defined, and a finished game has no moves', async () => {
  expect(await solvedValues(walk(downBy(1), {}, 4))).toEqual([
    [-1, 1, -3, 3],
    [-1, 1, -3, 3],
  ]);
  expect(await solvedValues(walk(downBy(1), { stuck: 'drawn' }, 4))).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]);
  const ended = ({ at }: At) => (at === 2 ? 'drawn' : at === 5 ? 'lost' : null);
  expect((await solvedValues(walk(downBy(1), { ended }, 8)))[0]).toEqual([-1, 1, 0, 0, 0, -1, 1, -3]);
  expect((await solvedValues(walk(downBy(1), { ended }, 8), 'wdl'))[1]).toEqual([-1, 1, 0, 0, 0, -1, 1, -1]);
});

test('numbers without a position of the side to move are left out', async () => {
  const position = (at: number, side: Side) => (at % 2 === side ? { at, side } : null);
  expect(await solvedValues(walk(downBy(1), { position }, 5))).toEqual([
    [-1, null, -3, null, -5],
    [null, 1, null, 3, null],
  ]);
});

test.skipIf(!LONG)(
  `several parts give the same table with unmoves and without, by any number of members${ifShort}`,
  async () => {
    const size = 280_000;
    const random = randomFrom(1);
    const targets = Uint32Array.from({ length: 2 * size }, () => random(size));
    const before = Array.from({ length: size }, (): number[] => []);
    for (let i = 0; i < 2 * size; i++) if (i % 7 > 1) before[targets[i]].push(i >> 1);
    const moves = walk(
      (at) => [2 * at, 2 * at + 1].flatMap((i) => (i % 7 > 1 ? [targets[i]] : [])),
      {},
      size,
    );
    const unmoves = ({ at, side }: At) => before[at].map((from) => ({ at: from, side: (1 - side) as Side }));
    const solved = async (definition: NumberedGame<At>, workers: number) =>
      (await solveGame(numberedGame(definition), ['walk'], { workers, budget: budgetOf(8 * MiB) })).summaries;
    const [forward, backward] = [await solved(moves, 2), await solved({ ...moves, unmoves }, 1)];
    expect(numberedGame(moves).slice('walk').parts).toBe(2);
    expect(digestsOf(forward)).toEqual(digestsOf(backward));
    const { wins, losses } = forward[0].table;
    expect(wins[0]).toBeGreaterThan(1000);
    expect(losses[0]).toBeGreaterThan(1000);
  },
);

test('unmoves may name finished games and numbers without a position', async () => {
  const ended = ({ at }: At) => (at === 6 ? 'lost' : null);
  const position = (at: number, side: Side) => (at === 3 && side === 0 ? null : { at, side });
  const unmoves = ({ at, side }: At) => (at < 9 ? [{ at: at + 1, side: (1 - side) as Side }] : []);
  // No move leads to 3 with side 0 to move.
  const moves = ({ at, side }: At) =>
    at === 0 || at === 4 ? [] : [['down', { at: at - 1, side: (1 - side) as Side }] as const];
  const definition = walk(downBy(1), { ended, position, moves });
  expect(await solvedValues({ ...definition, unmoves })).toEqual(await solvedValues(definition));
});

test.each<[string, NumberedGame<At>, string]>([
  [
    'an index out of range',
    walk((at) => [at + 1]),
    'after its move "to 10": index({"at":10,"side":0}) is 10, not a whole number from 0 to 9',
  ],
  [
    'an index that is another position’s',
    walk(downBy(1), { position: (at, side) => ({ at: at === 7 ? 8 : at, side }) }),
    'walk: 8w: is position(7, 0), but its index is 8',
  ],
  [
    'a position with the wrong side to move',
    walk(downBy(1), { position: (at) => ({ at, side: 0 }) }),
    'walk: 0w: is position(0, 1), but its mover is 0',
  ],
  [
    'a move to what is no position',
    walk(downBy(1), { position: (at, side) => (at === 4 ? null : { at, side }) }),
    'walk: 5w: the move to 4 leads to 4b, which is not a position',
  ],
  [
    'a move after which the same side is to move',
    walk(downBy(1), { moves: ({ at, side }) => (at === 3 ? [['x', { at: 2, side }]] : []) }),
    "walk: 3w: the move x leads to 2w with the same side to move, which only games with turns: 'free' may have",
  ],
  [
    'more moves than a count has room for',
    walk((at) => Array(at === 6 ? 255 : 0).fill(0)),
    'walk: 6w: has more than 254 moves',
  ],
  [
    'a function that fails',
    walk(downBy(1), {
      ended: ({ at }) => {
        if (at === 8) throw new TypeError('no such square');
        return null;
      },
    }),
    'walk: 8w: ended failed: no such square (numbered-game.test.ts, line ',
  ],
  [
    'a game that ends with a win for the side to move',
    walk(downBy(1), { ended: ({ at }) => (at === 6 ? ('won' as 'lost') : null) }),
    "walk: 6w: ended is 'won', which no table can hold: have position give null for it, leave moves that lead to it out of moves, and give 'lost' where there is no other move; or give the game turns: 'free'",
  ],
  [
    'an end that is none of those there are',
    walk(downBy(1), { ended: ({ at }) => (at === 6 ? ('over' as 'lost') : null) }),
    "walk: 6w: ended is \"over\", not 'lost', 'drawn' or null",
  ],
  [
    'moves that never end',
    walk(downBy(1), {
      *moves(at) {
        for (;;) yield ['x', at];
      },
    }),
    'walk: 0w: has more than 254 moves',
  ],
  [
    'moves that come later',
    walk(downBy(1), { moves: (async () => []) as never }),
    'walk: 0w: moves is async: it must give what it lists at once',
  ],
  [
    'a position that is forgotten',
    walk(downBy(1), { position: (() => undefined) as never }),
    'walk: position(0, 0) is undefined: it must be null where there is no position',
  ],
  [
    'a position that moves change',
    walk(downBy(1), {
      moves(position) {
        (position as { at: number }).at = 3;
        return [];
      },
    }),
    'walk: 0w: moves changes the position that it is given',
  ],
  [
    'a move without a name',
    walk(downBy(1), { moves: ({ at, side }) => (at === 6 ? [{ at, side } as never] : []) }),
    'walk: 6w: a move is {"at":6,"side":0}, not [what it is called, the position after it]',
  ],
])('%s is reported with the position', async (_, definition, message) => {
  await expect(solvedValues(definition)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining(message),
  });
});

test('impossible names, sizes and fields are refused', () => {
  const wrong = (more: object) => () => numberedGame({ ...walk(downBy(1)), ...more });
  expect(wrong({ moves: undefined })).toThrow('walk: moves is missing, a function');
  expect(wrong({ ended: 'lost' })).toThrow('walk: ended is "lost", not a function');
  expect(wrong({ simetries: () => [] })).toThrow(
    'walk: numberedGame has no field "simetries" (there are: name, size,',
  );
  expect(wrong({ stuck: 'win' })).toThrow("walk: stuck is \"win\", not 'lost' or 'drawn'");
  expect(() => numberedGame(undefined as never)).toThrow(
    'numberedGame was given undefined, not an object with',
  );
  expect(() => numberedGame(walk(downBy(1), { name: 'a/b' }))).toThrow('"a/b" cannot be a game\'s name');
  expect(() => numberedGame(walk(downBy(1), { name: '' }))).toThrow('"" cannot be a game\'s name');
  expect(() => numberedGame(walk(downBy(1), {}, 0))).toThrow('walk: size is 0, not a whole number');
  expect(() => numberedGame(walk(downBy(1), {}, 1.5))).toThrow('walk: size is 1.5, not a whole number');
});

test('without parse and format, a position is its number and its side', () => {
  const { parse, format, ...definition } = walk(downBy(2));
  const game = numberedGame(definition);
  expect(game.parse(' 7 b ')).toEqual({ at: 7, side: 1 });
  expect(game.format({ at: 7, side: 1 })).toBe('7 b');
  expect(game.diagram({ at: 7, side: 1 })).toBe('7 b\n');
  expect(game.moves({ at: 7, side: 1 }).map(({ san }) => san)).toEqual(['to 5']);
  for (const text of ['10 w', '7', '-1 w', '7 x', '1.5 w', ''])
    expect(() => game.parse(text)).toThrow('is not a position: expected a number below 10 and "w" or "b"');
  expect(() => numberedGame({ ...definition, format: format! })).toThrow(
    'walk: there is a format without a parse: one reads what the other writes',
  );
  expect(() => game.locate({ at: 12, side: 0 })).toThrow('is 12, not a whole number from 0 to 9');
});

test('a game without slices is solved as one slice of its own name', () => {
  const game = numberedGame(walk(downBy(1)));
  expect(game.ending(' WALK ').slices).toEqual(['walk']);
  expect(game.endingsUpTo(3).map(({ name }) => name)).toEqual(['walk']);
  expect(game.ending(game.ending('walk').exchanged).class).toBe('walk');
  expect(() => game.ending('run')).toThrow('"run" is not a part of walk, which is solved as a whole: "walk"');
});

test('the former name simpleGame is still exported', () => {
  expect(simpleGame).toBe(numberedGame);
});
