/** Whole numbers on the command line. Of no game, so that nothing of games is loaded. */
import { UserError } from '../operators/core/errors.js';

/** A reader of whole numbers between bounds, for commander. */
export function wholeNumber(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UserError(`${what}: ${JSON.stringify(text)} is no whole number from ${least} to ${most}`);
  };
}
