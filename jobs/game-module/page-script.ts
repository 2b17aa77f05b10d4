/** A game's modules as one script for pages: each as a function of CommonJS, and what its imports mean. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import * as forGames from '../../pipeline/for-games.js';
import { fileOf } from './module-file.js';
import { NotPlain, type Translated, translate } from './translate.js';

/**
 * The script sets `mergemateGame`: the name of the first module, and all modules by their names.
 *
 * @param path of the game's module. @throws UserError if a module is not plain, or imports what no page has.
 */
export function pageScript(path: string, settings: object): string {
  const offered = new Set(Object.keys(forGames));
  const folder = dirname(resolve(path));
  const names = new Map<string, string>();
  const modules: string[] = [];

  function add(file: string): string {
    const known = names.get(file);
    if (known !== undefined) return known;
    const name = relative(folder, file).split(sep).join('/');
    names.set(file, name);
    const { code, required } = translated(file, name, offered);
    const needs: Record<string, string> = {};
    for (const asked of required) {
      const found = asked.startsWith('.') ? fileOf(dirname(file), asked) : null;
      if (found === null) throw new UserError(`${name}: a page cannot import ${JSON.stringify(asked)}`);
      needs[asked] = add(found);
    }
    modules.push(
      `${JSON.stringify(name)}: { needs: ${JSON.stringify(needs)}, run(exports, require, module) {\n${code}\n} }`,
    );
    return name;
  }

  const main = JSON.stringify(add(resolve(path)));
  return `globalThis.mergemateGame = { settings: ${JSON.stringify(settings)}, main: ${main}, modules: {\n${modules.join(',\n')}\n} };\n`;
}

function translated(file: string, name: string, offered: ReadonlySet<string>): Translated {
  try {
    return translate(readFileSync(file, 'utf8'), file, offered);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new UserError(
      `${name}: a page takes plain modules only: no await, namespace, import() or packages, and of mergemate ${[...offered].filter((each) => /^[a-z]/.test(each)).join(', ')}`,
    );
  }
}
