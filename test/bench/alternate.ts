/**
 * Runs two commands that do the same in turns. Speed is the ratio of the two in each pair. A shared machine is slower now than
 * a minute ago, but hardly from one run to the next.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ALLOCATOR } from '../../jobs/runtime/process-memory.js';

export interface Contestant {
  /** Makes everything as it was before the first run. */
  prepare(): Promise<void>;
  /** Program and arguments. */
  readonly command: readonly string[];
}

export interface TurnCost {
  /** Counts the process and all that it started and waited for. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

export interface Pair {
  readonly ours: TurnCost;
  readonly theirs: TurnCost;
}

/** Runs both in turns, `pairs` times; which of them begins changes from pair to pair. */
export async function alternate(ours: Contestant, theirs: Contestant, pairs: number): Promise<Pair[]> {
  const found: Pair[] = [];
  for (let i = 0; i < pairs; i++) {
    const first = i % 2 === 0 ? ours : theirs;
    const second = first === ours ? theirs : ours;
    await first.prepare();
    const a = run(first);
    await second.prepare();
    const b = run(second);
    found.push(first === ours ? { ours: a, theirs: b } : { ours: b, theirs: a });
  }
  return found;
}

function run({ command }: Contestant): TurnCost {
  awaitDisk();
  const cpu = cpuOfChildren();
  const since = performance.now();
  const [program, ...args] = command;
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...ALLOCATOR },
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw error ?? new Error(`${command.join(' ')}: ${stderr}`);
  return { wallSeconds: (performance.now() - since) / 1000, cpuSeconds: cpuOfChildren() - cpu };
}

/**
 * Waits until the system has written the files of the last program. Else it writes them while the next one runs, and takes
 * a core for it. A program that leaves a core free would not notice. Where the command is unknown, nothing is awaited.
 */
export function awaitDisk(): void {
  spawnSync('sync');
}

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** CPU seconds of all processes below this one that have ended and were waited for. */
export function cpuOfChildren(): number {
  // The name of the program, in brackets, may have spaces; fields are numbered from 1, the name is the second.
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ');
  const [user, system] = [fields[16 - 3], fields[17 - 3]];
  return (Number(user) + Number(system)) / TICKS;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
