/** The files that this process has open, as Linux lists them. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const LISTED = '/proc/self/fd';

export const LISTS_OPEN_FILES = existsSync(LISTED);
/** For the name of a test that asks for open files: why it is skipped. */
export const ifUnlisted = LISTS_OPEN_FILES ? '' : ` (skipped: there is no ${LISTED} here)`;

export interface OpenFile {
  readonly descriptor: string;
  /** Ends in " (deleted)" if the file has no name any more. */
  readonly path: string;
}

/** The open files whose paths begin so. */
export function openFiles(start: string): OpenFile[] {
  return readdirSync(LISTED).flatMap((descriptor) => {
    try {
      const path = readlinkSync(`${LISTED}/${descriptor}`);
      return path.startsWith(start) ? [{ descriptor, path }] : [];
    } catch {
      return []; // the one that listed the others
    }
  });
}
