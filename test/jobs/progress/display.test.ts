/** Display of a run's progress: of few slices, of hundreds, and of several at once. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { processIo, setIo } from '../../../jobs/cli/io.js';
import { AtWork } from '../../../jobs/progress/at-work.js';
import { newDisplay } from '../../../jobs/progress/display.js';

let written = '';
beforeEach(() => {
  written = '';
  const err = new Writable({
    write(text, _encoding, done) {
      written += String(text);
      done();
    },
  });
  setIo({ ...processIo, err });
});
afterEach(() => setIo(processIo));

const named = (n: number) => Array.from({ length: n }, (_, i) => `slice-${i + 1}`);

async function linesOf(slices: readonly string[]): Promise<string[]> {
  const display = await newDisplay(slices, false);
  for (const [i, slice] of slices.entries()) {
    if (i > 0) display.listen({ type: 'finished', slice: slices[i - 1] });
    display.listen({ type: 'slice', slice, number: i + 1, of: slices.length });
  }
  display.listen({ type: 'trouble', slice: slices.at(-1)!, what: 'disk full' });
  await display.close(false);
  return written.trimEnd().split('\n');
}

test('few slices get a line each', async () => {
  expect(await linesOf(named(3))).toEqual([
    ...['slice-1 [1/3]', 'slice-2 [2/3]', 'slice-3 [3/3]', 'slice-3 [3/3] starting; disk full'],
  ]);
});

test('many slices share a line now and then', async () => {
  expect(await linesOf(named(450))).toEqual(['slice-1 [1/450]', 'slice-450 [450/450] starting; disk full']);
});

test('a line has the step of every slice at work', () => {
  let now = 0;
  const atWork = new AtWork(() => now);
  const begin = (slice: string, number: number) => atWork.follow({ type: 'slice', slice, number, of: 2000 });
  expect(atWork.describe()).toBe('');
  begin('a', 1);
  expect(atWork.describe()).toBe('a [1/2000] starting');
  begin('b', 2);
  atWork.follow({ type: 'phase', slice: 'a', phase: 'enumerate', total: 200 });
  atWork.follow({ type: 'work', slice: 'a', done: 50 });
  atWork.follow({ type: 'phase', slice: 'b', phase: 'rounds', total: 1000 });
  now = 500;
  atWork.follow({ type: 'round', slice: 'b', ply: 7, requests: 900, labelled: 300 });
  atWork.follow({ type: 'work', slice: 'b', done: 77 });
  expect(atWork.describe()).toBe('0 of 2,000 finished, 2 at work: a enumerate 25 %, b round 8');
  atWork.follow({ type: 'finished', slice: 'a' });
  now = 1000;
  expect(atWork.describe()).toBe(
    'b [2/2000] round 8: 300 of 1,000 positions labelled, 300 positions/s, 1.80 k requests/s, at most 2.3 s left of the rounds',
  );
  for (const [i, slice] of [...'cdefg'].entries()) begin(slice, 3 + i);
  expect(atWork.describe()).toBe(
    '1 of 2,000 finished, 6 at work: b round 8, c starting, d starting, e starting, 2 more',
  );
});

test('a step says what is left of it as long as that is a second or more', () => {
  let now = 0;
  const atWork = new AtWork(() => now);
  atWork.follow({ type: 'slice', slice: 'a', number: 1, of: 1 });
  atWork.follow({ type: 'phase', slice: 'a', phase: 'enumerate', total: 1000 });
  now = 1000;
  atWork.follow({ type: 'work', slice: 'a', done: 400 });
  expect(atWork.describe()).toContain('400 positions/s, 1.5 s left of this step');
  atWork.follow({ type: 'work', slice: 'a', done: 590 });
  expect(atWork.describe()).toBe('a [1/1] enumerate 99 %, 990 positions/s');
  atWork.follow({ type: 'work', slice: 'a', done: 10 });
  expect(atWork.describe()).toBe('a [1/1] enumerate 100 %, 1.00 k positions/s');
});

test('every few seconds a line lists all slices at work', async () => {
  vi.useFakeTimers();
  try {
    const slices = named(3);
    const display = await newDisplay(slices, false, 2);
    for (const number of [1, 2]) display.listen({ type: 'slice', slice: slices[number - 1], number, of: 3 });
    vi.advanceTimersByTime(4000);
    display.listen({ type: 'work', slice: 'slice-1', done: 1 });
    vi.advanceTimersByTime(1500);
    display.listen({ type: 'phase', slice: 'slice-2', phase: 'convert', total: null });
    display.listen({ type: 'finished', slice: 'slice-1' });
    expect(written.trimEnd().split('\n')).toEqual([
      ...['slice-1 [1/3]', 'slice-2 [2/3]', '0 of 3 finished, 2 at work: slice-1 starting, slice-2 convert'],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

describe('a game whose positions are found', () => {
  let now = 0;
  const game = () => {
    now = 0;
    const atWork = new AtWork(() => now);
    atWork.follow({ type: 'slice', slice: 'g', number: 1, of: 1 });
    return {
      phase: (phase: string, total: number | null) =>
        atWork.follow({ type: 'phase', slice: 'g', phase, total }),
      work: (done: number, at: number) => {
        now = at;
        atWork.follow({ type: 'work', slice: 'g', done });
      },
      line: () => atWork.describe(),
    };
  };

  test('has the time left in all, as a guess from the growth of its layers', () => {
    const { phase, work, line } = game();
    phase('import', null);
    const layers = [2000, 20_000, 100_000, 250_000];
    for (const [i, positions] of layers.entries()) {
      phase(`layer ${i}`, positions);
      // 10,000 positions a second.
      if (i < 3) work(positions, now + positions / 10);
      if (i < 3) expect(line()).not.toContain('left in all');
    }
    work(50_000, now + 5000);
    // Growth: 3.5 over two layers, falls by half: layers ahead of 442,000, 390,000, 172,000, 38,000 and so on.
    expect(line()).toMatch(
      /^g \[1\/1\] layer 3 20 %, 10\.0 k positions\/s, .*; about [0-9]+ min [0-9]{2} s left in all, if layers shrink as they grew$/,
    );
    const seconds = Number(/about ([0-9]+) min ([0-9]+) s/.exec(line())![1]) * 60;
    expect(seconds).toBeGreaterThan(120);
    expect(seconds).toBeLessThan(360);
    // What follows is no guess of layers any more.
    phase('index', 1000);
    expect(line()).toMatch(/^g \[1\/1\] index 0 %; about [0-9.]+ s left in all$/);
    now += 1e6;
    expect(line()).toBe('g [1/1] index 0 %');
  });

  test('has none while layers grow faster and faster, which an endless game may do', () => {
    const { phase, work, line } = game();
    for (const [i, positions] of [2000, 4000, 9000, 30_000].entries()) {
      phase(`layer ${i}`, positions);
      work(positions / 2, now + 1000);
    }
    expect(line()).not.toContain('left in all');
  });

  test('is guessed by the speed of this process, where an earlier one found the first layers', () => {
    const { phase, work, line } = game();
    for (const [i, positions] of [40_000, 30_000, 20_000, 10_000].entries()) phase(`layer ${i}`, positions);
    now = 1000;
    phase('layer 4', 3000);
    work(1500, 2500);
    // 1,000 positions a second; 1,500 of the layer are left, and some thousand behind it.
    expect(line()).toMatch(/about 5[0-9]\.[0-9] s left in all, if layers shrink as they grew$/);
  });
});
