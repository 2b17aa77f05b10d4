/** Answers with headers for caches: an ETag of the content, and how long the answer holds. */
import { createHash } from 'node:crypto';
import type { Context, TypedResponse } from 'hono';
import { encodeCbor, type Json } from './cbor.js';

/** `table`: answers from finished tables, which stay as they are; `listing`: answers that more tables change. */
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

const CBOR = 'application/cbor';

/** Whether the client would rather have CBOR than JSON (RFC 9110, section 12.5.1): it names CBOR, with no lower quality. */
function wantsCbor(context: Context): boolean {
  const accepted = new Map(
    (context.req.header('Accept') ?? '').split(',').map((range) => {
      const [type, ...parameters] = range.split(';').map((each) => each.trim().toLowerCase());
      const quality = parameters.find((each) => each.startsWith('q='));
      return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const;
    }),
  );
  const json = accepted.get('application/json') ?? accepted.get('application/*') ?? accepted.get('*/*') ?? 0;
  const cbor = accepted.get(CBOR) ?? 0;
  return cbor > 0 && cbor >= json;
}

/** 200 with the value as JSON, or 304 if the client has it already. */
export function reply<T>(context: Context, value: T, lasting: Lasting): TypedResponse<T, 200, 'json'> {
  return replied(context, JSON.stringify(value), 'application/json', lasting);
}

/** Answers as {@link reply} does, in CBOR if the client asks for that. */
export function replyNegotiated<T>(
  context: Context,
  value: T,
  lasting: Lasting,
): TypedResponse<T, 200, 'json'> {
  // Caches must know that another client may get other bytes.
  context.header('Vary', 'Accept', { append: true });
  return wantsCbor(context)
    ? replied(context, encodeCbor(value as Json), CBOR, lasting)
    : reply(context, value, lasting);
}

function replied<T>(
  context: Context,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  lasting: Lasting,
): TypedResponse<T, 200, 'json'> {
  const etag = etagOf(body);
  const headers = { ETag: etag, 'Cache-Control': CACHE_CONTROL[lasting] };
  const response = isKnown(context, etag)
    ? context.body(null, 304, headers)
    : context.body(body, 200, { ...headers, 'Content-Type': type });
  // The routes know answers by their content; neither a 304 nor another encoding has anything to check.
  return response as unknown as TypedResponse<T, 200, 'json'>;
}
