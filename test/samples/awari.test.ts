/**
 * The sample game, against rules written for White and Black apart and solved naively.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import game from '../../samples/awari/game.js';
import { ifShort, LONG } from '../support/long.js';
import { solveNaively, type Turn } from './naive.js';
import { figures, type SolvedGame, solved } from './solved.js';

const START = '2,2,2/2,2,2 0:0 w';

/** Pits a, b, c of White, a, b, c of Black, captures of White, captures of Black. */
type Stones = number[];
const WHITE = [0, 1, 2];
const BLACK = [3, 4, 5];

const write = (s: Stones, side: string) => `${s.slice(0, 3)}/${s.slice(3, 6)} ${s[6]}:${s[7]} ${side}`;
const has = (s: Stones, pits: number[]) => pits.some((pit) => s[pit] > 0);

/** The pit of each stone is written down first. */
function played(before: Stones, pit: number, theirs: number[], store: number): Stones {
  const s = [...before];
  const circle = [...WHITE, ...BLACK];
  const others = [...circle.slice(pit + 1), ...circle.slice(0, pit)];
  const path = Array.from({ length: s[pit] }, (_, stone) => others[stone % 5]);
  s[pit] = 0;
  for (const to of path) s[to]++;
  const last = path.at(-1)!;
  for (const to of theirs.filter((their) => their <= last).reverse()) {
    if (!theirs.includes(last) || s[to] < 2 || s[to] > 3) break;
    s[store] += s[to];
    s[to] = 0;
  }
  return s;
}

function turn(text: string): Turn {
  const s = text.match(/\d+/g)!.map(Number);
  const white = text.endsWith('w');
  const [own, theirs, store, other] = white ? [WHITE, BLACK, 6, 7] : [BLACK, WHITE, 7, 6];
  const over = (mine: number) => (mine < 6 ? 'lost' : 'drawn');
  if (s[other] >= 7) return 'lost';
  if (!has(s, own)) return over(s[store]);
  let after = own.filter((pit) => s[pit] > 0).map((pit) => played(s, pit, theirs, store));
  if (!has(s, theirs)) after = after.filter((next) => has(next, theirs));
  if (after.length === 0) {
    const rest = 12 - s[other];
    if (rest === 6) return over(rest);
    const taken = Array(8).fill(0);
    [taken[store], taken[other]] = [rest, s[other]];
    after = [taken];
  }
  return after.map((next) => write(next, white ? 'b' : 'w'));
}

function* layouts(places: number, stones: number): Generator<number[]> {
  if (places === 1) yield [stones];
  else
    for (let n = 0; n <= stones; n++) for (const rest of layouts(places - 1, stones - n)) yield [n, ...rest];
}

/** The mover has not won already. */
function* positions(): Generator<string> {
  for (const stones of layouts(8, 12)) {
    if (stones[6] <= 6) yield write(stones, 'w');
    if (stones[7] <= 6) yield write(stones, 'b');
  }
}

const after = (text: string) =>
  Object.fromEntries(game.moves(game.parse(text)).map(({ san, board }) => [san, game.format(board)]));

let result: SolvedGame<unknown>;
beforeAll(async () => {
  if (!LONG) return;
  result = (await solved(game)) as SolvedGame<unknown>;
});

test.skipIf(!LONG)(`every position has the value of a naive solver${ifShort}`, () => {
  const known = solveNaively(positions(), turn);
  // Twelve stones in eight places; of these more than six in one of them: five stones in eight places, or seven there already.
  expect(result.size).toBe(50388);
  const counts = result.summaries.map(({ table }) => table.positions);
  for (const side of [0, 1]) expect(counts.reduce((sum, each) => sum + each[side], 0)).toBe(50388 - 792);
  expect(known.size).toBe(2 * (50388 - 792));
  const wrong = [...known].filter(([text, value]) => result.codeOf(text) !== value);
  expect(wrong.slice(0, 5)).toEqual([]);
  // Both players have the same chances.
  for (const { table } of result.summaries) expect(table.digests[0]).toBe(table.digests[1]);
});

