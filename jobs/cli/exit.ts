/** Ends of commands and their process: exit codes, the one line on stderr, and work to be done whichever way the process ends. */

import { writeSync } from 'node:fs';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { limitError, systemError } from '../../operators/storage/errno.js';
import { isInUse } from '../../operators/storage/platform.js';
import { onSignal } from '../runtime/platform.js';
import { visible } from '../ui/escaped.js';
import { errorText } from './error-text.js';
import { type CommandIo, io, setIo } from './io.js';

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

const UNCHANGED = 'nothing was changed';

const tidiers = new Set<() => void>();
const halts = new Set<() => Promise<unknown>>();
let ending: (() => Promise<unknown>) | undefined;
let stopping = false;
let answer = (): void => {};
/** The exit code once the process was interrupted in the middle of what it did. */
let interrupted: number | undefined;
let interruption = UNCHANGED;
let suspect: string | undefined;
/** The exit code that this program has decided on: a user's module may set that of the process. */
let decided: number | undefined;

/** Begins a command, without what one before it in the same process has left here. */
export function beginCommand(given: CommandIo): void {
  setIo(given);
  ending = suspect = decided = undefined;
  interruption = UNCHANGED;
}

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

/** Ends the command. */
function end(code: number): never {
  decided = code;
  return io.exit(code);
}

/** Sets the exit code of a command that goes on to its end. */
export function endWith(code: number): void {
  decided = code;
}

/** The exit code of a command that has come to its end. */
export const decidedCode = (): number => decided ?? ExitCode.ok;

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
 * terminates it, and the process ends. @param where it was, for the line that is printed. @param isFree whether the inspector that
 * interrupts is gone: a process that ends before would wait for it, and print that it does.
 */
export function interruptNow(signal: StopSignal, where: string, isFree: () => boolean): void {
  const [how, code] = STOPS[signal];
  sayStopped(`${how}${where}`);
  tidyUp();
  interrupted = code;
  // Without an exit code Node 24 warns of what the program was awaiting.
  decided = process.exitCode = code;
  endWhen(isFree, code);
}

/** How often it is looked whether the inspector is gone, and the longest time. */
const FREE_MS = 5;
const LONGEST_MS = 1000;

/** Ends the process when it is free, from the event loop. The timer keeps Node from ending it earlier. */
function endWhen(isFree: () => boolean, code: number): void {
  const from = performance.now();
  const timer = setInterval(() => {
    if (!isFree() && performance.now() - from < LONGEST_MS) return;
    clearInterval(timer);
    end(code);
  }, FREE_MS);
}

/** Installs the handlers of signals and of a reader of stdout that went away. To be called once, first. */
export function watchProcess(): void {
  process.on('exit', (code) => {
    tidyUp();
    if (interrupted !== undefined) process.exitCode = interrupted;
    else if (suspect !== undefined && code !== decidedCode()) {
      writeSync(
        process.stderr.fd,
        'mergemate: the module of the game sets process.exitCode: rules cannot do that\n',
      );
      process.exitCode = ExitCode.failed;
    }
  });
  for (const [signal, [how, code]] of Object.entries(STOPS)) {
    onSignal(signal as StopSignal, () => {
      answer();
      stop(how, code);
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') end(decidedCode());
    fail(systemError('standard output', 'write', error));
  });
  // Nobody reads the progress any more: no reason to give up the work.
  process.stderr.on('error', () => {});
}

function stop(how: string, code: number): void {
  // It ends as soon as it can.
  if (interrupted !== undefined) return;
  if (stopping) end(code);
  stopping = true;
  if (ending !== undefined) {
    ending().then(() => end(ExitCode.ok), fail);
    return;
  }
  sayStopped(how);
  if (halts.size === 0) end(code);
  Promise.allSettled([...halts].map((halt) => halt())).then(() => end(code));
  setTimeout(() => end(code), HALT_MS);
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

/** Prints the one line of the error and ends the command with the code that belongs to it, unless another is given. */
export function fail(thrown: unknown, code?: number): never {
  const error = limitError(thrown) ?? thrown;
  const expected = error instanceof UserError || error instanceof StorageError;
  const message = errorText(error);
  const own = suspect ?? 'this is a bug';
  complain(expected ? message : `internal error: ${message}`);
  if (!expected) {
    if (process.env.MERGEMATE_DEBUG === '1' && error instanceof Error) io.err.write(`${error.stack}\n`);
    else complain(`${own}; set MERGEMATE_DEBUG=1 to see the stack`);
  }
  // An answer of no may come with an error that ends the command.
  end(code ?? (expected ? (decided ?? ExitCode.failed) : ExitCode.bug));
}

/** One line on stderr. */
export function complain(what: string): void {
  io.err.write(`mergemate: ${visible(what.trim().replace(/\s*\n\s*/g, ' '))}\n`);
}
