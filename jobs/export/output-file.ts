/** Where an export writes to: a file, which appears when it is complete, and not at all if it never is; or standard output. */
import { basename, dirname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import type { Sink } from '../../operators/storage/store.js';
import { tidyAtExit } from '../cli/exit.js';
import { printData } from '../cli/output.js';
import { requirePlaceOfFile, whatIs } from '../cli/what-is.js';
import { removeDeadOutputs } from '../engines/scratch-folder.js';

/** Takes text. */
export const standardOutput: Sink = {
  async write(pieces) {
    for (const piece of pieces) await printData(Buffer.from(piece as Uint8Array).toString());
  },
  async close() {},
  async abort() {},
};

/**
 * Throws UserError if the file is there and `force` is not given, if it is no file, or if there is no folder for it.
 * @param flag that names the place, for messages.
 */
export async function createOutput(path: string, force: boolean, flag = '--out'): Promise<Sink> {
  requirePlaceOfFile(flag, path);
  const found = whatIs(path);
  if (found !== undefined && !found.isFile())
    throw new UserError(`${flag} ${path} is not a regular file: only those are written, or replaced`);
  if (found !== undefined && !force)
    throw new UserError(`${flag} ${path} exists already: --force overwrites it`);
  removeDeadOutputs(dirname(path));
  const sink = await localStore(dirname(path), { durable: true }).create(basename(path));
  let open = true;
  const abandon = tidyAtExit(() => {
    // A local sink gives its part file up before the promise is returned.
    if (open) void sink.abort();
    open = false;
  });
  return {
    write: (pieces) => sink.write(pieces),
    async close() {
      await sink.close();
      open = false;
      abandon();
    },
    async abort() {
      abandon();
    },
  };
}
