/** Files that the page itself makes. */
/** Hands a text, or what is a file already, to the browser, to be saved under a name. */
export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Not at once: the browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
