/**
 * Text that others have written, as messages show it: cut to a readable length, and harmless for terminals. Commands of a terminal, among
 * them those of C1, signs that turn the direction of the text about, and signs without a width would let a name look like another, or a
 * line like one of ours.
 */

/** Control characters, formats (directions, no width, tags), separators of lines, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A character as JSON escapes it, or else by the numbers of its units of UTF-16. */
function escaped(sign: string): string {
  const json = JSON.stringify(sign).slice(1, -1);
  if (json !== sign) return json;
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A name, or whatever else is part of a line, with escapes for all signs that would not be seen as they are. */
export const visible = (text: string): string => text.replace(UNSEEN, escaped);

/** Characters of a wrong value that a message repeats. */
const MOST_SHOWN = 60;

/** The beginning of a text that is too long for a message. */
export const shortened = (text: string): string =>
  text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;

/** Text of several lines: only ends of lines stay as they are. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
