/** Answers with headers for caches: an ETag of the content, and how long the answer holds. */
import { createHash } from 'node:crypto';
import { encode } from 'cborg';
import type { Context, TypedResponse } from 'hono';
import { accepts } from 'hono/accepts';

/** `table`: answers from finished tables, which stay as they are; `listing`: answers that more tables change. */
export type Lasting = 'table' | 'listing';

const CACHE_CONTROL: Readonly<Record<Lasting, string>> = {
  table: 'public, max-age=86400',
  listing: 'no-cache',
};

export function etagOf(bytes: string | Uint8Array): string {
  return `"${createHash('sha1').update(bytes).digest('base64url')}"`;
}

const JSON_TYPE = 'application/json';
const CBOR_TYPE = 'application/cbor';

/** 200 with the value as JSON; `etag` of hono makes it 304 if the client has it already. */
export function reply<T>(context: Context, value: T, lasting: Lasting): TypedResponse<T, 200, 'json'> {
  return replied(context, JSON.stringify(value), JSON_TYPE, lasting);
}

/** Replies as {@link reply} does with what is JSON already. */
export function replyText<T>(
  context: Context,
  json: string,
  lasting: Lasting,
): TypedResponse<T, 200, 'json'> {
  return replied(context, json, JSON_TYPE, lasting);
}

/** Replies as {@link reply} does, or in CBOR (RFC 8949) where the client prefers that. */
export function replyNegotiated<T>(
  context: Context,
  value: T,
  lasting: Lasting,
): TypedResponse<T, 200, 'json'> {
  // Caches must know that another client may get other bytes.
  context.header('Vary', 'Accept', { append: true });
  const type = accepts(context, {
    header: 'Accept',
    supports: [JSON_TYPE, CBOR_TYPE],
    default: JSON_TYPE,
    match(ranges, { supports, default: otherwise }) {
      const [best] = ranges
        .filter(({ type, q }) => q > 0 && supports.includes(type))
        .sort((a, b) => b.q - a.q);
      return best?.type ?? otherwise;
    },
  });
  return type === CBOR_TYPE
    ? replied(context, encode(value, { ignoreUndefinedProperties: true }), CBOR_TYPE, lasting)
    : reply(context, value, lasting);
}

function replied<T>(
  context: Context,
  body: string | Uint8Array,
  type: string,
  lasting: Lasting,
): TypedResponse<T, 200, 'json'> {
  return context.body(body as string | Uint8Array<ArrayBuffer>, 200, {
    ETag: etagOf(body),
    'Cache-Control': CACHE_CONTROL[lasting],
    'Content-Type': type,
    // The routes describe replies by their content, which neither a text nor another encoding shows to the compiler.
  }) as unknown as TypedResponse<T, 200, 'json'>;
}
