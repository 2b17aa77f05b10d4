/**
 * Runs commands of the built command line in this process, one after the other: to start a process takes longer than most
 * commands take. For tests that do not test the process: its signals, its memory, its environment.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Commands, commandsBy, inStore, type ProcessResult, run as runProcess } from './cli.js';

interface CommandLine {
  runCommand(args: readonly string[]): Promise<void>;
  tidyUp(): void;
}

/** Thrown where a process would end. */
class Ended extends Error {}

let last: Promise<unknown> = Promise.resolve();

/** The output and the exit code that a process would have. Standard input needs a process. */
export function run(args: readonly string[], input = ''): Promise<ProcessResult> {
  if (input !== '') return runProcess(args, input);
  const result = last.then(() => runNow(args));
  last = result.catch(() => {});
  return result;
}

export const { succeed, succeedJson } = commandsBy(run);

/** The program with its tables in `store`: every command gets `--store`, unless it names another one. */
export const program = (store: string): Commands => commandsBy(inStore(run, store));

async function runNow(args: readonly string[]): Promise<ProcessResult> {
  const { runCommand, tidyUp } = (await import(
    pathToFileURL(resolve('dist/jobs/command-line.js')).href
  )) as CommandLine;
  const { exit, exitCode } = process;
  const [stdout, stderr] = [record(process.stdout), record(process.stderr)];
  let code: number | undefined;
  process.exitCode = undefined;
  try {
    await new Promise<void>((done, failed) => {
      process.exit = (asked) => {
        code ??= Number(asked ?? process.exitCode ?? 0);
        done();
        throw new Ended();
      };
      runCommand(args).then(done, failed);
    });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  } finally {
    code ??= Number(process.exitCode ?? 0);
    tidyUp();
    process.exit = exit;
    process.exitCode = exitCode;
    stdout.stop();
    stderr.stop();
  }
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

/** Keeps what is written to a stream instead of writing it, until it is stopped. */
function record(stream: NodeJS.WriteStream): { text(): string; stop(): void } {
  const { write } = stream;
  const written: Buffer[] = [];
  stream.write = ((text: string | Uint8Array, ...rest: unknown[]) => {
    written.push(Buffer.from(text as string));
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  }) as typeof write;
  return {
    text: () => Buffer.concat(written).toString(),
    stop: () => {
      stream.write = write;
    },
  };
}
