/**
 * Runs commands in this process, from their sources, one after the other: to start a process takes longer than most commands take. For
 * tests that do not test the process: its signals, its memory, its environment.
 */
import { Readable, Writable } from 'node:stream';
import { tidyUp } from '../../jobs/cli/exit.js';
import { run as runCommand } from '../../jobs/command-line.js';
import { type Commands, commandsBy, inStore, type ProcessResult } from './cli.js';

/** Thrown where a process would end. */
class Ended extends Error {}

class Collected extends Writable {
  readonly #written: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#written.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#written).toString();
  }
}

let last: Promise<unknown> = Promise.resolve();

/** The output and the exit code of a command whose standard input is `input`. */
export function run(args: readonly string[], input = ''): Promise<ProcessResult> {
  const result = last.then(() => runNow(args, input));
  last = result.catch(() => {});
  return result;
}

export const { succeed, succeedJson } = commandsBy(run);

/** The program with its tables in `store`: every command gets `--store`, unless it names another one. */
export const program = (store: string): Commands => commandsBy(inStore(run, store));

async function runNow(args: readonly string[], input: string): Promise<ProcessResult> {
  const [out, err] = [new Collected(), new Collected()];
  const code = await new Promise<number>((done, failed) => {
    const exit = (code: number): never => {
      done(code);
      throw new Ended();
    };
    runCommand(args, { in: Readable.from([Buffer.from(input)]), out, err, exit }).then(done, failed);
  });
  tidyUp();
  return { code, signal: null, stdout: out.text(), stderr: err.text() };
}
