import { expect, it } from 'vitest';
import { type Closings, newClosings } from '../../../operators/runs/closings.js';
import type { RunInfo, RunWriter } from '../../../operators/runs/writer.js';

/** A run whose publishing ends when the test says so. */
function newRun(name: string) {
  let publish = () => {};
  let fail = (_error: Error) => {};
  const added = new Promise<void>((resolve, reject) => {
    publish = resolve;
    fail = reject;
  });
  const did: string[] = [];
  const run = {
    async close() {
      did.push('close');
      await added;
      return { name } as RunInfo;
    },
    async abort() {
      did.push('abort');
    },
  } as RunWriter;
  return { run, did, publish, fail };
}

async function addAll(closings: Closings, runs: readonly ReturnType<typeof newRun>[], published: string[]) {
  for (const { run } of runs) await closings.add(run, ({ name }) => published.push(name));
}

it('runs are published in the background, and settle() waits for all', async () => {
  const closings = newClosings();
  const runs = ['a', 'b', 'c'].map(newRun);
  const published: string[] = [];
  await addAll(closings, runs, published);
  expect(runs.map(({ did }) => did)).toEqual([['close'], ['close'], ['close']]);
  expect(published).toEqual([]);
  runs[1].publish();
  const settled = closings.settle();
  runs[2].publish();
  runs[0].publish();
  await settled;
  expect(published.sort()).toEqual(['a', 'b', 'c']);
});

it('add() waits while too many runs are being closed', async () => {
  const closings = newClosings();
  const runs = ['a', 'b', 'c', 'd', 'e'].map(newRun);
  const published: string[] = [];
  let added = false;
  const adding = addAll(closings, runs, published).then(() => {
    added = true;
  });
  while (runs[4].did.length === 0) await new Promise(setImmediate);
  expect(added).toBe(false);
  runs[0].publish();
  await adding;
  expect(published).toEqual(['a']);
  for (const { publish } of runs) publish();
  await closings.settle();
  expect(published).toHaveLength(5);
});

it('a run that fails to close is aborted, and the error is thrown once all have ended', async () => {
  const closings = newClosings();
  const runs = ['a', 'b', 'c'].map(newRun);
  const published: string[] = [];
  await addAll(closings, runs, published);
  runs[1].fail(new Error('no room'));
  runs[0].publish();
  const settled = closings.settle();
  runs[2].publish();
  await expect(settled).rejects.toThrow('no room');
  expect(runs.map(({ did }) => did)).toEqual([['close'], ['close', 'abort'], ['close']]);
  expect(published.sort()).toEqual(['a', 'c']);
  await closings.settle();
});

it('abandon() waits for all and throws nothing', async () => {
  const closings = newClosings();
  const runs = ['a', 'b'].map(newRun);
  const published: string[] = [];
  await addAll(closings, runs, published);
  runs[0].fail(new Error('no room'));
  runs[1].publish();
  await closings.abandon();
  expect(published).toEqual(['b']);
});
