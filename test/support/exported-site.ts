/** A static site of chess from a store, with a stub for its page, on a file server; and the source that pages read it by. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportSite, type SiteOptions } from '../../jobs/site/export-site.js';
import { type StaticSource, staticSource } from '../../jobs/web/static/static-source.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { type FileServer, fileServer } from './file-server.js';

/** A folder with what stands for a page, where no browser opens it. */
export function stubOfPage(folder: string): string {
  const page = join(folder, 'page');
  mkdirSync(page);
  writeFileSync(join(page, 'index.html'), '<title>page</title>');
  return page;
}

/** Exports of whatever the store has of chess, unless `more` says otherwise. */
export function siteOptions(
  store: Store,
  { to, page, ...more }: Pick<SiteOptions, 'to' | 'page'> & Partial<SiteOptions>,
): SiteOptions {
  return {
    store,
    published: null,
    games: [chess as Game],
    metric: undefined,
    slices: null,
    to,
    page,
    progress: () => {},
    ...more,
  };
}

/** The site `site` of a store, in a folder that is served. */
export async function servedSite(
  store: Store,
  folder: string,
): Promise<{ readonly server: FileServer; readonly site: StaticSource }> {
  await exportSite(siteOptions(store, { to: join(folder, 'site'), page: stubOfPage(folder) }));
  const server = await fileServer(folder);
  return { server, site: await staticSource(`${server.endpoint}/site/tables/`) };
}
