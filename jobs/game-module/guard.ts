/**
 * Keeps the module of a user from ending this program and from writing to its standard output, in the thread that imports it. The module
 * shares `process` and `console` with the program, so calls are told apart by the nearest file on the stack that belongs to either.
 *
 * What a module prints goes to standard error: standard output is for results. Ways to end the process throw an error in their place, which
 * is one line with the exit code 2 as any other error of rules. Errors that a module throws outside of its functions, and promises that it
 * leaves rejected, end the program by one such line, too. Cost: a stack trace for each chunk that is written to standard output.
 */
import { Console } from 'node:console';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { UserError } from '../../operators/core/errors.js';
import { messageOf, ProgramEnd, placeOf } from '../../pipeline/games/yours/definition.js';
import { fail } from '../cli/exit.js';

const OWN = fileURLToPath(new URL('..', import.meta.url));
/** Frames that are looked through. */
const DEEPEST = 50;

/** The files of modules that were imported, and the first of them, for messages. */
const files = new Set<string>();
let named = '';

const guarded = Symbol('guarded');

/** To be called before a module is run. @param of its files. @param shown how messages name it. */
export function guardProcess(of: Iterable<string>, shown: string): void {
  for (const file of of) files.add(file);
  named = shown;
  redirectConsole();
  guard(process, 'exit', (code) => `process.exit(${shownCode(code)})`);
  guard(process, 'reallyExit' as 'exit', (code) => `process.reallyExit(${shownCode(code)})`);
  guard(process, 'abort', () => 'process.abort()');
  guard(process, 'kill', (pid) => (isThis(pid) ? `process.kill(${pid})` : null));
  guardOutput();
  catchUncaught();
}

const shownCode = (code: unknown) => (code === undefined ? '' : String(code));
const isThis = (pid: unknown) => Number(pid) === process.pid || Number(pid) <= 0;

/** Replaces a function of `process` by one that throws when the module calls it, unless `named` returns null for the call. */
function guard<Name extends 'exit' | 'abort' | 'kill'>(
  object: NodeJS.Process,
  name: Name,
  named: (given: unknown) => string | null,
): void {
  const call = object[name] as ((...given: unknown[]) => unknown) & { [guarded]?: true };
  if (call[guarded]) return;
  const checked = (...given: unknown[]): unknown => {
    const what = named(given[0]);
    if (what !== null && isModuleCalling()) throw endOf(`${what} was called`, checked);
    return Reflect.apply(call, object, given);
  };
  checked[guarded] = true;
  object[name] = checked as unknown as NodeJS.Process[Name];
}

function endOf(what: string, from: (...given: unknown[]) => unknown): ProgramEnd {
  const error = new ProgramEnd(`${what}: rules cannot end the program`);
  Error.captureStackTrace(error, from);
  return error;
}

/** Sends what a module writes to standard output to standard error. */
function guardOutput(): void {
  const { stdout } = process;
  const write = stdout.write as typeof stdout.write & { [guarded]?: true };
  if (write[guarded]) return;
  const checked = (...given: unknown[]): unknown =>
    isModuleCalling()
      ? Reflect.apply(process.stderr.write, process.stderr, given)
      : Reflect.apply(write, stdout, given);
  checked[guarded] = true;
  stdout.write = checked as typeof stdout.write;
}

let isRedirected = false;

/** This program prints nothing by `console`. */
function redirectConsole(): void {
  if (isRedirected) return;
  isRedirected = true;
  const redirected = new Console({ stdout: process.stderr, stderr: process.stderr });
  for (const [name, method] of Object.entries(redirected))
    if (typeof method === 'function' && name !== 'Console') Reflect.set(console, name, method);
}

/** Whether the nearest frame of the stack that belongs to either a module or this program belongs to a module. */
function isModuleCalling(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = DEEPEST;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  // The first frames are of this file.
  return isOfModule(stack.split('\n').filter((line) => !line.includes(HERE)));
}

const HERE = fileURLToPath(import.meta.url);

function isOfModule(frames: readonly string[]): boolean {
  for (const frame of frames) {
    const path = /\(?(?:file:\/\/)?([^\s(]*):\d+:\d+\)?$/.exec(frame)?.[1];
    if (path === undefined) continue;
    if (files.has(path) || files.has(decodeURI(path))) return true;
    if (path.startsWith(OWN)) return false;
  }
  return false;
}

let isCatching = false;

/** Errors that nobody catches, as those of timers and promises of a module. */
function catchUncaught(): void {
  if (isCatching) return;
  isCatching = true;
  process.on('uncaughtException', (error: unknown, origin) => {
    const problem = problemOf(error, origin);
    if (isMainThread) fail(problem);
    // The error ends the thread, and the thread's owner receives it.
    throw problem;
  });
}

const NO_ERROR = 'ERR_UNHANDLED_REJECTION';
const REASON = /^.* rejected with the reason "(.*)"\.$/s;

function problemOf(error: unknown, origin: string): unknown {
  // This program throws and rejects with errors only. Node wraps any other value in an error, so it comes from the module.
  const isNone = !(error instanceof Error) || (error as NodeJS.ErrnoException).code === NO_ERROR;
  const isTheirs = isNone || isOfModule((error.stack ?? '').split('\n'));
  if (!isTheirs && !(error instanceof ProgramEnd)) return error;
  const how = origin === 'unhandledRejection' ? 'a promise was rejected' : 'an error was thrown';
  return new UserError(
    `game ${named}: ${how} outside of what the game's functions return: ${messageOf(error).replace(REASON, '$1')}${placeOf(error)}`,
  );
}
