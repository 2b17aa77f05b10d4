/** Sequences of batches that are read side by side. */
import { expect, test } from 'vitest';
import { inStep } from '../../operators/in-step.js';

const closed: string[] = [];

async function* batches(name: string, ...all: string[]) {
  try {
    yield* all;
  } finally {
    closed.push(name);
  }
}

async function read(...sequences: AsyncGenerator<string>[]) {
  const found: (string | null)[][] = [];
  for await (const { length, rows } of inStep(...sequences))
    found.push(rows.map((each) => each?.batch.slice(each.at, each.at + length) ?? null));
  return found;
}

test('pieces end where a batch of any sequence does', async () => {
  expect(await read(batches('a', 'abcde', 'fg'), batches('b', 'AB', 'CDEFG'))).toEqual([
    ['ab', 'AB'],
    ['cde', 'CDE'],
    ['fg', 'FG'],
  ]);
});

test('batches may be empty, sequences of other lengths, and there may be no rows', async () => {
  expect(await read(batches('a', '', 'ab', ''), batches('b', 'A'), batches('c'))).toEqual([
    ['a', 'A', null],
    ['b', null, null],
  ]);
  expect(await read(batches('a', ''), batches('b'))).toEqual([]);
  expect(await read()).toEqual([]);
});

test('all sequences are closed, also by a reader that stops', async () => {
  closed.length = 0;
  for await (const _ of inStep(batches('a', 'abc'), batches('b', 'A', 'BC'))) break;
  expect(closed).toEqual(['a', 'b']);
});
