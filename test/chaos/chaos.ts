/** kill -9 at seeded moments: a command is started again until it ends, and its result must be that of an undisturbed one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesUnder } from '../support/folders.js';
import type { Found, Scenario, WorkFolders } from './scenarios.js';

export interface Chaos {
  readonly scenario: Scenario;
  /** Kills at least, and as many more as the last command needs to end. */
  readonly kills: number;
  /** Kills of one command at most, 12 unless given; the next start is let be. */
  readonly mostOfOne?: number;
  readonly seed: number;
  readonly folder: string;
  readonly found: Found;
  /** URI of a store that nobody has used; folders unless given. */
  readonly newStore?: () => string;
}

export interface ChaosOutcome {
  readonly name: string;
  kills: number;
  starts: number;
  /** Commands that were brought to their end. */
  commands: number;
  /** Faults that were found, with the seeds and commands to see them again. */
  readonly wrong: string[];
}

interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const CLI = resolve('dist/jobs/cli.js');
/** Mulberry32: from 0 to 1. */
export function newRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function chaos(options: Chaos): Promise<ChaosOutcome> {
  const { scenario, kills, mostOfOne = 12, seed, folder, found } = options;
  const random = newRandom(seed);
  const outcome: ChaosOutcome = { name: scenario.name, kills: 0, starts: 0, commands: 0, wrong: [] };
  const own = join(folder, 'place');
  const fresh = () => prepared(scenario, own, found, options.newStore?.());
  const { wanted, took } = await undisturbed(scenario, own, found, options.newStore?.());

  while (outcome.kills < kills) {
    const place = await fresh();
    const at = `${scenario.name}, seed ${seed}, command ${++outcome.commands}`;
    try {
      const stdout = await untilDone({ scenario, place, found, random, took, mostOfOne, outcome });
      const made = await scenario.result(place, stdout);
      if (made !== wanted)
        outcome.wrong.push(`${at}: made ${made.slice(0, 2000)}, not ${wanted.slice(0, 2000)}`);
    } catch (error) {
      outcome.wrong.push(`${at}: ${(error as Error).message}`);
    }
  }
  rmSync(own, { recursive: true, force: true });
  return outcome;
}

/** Makes a folder anew with what a command needs in it; the store is in the folder unless given. */
export async function prepared(
  scenario: Scenario,
  folder: string,
  found: Found,
  store = join(folder, 'store'),
): Promise<WorkFolders> {
  rmSync(folder, { recursive: true, force: true });
  const place = { store, out: join(folder, 'out') };
  mkdirSync(place.out, { recursive: true });
  await scenario.prepare?.(place, found);
  return place;
}

interface Undisturbed {
  readonly wanted: string;
  /** Milliseconds. */
  readonly took: number;
  /** Bytes on the disk, in whole pages, that the command added. */
  readonly added: number;
}

const known = new WeakMap<Found, Map<Scenario, Undisturbed>>();

/** What a command makes when nothing disturbs it: it is run for the first kill or full disk, and remembered for the others. */
export async function undisturbed(
  scenario: Scenario,
  folder: string,
  found: Found,
  store?: string,
): Promise<Undisturbed> {
  const ofFound = known.get(found) ?? new Map<Scenario, Undisturbed>();
  known.set(found, ofFound);
  const earlier = ofFound.get(scenario);
  if (earlier !== undefined) return earlier;
  const place = await prepared(scenario, folder, found, store);
  const before = bytesUnder(folder);
  const began = performance.now();
  const { code, stdout, stderr } = await started(scenario.args(place, found), () => {});
  const took = performance.now() - began;
  if (code !== 0) throw new Error(`${scenario.name}, undisturbed: ${code}, ${stderr}`);
  const added = bytesUnder(folder) - before;
  const result = { wanted: await scenario.result(place, stdout), took, added };
  ofFound.set(scenario, result);
  return result;
}

/** Files take whole pages of the disk. */
export const PAGE = 4096;

export const bytesUnder = (folder: string): number =>
  filesUnder(folder).reduce((sum, path) => sum + Math.ceil(statSync(path).size / PAGE) * PAGE, 0);

interface Disturbed {
  readonly scenario: Scenario;
  readonly place: WorkFolders;
  readonly found: Found;
  readonly random: () => number;
  /** Milliseconds that the command takes undisturbed. */
  readonly took: number;
  readonly mostOfOne: number;
  readonly outcome: ChaosOutcome;
}

/** Starts a command until it ends by itself; returns its output then. */
async function untilDone({
  scenario,
  place,
  found,
  random,
  took,
  mostOfOne,
  outcome,
}: Disturbed): Promise<string> {
  for (let kills = 0; ; kills++) {
    // Nearly all of its time, and now and then more: earlier work makes the next start shorter.
    const after = random() * 1.1 * took;
    const which = random();
    const ended = await started(scenario.args(place, found), (child) => {
      if (kills >= mostOfOne) return;
      const timer = setTimeout(() => (outcome.kills += killOf(child, scenario, which)), after);
      child.once('exit', () => clearTimeout(timer));
    });
    outcome.starts++;
    if (ended.killed) continue;
    if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr.trim()}`);
    return ended.stdout;
  }
}

/** Kills a process and its children, that process alone, or one of its children; returns how many times. */
function killOf(child: ChildProcess, { ranks = false }: Scenario, which: number): number {
  const children = ranks ? childrenOf(child.pid!) : [];
  const some = children[Math.floor(which * 3 * children.length)];
  // A third of all times a rank, which the process starts again.
  const victims = some !== undefined ? [some] : which < 2 / 3 ? [child.pid!, ...children] : [child.pid!];
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended by itself.
    }
  }
  return 1;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
  } catch {
    return null;
  }
}

function started(args: readonly string[], then: (child: ChildProcess) => void): Promise<Ended> {
  const child = spawn(CLI, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  then(child);
  return new Promise((done) =>
    child.on('close', (code, signal) => done({ killed: signal === 'SIGKILL', code, stdout, stderr })),
  );
}
