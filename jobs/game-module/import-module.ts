/**
 * Runs modules in TypeScript or JavaScript, which Node 20 does not read. They are translated, in JavaScript as well: imports from
 * 'mergemate' are then this program itself, wherever it is installed, and its errors are recognised.
 */
import { createRequire } from 'node:module';
import type { createJiti } from 'jiti';
import * as forGames from '../../pipeline/for-games.js';
import { tellPlacesOf } from '../../pipeline/games/yours/definition.js';
import { placeOfFunction } from './function-place.js';
import { guardProcess } from './guard.js';
import { moduleFiles } from './module-digest.js';
import { runPlain } from './run-plain.js';
import { NotPlain } from './translate.js';

/**
 * The exports of the module at an absolute path. Rejects with the module's own error when it is read or run.
 * @param shown how messages name the module.
 */
export async function importModule(path: string, shown: string): Promise<Record<string, unknown>> {
  tellPlacesOf(placeOfFunction);
  guardProcess(moduleFiles(path), shown);
  try {
    return runPlain(path, forGames);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  // A cache of files would be files that nobody asked for.
  const options = { fsCache: false, interopDefault: false };
  const virtualModules = { mergemate: await import('../../pipeline/index.js') };
  return loadJiti()(import.meta.url, { ...options, virtualModules }).import<Record<string, unknown>>(path);
}

/** By `require`: an import would first have Node look through all of its script for the names that it exports. */
function loadJiti(): typeof createJiti {
  return createRequire(import.meta.url)('jiti') as typeof createJiti;
}
