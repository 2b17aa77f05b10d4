/** Numbers of plies that are asked for. */
import { UserError } from '../../operators/core/errors.js';

/** Both ends included. */
export interface PlyRange {
  readonly least: number;
  readonly most: number;
}

/** "19" or "10..19". @param what the number is of. @throws UserError for what is neither. */
export function readPlies(text: string, what = 'plies'): PlyRange {
  const match = /^(\d{1,5})(?:\.\.(\d{1,5}))?$/.exec(text.trim());
  const [least, most] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (match === null || least > most)
    throw new UserError(
      `${what}: ${JSON.stringify(text)} is neither a number${what === 'plies' ? ' of plies' : ''} nor a range such as 10..19`,
    );
  return { least, most };
}
