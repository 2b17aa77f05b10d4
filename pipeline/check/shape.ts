/** Checks that a value has the members of a Game, as far as that can be seen without calling any. */
import type { Game } from '../game/game.js';
import { metrics } from '../game/value.js';

type Needed = { readonly [Key in keyof Game as undefined extends Game[Key] ? never : Key]: true };

/** Every method that a game must have. */
const METHODS: Omit<Needed, 'name' | 'colours' | 'metrics' | 'locatesMirrored'> = {
  ending: true,
  endingsUpTo: true,
  slice: true,
  parse: true,
  format: true,
  locate: true,
  board: true,
  moves: true,
  terminal: true,
  mover: true,
  diagram: true,
};

/** Members of a Game that are missing or of the wrong type; empty if there are none. */
export function missingOfGame(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return ['it is not an object'];
  const game = value as Record<string, unknown>;
  const missing: string[] = [];
  if (typeof game.name !== 'string') missing.push('name (a string)');
  const { colours } = game;
  const pair = Array.isArray(colours) ? [...colours].sort().join() : '';
  if (pair !== 'black,white') missing.push("colours (['white', 'black'] or the reverse)");
  if (
    !Array.isArray(game.metrics) ||
    game.metrics.length === 0 ||
    game.metrics.some((each) => !metrics.includes(each))
  )
    missing.push(`metrics (one or more of ${metrics.join(', ')})`);
  if (typeof game.locatesMirrored !== 'boolean') missing.push('locatesMirrored (true or false)');
  for (const method of Object.keys(METHODS))
    if (typeof game[method] !== 'function') missing.push(`${method} (a function)`);
  return missing;
}
