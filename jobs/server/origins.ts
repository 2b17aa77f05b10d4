/**
 * What pages of other sites may read. Values of tables are public to every client that reaches the port, so pages of any origin may read them.
 * Everything else is for pages of this server only: a browser withholds it from pages of other origins unless a header allows it.
 *
 * An attacker can make the name of a page resolve to this server's address, and a browser then takes the page for one of this server (DNS
 * rebinding). The requests of such a page have that name in `Host`. So routes that reveal something about the machine or a user's files
 * answer only under names that an attacker cannot have.
 */

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Context, MiddlewareHandler } from 'hono';
import { HttpProblem } from './problems.js';

/** Routes of tables: any page may read them. */
export function isPublic(path: string): boolean {
  return TABLES.has(path);
}

const TABLES: ReadonlySet<string> = new Set([
  '/probe',
  '/standard',
  '/standard/mainline',
  '/api/mainline',
  '/api/games',
  '/api/endings',
  '/api/files',
  '/api/graphs',
  '/api/histogram',
  '/api/positions',
  '/api/solutions',
  '/openapi.json',
]);

/** @param names of the server, besides its addresses, "localhost" and the name of the machine. */
export function ownPagesOnly(names: readonly string[]): MiddlewareHandler {
  const allowed = new Set([...names, 'localhost', hostname()].map((name) => name.toLowerCase()));
  return async (context, next) => {
    const host = hostOf(context);
    if (host === null || !(isAddress(host) || host.endsWith('.localhost') || allowed.has(host)))
      throw new HttpProblem(403, 'this is not answered under this name of the server: see --allow-host');
    const origin = context.req.header('Origin');
    if (origin !== undefined && !isOwn(origin, context))
      throw new HttpProblem(403, 'this is not answered to pages of other sites');
    context.header('Cross-Origin-Resource-Policy', 'same-origin');
    await next();
  };
}

/** The name or address, without the port, by which the client calls the server. */
function hostOf({ req }: Context): string | null {
  const asked = req.header('Host') ?? new URL(req.url).host;
  const url = `http://${asked}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '').toLowerCase() : null;
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Whether a page has the host and port that the request has. A proxy may speak TLS, so the scheme is not compared. */
function isOwn(origin: string, { req }: Context): boolean {
  return (
    URL.canParse(origin) &&
    new URL(origin).host === (req.header('Host') ?? new URL(req.url).host).toLowerCase()
  );
}
