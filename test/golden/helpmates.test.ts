/** Helpmates beside those that others have published: counts of classes by plies, and a deepest sound problem of each. */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { type ProblemStats, problemStats, type SideProblems } from '../../pipeline/analysis/problem-stats.js';
import { newCensus } from '../../pipeline/game/fill-census.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';
import { changedByFolding } from '../oracle/folded-passant.js';
import { eachMove, fenOf } from '../oracle/problems.js';
import { newFolder } from '../support/folders.js';
import { LONGEST, sweep } from '../support/long.js';
import { putSolved, solveGame } from '../support/solving.js';

type Counts = Readonly<Record<string, number>>;

/** Positions are counted once up to symmetry, plies from the mate on, which counts as 0. Null: the class has no such position. */
interface PublishedClass {
  readonly longest: number | null;
  readonly solvable: number;
  readonly sound: number;
  readonly deepestSound: number | null;
  readonly deepestSoundPositions: number;
  readonly blackToMove: Counts;
  readonly whiteToMove: Counts;
  /** One of the deepest sound positions, with its solution. */
  readonly fen: string | null;
  readonly line: readonly string[];
}

const published: {
  readonly classes: Readonly<Record<string, PublishedClass>>;
} = JSON.parse(readFileSync(new URL('helpmates.json', import.meta.url), 'utf8'));

const metric = 'help';
const game = chess.sided!;
const menOf = (board: string) => board.match(/[KQRBNP]/gi)!.length;
const ofMen = (men: number) => Object.keys(published.classes).filter((name) => menOf(name) === men);
/** Classes of four men for the long tests: with two like men, with a man on each side, with a pawn of White or of Black. */
const SOME = ['KBBvK', 'KQvKR', 'KNvKN', 'KRvKP', 'KNPvK'];
const classes = sweep(ofMen(3), SOME, [...ofMen(4).filter((name) => !SOME.includes(name)), ...ofMen(5)]);
// Not in memory: slices of five men take hundreds of megabytes each.
const folder = newFolder();
const store = localStore(folder, { durable: false });
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const solutions = new Solutions(game, newProber({ game, metric, store }));

