/** Output of commands: text for people, and data for programs. */
import { once } from 'node:events';
import { visibleLines } from '../ui/escaped.js';
import { io } from './io.js';

/** Writes text for people to the output, with escapes for signs that a terminal would obey; resolves when more may be written. */
export function print(text: string): Promise<void> {
  return printData(visibleLines(text));
}

/** Writes text to the output as it is: for programs, which read names as they are written. Resolves when more may be written. */
export async function printData(text: string): Promise<void> {
  const { out } = io;
  if (!out.write(text)) await once(out, 'drain');
}

/** Writes a line about the work to stderr. */
export function note(line: string): void {
  io.err.write(`${visibleLines(line)}\n`);
}

/** One JSON value on a line of its own. */
export function printJson(value: unknown): Promise<void> {
  return printData(`${JSON.stringify(value)}\n`);
}

/**
 * Lets signals, timers and messages through. File operations are synchronous inside, so that a loop over a table would
 * else keep the event loop from turning until it ends.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
