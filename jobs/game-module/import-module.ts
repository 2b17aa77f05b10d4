/**
 * Runs modules in TypeScript or JavaScript, which Node 20 does not read. They are translated, in JavaScript as well: imports from
 * 'mergemate' are then this program itself, wherever it is installed, and its errors are recognised.
 */
import { createRequire } from 'node:module';
import type { createJiti, JitiOptions } from 'jiti';
import * as forGames from '../../pipeline/for-games.js';
import { NotPlain, translate } from './translate.js';

/** The exports of the module at an absolute path. Rejects with the module's own error when it is read or run. */
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

/** By `require`: an import would first have Node look through all of its script for the names that it exports. */
function loadJiti(): typeof createJiti {
  return createRequire(import.meta.url)('jiti') as typeof createJiti;
}

function run(path: string, options: JitiOptions): Promise<Record<string, unknown>> {
  // A cache of files would be files that nobody asked for.
  const jiti = loadJiti()(import.meta.url, { ...options, fsCache: false, interopDefault: false });
  return jiti.import<Record<string, unknown>>(path);
}
