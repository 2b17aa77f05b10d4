/** A program in a process of its own, which prints JSON. */
import { execFileSync } from 'node:child_process';
import { ALLOCATOR } from '../../jobs/runtime/process-memory.js';

/** The JSON that `node ...args` prints, with the allocator of the command line. Throws if the program fails. */
export function runForJson<T>(args: readonly string[]): T {
  const output = execFileSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...ALLOCATOR },
    maxBuffer: 1 << 24,
  });
  return JSON.parse(output.toString()) as T;
}
