/** What this system tells of processes, beside what Node does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cpuOfThread, onSignal, peakOfProgram, startOfProcess } from '../../../jobs/run/platform.js';

test.skipIf(!existsSync('/proc/self/stat'))('Linux tells of threads, memory and starts', async () => {
  const { user, system } = process.cpuUsage();
  expect(cpuOfThread()).toBeGreaterThan(0);
  expect(cpuOfThread()).toBeLessThan(2 * (user + system));
  expect(peakOfProgram()).toBeGreaterThanOrEqual(process.memoryUsage.rss() / 2);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const began = startOfProcess(child.pid!);
  expect(began).toMatch(/^\d+$/);
  expect(startOfProcess(child.pid!)).toBe(began);
  expect(Number(began)).toBeGreaterThanOrEqual(Number(startOfProcess(process.pid)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startOfProcess(child.pid!)).toBeNull();
});

test('a signal that the system has not is never heard', () => {
  expect(() => onSignal('SIGNONE' as NodeJS.Signals, () => {})).not.toThrow();
});
