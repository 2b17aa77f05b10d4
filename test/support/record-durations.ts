/**
 * Writes how long test files take into test/durations.json, for the files of a run:
 * `MERGEMATE_TEST_LONG=1 npx vitest run --reporter=default --reporter=./test/support/record-durations.ts`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const FILE = 'test/durations.json';
/** Files that take less begin in any order. */
const LEAST_SECONDS = 10;

export default class DurationRecorder implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const known = new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>));
    for (const each of modules) {
      const seconds = Math.round(each.diagnostic().duration / 1000);
      const name = relative('test', each.moduleId);
      if (seconds < LEAST_SECONDS) known.delete(name);
      else known.set(name, seconds);
    }
    const sorted = [...known]
      .filter(([name]) => existsSync(join('test', name)))
      .sort(([, a], [, b]) => b - a);
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}
