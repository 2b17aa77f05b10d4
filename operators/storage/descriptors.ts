import { closeSync } from 'node:fs';
import { errnoOf } from './errno.js';

/** A cache of open descriptors, for reading files that are read again and again. */
export interface Descriptors {
  /** A descriptor of the file, opened if need be; throws the system's error. Valid until the next call. */
  open(path: string): number;
  /** Closes the file's descriptor, if it has one: before it is deleted or replaced. */
  drop(path: string): void;
  dropAll(): void;
  /** Calls `open`; at the limit of open files it closes a cached descriptor and tries again, until none is left. */
  withRoom(open: () => number): number;
}

/**
 * Keeps at most `limit` (at least 1) descriptors, fewer if the limit of the process is lower, and closes the least recently used one first.
 * @param openFile opens a file to be read.
 */
export function newDescriptors(
  limit: number,
  openFile: (path: string) => number,
  close: (descriptor: number) => void = closeSync,
): Descriptors {
  const open = new Map<string, number>();

  function drop(path: string): void {
    const descriptor = open.get(path);
    if (descriptor === undefined) return;
    open.delete(path);
    close(descriptor);
  }

  function dropOldest(): void {
    drop(open.keys().next().value!);
  }

  function withRoom(attempt: () => number): number {
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (errnoOf(error) !== 'EMFILE' || open.size === 0) throw error;
        dropOldest();
      }
    }
  }

  return {
    withRoom,
    open(path) {
      let descriptor = open.get(path);
      if (descriptor === undefined) {
        if (open.size >= limit) dropOldest();
        descriptor = withRoom(() => openFile(path));
      } else {
        open.delete(path);
      }
      open.set(path, descriptor); // a Map keeps the order of insertion: the last is the most recently used
      return descriptor;
    },
    drop,
    dropAll() {
      while (open.size > 0) dropOldest();
    },
  };
}
