/**
 * The greatest resident set of a command of the built command line. It is that of the largest of its processes, as
 * Linux counts it (VmHWM) until the process ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every process of Node loads this first, and writes the system's count when it exits. */
const PRELOAD = `
const { readFileSync, writeFileSync } = require('node:fs');
if (require('node:worker_threads').isMainThread)
  process.on('exit', () =>
    writeFileSync(process.env.MERGEMATE_TEST_PEAKS + '/' + process.pid, readFileSync('/proc/self/status')));
`;

/** Why nothing can be measured here, or null if it can. */
export const noPeaks = existsSync('/proc/self/status') ? null : 'only Linux counts the peak of a program';

export interface Peak {
  readonly stdout: string;
  /** Bytes, of the largest process. */
  readonly peak: number;
}

/**
 * Runs a command; `during` is given the process and may stop it. Throws if the command fails. Not by `node cli.js`: the first
 * line of cli.js has settings that keep the resident set small.
 */
export async function peakOf(
  cli: string,
  args: readonly string[],
  during: (child: ChildProcess) => Promise<void> = async () => {},
): Promise<Peak> {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-peaks-'));
  try {
    const preload = join(folder, 'preload.cjs');
    const peaks = mkdtempSync(join(folder, 'of-'));
    writeFileSync(preload, PRELOAD);
    const env = { ...process.env, NODE_OPTIONS: `--require=${preload}`, MERGEMATE_TEST_PEAKS: peaks };
    const child = spawn(cli, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    await during(child);
    const code = await ended;
    if (code !== 0) throw new Error(`mergemate ${args.join(' ')} ended with ${code}: ${stderr}`);
    return { stdout, peak: Math.max(...readdirSync(peaks).map((name) => peakIn(join(peaks, name)))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function peakIn(status: string): number {
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(status, 'utf8'))![1]) * 1024;
}
