/**
 * The value that a plain object has under a key which somebody else has chosen: words of a command line, names in files, codes of
 * errors. `record[key]` would also find what every object inherits, as "constructor" or "toString".
 */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
