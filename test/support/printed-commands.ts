/**
 * Commands that pages of the documentation print, and a folder in which they run as a reader would run them. Those that need no shell run in
 * the tests' process, which takes a third of a processor second less for each.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { run } from './command.js';
import { testFolder } from './folders.js';

/** The commands of the shell blocks: comments cut off, continued lines joined. */
export function commandsOf(page: string): string[] {
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/** An empty folder with the package installed. */
export function folderWithPackage(): string {
  const folder = testFolder();
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(resolve('dist/jobs/cli.js'), join(folder, 'node_modules', '.bin', 'mergemate'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'mergemate'));
  return folder;
}

export const environment = (folder: string) => ({
  ...process.env,
  PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}`,
});

function runIn(folder: string, command: string) {
  return spawnSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(folder),
    maxBuffer: 1 << 28,
  });
}

interface Exited {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that does not end by itself until it has printed a line, and ends it as a system would. */
function runForALine(folder: string, command: string): Promise<Exited> {
  // In a process group of its own, so that the signal reaches every process of the command.
  const child = spawn('bash', ['-c', command], { cwd: folder, env: environment(folder), detached: true });
  let stdout = '';
  let stderr = '';
  let isStopped = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (!stdout.includes('\n') || isStopped) return;
    isStopped = true;
    process.kill(-child.pid!, 'SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done) => {
    child.on('close', (code, signal) => done({ status: signal === 'SIGTERM' ? 143 : code, stdout, stderr }));
  });
}

/** Commands that work for seconds: the built program is a third faster at that than its sources are in the tests' process. */
const LONG_WORK = /^mergemate (check|publish|export .*--out|solve chess KPKP)\b/;

/** A process knows a game by its name, and will not take one of the same name from the folder of another test. */
const GAME_MODULE = /\.[cm]?[jt]s\b/;

/** The words of a command that means the same without a shell and is better run without one, or null. */
function wordsOf(command: string): string[] | null {
  if (LONG_WORK.test(command) || GAME_MODULE.test(command)) return null;
  const word = /"([^"$`\\!]*)"|'([^']*)'|([\w./:=,+%@-]+)/;
  if (!new RegExp(`^(?:${word.source})(?: +(?:${word.source}))*$`).test(command)) return null;
  return [...command.matchAll(new RegExp(word, 'g'))].map(([, a, b, c]) => a ?? b ?? c);
}

/** Runs a command of the program in this process, in a folder. */
async function runHere(folder: string, args: readonly string[]): Promise<Exited> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { code, stdout, stderr } = await run(args);
    return { status: code, stdout, stderr };
  } finally {
    process.chdir(before);
  }
}

/** Whether a command runs until it is stopped. */
const isEndless = (command: string) => /--watch|^mergemate serve\b(?!.*--json)/.test(command);

/** Runs programs of the folder without npx: they are on the PATH, and starting npm takes as long as most of the commands. */
const withoutNpx = (command: string) => command.replaceAll(/\bnpx (?=mergemate|tsx)/g, '');

/** The output of a command, which must succeed. */
export async function outputOf(folder: string, printed: string): Promise<string> {
  const command = withoutNpx(printed);
  const endless = isEndless(command);
  const words = wordsOf(command);
  const { status, stdout, stderr } = endless
    ? await runForALine(folder, command)
    : words?.[0] === 'mergemate'
      ? await runHere(folder, words.slice(1))
      : runIn(folder, command);
  expect(endless ? [0, 143] : [0], `${command}\n${stderr}`).toContain(status);
  if (endless) expect(stdout).toContain('\n');
  return stdout;
}
