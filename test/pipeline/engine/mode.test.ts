/** The mode in which a slice is solved, and the reason that people are given. */
import { expect, test } from 'vitest';
import { type ModeChoice, modeOfKernels } from '../../../pipeline/engine/crew/mode.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { MiB } from '../../support/solving.js';

const choice: ModeChoice = { task: 'solve', metric: 'dtw', strategy: 'count', memory: 64 * MiB, workers: 1 };

test('kernels for memory are used by one worker, under count, if the slice fits', () => {
  const slice = { ...checkers.slice('2100'), parts: 2 };
  const why = (change: Partial<ModeChoice>) => modeOfKernels(slice, { ...choice, ...change });
  expect(why({})).toEqual({ mode: 'memory', why: 'it fits the memory' });
  expect(why({ memory: 1024 })).toEqual({ mode: 'streaming', why: 'it does not fit the memory' });
  expect(why({ workers: 2 })).toEqual({ mode: 'streaming', why: 'several workers share it' });
  expect(why({ strategy: 'lookup' })).toEqual({ mode: 'streaming', why: 'losses are found by lookup' });
  expect(why({ strategy: 'lookup', task: 'verify' }).mode).toBe('memory');
});

test('a slice of one part is never shared, however many workers there are', () => {
  expect(modeOfKernels(checkers.slice('2100'), { ...choice, workers: 8 }).mode).toBe('memory');
});

test('chess streams, but for dtm50', () => {
  const slice = chess.slice('KRK');
  expect(modeOfKernels(slice, { ...choice, metric: 'dtm' }).mode).toBe('streaming');
  expect(modeOfKernels(slice, { ...choice, metric: 'dtm50' })).toEqual({
    mode: 'memory',
    why: 'dtm50 is solved in memory only',
  });
});
