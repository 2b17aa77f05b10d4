/**
 * Games whose moves share something that they change are refused, or solved as games that copy are: all kinds of containers, and all ways
 * to list moves. Values are held against a solver of the plain rules. Games that share what they leave as it is are not refused.
 */
import { expect, test } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { checkKeyed } from '../../../../pipeline/check/check-keyed.js';
import type { Game } from '../../../../pipeline/game/game.js';
import type { NamedMove } from '../../../../pipeline/games/yours/definition.js';
import { keyedGame } from '../../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../../../pipeline/games/yours/keyed/keyed-rules.js';
import { numberedGame } from '../../../../pipeline/games/yours/numbered/numbered-game.js';
import { openKeyedProber } from '../../../../pipeline/graph/keyed-prober.js';
import { solveKeyed } from '../../../../pipeline/graph/solve-keyed.js';
import { solveInMemory } from '../../../../pipeline/solve-in-memory.js';
import { LONG } from '../../../support/long.js';

/** Two heaps: a move takes one or two from one of them. Who takes the last has won. `last`: the heap of the last move. */
const HEAPS = 9;
type Side = 0 | 1;

/** Plies to the end, odd where the side to move wins: the plain rules, by heaps alone. */
const plies: number[][] = [];
for (let a = 0; a < HEAPS; a++)
  for (let b = 0; b < HEAPS; b++) {
    const after = [1, 2].flatMap((n) => [
      ...(n <= a ? [plies[a - n][b]] : []),
      ...(n <= b ? [plies[a][b - n]] : []),
    ]);
    plies[a] ??= [];
    const won = after.filter((each) => each % 2 === 0);
    plies[a][b] = won.length > 0 ? 1 + Math.min(...won) : after.length === 0 ? 0 : 1 + Math.max(...after);
  }

/** A container of two heaps, and how it is read, written and copied. */
interface Container<C> {
  make(a: number, b: number): C;
  get(held: C, i: number): number;
  set(held: C, i: number, value: number): void;
}

class Open {
  constructor(
    public a: number,
    public b: number,
  ) {}
}
class Hidden {
  readonly #heaps: number[];
  constructor(heaps: number[]) {
    this.#heaps = heaps;
  }
  get(i: number): number {
    return this.#heaps[i];
  }
  set(i: number, value: number): void {
    this.#heaps[i] = value;
  }
}

const containers = {
  array: {
    make: (a, b) => [a, b],
    get: (held, i) => held[i],
    set: (held, i, value) => void (held[i] = value),
  } satisfies Container<number[]>,
  'typed array': {
    make: (a, b) => Uint8Array.of(a, b),
    get: (held, i) => held[i],
    set: (held, i, value) => void (held[i] = value),
  } satisfies Container<Uint8Array>,
  map: {
    make: (a, b) => new Map([[0, a], [1, b]]), // biome-ignore format: pairs
    get: (held, i) => held.get(i)!,
    set: (held, i, value) => void held.set(i, value),
  } satisfies Container<Map<number, number>>,
  'class instance': {
    make: (a, b) => new Open(a, b),
    get: (held, i) => (i === 0 ? held.a : held.b),
    set(held, i, value) {
      if (i === 0) held.a = value;
      else held.b = value;
    },
  } satisfies Container<Open>,
  'private field': {
    make: (a, b) => new Hidden([a, b]),
    get: (held, i) => held.get(i),
    set: (held, i, value) => held.set(i, value),
  } satisfies Container<Hidden>,
  nested: {
    make: (a, b) => ({ board: { rows: [[a], [b]] } }),
    get: (held, i) => held.board.rows[i][0],
    set: (held, i, value) => void (held.board.rows[i][0] = value),
  } satisfies Container<{ board: { rows: number[][] } }>,
  view: {
    make: (a, b) => new DataView(Uint8Array.of(a, b).buffer),
    get: (held, i) => held.getUint8(i),
    set: (held, i, value) => held.setUint8(i, value),
  } satisfies Container<DataView>,
} as unknown as Record<string, Container<never>>;

interface At<C> {
  readonly heaps: C;
  readonly side: Side;
  readonly last: number;
}

type Moves<C> = (at: At<C>, c: Container<C>) => Iterable<NamedMove<At<C>>>;

/** Calls `each` with every heap and number that may be taken. */
function* takings<C>({ heaps }: At<C>, c: Container<C>): Generator<[name: string, i: number, n: number]> {
  for (const i of [0, 1]) for (const n of [1, 2]) if (n <= c.get(heaps, i)) yield [`${'ab'[i]}${n}`, i, n];
}
const other = (side: Side) => (1 - side) as Side;
/** Takes from heap `i`, and gives what puts it back. */
function take<C>(c: Container<C>, heaps: C, i: number, n: number): () => void {
  const before = c.get(heaps, i);
  c.set(heaps, i, before - n);
  return () => c.set(heaps, i, before);
}
const copy = <C>(c: Container<C>, heaps: C): C => c.make(c.get(heaps, 0), c.get(heaps, 1));
const all = <C>(at: At<C>, c: Container<C>) => [...takings(at, c)];

