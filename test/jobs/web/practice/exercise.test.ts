/** Drawn exercises are positions in which something can be done wrong, however rare such positions are. */
import { expect, test } from 'vitest';
import type { GameAnswer, PlayedEnding } from '../../../../jobs/server/api-answers.js';
import { newExercise } from '../../../../jobs/web/practice/exercise.js';
import type { ShownMove, ShownPosition, TableSource } from '../../../../jobs/web/source.js';

const move = (uci: string, wdl: ShownMove['wdl']) => ({ uci, wdl }) as ShownMove;
const drawn = (...moves: ShownMove[]) => ({ wdl: 'draw', isOver: false, moves }) as unknown as ShownPosition;
const EASY = drawn(move('a1a2', 'draw'), move('a1b1', 'draw'));
const SHARP = drawn(move('a1a2', 'draw'), move('a1b1', 'loss'));

/** A source whose positions are all easy but the one with this number. */
function sourceOf(sharp: number): { source: TableSource; looked(): number } {
  let looked = 0;
  const source = {
    positions: async () => ({ positions: [{ position: '' }] }),
    probe: async () => [looked++ === sharp ? SHARP : EASY],
  };
  return { source: source as unknown as TableSource, looked: () => looked };
}

const wanted = {
  game: { name: 'chess', colours: ['white', 'black'] } as unknown as GameAnswer,
  metric: 'dtm',
  ending: { ending: 'KPK', draws: [100, 100] } as unknown as PlayedEnding,
  goal: 'draw',
  difficulty: 'hard',
} as const;

test('more positions are looked up where the first of them are easy', async () => {
  const late = sourceOf(40);
  expect(await newExercise(late.source, wanted)).toBe(SHARP);
  expect(late.looked()).toBe(41);
  const early = sourceOf(0);
  expect(await newExercise(early.source, wanted)).toBe(SHARP);
  expect(early.looked()).toBe(8);
});

test('an ending in which every move holds has no exercise', async () => {
  const never = sourceOf(-1);
  expect(await newExercise(never.source, wanted)).toBe(null);
  expect(never.looked()).toBe(64);
});
