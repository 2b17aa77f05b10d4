/** The files of the built page. They are few and small, so all are read at the start and no path of a request ever meets a disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { GameAnswer } from './api-answers.js';
import { etagOf, reply } from './replies.js';

const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param folder that of the built page; without one, or if it is not there, only /site.json is answered.
 * @param games what `/api/games` answers: with it in `site.json`, the page has one request less to wait for.
 */
export function pageRoutes(
  folder: string | null,
  app: OpenAPIHono,
  games: (context: Context) => Promise<readonly GameAnswer[]>,
): void {
  const files = folder === null ? new Map<string, PageFile>() : readPages(folder);
  app.get('/site.json', async (context) =>
    reply(context, { source: 'http', games: await games(context) }, 'listing'),
  );
  for (const [path, file] of files) {
    app.get(path, (context) => context.body(file.bytes, 200, file.headers));
  }
}

/** The page of a keyed game, at /game/NAME/. */
export interface GamePage {
  readonly name: string;
  /** The script that has its rules. Rejects with HttpProblem while the game is not solved. */
  script(): Promise<string>;
}

/** @param folder that of the built page of keyed games. */
export function gamePageRoutes(folder: string, games: readonly GamePage[], app: OpenAPIHono): void {
  const files = readPages(folder);
  for (const { name, script } of games) {
    const at = `/game/${name}`;
    app.get(at, (context) => context.redirect(`${at}/`, 301));
    let made: PageFile | undefined;
    const own = async () => (made ??= pageFile('game.js', new TextEncoder().encode(await script())));
    for (const path of [...files.keys(), '/game.js'])
      app.get(`${at}${path}`, async (context) => {
        const { bytes, headers } = files.get(path) ?? (await own());
        return context.body(bytes, 200, headers);
      });
  }
}

/** Files by path: index.html also answers for "/", and pages go without their ending. */
function readPages(folder: string): Map<string, PageFile> {
  const found = new Map<string, PageFile>();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const name = relative(folder, path).split(sep).join('/');
    const page = pageFile(name, new Uint8Array(readFileSync(path)));
    found.set(`/${name}`, page);
    if (name === 'index.html') found.set('/', page);
    else if (name.endsWith('.html')) found.set(`/${name.slice(0, -'.html'.length)}`, page);
  }
  return found;
}

function pageFile(name: string, bytes: Uint8Array<ArrayBuffer>): PageFile {
  // Names of files below assets/ have digests in them.
  const lasting = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    bytes,
    headers: {
      'Content-Type': getMimeType(name) ?? 'application/octet-stream',
      'Cache-Control': lasting,
      ETag: etagOf(bytes),
      ...(name.endsWith('.html') && { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' }),
    },
  };
}