/** The solutions as published lines have them: in SAN, without signs of check. */
async function linesOf(fen: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of solutions.lines(game.parse(fen))) {
    lines.push(plain(line.map(({ san }) => san)));
    if (lines.length > 2) break;
  }
  return lines;
}
const plain = (line: readonly string[]) => line.join(' ').replace(/[+#]/g, '');

/** What published tables say of a side. */
type PublishedSide = Pick<SideProblems, 'solvable' | 'sound' | 'byPly' | 'soundByPly'> &
  Readonly<Record<'longest' | 'deepestSound', { readonly plies: number } | null>>;

function described({ white, black }: Record<'white' | 'black', PublishedSide>) {
  const both = [white, black];
  const most = (found: 'longest' | 'deepestSound') =>
    both.reduce<number | null>((known, side) => {
      const plies = side[found]?.plies ?? null;
      return known === null || (plies !== null && plies > known) ? plies : known;
    }, null);
  const deepestSound = most('deepestSound');
  return {
    longest: most('longest'),
    solvable: white.solvable + black.solvable,
    sound: white.sound + black.sound,
    deepestSound,
    deepestSoundPositions:
      deepestSound === null ? 0 : both.reduce((sum, side) => sum + (side.soundByPly[deepestSound] ?? 0), 0),
    blackToMove: black.byPly,
    whiteToMove: white.byPly,
  };
}

/** Mates in one, White to move, by the rules, of the classes of which published tables count 8 and 1 more: see {@link foldedCounts}. */
const BY_THE_RULES: Readonly<Record<string, number>> = { KPPvKP: 87_353, KBPvKP: 151_346 };
const oracle = newProber({ game, metric, store });

/** The counts with those positions that published tables count otherwise than the rules, because they fold captures en passant in. */
async function foldedCounts(name: string, { white, black }: ProblemStats) {
  const sides = [white, black].map((side) => ({
    ...side,
    byPly: { ...side.byPly },
    soundByPly: { ...side.soundByPly },
  }));
  let changed = 0;
  const ruled = async (fen: string) => {
    const { plies, number } = await oracle.probe(game.parse(fen));
    return plies === null ? null : { plies, number: number! };
  };
  for await (const { side, byTheRules, published } of changedByFolding(name, ruled)) {
    changed++;
    const count = (by: Record<string, number>, plies: number, more: number) => {
      by[plies] = (by[plies] ?? 0) + more;
      if (by[plies] === 0) delete by[plies];
    };
    for (const [value, more] of [
      [byTheRules, -1],
      [published, 1],
    ] as const) {
      if (value === null) continue;
      sides[side].solvable += more;
      count(sides[side].byPly, value.plies, more);
      if (value.number !== 1) continue;
      sides[side].sound += more;
      count(sides[side].soundByPly, value.plies, more);
    }
  }
  const deepest = (counts: Record<string, number>) => {
    const plies = Object.keys(counts).map(Number);
    return plies.length === 0 ? null : { plies: Math.max(...plies) };
  };
  const [folded, foldedBlack] = sides.map((side) => ({
    ...side,
    longest: deepest(side.byPly),
    deepestSound: deepest(side.soundByPly),
  }));
  return { changed, counts: described({ white: folded, black: foldedBlack }) };
}

/** The mates in one that published tables count and the rules do not. */
const FALSE_MATES: Readonly<Record<string, readonly string[]>> = {
  KBPvKP: [
    '8/8/8/k1K5/p7/8/1P6/5B2',
    '8/8/8/k1K5/p7/8/1P2B3/8',
    '8/8/8/k1K5/p7/3B4/1P6/8',
    '8/8/8/k1K5/p1B5/8/1P6/8',
    '8/8/8/kBK5/p7/8/1P6/8',
    '8/1B6/8/k1K5/p7/8/1P6/8',
    '2B5/8/8/k1K5/p7/8/1P6/8',
    '8/8/8/kBK5/2p5/8/1P6/8',
  ],
  KPPvKP: ['8/8/8/kPK5/p7/8/1P6/8'],
};

test.each(sweep(['KBPvKP'], ['KPPvKP']))(
  'the double steps of %s that mate but for a capture en passant',
  async (name) => {
    const found: string[] = [];
    for await (const { fen, published } of changedByFolding(name, async () => null)) {
      if (published.plies > 1) break;
      expect(published.number).toBe(1);
      found.push(fen.split(' ')[0]);
    }
    expect(found.sort()).toEqual([...FALSE_MATES[name]].sort());
  },
);

describe.each(classes)('%s', (name) => {
  const { fen, line, ...counts } = published.classes[name];
  // A class with pawns is solved with all that they promote to, which takes minutes on a busy machine.
  const timeout = LONGEST ? 14_400_000 : 400_000;
  test('as many positions by plies and side to move, sound and deepest sound as published', {
    timeout,
  }, async () => {
    const ending = game.ending(name);
    if (ending.pieces < 5) await putSolved(store, game, ending.slices, { metric });
    else await solveGame(game, ending.slices, { metric, store });
    const found = await problemStats({
      game,
      metric,
      ending,
      open: (slice) => needTable(store, game, metric, slice),
      numbers: (table) => openNumbers(store, table as Table),
      report: async () => {},
    });
    if (name in BY_THE_RULES) {
      expect(found.white.byPly[1]).toBe(BY_THE_RULES[name]);
      const folded = await foldedCounts(name, found);
      expect(folded.changed).toBeGreaterThan(0);
      expect(folded.counts).toEqual(counts);
    } else expect(described(found)).toEqual(counts);
    if (fen !== null) expect(await linesOf(fen)).toEqual([plain(line)]);
  });
});

/**
 * The one fault of the published tables: they have mates that a capture en passant answers. Here the positions after b4 with and without that
 * right, in the slices that hold them, as the engine labels them before it counts anything.
 */
test('a double step does not mate where the pawn can be taken en passant', () => {
  const before = '8/8/8/k1K5/p7/8/1P6/5B2 w - - 0 1';
  const b4 = game.moves(game.parse(before)).find(({ uci }) => uci === 'b2b4')!;
  expect(game.format(b4.board)).toBe('8/8/8/k1K5/pP6/8/8/5B2 b - b3 0 1');
  const answered = game.moves(b4.board).map(({ uci }) => uci);
  expect(answered).toEqual(['a4b3']);

  const labelled = (board: (typeof b4)['board']) => {
    const { slice, side, part, key } = game.locate(board);
    const census = newCensus(1);
    game.slice(slice).census(side, part, key, 1, census);
    return { slice, mates: census.lost, moves: census.counts[0], conversions: census.conversions[0] };
  };
  expect(labelled(b4.board)).toEqual({ slice: 'KBPvKPep.44b', mates: 0, moves: 1, conversions: 1 });
  const untakeable = game.parse('8/8/8/k1K5/pP6/8/8/5B2 b - - 0 1');
  expect(labelled(untakeable)).toEqual({ slice: 'KBPvKP.44', mates: 1, moves: 0, conversions: 0 });

  // The rules of the oracle, in which the same move is the only one.
  const replies: string[] = [];
  const squares = new Int8Array(64);
  // Kc5, Pb4, Bf1; Ka5, Pa4: as in fenOf, a1 is 0.
  for (const [square, man] of [
    [34, 1],
    [25, 6],
    [5, 4],
    [32, -1],
    [24, -6],
  ])
    squares[square] = man;
  const board = { squares, side: 1, passant: 17 } as const;
  expect(fenOf(board)).toBe(game.format(b4.board));
  eachMove(board, (after) => replies.push(fenOf(after)));
  expect(replies).toEqual(['8/8/8/k1K5/8/1p6/8/5B2 w - - 0 1']);
});
