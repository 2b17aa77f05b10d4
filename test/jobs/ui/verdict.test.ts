/**
 * One verdict on every surface: random positions at all half-move clocks, looked up in files that give plies in pairs, are answered with the
 * right outcome or said to be unsure, and no answer contradicts its own list of moves. The truth is from solved tables with exact plies.
 * Files are made by the tests; the long test reads the published ones of 3 and 4 men in the folder MERGEMATE_TEST_SYZYGY, and takes the
 * truth from the store MERGEMATE_TEST_TABLES, or solves it where that is not given.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PositionAnswer } from '../../../jobs/positions/shapes.js';
import type { LichessAnswer } from '../../../jobs/server/lichess-shapes.js';
import { percent } from '../../../jobs/ui/numbers.js';
import { metricWords, pliesText } from '../../../jobs/ui/verdict.js';
import { shownPosition } from '../../../jobs/web/shown-position.js';
import { outcome as moveWords, shadeOf, verdictOf } from '../../../jobs/web/value-words.js';
import { localStore } from '../../../operators/storage/local.js';
import type { Game } from '../../../pipeline/game/game.js';
import { metrics, RULE_PLIES } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { type Category, opposite } from '../../../pipeline/tables/probe/verdict.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { randomNumbers } from '../../pipeline/games/chess/kernel-rows.js';
import { filesOf } from '../../pipeline/games/chess/syzygy/making.js';
import { program, succeed, succeedJson } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { randomPositions } from '../../support/random-positions.js';
import { served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

const published = process.env.MERGEMATE_TEST_SYZYGY ?? '';
const tables = process.env.MERGEMATE_TEST_TABLES ?? '';

interface Judged {
  /** On the command line alone. */
  readonly outcome?: string | undefined;
  readonly plies: number | null;
  readonly precise: boolean;
  readonly category: Category;
}
interface Answer extends Judged {
  readonly fen: string;
  readonly moves: readonly (Judged & { readonly uci: string })[];
}
interface Asked {
  readonly fen: string;
  readonly truth: Category;
}

const UNSURE: Partial<Record<Category, readonly Category[]>> = {
  'maybe-win': ['win', 'cursed-win'],
  'maybe-loss': ['loss', 'blessed-loss'],
};

const isRight = (said: Category, truth: Category) => said === truth || UNSURE[said]?.includes(truth) === true;

/** Whether the best of the moves, for the mover, can make a position be of its category. */
function agrees(said: Category, moves: readonly Category[]): boolean {
  if (moves.length === 0) return true;
  const can = (category: Category) => [category, ...(UNSURE[category] ?? [])];
  // Moves of a sure loss all lose; of a win one must win.
  const [best] = moves;
  return (
    can(best).some((each) => can(said).includes(each)) &&
    (said !== 'loss' || moves.every((each) => each === 'loss'))
  );
}

/** Every other clock is one at which the rule just draws, or just does not. */
async function positionsOf(folder: string, endings: readonly string[], count: number): Promise<Asked[]> {
  const prober = newProber({ game: chess, metric: 'dtz', store: localStore(folder, { durable: false }) });
  const random = randomNumbers(42);
  const asked: Asked[] = [];
  for (const [number, ending] of endings.entries()) {
    for (const [i, board] of randomPositions(ending, count, { seed: number + 1 }).entries()) {
      const code = await prober.code(board);
      const plies = code > 0 ? code : -code - 1;
      const near = RULE_PLIES - plies - 2 + (random() % 5);
      const clock = i % 2 === 0 || code === 0 || near < 0 || near > 99 ? random() % 100 : near;
      const sign = code > 0 ? 'win' : 'loss';
      const ruled = code > 0 ? 'cursed-win' : 'blessed-loss';
      const truth: Category = code === 0 ? 'draw' : clock + plies <= RULE_PLIES ? sign : ruled;
      asked.push({ fen: chess.format({ ...board, counters: { clock, move: 106 } }), truth });
    }
  }
  return asked;
}

