/** A command on a disk that fills: it prints one line, and ends well once there is room. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../support/cli.js';
import { bytesUnder, type ChaosOutcome, newRandom, PAGE, prepared, undisturbed } from './chaos.js';
import type { Found, Scenario, WorkFolders } from './scenarios.js';

/** Why no disk can be made here, or null if one can. */
export const noDisk =
  process.platform === 'linux' && process.getuid?.() === 0 ? noMount() : 'mount needs root';

/** Room enough for every command. */
const ROOM = 512 * 2 ** 20;

export interface DiskFilling {
  readonly scenario: Scenario;
  /** Disks that are too small. */
  readonly disks: number;
  readonly seed: number;
  readonly folder: string;
  readonly found: Found;
}

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'mergemate', folder], { stdio: 'pipe' });
}

function noMount(): string | null {
  const folder = mkdtempSync('/tmp/mergemate-mount-');
  try {
    mount(folder, 'size=1m');
    execFileSync('umount', [folder]);
    return null;
  } catch (error) {
    return `no disk can be mounted: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sizes are at most the bytes of the command's files when it has room. `kills` counts the disks that were full. */
export async function fillDisks({
  scenario,
  disks,
  seed,
  folder,
  found,
}: DiskFilling): Promise<ChaosOutcome> {
  const random = newRandom(seed);
  const outcome: ChaosOutcome = {
    name: `${scenario.name}, full disk`,
    kills: 0,
    starts: 0,
    commands: 0,
    wrong: [],
  };
  const ready = join(folder, 'ready');
  const { wanted, added } = await undisturbed(scenario, ready, found);
  await prepared(scenario, ready, found);
  const before = bytesUnder(ready);
  for (let disk = 0; disk < disks; disk++) {
    const size = PAGE * Math.ceil(2 + before / PAGE + (random() * Math.max(PAGE, added)) / PAGE);
    const at = `${outcome.name}, seed ${seed}, ${size} bytes`;
    const small = join(folder, 'small');
    outcome.commands++;
    await onDisk(small, ready, `size=${size}`, async (place) => {
      const first = await run(scenario.args(place, found));
      outcome.starts++;
      if (first.code !== 0) outcome.kills++;
      if (first.code !== 0 && !isClear(first.code, first.stderr))
        outcome.wrong.push(`${at}: exit code ${first.code}: ${first.stderr}`);
      mount(small, `remount,size=${ROOM}`);
      const again = await run(scenario.args(place, found));
      outcome.starts++;
      if (again.code !== 0) outcome.wrong.push(`${at}, with room: exit code ${again.code}: ${again.stderr}`);
      else if ((await scenario.result(place, again.stdout)) !== wanted)
        outcome.wrong.push(`${at}: another result`);
    });
  }
  rmSync(ready, { recursive: true, force: true });
  return outcome;
}

/** Whether one line names the full disk. */
function isClear(code: number | null, stderr: string): boolean {
  const reported = stderr.split('\n').filter((line) => line.startsWith('mergemate'));
  return code === 2 && reported.length === 1 && /full|no space/i.test(reported[0]) && !/^ +at /m.test(stderr);
}

async function onDisk<T>(
  folder: string,
  ready: string,
  size: string,
  work: (place: WorkFolders) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  mount(folder, size);
  try {
    cpSync(ready, folder, { recursive: true });
    return await work({ store: join(folder, 'store'), out: join(folder, 'out') });
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
