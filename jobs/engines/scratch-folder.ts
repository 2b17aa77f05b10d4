/**
 * The folder for files that do not outlive the process, and unfinished files of processes that were killed.
 *
 * Both have the identity of their process in their name (operators/storage/process-identity.ts). The process removes them at its end. Other
 * processes remove them only if they see the same process table and the process is not in it, or if nothing was written there for a long
 * time. A process in another container or on another machine looks absent from here, and may be at work.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { clockAhead, listInto, writerOf } from '../../operators/storage/local-files.js';
import { TEMPORARY } from '../../operators/storage/object-names.js';
import { processIdentity, whereabouts } from '../../operators/storage/process-identity.js';
import { tidyAtExit } from '../cli/exit.js';
import { fileOnPath, whatIs } from '../cli/what-is.js';

const PREFIX = '.scratch-';
/** The file of a scratch folder that its process writes again and again: as long as it is young, the process is at work. */
const HEARTBEAT = `${TEMPORARY}alive`;
const BEAT_MS = 20_000;
/** A scratch folder in which nothing was written for so long, not even the heartbeat, is abandoned. */
export const SILENT_SCRATCH_MS = 300_000;
/** The same for an unfinished file. It has no heartbeat, and its writer may compute for long between two writes. */
export const SILENT_PART_MS = 3_600_000;
let claimed = 0;

export interface ScratchFolder {
  readonly folder: string;
  /** Removes it, with all that is in it. */
  release(): void;
}

/**
 * A scratch folder of this process under `parent`, made when it is written to; abandoned ones are removed. Throws
 * UserError if `parent` is a file, or its path leads through one.
 */
export function claimScratch(parent: string): ScratchFolder {
  const file = fileOnPath(parent);
  if (file !== null)
    throw new UserError(`${parent === file ? '' : `${parent}: `}${file} is a file, not a folder`);
  for (const folder of deadScratch(parent)) rmSync(folder, { recursive: true, force: true });
  const folder = join(parent, `${PREFIX}${processIdentity}-${claimed++}`);
  const beating = setInterval(() => beat(folder), BEAT_MS);
  beating.unref();
  const release = tidyAtExit(() => {
    clearInterval(beating);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, release };
}

/** Dates the heartbeat by the clock of the file system. */
function beat(folder: string): void {
  try {
    writeFileSync(join(folder, HEARTBEAT), '');
  } catch {
    // Nothing was written to the folder yet. A full disk fails where it matters.
  }
}

/** Whether the process that left something ended, for all that can be known, if it was silent for this time. */
export function isAbandoned(writer: string, silentMs: number, patienceMs = SILENT_PART_MS): boolean {
  const at = whereabouts(writer);
  return at === 'gone' || (at === 'unknown' && silentMs > patienceMs);
}

/** The abandoned scratch folders under `parent`. */
export function deadScratch(parent: string): string[] {
  const names = namesIn(parent).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) return [];
  const now = timeIn(parent);
  return names.flatMap((name) => {
    const folder = join(parent, name);
    const writer = name.slice(PREFIX.length).replace(/-\d+$/, '');
    return isAbandoned(writer, now - measureFolder(folder).at, SILENT_SCRATCH_MS) ? [folder] : [];
  });
}

/** The time by the clock of the file system of a folder, in ms since 1970. */
export function timeIn(folder: string): number {
  return Date.now() + (clockAhead(folder) ?? 0);
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

/** Tidies the store in `folder` for a writer: deletes abandoned part files now, and its own when it is stopped. */
export function tidyParts(folder: string): void {
  // Those in scratch folders go with these.
  const paths = filesBelow(folder).filter((path) => !path.startsWith(PREFIX));
  removeAbandoned(
    folder,
    paths.map((path) => join(folder, path)),
  );
  tidyAtExit(() => removeOwnParts(folder));
}

/** Removes abandoned part files from a folder into which a file is written; other folders in it are left alone. */
export function removeDeadOutputs(folder: string): void {
  const paths = namesIn(folder).map((name) => join(folder, name));
  removeAbandoned(folder, paths);
}

function removeAbandoned(folder: string, paths: readonly string[]): void {
  const parts = paths.filter((path) => writerAt(path) !== null);
  if (parts.length === 0) return;
  const now = timeIn(folder);
  for (const path of parts) {
    const found = whatIs(path);
    if (found?.isFile() === true && isAbandoned(writerAt(path)!, now - found.mtimeMs))
      rmSync(path, { force: true });
  }
}

/** Removes the part files that this process leaves behind when it is stopped. To be called at its end only. */
export function removeOwnParts(folder: string): void {
  for (const path of filesBelow(folder))
    if (writerAt(path) === processIdentity) rmSync(join(folder, path), { force: true });
}

const writerAt = (path: string) => writerOf(basename(path));

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
