/** Files that the page itself makes. */
import { h } from '../dom.js';

/** Hands a text to the browser, to be saved under a name. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  // Not at once: the browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
