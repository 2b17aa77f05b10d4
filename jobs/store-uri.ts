/**
 * URIs of objects, which name an object and its store to a process. A store's settings are the query of its URI
 * (`s3://bucket/prefix?endpoint=…`), and stay behind the object's name. Only s3 URIs have a query: a question mark in the name
 * of a folder is a question mark.
 */

/** A URI whose path may be empty; `head` ends where the path begins: `s3://bucket`, `file://`, `file:`, or nothing. */
interface Pieces {
  readonly head: string;
  readonly path: string;
  readonly query: string;
}

const S3 = /^s3:\/\/[^/?]*/i;
const FILE = /^file:(\/\/(?=\/))?/i;

function piecesOf(uri: string): Pieces {
  const s3 = S3.exec(uri);
  if (s3 === null) {
    const head = FILE.exec(uri)?.[0] ?? '';
    return { head, path: uri.slice(head.length), query: '' };
  }
  const asked = uri.indexOf('?');
  const end = asked < 0 ? uri.length : asked;
  return { head: s3[0], path: uri.slice(s3[0].length, end), query: uri.slice(end) };
}

/** The URI of the object `name`, a clean relative path, of the store `uri`. */
export function storeUriOf(uri: string, name: string): string {
  const { head, path, query } = piecesOf(uri);
  const relative = path === '' && !S3.test(head);
  return `${head}${path.replace(/\/+$/, '')}${relative ? '' : '/'}${name}${query}`;
}

/**
 * Splits the URI of an object into store and name. The name begins at the last match of `at` that begins a part of the path.
 * The store is the rest. Null if there is no such match.
 */
export function splitStoreUri(uri: string, at: RegExp): { store: string; name: string } | null {
  const { head, path, query } = piecesOf(uri);
  const last = [...path.matchAll(new RegExp(at.source, `${at.flags.replace('g', '')}g`))]
    .map(({ index }) => index)
    .filter((index) => index === 0 || path[index - 1] === '/')
    .at(-1);
  if (last === undefined) return null;
  const before = path.slice(0, last);
  const folder = before.replace(/\/+$/, '') || (S3.test(head) ? '' : before === '' ? '.' : '/');
  return { store: `${head}${folder}${query}`, name: path.slice(last) };
}