test.skipIf(!LONG)(
  `a slice has all positions with its number of stones, and comes after those with fewer${ifShort}`,
  () => {
    expect(result.summaries.map(({ slice }) => slice)).toEqual(
      Array.from({ length: 13 }, (_, stones) => `stones-${stones}`),
    );
    for (const text of [START, '1,0,2/1,2,0 6:0 w', '0,0,0/0,0,0 6:6 b']) {
      const stones = text
        .split(' ')[0]
        .match(/\d+/g)!
        .reduce((sum, pit) => sum + Number(pit), 0);
      expect(game.locate(game.parse(text)).slice).toBe(`stones-${stones}`);
    }
  },
);

test('stones are sown past their own pit, and two or three are captured', () => {
  expect(after(START)).toEqual({
    a: '0,3,3/2,2,2 0:0 b',
    b: '2,0,3/0,2,2 3:0 b',
    c: '2,2,0/0,0,2 6:0 b',
  });
  // The last stone makes a one; then a three next to a two, and a three next to a four.
  expect(after('0,2,3/1,2,0 4:0 w')).toMatchObject({ c: '0,2,0/2,3,1 4:0 b' });
  expect(after('0,2,2/1,2,1 4:0 w')).toMatchObject({ c: '0,2,0/0,0,1 9:0 b' });
  expect(after('2,0,2/3,2,1 2:0 w')).toMatchObject({ c: '2,0,0/4,0,1 5:0 b' });
  // All of the opponent's stones may be captured.
  expect(after('1,0,2/1,2,0 6:0 w')).toMatchObject({ c: '1,0,0/0,0,0 11:0 b' });
  // Seven stones: the second time round, their own pit gets none.
  expect(after('0,0,7/0,0,5 0:0 w')).toEqual({ c: '1,1,0/0,0,6 4:0 b' });
  expect(after('1,0,0/1,0,1 3:6 b')).toEqual({ a: '1,0,0/0,1,1 3:6 w', c: '0,0,0/1,0,0 3:8 w' });
});

test.skipIf(!LONG)(`a player must feed an opponent without stones, or takes the rest${ifShort}`, () => {
  expect(after('1,0,1/0,0,0 4:6 w')).toEqual({ c: '1,0,0/1,0,0 4:6 b' });
  expect(after('1,0,0/0,0,0 6:5 w')).toEqual({ rest: '0,0,0/0,0,0 7:5 b' });
  expect(result.codeOf('1,0,0/0,0,0 6:5 w')).toBe(1);
  expect(result.codeOf('1,0,0/0,0,0 5:6 w')).toBe(0);
});

test.skipIf(!LONG)(`a player who cannot move leaves the rest to the other${ifShort}`, () => {
  expect(result.codeOf('0,0,0/0,1,0 6:5 w')).toBe(0);
  expect(result.codeOf('0,0,0/1,1,0 5:5 w')).toBe(-1);
  expect(game.terminal(game.parse('0,0,0/1,1,0 5:5 w'))).toBe('lost');
});

test.skipIf(!LONG)(`stones that go round for ever make a draw, whoever is ahead${ifShort}`, () => {
  const seen = new Set<string>();
  for (let text = '1,0,0/1,0,0 6:4 w'; !seen.has(text); ) {
    expect(result.codeOf(text)).toBe(0);
    seen.add(text);
    const [next, ...more] = Object.values(after(text));
    expect(more).toEqual([]);
    text = next;
  }
  // Each stone is where the other was.
  expect(seen.size).toBe(6);
});

test.skipIf(!LONG)(`the README has the figures of the tables${ifShort}`, async () => {
  const readme = readFileSync('samples/awari/README.md', 'utf8');
  for (const line of await figures(result, START)) expect(readme).toContain(`${line}\n`);
});

test('positions have names', () => {
  const text = '1,2,0/3,0,1 2:3 b';
  expect(game.format(game.parse(text))).toBe(text);
  expect(game.diagram(game.parse(text))).toBe('  0  2  1   2 captured\n  3  0  1   3 captured\n');
  expect(() => game.parse('1,2,0/3,0,1 2:4 b')).toThrow('12 stones in all');
  expect(() => game.parse('0,0,0/3,0,1 8:0 w')).toThrow('is not a position');
});
