/** Cursed wins and blessed losses as people see them, in a game of random graphs with long wins. */
import { beforeAll, expect, test } from 'vitest';
import { endingAnswer, hasCursed, histogramAnswer, type KnownTable } from '../../../jobs/server/answers.js';
import { PlayedEnding } from '../../../jobs/server/api-answers.js';
import { documentText } from '../../../jobs/ui/document.js';
import { endingsInWords, summaryJson } from '../../../jobs/ui/solve-summary.js';
import * as documents from '../../../jobs/ui/stats-document.js';
import { exportColumns, NO_PLIES, WDL_WORDS } from '../../../pipeline/analysis/columns.js';
import { endingOutcomes } from '../../../pipeline/analysis/outcomes.js';
import { classTallies, endingStats } from '../../../pipeline/analysis/stats.js';
import { describeMismatch } from '../../../pipeline/engine/crew/verify-slice.js';
import type { Game } from '../../../pipeline/game/game.js';
import { mainLine } from '../../../pipeline/tables/probe/main-line.js';
import type { Probed, Prober } from '../../../pipeline/tables/probe/prober.js';
import { judged } from '../../../pipeline/tables/probe/verdict.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { classGame } from '../../support/class-game.js';
import { graphGame, naiveValues, randomGraph } from '../../support/graph-game.js';
import { type Solved, solveGame } from '../../support/solving.js';

const below = randomGraph(202, { name: '21.0', size: 250, width: 64, ladder: true });
const above = randomGraph(1, { name: '21.1', size: 300, width: 64, ladder: false, dependency: below });
const game: Game = { ...(classGame as Game), slice: graphGame(below, above).slice };
const metric = 'dtz';
const ending = game.ending('21');
let solved: Solved;
beforeAll(async () => {
  solved = await solveGame(game, ending.slices, { metric });
});

const common = () =>
  ({
    game,
    metric,
    ending,
    open: (slice: string) => needTable(solved.store, game, metric, slice),
    report: async () => {},
  }) as const;

/** The ending, both slices: values with a side to move by the naive solver. */
function codes(side: 0 | 1): number[] {
  return [below, above].flatMap((graph) => naiveValues(graph, metric)[side].filter((code) => code !== null));
}

/** Wins, cursed wins, draws, blessed losses, losses. */
function counted(side: 0 | 1): number[] {
  const all = codes(side);
  const those = (is: (code: number) => boolean) => all.filter(is).length;
  return [
    those((code) => code > 0 && code <= 100),
    those((code) => code > 100),
    those((code) => code === 0),
    those((code) => code < -101),
    those((code) => code < 0 && code >= -101),
  ];
}

test('stats count five values', async () => {
  const [tally, other] = await classTallies(common());
  const { wins, cursedWins, draws, blessedLosses, losses, total } = tally;
  const five = [wins, cursedWins, draws, blessedLosses, losses];
  expect(five).toEqual(counted(0));
  // In these graphs it is side 0 that wins long games.
  expect([tally.cursedWins! > 0, other.blessedLosses! > 0]).toEqual([true, true]);
  expect(other).toMatchObject({ cursedWins: counted(1)[1], blessedLosses: counted(1)[3] });
  expect(total).toBe(codes(0).length);
  expect(tally.maxWinPlies).toBe(Math.max(...codes(0).filter((code) => code <= 100)));
  expect(tally.maxCursedWinPlies).toBe(Math.max(...codes(0)));

  // Side 0 is Black.
  const { classes, ...stats } = await endingStats(common());
  expect(classes[0]).toEqual(tally);
  const { black, white } = stats;
  const byColour = (side: typeof black, mover: 'black' | 'white') => {
    const [own, other] = mover === 'black' ? (['black', 'white'] as const) : (['white', 'black'] as const);
    return [
      side[`${own}Wins`],
      side[`${own}CursedWins`],
      side.draws,
      side[`${other}CursedWins`],
      side[`${other}Wins`],
    ].map((found) => found!.placements);
  };
  expect(byColour(black, 'black')).toEqual(counted(0));
  expect(byColour(white, 'white')).toEqual(counted(1));

  const text = documentText(documents.endingStats({ name: '21' }, metric, stats, game));
  expect(text).toMatch(/^black cursed wins +\d/m);
  expect(text).toMatch(/^white cursed wins +\d/m);
  expect(text).toMatch(/^Longest black cursed win, .*: a draw by the 50-move rule$/m);
  expect(text).toContain('Black wins by plies');
  expect(text).toContain('Black cursed wins by plies');
  const row = documentText(documents.classStats(game, metric, [tally], new Map([['21', 3]]))).split('\n');
  expect(row.find((line) => line.startsWith('class'))).toMatch(
    /wins +cursed wins +draws +blessed losses +losses/,
  );
  expect(
    row
      .find((line) => line.startsWith('all of 3'))
      ?.split(/ {2,}/)
      .slice(2, 7),
  ).toEqual(five.map((count) => count!.toLocaleString('en-US')));
});

