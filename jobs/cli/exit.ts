/** Ends of the process: exit codes, the one line on stderr, and work to be done whichever way the process ends. */

import { writeSync } from 'node:fs';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { limitError } from '../../operators/storage/errno.js';
import { isInUse } from '../../operators/storage/platform.js';
import { onSignal } from '../run/platform.js';
import { visible } from '../ui/escaped.js';
import { errorText } from './error-text.js';

export const ExitCode = {
  ok: 0,
  /** The answer is no: a wrong table, a broken contract, damage that was found, tables that differ. */
  no: 1,
  /** Wrong use, wrong input, or surroundings that do not let the command do its work. */
  failed: 2,
  bug: 70,
  /** Code of a rank that is to be started again: the store did not answer, or another reason that may pass. */
  again: 75,
  interrupted: 130,
  hungUp: 129,
  terminated: 143,
} as const;

/** A thread that does not end for so long is left to the end of the process. */
const HALT_MS = 2000;

const tidiers = new Set<() => void>();
const halts = new Set<() => Promise<unknown>>();
let ending: (() => Promise<unknown>) | undefined;
let stopping = false;
let answer = (): void => {};
/** The exit code once the process was interrupted in the middle of what it did. */
let interrupted: number | undefined;
let interruption = 'nothing was changed';
let suspect: string | undefined;

/** Runs `tidy` (synchronous) when the process ends, unless the returned function was called, which runs it now. */
export function tidyAtExit(tidy: () => void): () => void {
  tidiers.add(tidy);
  return () => {
    if (!tidiers.delete(tidy)) return;
    try {
      tidy();
    } catch (error) {
      if (!isInUse(error)) throw error;
      // What is still open is removed when the process ends, or by the next run.
      tidiers.add(tidy);
    }
  };
}

/**
 * A signal has this process wait for `halt` before it tidies up: threads that work would write behind it. To be taken back
 * by the returned function when there is nothing to halt any more.
 */
export function haltAtSignal(halt: () => Promise<unknown>): () => void {
  halts.add(halt);
  return () => void halts.delete(halt);
}

/**
 * Makes a signal the regular end of a command that runs until it is stopped: exit code 0 once `end` is done. A second signal
 * ends it at once.
 */
export function endAtSignal(end: () => Promise<unknown>): void {
  ending = end;
}

/** Sets the part of the line printed on Ctrl-C that describes the state on disk. */
export function sayWhenInterrupted(text: string): void {
  interruption = text;
}

/** Sets the advice that follows an internal error while a user's rules run: `text` describes how to find out whether the rules caused it. */
export function sayWhenBroken(text: string): void {
  suspect = text;
}

/** Does what the end of the process waits for. */
export function tidyUp(): void {
  for (const tidy of tidiers) {
    try {
      tidy();
    } catch {
      // Leftovers are removed by the next run.
    }
  }
  tidiers.clear();
}

const STOPS = {
  SIGINT: ['interrupted', ExitCode.interrupted],
  SIGTERM: ['terminated', ExitCode.terminated],
  SIGHUP: ['hung up', ExitCode.hungUp],
} as const;

/** A signal that ends the process. */
export type StopSignal = keyof typeof STOPS;

/** The signals that this process handles: none before {@link watchProcess}. */
export function stopSignals(): StopSignal[] {
  return (Object.keys(STOPS) as StopSignal[]).filter((signal) => process.listenerCount(signal) > 0);
}

/** Has `call` called for each signal that the event loop gets to handle. */
export function whenAnswered(call: () => void): void {
  answer = call;
}

/**
 * Does all but the last of what a signal does, in the middle of something that does not come back to the event loop: the caller
 * terminates it, and the process ends. @param where it was, for the line that is printed.
 */
export function interruptNow(signal: StopSignal, where: string): void {
  const [how, code] = STOPS[signal];
  sayStopped(`${how}${where}`);
  tidyUp();
  interrupted = code;
  // Without an exit code Node 24 warns of what the program was awaiting. To call exit here would be too soon: Node would wait, and print
  // that it does, for the inspector that interrupts.
  process.exitCode = code;
}

/** Installs the handlers of signals and of a reader of stdout that went away. To be called once, first. */
export function watchProcess(): void {
  process.on('exit', () => {
    tidyUp();
    if (interrupted !== undefined) process.exitCode = interrupted;
  });
  for (const [signal, [how, code]] of Object.entries(STOPS)) {
    onSignal(signal as StopSignal, () => {
      answer();
      stop(how, code);
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? ExitCode.ok);
    fail(new StorageError('standard output', error.message));
  });
  // Nobody reads the progress any more: no reason to give up the work.
  process.stderr.on('error', () => {});
}

function stop(how: string, code: number): void {
  if (stopping || interrupted !== undefined) process.exit(interrupted ?? code);
  stopping = true;
  if (ending !== undefined) {
    ending().then(() => process.exit(ExitCode.ok), fail);
    return;
  }
  sayStopped(how);
  if (halts.size === 0) process.exit(code);
  Promise.allSettled([...halts].map((halt) => halt())).then(() => process.exit(code));
  setTimeout(() => process.exit(code), HALT_MS);
}

function sayStopped(how: string): void {
  // A spinner may have hidden the cursor and left an unfinished line.
  const restore = process.stderr.isTTY ? '\x1b[?25h\n' : '';
  try {
    // Not by the stream: a progress list holds back lines that go through it.
    writeSync(process.stderr.fd, `${restore}mergemate: ${visible(`${how}; ${interruption}`)}\n`);
  } catch {
    // Nobody is there to read it.
  }
}

/** Prints the one line of the error and ends the process with the code that belongs to it, unless another is given. */
export function fail(thrown: unknown, code?: number): never {
  const error = limitError(thrown) ?? thrown;
  const expected = error instanceof UserError || error instanceof StorageError;
  const message = errorText(error);
  const own = suspect ?? 'this is a bug';
  complain(expected ? message : `internal error: ${message}`);
  if (!expected) {
    if (process.env.MERGEMATE_DEBUG === '1' && error instanceof Error)
      process.stderr.write(`${error.stack}\n`);
    else complain(`${own}; set MERGEMATE_DEBUG=1 to see the stack`);
  }
  // An answer of no may come with an error that ends the command.
  process.exit(code ?? (expected ? (process.exitCode ?? ExitCode.failed) : ExitCode.bug));
}

/** One line on stderr. */
export function complain(what: string): void {
  process.stderr.write(`mergemate: ${visible(what.trim().replace(/\s*\n\s*/g, ' '))}\n`);
}
