/** Runs plain modules (translate.ts), as functions of CommonJS: jiti takes half as long to load as they take to be translated. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { compileFunction } from 'node:vm';
import { fileOf } from './module-file.js';
import { NotPlain, translate } from './translate.js';

type Exports = Record<string, unknown>;
type Module = (exports: Exports, require: (asked: string) => unknown) => void;

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * The exports of the module at an absolute path; what it imports is run once. `offered`: what 'mergemate' means.
 * @throws NotPlain if it or one of those is not plain, or is not there; else what the module throws.
 */
export function runPlain(path: string, offered: Exports): Exports {
  const names = new Set(Object.keys(offered));
  const known = new Map<string, Exports>();
  const builtIn = createRequire(import.meta.url);

  function load(file: string): Exports {
    const found = known.get(file);
    if (found !== undefined) return found;
    if (!EXTENSIONS.includes(extname(file))) throw new NotPlain();
    const { code } = translate(readFileSync(file, 'utf8'), file, names);
    const exports: Exports = {};
    known.set(file, exports);
    const run = compileFunction(code, ['exports', 'require'], { filename: file }) as Module;
    run(exports, (asked) => {
      if (asked === 'mergemate') return offered;
      if (!asked.startsWith('.')) return builtIn(asked);
      const other = fileOf(dirname(file), asked);
      if (other === null) throw new NotPlain();
      return load(other);
    });
    return exports;
  }

  return load(path);
}
