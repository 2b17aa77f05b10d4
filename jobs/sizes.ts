/** Sizes in bytes, as people write them. */
import { UserError } from '../operators/core/errors.js';

const UNITS: Record<string, number> = {
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
};

/** Reads "64MiB", "1.5 GB", "4096". `what` names the setting in the UserError that anything else throws. */
export function parseSize(text: string, what: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match === null ? undefined : UNITS[match[2].toLowerCase()];
  if (match === null || unit === undefined) {
    throw new UserError(
      `${what}: ${JSON.stringify(text)} is no size: write bytes, or KiB, MiB, GiB, KB, MB, GB, as in 64MiB`,
    );
  }
  const bytes = Math.round(Number(match[1]) * unit);
  if (!Number.isSafeInteger(bytes)) throw new UserError(`${what}: ${JSON.stringify(text)} is too large`);
  return bytes;
}