/** Moves that are right. */
const copying: Moves<never> = (at, c) =>
  all(at, c).map(([name, i, n]) => {
    const heaps = copy(c, at.heaps);
    take(c, heaps, i, n);
    return [name, { heaps, side: other(at.side), last: i }];
  });

/** Ways to list moves that share what they change. */
const faults: Record<string, Moves<never>> = {
  *'make, yield, take back'(at, c) {
    for (const [name, i, n] of all(at, c)) {
      const back = take(c, at.heaps, i, n);
      yield [name, { heaps: at.heaps, side: other(at.side), last: i }];
      back();
    }
  },
  'make, push, take back'(at, c) {
    const found: NamedMove<At<never>>[] = [];
    for (const [name, i, n] of all(at, c)) {
      const back = take(c, at.heaps, i, n);
      found.push([name, { heaps: at.heaps, side: other(at.side), last: i }]);
      back();
    }
    return found;
  },
  'one copy for all, in a list by numbers'(at, c) {
    const found: NamedMove<At<never>>[] = [];
    const heaps = copy(c, at.heaps);
    for (const [name, i, n] of all(at, c)) {
      const back = take(c, heaps, i, n);
      found[found.length] = [name, { heaps, side: other(at.side), last: i }];
      back();
    }
    return found;
  },
  *'one object yielded again and again'(at, c) {
    const next = { heaps: copy(c, at.heaps), side: other(at.side), last: 0 };
    for (const [name, i, n] of all(at, c)) {
      const back = take(c, next.heaps, i, n);
      next.last = i;
      yield [name, next];
      back();
    }
  },
  map: (at, c) =>
    all(at, c).map(([name, i, n]) => {
      c.set(at.heaps, i, c.get(at.heaps, i) - n);
      return [name, { heaps: at.heaps, side: other(at.side), last: i }];
    }),
  'spread of a generator': (at, c) => [...faults['make, yield, take back'](at, c)],
  *'yields a list that was made before'(at, c) {
    yield* faults['make, push, take back'](at, c);
  },
  'a map of names': (at, c) =>
    new Map([...faults['make, push, take back'](at, c)]) as unknown as Iterable<NamedMove<At<never>>>,
  'an iterator of its own'(at, c) {
    const moves = all(at, c);
    let back = () => {};
    return {
      [Symbol.iterator]: () => ({
        next() {
          back();
          const move = moves.shift();
          if (move === undefined) return { done: true, value: undefined };
          back = take(c, at.heaps, move[1], move[2]);
          return {
            done: false,
            value: [move[0], { heaps: at.heaps, side: other(at.side), last: move[1] }] as const,
          };
        },
      }),
    };
  },
  *'one pair for all moves'(at, c) {
    const pair = ['', at] as [string, At<never>];
    for (const [name, next] of copying(at, c)) {
      pair[0] = name;
      pair[1] = next;
      yield pair;
    }
  },
  'does not put back': (at, c) => {
    const moves = [...copying(at, c)];
    if (c.get(at.heaps, 0) > 0) c.set(at.heaps, 0, c.get(at.heaps, 0) - 1);
    return moves;
  },
};

/** A game of one container; `moves` lists all, or only where the heaps are 3 and 2. */
function gameOf<C>(c: Container<C>, moves: Moves<C>, isRare: boolean): KeyedRules {
  const right = copying as unknown as Moves<C>;
  return keyedGame<At<C>, number>({
    name: 'heaps',
    roots: () => [{ heaps: c.make(HEAPS - 1, HEAPS - 1), side: 0, last: 0 }],
    key: ({ heaps, side, last }) => ((c.get(heaps, 0) * 16 + c.get(heaps, 1)) * 2 + side) * 2 + last,
    position: (key) => ({
      heaps: c.make(key >> 6, (key >> 2) & 15),
      side: ((key >> 1) & 1) as Side,
      last: key & 1,
    }),
    mover: ({ side }) => side,
    moves: (at) => (isRare && (c.get(at.heaps, 0) !== 3 || c.get(at.heaps, 1) !== 2) ? right : moves)(at, c),
  }) as KeyedRules;
}

