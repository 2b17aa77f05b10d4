/** Kills processes at a point of their work, not of the clock: a fast machine would be over first. */
import type { ChildProcess } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths under `folder` with sizes and times: what is written has a new one. */
function statesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map((path) => {
      const stats = lstatSync(join(folder, String(path)), { throwIfNoEntry: false });
      return `${path} ${stats?.size} ${stats?.mtimeMs}`;
    });
  } catch {
    return []; // not there yet, or a folder was removed while it was listed
  }
}

/**
 * Kills a process with SIGKILL once `writes` files or folders were seen in `folder` that it made or changed.
 * @returns whether it was killed; `false` if it ended by itself.
 */
export async function killAfterWrites(child: ChildProcess, folder: string, writes: number): Promise<boolean> {
  const before = new Set(statesUnder(folder));
  const seen = new Set<string>();
  const closed = new Promise<NodeJS.Signals | null>((done) => {
    child.once('close', (_, signal) => done(signal));
  });
  const timer = setInterval(() => {
    for (const state of statesUnder(folder)) if (!before.has(state)) seen.add(state);
    if (seen.size >= writes) child.kill('SIGKILL');
  }, 2);
  const signal = await closed;
  clearInterval(timer);
  return signal === 'SIGKILL';
}
