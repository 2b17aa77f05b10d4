/** Tables of problem chess over HTTP: values with numbers of solutions, positions by them, and the solutions. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { PositionAnswer, PositionsAnswer, SolutionsAnswer } from '../../../jobs/positions/shapes.js';
import { EndingAnswer } from '../../../jobs/server/api-answers.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { problemStats } from '../../../pipeline/analysis/problem-stats.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { openNumbers } from '../../../pipeline/tables/numbers.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { ifShort, LONG } from '../../support/long.js';
import { publishWhole } from '../../support/publishing.js';
import { type Served, served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

const SOUND = '8/8/7k/6Q1/8/8/8/K7 b - - 0 1';
let server: Served;

const store = memoryStore();

beforeAll(async () => {
  await putSolved(store, chess.sided!, chess.sided!.ending('KQvK').slices, { metric: 'help' });
  await putSolved(store, chess, ['KQK'], { metric: 'dtm' });
  server = served(store);
});

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const response = await server.app.request(`${path}?${new URLSearchParams({ game: 'chess', ...query })}`);
  return (await response.json()) as T;
}
const help = { metric: 'help' };

describe('/probe', () => {
  it('has the number of solutions of the position and behind each move', async () => {
    const answer = await get<PositionAnswer>('/probe', { ...help, position: SOUND });
    expect(answer).toMatchObject({
      metric: 'help',
      slice: 'KQvK',
      outcome: 'solved',
      plies: 12,
      solutions: 1,
    });
    expect(answer.moves.map(({ san, plies, solutions }) => [san, plies, solutions])).toEqual([
      ['Kh7', 12, 1],
      ['Kxg5', null, 0],
    ]);
  });

  it('has values under it beside those of other metrics', async () => {
    const { metrics } = await get<PositionAnswer>('/probe', { position: SOUND });
    expect(metrics).toMatchObject({
      dtm: { outcome: 'draw' },
      help: { outcome: 'solved', plies: 12, solutions: 1 },
    });
  });
});

describe('/api/positions', () => {
  it('finds positions by plies and number of solutions', async () => {
    const { positions, more } = await get<PositionsAnswer>('/api/positions', {
      ...help,
      ending: 'KQvK',
      plies: '12',
      solutions: '1',
    });
    expect([positions.length, more]).toEqual([3, false]);
    expect(positions.map(({ position }) => position)).toContain(SOUND);
    for (const each of positions)
      expect(each).toMatchObject({ mover: 'black', outcome: 'solved', plies: 12, solutions: 1 });
  });

  it('finds them by their first and last moves, page by page', async () => {
    const asked = { ...help, ending: 'KQvK', solutions: '2..9', starts: '2', ends: '1', plies: '6' };
    const all = await get<PositionsAnswer>('/api/positions', asked);
    expect(all.positions.length).toBeGreaterThan(3);
    for (const { position, solutions } of all.positions.slice(0, 3)) {
      const { lines } = await get<SolutionsAnswer>('/api/solutions', { ...help, position });
      expect(lines.length).toBe(solutions);
      expect(new Set(lines.map((line) => line[0].uci)).size).toBe(2);
      expect(new Set(lines.map((line) => line.at(-1)!.uci)).size).toBe(1);
    }
    const rest = await get<PositionsAnswer>('/api/positions', { ...asked, skip: '1', limit: '2' });
    expect(rest.positions).toEqual(all.positions.slice(1, 3));
  });

  it.each([
    [{ solutions: 'one' }, 'solutions: "one" is neither a number nor a range such as 10..19'],
    [
      { metric: 'dtm', ending: 'KQK', solutions: '1' },
      'metric dtm holds no numbers of solutions to select by',
    ],
    [{ metric: 'dtm', ending: 'KQK', ends: '1' }, 'metric dtm holds no solutions to select by'],
    [{ zugzwang: 'true' }, 'problems have no zugzwangs: both sides play for one goal'],
  ])('refuses %o', async (query, error) => {
    const answer = await get<{ error: string }>('/api/positions', { ...help, ending: 'KQvK', ...query });
    expect(answer).toEqual({ error });
  });
});

describe('/api/solutions', () => {
  it('has the lines, and tells whether there are more', async () => {
    const { lines, more, position, solutions } = await get<SolutionsAnswer>('/api/solutions', {
      ...help,
      position: SOUND,
    });
    expect([lines.length, more, position, solutions]).toEqual([1, false, SOUND, 1]);
    expect(lines[0].map(({ san }) => san).join(' ')).toBe('Kh7 Kb2 Kh8 Kc3 Kh7 Kd4 Kh8 Ke5 Kh7 Kf6 Kh8 Qg7#');
    const many = { ...help, position: '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1', limit: '7' };
    expect(await get<SolutionsAnswer>('/api/solutions', many)).toMatchObject({
      more: true,
      lines: { length: 7 },
    });
  });

  it('is for metrics with numbers', async () => {
    expect(await get('/api/solutions', { metric: 'dtm', position: SOUND })).toEqual({
      error: 'metric dtm holds no solutions: ask for its main line',
    });
  });
});

it.skipIf(!LONG)(`answers from published files as from tables${ifShort}`, async () => {
  const tables = memoryStore();
  const { slices } = chess.sided!.ending('KQvK');
  await putSolved(tables, chess.sided!, slices, { metric: 'help' });
  await putSolved(tables, chess, ['KQK'], { metric: 'dtm' });
  const to = memoryStore();
  const made = { game: chess as Game, store: tables, to } as const;
  await publishWhole({ ...made, slices, metric: 'help', codec: 'bytes' });
  await publishWhole({ ...made, slices: ['KQK'], metric: 'dtm', codec: 'rows' });
  const { app } = served(memoryStore(), { published: to });
  const asked = async (path: string, query: Record<string, string>) => {
    const response = await app.request(`${path}?${new URLSearchParams({ game: 'chess', ...query })}`);
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };
  for (const position of [SOUND, '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1', '7k/5K2/6Q1/8/8/8/8/8 b - - 0 1'])
    for (const path of ['/probe', '/api/solutions'])
      expect(await asked(path, { ...help, position })).toEqual([200, await get(path, { ...help, position })]);
  const [, games] = await asked('/api/games', {});
  expect(games).toMatchObject([{ name: 'chess', metrics: ['wdl', 'help'] }]);
  const [, { metrics }] = await asked('/probe', { position: SOUND });
  expect(metrics).toMatchObject({ help: { plies: 12, outcome: 'solved' } });
  expect(await asked('/probe', { ...help, position: '8/8/7k/6R1/8/8/8/K7 b - - 0 1' })).toEqual([
    404,
    { error: 'there is no help table of KRvK here' },
  ]);
});

it('lists endings by the names that tell which side mates', async () => {
  const endings = await get<EndingAnswer[]>('/api/endings', help);
  expect(endings.map(({ ending }) => ending)).toContain('KQvK');
});

it('counts what has a solution, and what has none, of endings and by plies as the statistics do', async () => {
  const game = chess.sided! as Game;
  const ending = game.ending('KQvK');
  const { white, black } = await problemStats({
    game,
    metric: 'help',
    ending,
    open: (slice) => needTable(store, game, 'help', slice),
    numbers: (table) => openNumbers(store, table),
    report: async () => {},
  });
  const sides = [white, black];
  const answers = await get<unknown[]>('/api/endings', help);
  const answer = answers.map((each) => EndingAnswer.parse(each)).find((each) => each.ending === 'KQvK');
  expect(answer).toEqual({
    ending: 'KQvK',
    slices: ending.slices,
    pieces: 3,
    positions: white.positions + black.positions,
    solvable: sides.map(({ solvable }) => solvable),
    unsolvable: sides.map(({ positions, solvable }) => positions - solvable),
    longest: sides.map(({ longest }) => longest?.plies ?? null),
    verified: false,
  });
  const histogram = await get('/api/histogram', { ...help, ending: 'KQvK' });
  expect(histogram).toEqual({
    ending: 'KQvK',
    sides: sides.map(({ byPly, positions, solvable }) => ({
      solvable: Object.entries(byPly).map(([plies, count]) => [Number(plies), count]),
      unsolvable: positions - solvable,
    })),
    longest: sides.map(({ longest }) => longest?.fen ?? null),
  });
});
