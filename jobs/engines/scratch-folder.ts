/** The folder for files that do not outlive the process: removed at its end or, if the process is killed, by the next one. */
import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { listInto } from '../../operators/storage/local-files.js';
import { tidyAtExit } from '../cli/exit.js';
import { fileOnPath, whatIs } from '../cli/what-is.js';

const PREFIX = '.scratch-';
/** Part files of the store: see operators/storage/object-names.ts. */
const TEMPORARY = /^\.tmp-(\d+)-\d+$/;
/** A writer on another machine looks dead from here, but not for so long. */
const ABANDONED_MS = 3_600_000;

export interface ScratchFolder {
  readonly folder: string;
  /** Removes it, with all that is in it. */
  release(): void;
}

/**
 * A scratch folder of this process under `parent`, made when it is written to; those of processes that are no more go. Throws
 * UserError if `parent` is a file, or its path leads through one.
 */
export function claimScratch(parent: string): ScratchFolder {
  const file = fileOnPath(parent);
  if (file !== null)
    throw new UserError(`${parent === file ? '' : `${parent}: `}${file} is a file, not a folder`);
  removeDeadScratch(parent);
  const folder = join(parent, `${PREFIX}${process.pid}@${hostname()}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  return { folder, release: tidyAtExit(remove) };
}

/** Removes scratch folders under `parent` whose processes, on this machine, are no more. */
function removeDeadScratch(parent: string): void {
  for (const folder of deadScratch(parent)) rmSync(folder, { recursive: true, force: true });
}

/** The scratch folders under `parent` whose processes, on this machine, are no more. */
export function deadScratch(parent: string): string[] {
  return namesIn(parent).flatMap((name) => {
    const match = new RegExp(`^\\${PREFIX}(\\d+)@(.*)$`).exec(name);
    return match === null || match[2] !== hostname() || isAlive(Number(match[1])) ? [] : [join(parent, name)];
  });
}

/** Bytes of the files in a folder, and when the newest was written (ms since 1970); files that go away do not count. */
export function measureFolder(folder: string): { bytes: number; at: number } {
  const sum = { bytes: 0, at: whatIs(folder)?.mtimeMs ?? 0 };
  for (const name of filesBelow(folder)) {
    const found = whatIs(join(folder, name));
    if (found?.isFile() !== true) continue;
    sum.bytes += found.size;
    sum.at = Math.max(sum.at, found.mtimeMs);
  }
  return sum;
}

/** Tidies the store in `folder` for a writer: deletes part files of dead processes now, and its own when it is stopped. */
export function tidyParts(folder: string): void {
  removeDeadParts(folder, Date.now());
  tidyAtExit(() => removeOwnParts(folder));
}

/** Removes the part files of processes that were killed while they wrote to the store in `folder`. */
function removeDeadParts(folder: string, now: number): void {
  eachPart(folder, (path, pid) => {
    if (isAlive(pid)) return;
    // Its writer, on another machine perhaps, may publish it under another name meanwhile.
    const found = whatIs(path);
    if (found !== undefined && now - found.mtimeMs > ABANDONED_MS) rmSync(path, { force: true });
  });
}

/** Removes the part files of processes of this machine that were killed while they wrote a file into the folder. */
export function removeDeadOutputs(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}

/** Removes the part files that this process leaves behind when it is stopped. To be called at its end only. */
export function removeOwnParts(folder: string): void {
  eachPart(folder, (path, pid) => {
    if (pid === process.pid) rmSync(path, { force: true });
  });
}

function eachPart(folder: string, visit: (path: string, pid: number) => void): void {
  for (const path of filesBelow(folder)) {
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

/** The files below a folder, as far as they can be listed; folders that go away meanwhile have none. */
function filesBelow(folder: string): string[] {
  const names: string[] = [];
  try {
    listInto(names, { uri: folder }, folder, '', () => true);
  } catch {
    // A folder that this user may not read has nothing that this user could remove.
  }
  return names;
}

/** Whether another process of this machine has this number. */
export function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
