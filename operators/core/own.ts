/**
 * The value of a plain object under a key that comes from outside: a word of the command line, a name in a file, the code of an error.
 * `record[key]` would also find what every object inherits, such as "constructor" or "toString".
 */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
