/** The folder that a report goes to, and its files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { errnoOf, fileError } from '../../operators/storage/errno.js';
import type { Sink } from '../../operators/storage/store.js';
import { createOutput } from '../export/output-file.js';

/** The files of a report: figures are gathered once all of them can be written. */
export interface ReportFiles {
  readonly names: readonly string[];
  /** In the order of the names. */
  texts(): Promise<readonly string[]>;
}

/** @param texts makes the text of each file from what `gather` gathers. */
export function reportFiles<Figures>(
  texts: Readonly<Record<string, (figures: Figures) => string>>,
  gather: () => Promise<Figures>,
): ReportFiles {
  return {
    names: Object.keys(texts),
    async texts() {
      const figures = await gather();
      return Object.values(texts).map((text) => text(figures));
    },
  };
}

/**
 * Writes the files of a report into the folder `out`. They are opened before the figures are gathered, so that one that cannot be
 * written is refused at once. Returns their paths.
 *
 * @param force replaces files that are there
 * @throws UserError if `out` is no folder or a file is there, StorageError if the folder cannot be made.
 */
export async function writeReport(
  out: string,
  force: boolean,
  { names, texts }: ReportFiles,
): Promise<string[]> {
  const paths = names.map((name) => join(out, name));
  makeFolder(out);
  const outputs: Sink[] = [];
  try {
    for (const path of paths) outputs.push(await createOutput(path, force, '--html'));
    for (const [i, text] of (await texts()).entries()) {
      await outputs[i].write([Buffer.from(text)]);
      await outputs[i].close();
    }
  } catch (error) {
    for (const output of outputs) await output.abort();
    throw error;
  }
  return paths;
}

/** Throws UserError if it is no folder, StorageError if it cannot be made. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw new UserError(`--html ${path} is a file, not a folder`);
    if (code === 'ENOTDIR') throw new UserError(`--html ${path} lies in a file, not in a folder`);
    throw fileError(path, 'written', error);
  }
}
