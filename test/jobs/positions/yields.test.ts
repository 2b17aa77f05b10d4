/** Queries of positions let others through: a bounded number of boards is made between two pauses, whatever is asked. */
import { beforeAll, expect, test } from 'vitest';
import { positionsAnswer } from '../../../jobs/positions/answer.js';
import { answerText } from '../../../jobs/positions/lines.js';
import { lineFormats } from '../../../jobs/positions/names.js';
import type { PositionsQuery } from '../../../jobs/positions/query.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { putSolved } from '../../support/solving.js';

const BOARDS = 1024;

let store: Store;
beforeAll(async () => {
  store = memoryStore();
  await putSolved(store, chess, chess.ending('KPK').slices);
});

async function mostBetweenPauses(query: PositionsQuery, skip: number, limit: number) {
  let [boards, most, pauses] = [0, 0, 0];
  const game: Game = {
    ...(chess as Game),
    board(...at) {
      boards++;
      return (chess as Game).board(...at);
    },
  };
  const report = async () => {
    most = Math.max(most, boards);
    boards = 0;
    pauses++;
  };
  const open = (slice: string) => needTable(store, game, 'dtm', slice);
  const ending = chess.ending('KPK');
  const answer = await positionsAnswer({ game, metric: 'dtm', ending, open, report }, query, { skip, limit });
  return { most: Math.max(most, boards), pauses, answer, report };
}

test.each<[string, PositionsQuery, number, number]>([
  ['many positions of the first stretch', { result: 'win' }, 0, 10_000],
  ['a few positions far behind', { result: 'win' }, 50_000, 10],
  ['where men stand, which few do', { on: 'Ka8 Pa2' }, 0, 100],
  ['where men stand, behind many that do', { on: 'Ka1' }, 5000, 100],
  ['mutual zugzwangs', { zugzwang: true }, 0, 100],
])('%s', async (_, query, skip, limit) => {
  const { most, pauses } = await mostBetweenPauses(query, skip, limit);
  expect(most).toBeLessThanOrEqual(BOARDS);
  expect(pauses).toBeGreaterThan(0);
});

test.each(lineFormats)('an answer is written as %s with pauses', async (format) => {
  const { answer } = await mostBetweenPauses({ result: 'win' }, 0, 10_000);
  let pauses = 0;
  const text = await answerText(format, answer, async () => void pauses++);
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(10_000 / 512));
  expect(text).toBe(await answerText(format, answer));
});

test('the columns of a file do not depend on whether positions were found', async () => {
  const answer = {
    game: 'chess',
    metric: 'help',
    ending: 'KQvK',
    skip: 0,
    positions: [],
    more: false,
  } as const;
  expect((await answerText('csv', { ...answer, positions: [] })).trim()).toBe(
    'slice,position,mover,outcome,plies,solutions,weight',
  );
});
