/** Sizes in bytes and durations, as people write them on the command line and in job files. */
import { UserError } from '../../operators/core/errors.js';
import { Bounds } from './bounds.js';

const SIZE_UNITS = new Map(
  Object.entries({
    '': 1,
    b: 1,
    byte: 1,
    bytes: 1,
    kb: 1e3,
    mb: 1e6,
    gb: 1e9,
    kib: 2 ** 10,
    mib: 2 ** 20,
    gib: 2 ** 30,
  }),
);

/**
 * Reads "64MiB", "1.5 GB", "4096"; a job file may give a number of bytes. `what` names the setting in the UserError that
 * anything else throws.
 */
export function parseSize(size: string | number, what: string): number {
  return typeof size === 'number' ? size : bytesOf(size, what);
}

/** Reads the memory that buffers may take. Throws UserError as well for less than the least they need. */
export function parseMemory(size: string | number, what: string): number {
  const bytes = parseSize(size, what);
  const { least } = Bounds.memory;
  if (bytes >= least) return bytes;
  throw new UserError(`${what}: ${bytes} bytes are too few, at least ${least / 2 ** 20}MiB is needed`);
}

function bytesOf(text: string, what: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match === null ? undefined : SIZE_UNITS.get(match[2].toLowerCase());
  if (match === null || unit === undefined) {
    throw new UserError(
      `${what}: ${JSON.stringify(text)} is not a size: write bytes, or KiB, MiB, GiB, KB, MB, GB, as in 64MiB`,
    );
  }
  const bytes = Math.round(Number(match[1]) * unit);
  if (!Number.isSafeInteger(bytes)) throw new UserError(`${what}: ${JSON.stringify(text)} is too large`);
  return bytes;
}

const DURATION_UNITS = new Map(
  Object.entries({ s: 1000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 }),
);

/** Reads "90s", "30m", "1.5h", "2d", as milliseconds. `what` names the setting in the UserError that anything else throws. */
export function parseDuration(text: string, what: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim());
  const unit = match === null ? undefined : DURATION_UNITS.get(match[2].toLowerCase());
  if (match === null || unit === undefined)
    throw new UserError(
      `${what}: ${JSON.stringify(text)} is not a duration: write s, m, h or d after a number, as in 30m`,
    );
  return Number(match[1]) * unit;
}
