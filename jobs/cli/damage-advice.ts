/** Advice on damaged objects: the command that finds all damage of the store, and repairs it. */
import { DamageError } from '../../operators/core/errors.js';
import { metrics } from '../../pipeline/game/value.js';

/** The stores that this thread opened, as they were named, by their URIs in messages. */
const stores = new Map<string, string>();
/** The modules of users' games, as they were named, by the games' names. */
const modules = new Map<string, string>();

export function noteStore(uri: string, asked: string): void {
  stores.set(uri, asked);
}

export function noteModule(game: string, asked: string): void {
  modules.set(game, asked);
}

/** What of a store `scrub --repair` makes again: the tables of games, their unfinished steps, and graphs. */
const REPAIRED = new RegExp(`^[^/]+/(?:${metrics.join('|')}|import)/[^/]+/.`);

/** The command that mends damage; null for other errors, and for objects of stores that no command line names. */
export function damageAdvice(error: unknown): string | null {
  // An error from another thread has its advice.
  if (!(error instanceof DamageError) || error.message.includes('"mergemate ')) return null;
  for (const [uri, asked] of stores) {
    if (!error.object.startsWith(`${uri}/`)) continue;
    const name = error.object.slice(uri.length + 1);
    const module = modules.get(name.slice(0, name.indexOf('/')));
    const words = [
      'mergemate scrub',
      ...(REPAIRED.test(name) ? ['--repair'] : []),
      ...(module === undefined ? [] : [module]),
      '--store',
      asked,
    ];
    return `run "${words.join(' ')}"`;
  }
  return null;
}