/** What each surface says of the positions, in their order. */
async function answersOf(folder: string, asked: readonly Asked[]): Promise<Record<string, readonly Said[]>> {
  const list = join(newFolder(), 'positions.fen');
  writeFileSync(list, asked.map(({ fen }) => `${fen}\n`).join(''));
  const lines = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as never);
  const probed = lines(
    await succeed(['probe', 'chess', '--file', list, '--syzygy', folder, '--json']),
  ) as Answer[];
  const studied = lines(await succeed(['study', list, '--syzygy', folder, '--json'])) as {
    fen: string;
    start: Judged;
  }[];
  const { app } = served(localStore(newFolder(), { durable: false }), {
    syzygy: localStore(folder, { durable: false }),
  });
  const pages: Said[] = [];
  const standard: Said[] = [];
  const batch: Said[] = [];
  for (const { fen } of asked) {
    const query = new URLSearchParams({ game: 'chess', metric: 'dtz', position: fen });
    const page = shownPosition((await (await app.request(`/probe?${query}`)).json()) as PositionAnswer);
    pages.push(sayOf(page, page.moves));
    batch.push(
      byWords(
        verdictOf(page),
        page.moves.map((move) => moveWords(move, 'dtz', 'chess', Number(fen.split(' ')[4]))),
      ),
    );
    const theirs = (await (
      await app.request(`/standard?fen=${encodeURIComponent(fen)}`)
    ).json()) as LichessAnswer;
    standard.push({
      category: theirs.category,
      moves: theirs.moves.map(({ category }) => opposite(category)),
    });
  }
  return {
    'probe --json': probed.map((answer) => sayOf(answer, answer.moves)),
    study: studied.map(({ start }) => sayOf(start, [])),
    '/probe': pages,
    "the page's words": batch,
    '/standard': standard,
  };
}

interface Said {
  readonly category: Category;
  readonly moves: readonly Category[];
}

const sayOf = ({ category }: Partial<Judged>, moves: readonly Partial<Judged>[]): Said => ({
  category: category!,
  moves: moves.map((move) => move.category!),
});

/** The categories that people read. */
function byWords(position: string, moves: readonly string[]): Said {
  const read = (words: string): Category => {
    const isUnsure = words.includes('not sure');
    if (/[Dd]raw(s|:|$)/.test(words) && !words.includes('cursed') && !words.includes('blessed'))
      return 'draw';
    if (words.includes('cursed win')) return 'cursed-win';
    if (words.includes('blessed loss')) return 'blessed-loss';
    if (words.includes('wins')) return isUnsure ? 'maybe-win' : 'win';
    return isUnsure ? 'maybe-loss' : 'loss';
  };
  return { category: read(position), moves: moves.map(read) };
}

/** Wrong answers by surface, and how many are unsure. */
function judge(asked: readonly Asked[], said: Record<string, readonly Said[]>) {
  const wrong: string[] = [];
  const unsure: Record<string, number> = {};
  for (const [surface, answers] of Object.entries(said)) {
    expect(answers.length, surface).toBe(asked.length);
    unsure[surface] = 0;
    for (const [i, { category, moves }] of answers.entries()) {
      const { fen, truth } = asked[i];
      if (UNSURE[category] !== undefined) unsure[surface]++;
      if (!isRight(category, truth)) wrong.push(`${surface}: ${fen} is a ${truth}, said to be a ${category}`);
      if (!agrees(category, moves)) wrong.push(`${surface}: ${fen} is a ${category}, its moves ${moves[0]}`);
      if (category !== said['/probe'][i].category)
        wrong.push(`${surface}: ${fen} is a ${category}, in /probe a ${said['/probe'][i].category}`);
    }
  }
  return { wrong, unsure };
}

