/** Output of commands: text, JSON and lines. */
import { once } from 'node:events';

/** Writes to stdout; resolves when more may be written. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** One JSON value on a line of its own. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value)}\n`);
}

/**
 * Lets signals, timers and messages through. File operations are synchronous inside, so that a loop over a table would
 * else keep the event loop from turning until it ends.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
