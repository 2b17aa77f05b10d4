/**
 * Runs modules in TypeScript or JavaScript, which Node 20 does not read. They are translated, in JavaScript as well: imports from
 * 'mergemate' are then this program itself, wherever it is installed, and its errors are recognised.
 */
import { createJiti, type JitiOptions } from 'jiti';
import * as forGames from '../../pipeline/for-games.js';
import { NotPlain, translate } from './translate.js';

/** What the module at an absolute path exports. Rejects with what it throws when it is read or run. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const offered = new Set(Object.keys(forGames));
  try {
    return await run(path, {
      virtualModules: { mergemate: forGames },
      transform: ({ source, filename }) => ({ code: translate(source, filename ?? path, offered) }),
    });
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  return run(path, { virtualModules: { mergemate: await import('../../pipeline/index.js') } });
}

function run(path: string, options: JitiOptions): Promise<Record<string, unknown>> {
  // A cache of files would be files that nobody asked for.
  const jiti = createJiti(import.meta.url, { ...options, fsCache: false, interopDefault: false });
  return jiti.import<Record<string, unknown>>(path);
}
