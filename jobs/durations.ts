/** Durations, as people write them. */
import { UserError } from '../operators/core/errors.js';

const UNITS: Record<string, number> = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads "90s", "30m", "1.5h", "2d", as milliseconds. `what` names the setting in the UserError that anything else throws. */
export function parseDuration(text: string, what: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim());
  const unit = match === null ? undefined : UNITS[match[2].toLowerCase()];
  if (match === null || unit === undefined)
    throw new UserError(
      `${what}: ${JSON.stringify(text)} is no duration: write s, m, h or d after a number, as in 30m`,
    );
  return Number(match[1]) * unit;
}
