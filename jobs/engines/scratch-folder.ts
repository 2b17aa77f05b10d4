/** The folder for what does not outlive the process: made per process, removed at its end or, if killed, by the next. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tidyAtExit } from '../exit.js';

const PREFIX = '.scratch-';
/** Part files of the store: see operators/storage/names.ts. */
const TEMPORARY = /^\.tmp-(\d+)-\d+$/;
/** A writer on another machine looks dead from here, but not for so long. */
const ABANDONED_MS = 3_600_000;

/** A scratch folder of this process under `parent`; nothing is made before it is written to. */
export function claimScratch(parent: string): { folder: string; release: () => void } {
  const folder = join(parent, `${PREFIX}${process.pid}@${hostname()}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  return { folder, release: tidyAtExit(remove) };
}

/** Removes scratch folders under `parent` whose processes, on this machine, are no more. */
export function removeDeadScratch(parent: string): void {
  for (const name of namesIn(parent)) {
    const match = new RegExp(`^\\${PREFIX}(\\d+)@(.*)$`).exec(name);
    if (match === null || match[2] !== hostname() || isAlive(Number(match[1]))) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes the part files of processes that were killed while they wrote to the store in `folder`. */
export function removeDeadParts(folder: string, now: number): void {
  eachPart(folder, (path, pid) => {
    if (!isAlive(pid) && now - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { force: true });
  });
}

/** Removes the part files that this process leaves behind when it is stopped. To be called at its end only. */
export function removeOwnParts(folder: string): void {
  eachPart(folder, (path, pid) => {
    if (pid === process.pid) rmSync(path, { force: true });
  });
}

function eachPart(folder: string, visit: (path: string, pid: number) => void): void {
  let found: string[];
  try {
    found = readdirSync(folder, { recursive: true }) as string[];
  } catch {
    return;
  }
  for (const path of found) {
    const match = TEMPORARY.exec(path.slice(path.lastIndexOf('/') + 1));
    if (match !== null) visit(join(folder, path), Number(match[1]));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
