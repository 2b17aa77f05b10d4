/**
 * Signs of text that others have written, made harmless for terminals: commands of a terminal, among them those of C1, signs that turn
 * the direction of the text about, and signs without a width would let a name look like another, or a line like one of ours.
 */

/** Control characters, formats (directions, no width, tags), separators of lines, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A character as JSON escapes it, or else by the numbers of its units of UTF-16. */
export function escaped(sign: string): string {
  const json = JSON.stringify(sign).slice(1, -1);
  if (json !== sign) return json;
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A name, or whatever else is part of a line, with escapes for all signs that would not be seen as they are. */
export const visible = (text: string): string => text.replace(UNSEEN, escaped);

/** Text of several lines: only ends of lines stay as they are. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