/** Solves a game: the message that refuses it, or null if all its values are right. */
async function refusal(game: KeyedRules): Promise<string | null> {
  const store = memoryStore();
  try {
    await solveKeyed({ game, store });
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  const prober = await openKeyedProber(game, store);
  const left = [...game.roots()];
  const seen = new Set<bigint>();
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const key = game.keyOf(at);
    if (seen.has(key)) continue;
    seen.add(key);
    const probed = await prober.probe(game.at(key));
    const [a, b] = [Number(key >> 6n), Number((key >> 2n) & 15n)];
    if (probed.plies !== plies[a][b]) return `wrong value of ${a}, ${b}: ${probed.plies}`;
    if (probed.moves.length !== Math.min(a, 2) + Math.min(b, 2)) return `wrong moves of ${a}, ${b}`;
    for (const { after } of probed.moves) left.push(after);
  }
  return null;
}

const names = Object.keys(containers);
const cases = Object.entries(faults).flatMap(([what, moves], i) =>
  names.flatMap((container, j) =>
    // Short tests take 40: each way with some containers, each container with some ways.
    LONG || (i + j) % 2 === 0 ? [false, true].map((isRare) => [what, container, isRare, moves] as const) : [],
  ),
);

test('there are enough games', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
});

test.each(cases)('%s, %s, only in some positions: %s', async (_, container, isRare, moves) => {
  const game = () => gameOf(containers[container], moves, isRare);
  const refused = await refusal(game());
  expect(refused).not.toMatch(/^wrong|undefined|\[object/);
  if (refused === null) return;
  const { violations } = await checkKeyed(game(), { positions: 1000, seed: 1 });
  expect(violations.length).toBeGreaterThan(0);
});

test.each(names)('moves that copy are solved: %s', async (container) => {
  expect(await refusal(gameOf(containers[container], copying, false))).toBeNull();
});

/** Solves a game of heaps in arrays. */
const listed = (moves: Moves<never>) => refusal(gameOf(containers.array, moves, false));

test('moves may share what they leave as it is', async () => {
  const rules = new Map([['name', 'heaps']]);
  const tables = { sizes: [1, 2] };
  const withRules = (moves: Moves<never>, more: object) =>
    ((at, c) => [...moves(at, c)].map(([name, after]) => [name, { ...after, ...more }])) as Moves<never>;
  expect(await listed(withRules(copying, { rules, tables }))).toBeNull();
  // In an array that is filled by numbers, which shows its positions when it is complete.
  const literal: Moves<never> = (at, c) => {
    const found: NamedMove<At<never>>[] = [];
    for (const [name, after] of withRules(copying, { tables })(at, c)) found[found.length] = [name, after];
    return found;
  };
  expect(await listed(literal)).toMatch(/one and the same object: copy it for each move, or freeze it/);
  Object.freeze(tables.sizes);
  Object.freeze(tables);
  expect(await listed(literal)).toBeNull();
});

test('roots that share what they change are refused', async () => {
  const heaps = [8, 8];
  const one = { heaps, side: 0, last: 0 };
  const right = gameOf(containers.array, copying, false);
  const roots: Record<string, () => Iterable<unknown>> = {
    *yielded() {
      for (heaps[0] = 8; heaps[0] > 5; heaps[0]--) yield one;
    },
    listed: () =>
      [7, 6, 5].map((n) => {
        heaps[0] = n;
        return { ...one };
      }),
  };
  for (const each of Object.values(roots)) {
    const game = { ...right, roots: each };
    expect(await refusal(game)).toMatch(/^heaps: .*: roots .*: make a position for each root$/);
    const { violations } = await checkKeyed(game, { positions: 1000, seed: 1 });
    expect(violations.map(({ rule }) => rule)).toEqual(['roots']);
  }
});

test('the line names both moves and what they share', async () => {
  const line = (what: string) => refusal(gameOf(containers.array, faults[what], false));
  expect(await line('make, push, take back')).toMatch(
    /^heaps: \d+: moves "a1" and "a2" give one and the same array: copy it for each move/,
  );
  expect(await line('one object yielded again and again')).toMatch(
    /moves "a1" and "a2" give one and the same position: copy it for each move/,
  );
});

test('numbered games that are solved by slices are refused, too', async () => {
  const numbered = (moves: Moves<never>) => {
    const c = containers.array;
    return numberedGame<At<never>>({
      name: 'numbers',
      size: 2 * HEAPS * HEAPS,
      index: ({ heaps, last }) => (c.get(heaps, 0) * HEAPS + c.get(heaps, 1)) * 2 + last,
      position: (index, side) => ({
        heaps: c.make(Math.floor(index / 2 / HEAPS), Math.floor(index / 2) % HEAPS),
        side,
        last: index % 2,
      }),
      mover: ({ side }) => side,
      moves: (at) => moves(at, c),
    });
  };
  await solveInMemory(numbered(copying) as Game);
  for (const what of [
    'make, push, take back',
    'make, yield, take back',
    'one copy for all, in a list by numbers',
  ])
    await expect(solveInMemory(numbered(faults[what]) as Game)).rejects.toThrow('copy it for each move');
});
