/** Runs the built command line in child processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
}

export const CLI = resolve('dist/jobs/cli.js');

/** @param cwd the folder in which the process runs; else that of the tests. */
export function start(args: readonly string[], input = '', cwd?: string): Running {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'pipe', cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {}); // it may end before it reads
  child.stdin.end(input);
  const ended = new Promise<ProcessResult>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function run(args: readonly string[], input = ''): Promise<ProcessResult> {
  return start(args, input).ended;
}

/** Runs a command; `input` is its standard input. */
type Run = (args: readonly string[], input?: string) => Promise<ProcessResult>;

export interface Commands {
  readonly run: Run;
  /** Runs a command that must exit with 0: its output. */
  succeed(args: readonly string[], input?: string): Promise<string>;
  /** Runs a command that must exit with 0, with `--json`: what its output means. */
  succeedJson<T>(args: readonly string[]): Promise<T>;
}

export const { succeed, succeedJson } = commandsBy(run);

/** The program with its tables in `store`: every command gets `--store`, unless it names another one. */
export const program = (store: string): Commands => commandsBy(inStore(run, store));

export const inStore =
  (run: Run, store: string): Run =>
  (args, input) =>
    run(args.includes('--store') ? args : [...args, '--store', store], input);

export function commandsBy(run: Run): Commands {
  const succeed = async (args: readonly string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await run(args, input);
    if (code !== 0) throw new Error(`mergemate ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const succeedJson = async <T>(args: readonly string[]): Promise<T> =>
    JSON.parse(await succeed([...args, '--json'])) as T;
  return { run, succeed, succeedJson };
}

/** What a command says on stderr without its lines of progress, which come when it takes long: a slow machine has more of them. */
export const withoutProgress = (stderr: string): string => stderr.replace(/^\S+ \[\d+\/\d+\] .*\n/gm, '');

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 3000) throw new Error(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