describe('files that give plies in pairs', () => {
  const files = newFolder();
  const store = newFolder();
  // Bishop and knight take ten times as long to solve as the pawn.
  const solvedEndings = sweep(['KPK'], ['KBNK']);
  beforeAll(async () => {
    const solved = localStore(store, { durable: false });
    const open = (slice: string) => needTable(solved, chess as Game, 'dtz', slice);
    for (const name of solvedEndings) {
      await putSolved(solved, chess, chess.ending(name).slices, { metric: 'dtz' });
      const made = await filesOf({ store: solved, open, name }, 'halved');
      for (const [file, bytes] of made) writeFileSync(join(files, file), bytes);
    }
  });
  afterAll(() => {
    for (const folder of [files, store]) rmSync(folder, { recursive: true, force: true });
  });

  test('every command and endpoint is right or unsure, and agrees with the others and with its own moves', async () => {
    const asked = await positionsOf(store, [...solvedEndings, 'KQK'], 40);
    const { wrong } = judge(asked, await answersOf(files, asked));
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  const BISHOP_AND_KNIGHT = '8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106';

  const odd = 'a win that ends by mate alone takes an odd number of plies, so the rule draws this one';
  test.skipIf(!LONG)(`${odd}${ifShort}`, async () => {
    const args = ['chess', BISHOP_AND_KNIGHT, '--syzygy', files];
    const answer = await succeedJson<Answer>(['probe', ...args]);
    expect(answer).toMatchObject({ outcome: 'cursed win', plies: 47, precise: true, category: 'cursed-win' });
    expect(answer.moves.filter(({ outcome }) => outcome === 'win')).toEqual([]);
    const text = await succeed(['probe', ...args]);
    expect(text).toContain(
      'White to move: cursed win in 47 plies (mate or zeroing move in 24): a draw by the 50-move rule, with the half-move clock at 54\n',
    );
    const list = join(newFolder(), 'one.fen');
    writeFileSync(list, `${BISHOP_AND_KNIGHT}\n`);
    expect(await succeed(['study', list, '--syzygy', files])).toContain('cursed win in 47 plies');
    expect(
      await succeed(['probe', 'chess', BISHOP_AND_KNIGHT.replace('54', '53'), '--syzygy', files]),
    ).toContain('White to move: wins in 47 plies (mate or zeroing move in 24)\n');
  });

  test('where neither the moves nor the men decide, both numbers are given, marked as unsure', async () => {
    const pawn = (clock: number) => ['chess', `8/4k3/2P5/K7/8/8/8/8 w - - ${clock} 90`, '--syzygy', files];
    const open = await succeedJson<Answer>(['probe', ...pawn(95)]);
    expect(open).toMatchObject({ outcome: 'win', plies: 5, precise: false, category: 'maybe-win' });
    expect(await succeed(['probe', ...pawn(95)])).toContain(
      'White to move: wins in 5 or 6 plies (mate or zeroing move in 3); not sure under the 50-move rule: the half-move clock at 95 leaves 5 plies\n',
    );
    expect(await succeedJson<Answer>(['probe', ...pawn(94)])).toMatchObject({
      precise: false,
      category: 'win',
    });
    expect(await succeedJson<Answer>(['probe', ...pawn(96)])).toMatchObject({ category: 'cursed-win' });
  });
});

describe('the half-move clock decides every verdict', () => {
  const store = newFolder();
  const mates = newFolder();
  beforeAll(async () => {
    const { slices } = chess.ending('KPK');
    const [both, one] = [store, mates].map((folder) => localStore(folder, { durable: false }));
    for (const to of [both, one]) await putSolved(to, chess, slices, { metric: 'dtm', verify: true });
    await putSolved(both, chess, slices, { metric: 'dtz' });
  });
  afterAll(() => {
    for (const folder of [store, mates]) rmSync(folder, { recursive: true, force: true });
  });

  const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 88 100';

  const pageOf = async (folder: string, metric: string, fen: string) => {
    const { app } = served(localStore(folder, { durable: false }));
    const response = await app.request(
      `/probe?${new URLSearchParams({ game: 'chess', metric, position: fen })}`,
    );
    return shownPosition((await response.json()) as PositionAnswer);
  };

  test('under dtm a win that the rule draws is a cursed one where dtz is solved', async () => {
    const words =
      'White to move: cursed win in 15 plies (mate in 8): a draw by the 50-move rule, with the half-move clock at 88';
    expect(await program(store).succeed(['probe', 'chess', QUEEN, '--metric', 'dtm'])).toContain(
      `${words}\n`,
    );
    expect(await program(store).succeed(['probe', '--line', 'chess', QUEEN, '--metric', 'dtm'])).toContain(
      `${words}\n`,
    );
    const page = await pageOf(store, 'dtm', QUEEN);
    expect(verdictOf(page)).toBe(words);
    expect(page).toMatchObject({ wdl: 'cursed win', plies: 15, category: 'cursed-win' });
    expect(page.moves.filter(({ wdl }) => wdl === 'win')).toEqual([]);
    expect(page.moves.map((move) => shadeOf(move, page))).not.toContain('win');
  });

  test('where only dtm is solved, the verdict is unsure, and the clock is the reason', async () => {
    const words =
      'White to move: wins in 15 plies (mate in 8); not sure under the 50-move rule: the half-move clock at 88 leaves 12 plies';
    const page = await pageOf(mates, 'dtm', QUEEN);
    expect(verdictOf(page)).toBe(words);
    expect(page).toMatchObject({ category: 'maybe-win' });
    expect([...new Set(page.moves.map((move) => shadeOf(move, page)))]).toEqual(['maybe-win', 'draw']);
    expect(await program(mates).succeed(['probe', 'chess', QUEEN, '--metric', 'dtm'])).toContain(
      `${words}\n`,
    );
    // The mate comes in time.
    const early = await pageOf(mates, 'dtm', QUEEN.replace('88', '85'));
    expect(early).toMatchObject({ category: 'win', wdl: 'win' });
    expect(verdictOf(early)).toBe('White to move: wins in 15 plies (mate in 8)');
  });

  test('a pawn that moves sets the clock to 0, so its mate comes in time', async () => {
    const fen = '8/2P5/1k6/3K4/8/8/8/8 w - - 96 100';
    for (const folder of [store, mates]) {
      const page = await pageOf(folder, 'dtm', fen);
      expect(page).toMatchObject({ category: 'win', wdl: 'win' });
      expect(page.moves[0]).toMatchObject({ category: 'win' });
      expect(page.moves.some(({ category }) => category !== 'win')).toBe(true);
    }
    const line = await program(mates).succeedJson<{
      line: string[];
      ruleDrawsAt: number | null;
      result: string;
    }>([...['probe', '--line', 'chess', fen, '--metric', 'dtm']]);
    expect(line).toMatchObject({ ruleDrawsAt: null, result: '1-0' });
  });
});

test('every metric has words of its own, which name a mate only where the game has mates', () => {
  const words = metrics.map((metric) => metricWords(metric, chess));
  expect(new Set(words).size).toBe(metrics.length);
  expect(metricWords('dtm50', chess)).toBe('plies to mate under the 50-move rule, for every half-move clock');
  expect([chess, { metrics: ['dtw'] as const }].map((game) => metricWords('dtc', game))).toEqual([
    'plies to mate or to a move that leaves the ending',
    'plies to the end of the game or to a move that leaves the ending',
  ]);
});

test('a problem whose solutions may lead through the unknown has the words of problems on the page', () => {
  const value = { outcome: 'no solution', plies: null, solutions: 0 } as const;
  const answer = shownPosition({
    game: 'chess',
    metric: 'help',
    position: '8/8/8/3k4/4p3/4P3/8/3K4 b - - 0 1',
    slice: 'KPvKP_d3d4_m0.KPvKP.34.lo',
    root: 'KPvKP_d3d4_m0',
    mover: 'black',
    over: false,
    winner: null,
    diagram: '',
    ...value,
    most: { outcome: 'solved', plies: 6 },
    moves: [{ move: 'Kd6', position: '', ...value, most: { outcome: 'solved', plies: 7 } }],
  });
  const words = 'h#3 or longer, or no solution';
  expect([answer.ending, verdictOf(answer), shadeOf(answer, answer)]).toEqual([
    'KPKP',
    `Black to move: ${words}`,
    'unknown',
  ]);
  expect(moveWords(answer.moves[0], 'help', 'chess', 0)).toBe(words);
});

test('percentages are never rounded to 0 or 100, and one ply is singular', () => {
  expect(percent(2, 1_500_000)).toBe('< 0.01 %');
  expect(percent(1_499_998, 1_500_000)).toBe('> 99.99 %');
  expect([percent(0, 7), percent(7, 7), percent(1, 3)]).toEqual(['0 %', '100 %', '33.33 %']);
  expect([pliesText(1), pliesText(2), pliesText(1234)]).toEqual(['1 ply', '2 plies', '1,234 plies']);
});

describe.skipIf(!LONG || published === '')(
  `the published files of 3 and 4 men${published === '' ? ' (skipped: MERGEMATE_TEST_SYZYGY is not given)' : LONG ? '' : ' (skipped: MERGEMATE_TEST_LONG is not 1)'}`,
  () => {
    test('150 positions of each of the 35 endings are right or unsure on every surface', {
      timeout: 3_600_000,
    }, async () => {
      const endings = readdirSync(published)
        .filter((name) => /^K[A-Z]*vK[A-Z]*\.rtbw$/.test(name) && name.length <= 'KQQvK.rtbw'.length)
        .map((name) => name.replace('.rtbw', '').replace('v', ''));
      expect(endings.length).toBe(35);
      const store = tables === '' ? newFolder() : tables;
      if (tables === '')
        await program(store).succeed(['solve', 'chess', '--men', '4', '--metric', 'dtz', '--no-verify']);
      const asked = await positionsOf(store, endings, 150);
      expect(asked.length).toBe(5250);
      const { wrong, unsure } = judge(asked, await answersOf(published, asked));
      process.stdout.write(`unsure of ${asked.length}: ${JSON.stringify(unsure)}\n`);
      expect(wrong.slice(0, 10)).toEqual([]);
    });
  },
);
