/** Runs the built command line in child processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Dirent, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

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

const CLI = resolve('dist/jobs/cli.js');

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

export const { succeed, succeedJson } = succeeding(run);

/** Commands that must succeed: their output, as text and as what their JSON means. */
export function succeeding(run: (args: readonly string[], input?: string) => Promise<ProcessResult>) {
  const succeed = async (args: readonly string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await run(args, input);
    if (code !== 0) throw new Error(`mergemate ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const succeedJson = async <T>(args: readonly string[]): Promise<T> =>
    JSON.parse(await succeed([...args, '--json'])) as T;
  return { succeed, succeedJson };
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'mergemate-test-'));
}

/** A folder that is removed when the current test ends. */
export function testFolder(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All files in a folder and below, without those of folders that others delete meanwhile. */
export function filesUnder(folder: string): string[] {
  return entriesOf(folder)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesUnder(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 3000) throw new Error(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
