/**
 * Processes as in containers: each in its own namespace of process numbers, in which it is number 1, and all with one host name. They share the folders
 * that they are given.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CLI, type Running } from './cli.js';

const UNSHARE = ['--fork', '--pid', '--mount-proc', '--kill-child'];

/** Why no process can be started so; null if one can. */
export const noContainers =
  spawnSync('unshare', [...UNSHARE, 'true']).status === 0
    ? null
    : 'no namespaces of process numbers: `unshare --fork --pid --mount-proc` is not permitted here';

/** Starts a command of the command line as process 1 of a namespace. To kill the child with SIGKILL kills the whole namespace. */
export function startContained(args: readonly string[]): Running {
  const child = spawn('unshare', [...UNSHARE, process.execPath, CLI, ...args], { stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end();
  const ended = new Promise<Awaited<Running['ended']>>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/** The number that process 1 of the namespace has outside. */
export function insideOf({ child }: Running): number {
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0]);
}
