/** Views of the page ask their stores and the source alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('no view fetches by itself, or looks for elements of other views', () => {
  const views = readdirSync('jobs/web', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      // The monitor is a page of its own.
      file.endsWith('.tsx') && !file.startsWith('monitor-page'),
  );
  expect(views.length).toBeGreaterThan(10);
  const reaching = views.filter((file) =>
    /\bfetch\(|document\.(?:querySelector|getElementById)/.test(readFileSync(join('jobs/web', file), 'utf8')),
  );
  expect(reaching).toEqual([]);
});
