/** A character as JSON escapes it, or else by the numbers of its units of UTF-16. */
export function escaped(sign: string): string {
  const json = JSON.stringify(sign).slice(1, -1);
  if (json !== sign) return json;
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
