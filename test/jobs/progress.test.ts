/** What a run of hundreds of slices shows of itself. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newDisplay } from '../../jobs/ui/progress.js';

let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const named = (n: number) => Array.from({ length: n }, (_, i) => `slice-${i + 1}`);

async function tell(slices: readonly string[]): Promise<string[]> {
  const display = await newDisplay(slices, false);
  for (const [i, slice] of slices.entries())
    display.listen({ type: 'slice', slice, number: i + 1, of: slices.length });
  display.listen({ type: 'trouble', slice: slices.at(-1)!, what: 'disk full' });
  await display.close(false);
  return written.trimEnd().split('\n');
}

test('a few slices are a line each', async () => {
  expect(await tell(named(3))).toEqual([
    ...['slice-1 [1/3]', 'slice-2 [2/3]', 'slice-3 [3/3]', 'slice-3 [3/3] starting; disk full'],
  ]);
});

test('many slices are a line now and then', async () => {
  expect(await tell(named(450))).toEqual(['slice-1 [1/450]', 'slice-450 [450/450] starting; disk full']);
});
