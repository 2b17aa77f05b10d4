import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../../operators/core/errors.js';
import { keyedGame } from '../../../../../pipeline/games/yours/keyed/keyed-game.js';
import type { BoardPicture, KeyedGame } from '../../../../../pipeline/games/yours/keyed/keyed-rules.js';
import { environment, leftovers } from '../../../../operators/model.js';
import { nodesOf } from '../../../../support/keyed-graph.js';

/** Count up to ten by ones and twos, in turn. */
interface Count {
  readonly at: number;
  readonly side: 0 | 1;
}

const counting: KeyedGame<Count> = {
  name: 'counting',
  roots: () => [{ at: 0, side: 0 }],
  key: ({ at, side }) => BigInt(2 * at + side),
  position: (key) => ({ at: Number(key / 2n), side: Number(key % 2n) as 0 | 1 }),
  mover: ({ side }) => side,
  *moves({ at, side }) {
    for (const by of [1, 2]) if (at + by <= 10) yield [`+${by}`, { at: at + by, side: (1 - side) as 0 | 1 }];
  },
};

const changed = (change: Partial<KeyedGame<Count>>) => keyedGame({ ...counting, ...change });
const bad = (value: unknown) => value as never;

/** Positions that are wide keys, without moves. */
const lone: KeyedGame<bigint> = {
  name: 'lone',
  keyBits: 91,
  roots: () => [1n],
  key: (position) => position,
  position: (key) => key,
  mover: () => 0,
  moves: () => [],
};

test('optional fields have defaults', () => {
  const game = keyedGame(counting);
  const start = game.parse('0');
  expect(start).toEqual({ at: 0, side: 0 });
  expect(game.stuck).toBe('lost');
  expect(game.format(start)).toBe('0');
  expect(game.diagram(start)).toBe('0\n');
  expect(game.moves(start)).toEqual([
    ['+1', { at: 1, side: 1 }],
    ['+2', { at: 2, side: 1 }],
  ]);
  expect(game.ended(start)).toBe(null);
});

test.each([1, 63, 64, 65, 100, 1024])(
  'the smallest and the largest key of %i bits are accepted',
  async (keyBits) => {
    const most = 2n ** BigInt(keyBits) - 1n;
    const ends = keyedGame<bigint>({
      name: 'ends',
      keyBits,
      roots: () => [0n],
      key: (key) => key,
      position: (key) => key,
      mover: () => 0,
      moves: (key) => [
        ['across', most - key],
        ['stay', key],
      ],
    });
    const nodes = await nodesOf(ends, environment(1 << 20, 4, 100));
    expect(nodes.map(({ id }) => id)).toEqual([0n, most]);
    expect(ends.parse(String(most))).toBe(most);
    expect(() => ends.parse(String(most + 1n))).toThrow(
      `is not a position: expected a number from 0 to 2^${keyBits} - 1`,
    );
    const wider = changed({ keyBits, key: () => most + 1n });
    const numbers = `a number from 0 to 2^${Math.min(53, keyBits)} - 1`;
    const room = keyBits < 1024 ? `: keyBits: ${keyBits + 1} would have room for it` : '';
    expect(() => wider.keyOf({ at: 0, side: 0 })).toThrow(
      `not a bigint from 0 to 2^${keyBits} - 1 or ${numbers}${room}`,
    );
  },
);

test.each([0, 1025, 70.5, bad('96'), bad(64n)])('keys of %s bits are refused', (keyBits) => {
  expect(() => changed({ keyBits })).toThrow(
    /^counting: keyBits is .+, not an integer from 1 to 1024: how many bits keys have$/,
  );
});

test('of symmetric positions with wide keys the least is solved', () => {
  const far = (at: bigint) => () => [at];
  for (const [own, other] of [
    [1n << 90n, (1n << 70n) + 5n],
    [(1n << 64n) + 1n, 1n << 64n],
    [1n << 64n, 2n ** 64n - 1n],
  ]) {
    expect(keyedGame({ ...lone, symmetries: far(other) }).keyOf(own)).toBe(other);
    expect(keyedGame({ ...lone, symmetries: far(own) }).keyOf(other)).toBe(other);
  }
});

