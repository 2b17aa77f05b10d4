/** Which source of values this page has: a file beside it says. */
import { httpSource } from './http-source.js';
import { type TableSource, UnreachableError } from './source.js';

/** What `site.json` holds. */
export interface Site {
  readonly source: 'http';
}

export interface ChosenSource {
  readonly site: Site;
  readonly source: TableSource;
}

/** `base`: the address of the page. @throws UnreachableError if nothing says which it is. */
export async function chooseSource(base: string): Promise<ChosenSource> {
  const site = (await fetch(new URL('site.json', base))
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)) as Site | null;
  if (site === null) throw new UnreachableError('The server does not answer.');
  return { site, source: httpSource(base) };
}
