/** Answers with what lets caches keep them: an ETag of what is in them, and for how long they hold. */
import { createHash } from 'node:crypto';
import type { Context, TypedResponse } from 'hono';

/** `table`: what finished tables say, which stays as it is; `listing`: what more tables change. */
export type Lasting = 'table' | 'listing';

const CACHE_CONTROL: Readonly<Record<Lasting, string>> = {
  table: 'public, max-age=86400',
  listing: 'no-cache',
};

export function etagOf(bytes: string | Uint8Array): string {
  return `"${createHash('sha1').update(bytes).digest('base64url')}"`;
}

/** RFC 9110, section 13.1.2: weak comparison with a list of tags, or any. */
export function isKnown(context: Context, etag: string): boolean {
  const known = context.req.header('If-None-Match');
  if (known === undefined) return false;
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** 200 with the value as JSON, or 304 if the client has it already. */
export function reply<T>(context: Context, value: T, lasting: Lasting): TypedResponse<T, 200, 'json'> {
  const text = JSON.stringify(value);
  const etag = etagOf(text);
  const headers = { ETag: etag, 'Cache-Control': CACHE_CONTROL[lasting] };
  const response = isKnown(context, etag)
    ? context.body(null, 304, headers)
    : context.body(text, 200, { ...headers, 'Content-Type': 'application/json' });
  // The routes know answers by what is in them; a 304 has nothing to check.
  return response as unknown as TypedResponse<T, 200, 'json'>;
}
