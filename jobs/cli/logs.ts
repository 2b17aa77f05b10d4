/** Logs for programs to read: one JSON object a line and event, of many processes on many machines. */
import { mkdirSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { destination, type Logger as Pino, pino, stdTimeFunctions } from 'pino';
import { writing } from '../../operators/storage/errno.js';

/** Subject of an event. */
export interface LogSubject {
  readonly slice?: string;
  readonly phase?: string;
  readonly task?: number;
}

export interface Logger {
  /** @param figures measured figures; durations in milliseconds, sizes in bytes. */
  info(event: string, figures?: Readonly<Record<string, unknown>>): void;
  warn(event: string, figures?: Readonly<Record<string, unknown>>): void;
  error(event: string, figures?: Readonly<Record<string, unknown>>): void;
  /** A log whose events have this subject, too. */
  about(subject: LogSubject): Logger;
}

/**
 * Appends events to a file, or writes them to stderr if that is null. A line is written before the call returns, so that
 * nothing is lost when the process is killed. Throws StorageError if the file cannot be opened.
 */
export function openLog(file: string | null): Logger {
  const stream = destination({ fd: file === null ? process.stderr.fd : openToAppend(file), sync: true });
  // A log that cannot be written any more is no reason to give up the work.
  stream.on('error', () => {});
  const options = {
    base: { host: hostname(), pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    messageKey: 'event',
    nestedKey: 'figures',
  };
  return loggerOn(pino(options, stream));
}

function openToAppend(file: string): number {
  return writing(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'a');
  });
}

function loggerOn(log: Pino): Logger {
  return {
    info: (event, figures = {}) => log.info(figures, event),
    warn: (event, figures = {}) => log.warn(figures, event),
    error: (event, figures = {}) => log.error(figures, event),
    about: (subject) => loggerOn(log.child(subject)),
  };
}