test('exports have the five words', async () => {
  const table = await common().open('21.1');
  const rows = exportColumns({
    game,
    table,
    metric,
    flipped: false,
    position: false,
    weight: false,
    rows: 1 << 10,
  });
  const words = new Map<string, number>();
  for await (const { outcome, plies } of rows) {
    for (const [i, number] of outcome.entries()) {
      const word = WDL_WORDS[number];
      words.set(word, (words.get(word) ?? 0) + 1);
      expect(plies[i] === NO_PLIES).toBe(word === 'draw');
      expect([word, plies[i] > 100]).toEqual([word, /cursed|blessed/.test(word)]);
    }
  }
  expect([...words.keys()].sort()).toEqual(['blessed loss', 'cursed win', 'draw', 'loss', 'win']);
});

test('the summary of a solve reports wins that the rule draws, and counts them apart', async () => {
  const words = endingsInWords(game, [ending], solved.summaries, metric);
  expect(words).toContain('those of more than 100 plies are draws by the 50-move rule');
  const last = solved.summaries.find(({ slice }) => slice === '21.1')!;
  const wins = naiveValues(above, metric)
    .flat()
    .filter((code) => code! > 0).length;
  expect(summaryJson(last, game)).toMatchObject({ wins });
});

test('mismatches of verification are worded with the five outcomes', () => {
  const where = { slice: '21.0', side: 0, part: 0, key: 5, stored: 112, derived: -102 } as const;
  expect(describeMismatch(game, metric, where)).toContain(
    'table says cursed win in 112, moves give blessed loss in 101',
  );
});

test('the server counts cursed wins apart from wins, and its longest win is one that the rule allows', async () => {
  const known = new Map<string, KnownTable>();
  for (const slice of ending.slices) {
    known.set(slice, {
      manifest: (await needTable(solved.store, game, metric, slice)).manifest,
      verified: true,
    });
  }
  expect(hasCursed(metric, ending, known)).toBe(true);
  const histogram = histogramAnswer(game, metric, ending, await endingOutcomes(common()));
  const answer = PlayedEnding.parse(endingAnswer(game, metric, ending, known, histogram));
  for (const side of [0, 1] as const) {
    const five = [answer.wins, answer.cursedWins, answer.draws, answer.blessedLosses, answer.losses];
    expect(five.map((each) => each[side])).toEqual(counted(side));
    const longest = (most: number) => {
      const plies = codes(side).filter((code) => code > most - 100 && code <= most);
      return plies.length === 0 ? null : Math.max(...plies);
    };
    expect(answer.longestWin[side]).toBe(longest(100));
    const cursed = codes(side).filter((code) => code > 100);
    expect(answer.longestCursedWin[side]).toBe(cursed.length === 0 ? null : Math.max(...cursed));
  }
});

/** A line of forced moves: boards are how many plies are left; `zeroing`: of the moves from these boards. */
async function forced(plies: number, zeroing: readonly number[]) {
  const lineGame = {
    ...game,
    terminal: (left: number) => (left === 0 ? 'lost' : 'open'),
    locate: () => ({ slice: 'line' }),
    slice: () => ({}),
  } as unknown as Game<number>;
  const prober: Prober<number> = {
    metric,
    async probe(left): Promise<Probed<number>> {
      const value = { ...judged({ code: left, precise: true }, 'dtz', 0), code: left };
      const restarts = zeroing.includes(left);
      const move = { uci: '', san: '', board: left - 1, conversion: restarts, restarts, ...value };
      return { ...value, moves: [move] };
    },
    code: async (left) => left,
  };
  const { steps, ruleDrawsAt } = await mainLine(lineGame, prober, plies);
  expect(steps.length).toBe(plies);
  return ruleDrawsAt;
}

test('a line shows where the 50-move rule draws the game', async () => {
  expect(await forced(150, [])).toBe(100);
  expect(await forced(101, [])).toBe(100);
  // The hundredth ply mates.
  expect(await forced(100, [])).toBe(null);
  // The 61st ply zeroes; 90 and 139 follow.
  expect(await forced(151, [91])).toBe(null);
  expect(await forced(200, [140])).toBe(161);
  // The hundredth ply itself zeroes.
  expect(await forced(200, [101])).toBe(null);
});
