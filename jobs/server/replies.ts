/** Answers with headers for caches: an ETag of the content, and how long the answer holds. */
import { createHash } from 'node:crypto';
import type { Context, TypedResponse } from 'hono';

/** `table`: answers from finished tables, which stay as they are; `listing`: answers that more tables change. */
export type Lasting = 'table' | 'listing';

const CACHE_CONTROL: Readonly<Record<Lasting, string>> = {
  table: 'public, max-age=86400',
  listing: 'no-cache',
};

export function etagOf(bytes: string | Uint8Array): string {
  return `"${createHash('sha1').update(bytes).digest('base64url')}"`;
}

/** 200 with the value as JSON; `etag` of hono makes it 304 if the client has it already. */
export function reply<T>(context: Context, value: T, lasting: Lasting): TypedResponse<T, 200, 'json'> {
  const body = JSON.stringify(value);
  return context.body(body, 200, {
    ETag: etagOf(body),
    'Cache-Control': CACHE_CONTROL[lasting],
    'Content-Type': 'application/json',
    // The routes know answers by their content, which a text does not show.
  }) as unknown as TypedResponse<T, 200, 'json'>;
}
