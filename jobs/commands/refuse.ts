/** Says no to what some kinds of games do not have. */
import { UserError } from '../../operators/core/errors.js';

/** @param kind what the game is: "keyed game". @throws UserError for endings, and for flags that were given. */
export function refuse(kind: string, name: string, endings: readonly string[], flags: object): void {
  if (endings.length > 0)
    throw new UserError(`${name} is a ${kind}, which has no endings: it is solved as a whole`);
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined || value === false) continue;
    const called = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UserError(`--${called} is not for ${kind}s, and ${name} is one`);
  }
}
