/** What this system tells of processes, beside what Node does. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cpuOfThread, onSignal, peakOfProgram } from '../../../jobs/runtime/platform.js';

test.skipIf(!existsSync('/proc/self/stat'))('Linux tells of threads and memory', () => {
  const { user, system } = process.cpuUsage();
  expect(cpuOfThread()).toBeGreaterThan(0);
  expect(cpuOfThread()).toBeLessThan(2 * (user + system));
  expect(peakOfProgram()).toBeGreaterThanOrEqual(process.memoryUsage.rss() / 2);
});

test('a signal that the system has not is never heard', () => {
  expect(() => onSignal('SIGNONE' as NodeJS.Signals, () => {})).not.toThrow();
});
