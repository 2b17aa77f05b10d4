/** Listings that a server answers page by page, and faults of servers whose pages do not advance. */
import { StorageError } from '../core/errors.js';

/** Empty pages in a row, which deleted objects can cause, before the server is considered faulty. */
const MOST_EMPTY = 1000;

export interface Page<Marker> {
  /** Where the next page begins; undefined: the server gave no place. Null: this is the last page. */
  readonly next: Marker | undefined | null;
  readonly entries: number;
  /** Those of them that no page before had. */
  readonly added: number;
}

export function pageOf<Marker>(
  isTruncated: boolean | undefined,
  next: Marker | undefined,
  entries: number,
  added: number,
): Page<Marker> {
  return { next: isTruncated === true ? next : null, entries, added };
}

/**
 * Reads pages up to the last. `read` gets the place where its page begins, undefined for the first.
 * @param listed names the listing in messages.
 * @throws StorageError if the server answers with the same place twice, with no place though it has more, with a page that repeats others, or with empty pages for ever.
 */
export async function readPages<Marker>(
  listed: string,
  read: (from: Marker | undefined) => Promise<Page<Marker>>,
): Promise<void> {
  const places = new Set<string>();
  const refuse = (what: string): never => {
    throw new StorageError(listed, `the server's listing is wrong: ${what}`);
  };
  for (let from: Marker | undefined, empty = 0; ; ) {
    const { next, entries, added } = await read(from);
    if (next === null) return;
    if (next === undefined) return refuse('it reports more pages, but gives no continuation token');
    const place = JSON.stringify(next);
    if (places.has(place)) refuse('it gives the same continuation token again');
    places.add(place);
    if (entries > 0 && added === 0) refuse('a page repeats an earlier page');
    empty = entries > 0 ? 0 : empty + 1;
    if (empty > MOST_EMPTY) refuse(`${empty} empty pages in a row, each followed by another`);
    from = next;
  }
}
