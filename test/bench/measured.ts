/** A program in a process of its own: what it takes of the processor, memory and disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR } from '../../jobs/runtime/process-memory.js';
import { awaitDisk, cpuOfChildren, type TurnCost } from './alternate.js';

export interface ProgramCost extends TurnCost {
  /** Resident at most; of the process itself, not of those that it starts. */
  readonly peakMiB: number;
  /** At most, in the folder that was asked about; 0 if none was. */
  readonly diskGB: number;
  readonly stdout: string;
}

export interface MeasuredWhere {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its files are counted now and then. */
  readonly disk?: string;
}

/** Files of a solve live for seconds: the most of all looks is that of a moment, some megabytes short. */
const LOOK_AT_DISK_MS = 250;

/** Runs a program to its end. Its peak of memory is looked at every few milliseconds, and never falls. @throws Error if it fails. */
export async function measured(
  program: string,
  args: readonly string[],
  { env = {}, cwd, disk }: MeasuredWhere = {},
): Promise<ProgramCost> {
  awaitDisk();
  const cpu = cpuOfChildren();
  const since = performance.now();
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...ALLOCATOR, ...env },
  });
  let peakKiB = 0;
  let bytes = 0;
  const looks = [setInterval(() => (peakKiB = Math.max(peakKiB, peakNow(child))), 10)];
  if (disk !== undefined)
    looks.push(setInterval(() => (bytes = Math.max(bytes, bytesBelow(disk))), LOOK_AT_DISK_MS));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  for (const look of looks) clearInterval(look);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr.slice(-300)}`);
  const wallSeconds = (performance.now() - since) / 1000;
  const cpuSeconds = cpuOfChildren() - cpu;
  return { wallSeconds, cpuSeconds, peakMiB: peakKiB / 1024, diskGB: bytes / 1e9, stdout };
}

function peakNow({ pid }: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // The process has just ended.
    return 0;
  }
}

function bytesBelow(folder: string): number {
  let sum = 0;
  try {
    for (const each of readdirSync(folder, { withFileTypes: true, recursive: true }))
      if (each.isFile()) sum += statSync(join(each.parentPath, each.name)).size;
  } catch {
    // A file went away since the folder was read: the next look counts again.
  }
  return sum;
}
