/**
 * What a command reads, what it writes to, and how it ends: the standard streams and the end of its process, unless `run`
 * (command-line.ts) is given others, as it is by tests. One command runs at a time, so all of its code shares them.
 */
import type { Readable, Writable } from 'node:stream';

interface Output extends Writable {
  readonly isTTY?: boolean;
  /** Width of a terminal, in characters. */
  readonly columns?: number;
}

export interface CommandIo {
  readonly in: Readable;
  readonly out: Output;
  readonly err: Output;
  /** Ends the command at once, in the middle of what it does. */
  exit(code: number): never;
}

export const processIo: CommandIo = {
  // Node opens each of its streams when it is first read.
  get in() {
    return process.stdin;
  },
  get out() {
    return process.stdout;
  },
  get err() {
    return process.stderr;
  },
  exit: (code) => process.exit(code),
};

export let io = processIo;

export function setIo(given: CommandIo): void {
  io = given;
}