test('a rule on repetition is refused with the reason', () => {
  const rule = { repetition: 'loss' };
  const said = /^counting: there is no field repetition: .* depends on the moves before, so no table/;
  expect(() => keyedGame({ ...counting, ...rule })).toThrow(said);
});

test('the positions that people are shown first are refused where there is none', () => {
  const game = keyedGame({ ...counting, roots: () => [] });
  expect(() => [...game.starts()]).toThrow('counting: roots lists no position');
});

describe('a wrong definition', () => {
  const seven = ({ at }: Count) => at === 7;
  const cases: [string, Partial<KeyedGame<Count>>, string][] = [
    ['no roots', { roots: () => [] }, 'counting: roots lists no position'],
    [
      'bytes as a key',
      { keyBits: 96, key: () => bad(new Uint8Array(12)) },
      'not a bigint from 0 to 2^96 - 1 or a number from 0 to 2^53 - 1',
    ],
    [
      'roots throw',
      {
        *roots() {
          yield { at: 0, side: 0 };
          throw new Error('no more');
        },
      },
      'counting: roots failed: no more (keyed-game.test.ts, line ',
    ],
    [
      'a number for a key',
      { key: (p) => (seven(p) ? bad(14) : counting.key(p)) },
      'its key is 14, not a bigint',
    ],
    ['a negative key', { key: (p) => (seven(p) ? -1n : counting.key(p)) }, 'its key is -1n, not a bigint'],
    [
      'too large a key',
      { key: (p) => (seven(p) ? 2n ** 64n : counting.key(p)) },
      'its key is 18446744073709551616n',
    ],
    [
      'two positions with a key',
      { key: (p) => counting.key(p) >> 1n },
      'counting: 0: is position(1n), but its key is 0n',
    ],
    [
      'position throws',
      {
        position: (key) => {
          if (key === 6n) throw new Error('no such count');
          return counting.position(key);
        },
      },
      'counting: position(6n) failed: no such count',
    ],
    [
      'a position that is forgotten',
      { position: () => bad(undefined) },
      'counting: position(0n) is undefined',
    ],
    ['a third side', { mover: (p) => (seven(p) ? bad(2) : p.side) }, 'counting: 1'],
    ['a side in words', { mover: () => bad('white') }, 'counting: 0: mover is "white", not 0 or 1'],
    [
      'an unknown end',
      { ended: () => bad('win') },
      `counting: 0: ended is "win", not 'won', 'lost', 'drawn' or null, nor { won: plies } or { lost: plies }`,
    ],
    ['plies of a draw', { ended: () => bad({ drawn: 3 }) }, 'counting: 0: ended is {"drawn":3}, not'],
    [
      'too many plies',
      { ended: () => ({ won: 8001 }) },
      'counting: 0: ended is {"won":8001}: plies must be an integer from 0 to 8000',
    ],
    [
      'ended throws',
      {
        ended: (p) => {
          if (seven(p)) throw new Error('seven');
          return null;
        },
      },
      'ended failed: seven',
    ],
    [
      'moves throws',
      {
        *moves(p) {
          if (seven(p)) throw new Error('seven');
          yield* counting.moves(p);
        },
      },
      'moves failed: seven',
    ],
    ['moves are no list', { moves: () => bad(3) }, 'counting: 0: moves gives 3, not a list'],
    ['moves that come later', { moves: bad(async () => []) }, 'counting: 0: moves is async'],
    ['roots that are no list', { roots: () => bad({}) }, 'counting: roots gives {}, not a list'],
    ['no position', { position: () => bad(null) }, 'counting: position(0n) is null, not the position'],
    [
      'a move to nothing',
      { moves: () => [['on', bad(null)]] },
      'counting: 0: its move "on" leads to null, not a position',
    ],
    [
      'a move without a name',
      { moves: ({ at, side }) => [bad({ at: at + 1, side })] },
      'counting: 0: a move is {"at":1,"side":0}, not [what it is called, the position after it]',
    ],
    ['no move', { moves: () => [bad(undefined)] }, 'counting: 0: a move is undefined, not [what'],
    [
      'a number for a name',
      { moves: (p) => [[bad(1), p]] },
      'counting: 0: a move is [1,{"at":0,"side":0}], not',
    ],
  ];
  test.each(cases)('%s', async (_, change, message) => {
    const env = environment(4000, 2, 10);
    const error = await nodesOf(changed(change), env).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
    expect(await leftovers(env)).toEqual([]);
  });

  test('is refused for its name, a missing function or an unknown field', () => {
    expect(() => changed({ name: 'a/b' })).toThrow(`"a/b" cannot be a game's name`);
    expect(() => changed({ name: bad(undefined) })).toThrow("the game's name is missing");
    expect(() => changed({ key: bad(undefined) })).toThrow('counting: key is missing, a function');
    expect(() => changed(bad({ endet: () => null }))).toThrow(
      'counting: keyedGame has no field "endet" (there are: name',
    );
    expect(() => changed({ stuck: bad('won') })).toThrow(`stuck is "won", not 'lost' or 'drawn'`);
  });

  test('is refused for its scores', () => {
    const score = ({ at }: Count) => at - 5;
    expect(() => changed({ score, stuck: 'drawn' })).toThrow('counting: it has both stuck and score');
    const end = (change: Partial<KeyedGame<Count>>) =>
      changed({ score, ...change }).ended({ at: 9, side: 1 });
    expect(end({ ended: () => 'over' })).toBe('lost');
    expect(end({ ended: () => 'over', score: () => 0 })).toBe('drawn');
    expect(end({ ended: () => null })).toBe(null);
    expect(() => end({ ended: () => 'won' })).toThrow(
      `counting: 19: ended is "won", not 'over' or null, as in all games with score`,
    );
    expect(() => changed({ ended: () => 'over' }).ended({ at: 9, side: 1 })).toThrow('ended is "over", not');
    for (const wrong of [126, 0.5, Number.NaN, '1', null])
      expect(() => end({ ended: () => 'over', score: () => bad(wrong) })).toThrow(
        'not an integer from -125 to 125',
      );
  });

  test('is refused for its players or boards', () => {
    expect(() => changed({ players: bad('white') })).toThrow('players is "white", not two names that differ');
    expect(() => changed({ players: ['she', 'she'] })).toThrow('not two names that differ');
    expect(changed({ players: ['she', 'he'] }).colours).toEqual(['she', 'he']);
    const drawn = (board: () => BoardPicture) => changed({ board }).board!({ at: 0, side: 0 });
    expect(changed({}).board).toBe(null);
    expect(drawn(() => [['x', '']])).toEqual([['x', '']]);
    expect(drawn(() => '<svg/>')).toBe('<svg/>');
    expect(() => drawn(() => 'x.')).toThrow('counting: 0: board is "x.", not rows of squares with text, nor');
    expect(() => drawn(() => bad([[1]]))).toThrow('counting: 0: board is [[1]], not rows');
    expect(() =>
      drawn(() => {
        throw new Error('no ink');
      }),
    ).toThrow('counting: 0: board failed: no ink');
  });

  test('is reported with positions as the game writes them', async () => {
    const game = changed({ format: ({ at }) => `at ${at}`, mover: (p) => (seven(p) ? bad(2) : p.side) });
    await expect(nodesOf(game, environment(4000, 2, 10))).rejects.toThrow(
      'counting: at 7: mover is 2, not 0 or 1',
    );
    await expect(nodesOf(game, environment(4000, 2, 10))).rejects.toThrow(
      /; the move "\+[12]" of at [56] leads there$/,
    );
    expect(() => changed({ parse: () => bad(undefined) }).parse('x')).toThrow(
      'counting: parse("x") is undefined, not a position',
    );
    const refuse = () => {
      throw new Error('write it as a number');
    };
    expect(() => changed({ parse: refuse }).parse('x')).toThrow('counting: "x": write it as a number');
  });

  test('of a format that returns no text is reported by any call that writes positions', () => {
    const untold = changed({ format: () => bad(undefined) });
    const [root] = untold.roots();
    expect(() => untold.format(root)).toThrow('format is undefined, not text');
    expect(() => untold.diagram(root)).toThrow('format is undefined, not text');
    const late = changed({ diagram: () => bad(Promise.resolve('x')) });
    expect(() => late.diagram(root)).toThrow('diagram is a promise (is it async?), not text');
  });

  test('has a name that folders can have', () => {
    expect(() => changed({ name: 'x'.repeat(101) })).toThrow(
      "a game's name has 101 characters, and may have 100",
    );
  });
});
