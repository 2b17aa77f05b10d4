/** The page of a keyed game or graph, written beside its published files. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { writing } from '../../operators/storage/errno.js';
import { GAME_PAGE } from '../cli/files.js';
import { storeFolder } from '../stores.js';

/** The folder that a page can be in. @param page its built files. @throws UserError if the place is none; StorageError if the page is not built. */
export function pageFolder(to: string, page: string): string {
  const folder = storeFolder(to);
  if (folder === null) throw new UserError('--as site needs a folder: give --to a path');
  if (!existsSync(page)) throw new StorageError(page, 'the page is not built: run "npm run build"');
  return folder;
}

/** @param script what the page is to show (jobs/web/game/load-game.ts). */
export function writePage(folder: string, script: string): void {
  writing(folder, () => {
    cpSync(GAME_PAGE, folder, { recursive: true });
    writeFileSync(join(folder, 'game.js'), script);
  });
}
