/** The men of chess as SVG symbols on squares of 45 units: drawn, since not every system has letters for them. */
const BASE = '<path d="M11 39c0-4 5-4.5 6-7h11c1 2.5 6 3 6 7z"/>';
const SHAPES: Readonly<Record<string, string>> = {
  K: '<path d="M22.5 4.5v8M18.8 7.5h7.4" class="open"/><path d="M22.5 12c-4 0-4.5 4-2.5 8-8-5-13-.5-10.5 6 1 2.8 3 4 4 7h18c1-3 3-4.2 4-7 2.5-6.5-2.5-11-10.5-6 2-4 1.5-8-2.5-8z"/><path d="M13 34.5h19v4.5h-19z"/>',
  Q: '<path d="M9 13.5l5 17h17l5-17-7.5 8-2.5-12.5-3.5 12-3.5-12-2.5 12.5z"/><circle cx="9" cy="11.5" r="2.3"/><circle cx="19" cy="7.5" r="2.3"/><circle cx="26" cy="7.5" r="2.3"/><circle cx="36" cy="11.5" r="2.3"/><path d="M13.5 32.5h18l2 6.5h-22z"/>',
  R: '<path d="M11 8.5h5v3.5h4v-3.5h5v3.5h4v-3.5h5v8.5l-4 3v11l3 3.5v5h-21v-5l3-3.5v-11l-4-3z"/>',
  B: '<circle cx="22.5" cy="7.5" r="2.7"/><path d="M22.5 10.5c-8.5 6.5-9.5 14.5-5.5 19.5h11c4-5 3-13-5.5-19.5z"/><path d="M22.5 16.5v7M19 20h7" class="inner"/><path d="M10.5 39c0-4 6-4 6.5-7h11c.5 3 6.5 3 6.5 7z"/>',
  N: '<path d="M13 39c0-8.5 9-10.5 9.5-17.5-2.5 2.5-4.5 2-6.5 4-2.5 2.3-6.5 1-6-2.5 3-4 4-9.5 9-12.5l.5-4.5 4.5 4c8.5 2 13 11.5 11 29z"/><circle cx="19" cy="15" r="1" class="dot"/>',
  P: `<circle cx="22.5" cy="14" r="5.5"/><path d="M22.5 19c-6 3-5.5 9-5.5 13h11c0-4 .5-10-5.5-13z"/>${BASE}`,
};

/** Definitions to be put into the page once. */
export const CHESS_SYMBOLS = `<svg class="symbols" aria-hidden="true"><defs>${Object.entries(SHAPES)
  .map(([letter, shape]) => `<symbol id="man-${letter}" viewBox="0 0 45 45">${shape}</symbol>`)
  .join('')}</defs></svg>`;
