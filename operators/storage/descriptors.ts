import { closeSync } from 'node:fs';

/** Open read descriptors of the most recently read files. */
export interface Descriptors {
  /** A descriptor of the file, opened if need be; throws the system's error. Valid until the next call. */
  open(path: string): number;
  /** Closes the file's descriptor, if it has one: before it is deleted or replaced. */
  drop(path: string): void;
}

/**
 * Keeps at most `limit` (at least 1) descriptors and closes the least recently used.
 * @param openFile opens a file to be read.
 */
export function newDescriptors(limit: number, openFile: (path: string) => number): Descriptors {
  const open = new Map<string, number>();

  function drop(path: string): void {
    const descriptor = open.get(path);
    if (descriptor === undefined) return;
    open.delete(path);
    closeSync(descriptor);
  }

  return {
    open(path) {
      let descriptor = open.get(path);
      if (descriptor === undefined) {
        if (open.size >= limit) drop(open.keys().next().value!);
        descriptor = openFile(path);
      } else {
        open.delete(path);
      }
      open.set(path, descriptor); // a Map keeps the order of insertion: the last is the most recently used
      return descriptor;
    },
    drop,
  };
}
