/** The folder of a static site: its owner, and the files of it that are no tables. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { writing } from '../../operators/storage/errno.js';
import { localStore } from '../../operators/storage/local.js';
import type { Store } from '../../operators/storage/store.js';
import { removeRemains } from '../engines/remains.js';
import { MARK, SITE, SITE_VERSION, type StaticSite, TABLES } from './site-layout.js';

interface SiteFolder {
  /** The store in `tables/`. */
  readonly tables: Store;
  /** Copies the built files of the page. */
  addPage(page: string): void;
  /** Makes it a site, which finds the tables at an address, or in the folder. */
  finish(tablesAt: string | null): Promise<void>;
}

/** The page that watches solves needs a server. */
const MONITOR = /[/\\]monitor(?:-[\w-]+)?\.(?:html|js|css)$/;

/**
 * Begins an export into a folder that is empty, not there, or an export's, finished or not. Until it is finished it is no site.
 * @throws UserError if other things are in it; StorageError.
 */
export async function openSiteFolder(path: string): Promise<SiteFolder> {
  const folder = localStore(path, { durable: true });
  const mark = `${TABLES}/${MARK}`;
  if ((await folder.size(mark)) === null) {
    const [other] = await folder.list('');
    if (other !== undefined) {
      throw new UserError(
        `--to ${path}: the folder has other files in it (${other}): give an empty one, or an export`,
      );
    }
    await folder.putIfAbsent(mark, json({ version: SITE_VERSION, by: 'mergemate publish --as site' }));
  }
  await folder.delete(SITE);
  await removeRemains(folder);
  const tables = localStore(join(path, TABLES), { durable: true });
  return {
    tables,
    addPage(page) {
      if (!existsSync(join(page, 'index.html'))) {
        throw new StorageError(page, 'the files of the page are not there: run "npm run build"');
      }
      writing(path, () => {
        // Their names change with every build.
        rmSync(join(path, 'assets'), { recursive: true, force: true });
        cpSync(page, path, { recursive: true, filter: (from) => !MONITOR.test(from) });
      });
    },
    async finish(tablesAt) {
      const site: StaticSite = { source: 'static', tables: tablesAt ?? `${TABLES}/` };
      await folder.putIfAbsent(SITE, json(site));
    },
  };
}

export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}
