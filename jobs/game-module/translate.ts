/**
 * The quick translation of a module: types are taken out and imports become calls of `require`, line by line. Sucrase needs a tenth of
 * the time of Babel, which jiti brings; it knows no namespaces and checks little, so only plain modules are taken.
 */
import { Script } from 'node:vm';
import { transform } from 'sucrase';
import { parse } from 'sucrase/dist/parser/index.js';

/** Says that a module is not plain: it is to be translated by jiti. */
export class NotPlain extends Error {}

export interface Translated {
  /** A script for the function that CommonJS modules are. */
  readonly code: string;
  /** The modules that it asks for, but the package. */
  readonly required: readonly string[];
}

/** Words that sucrase leaves as they are or drops, or that need a module that is no script. */
const TAXING = new Set(['await', 'namespace', 'module', 'require', 'using', 'accessor', '@']);

/** @param offered names that the module may import from the package. Throws NotPlain. */
export function translate(source: string, path: string, offered: ReadonlySet<string>): Translated {
  let code: string;
  let words: string[];
  try {
    const isTyped = /\.m?ts$/.test(path);
    const parsed = parse(source, false, isTyped, false).tokens;
    const given = parsed.map(({ start, end }) => source.slice(start, end));
    // A value behind the type of a cast may be on the next line, where `return` would not find it.
    if (given.some((word, i) => isTaxing(given, i) || (word === 'return' && parsed[i + 1].isType)))
      throw new NotPlain();
    ({ code } = transform(source, {
      transforms: isTyped ? ['typescript', 'imports'] : ['imports'],
      disableESTransforms: true,
      production: true,
    }));
    // Sucrase accepts much that is no program.
    new Script(`(function () { ${code}\n})`);
    words = parse(code, false, false, false).tokens.map(({ start, end }) => code.slice(start, end));
  } catch {
    throw new NotPlain();
  }
  return { code, required: requiredIn(words, offered) };
}

function isTaxing(words: readonly string[], i: number): boolean {
  const [before, word, next, behind] = [words[i - 1], words[i], words[i + 1], words[i + 2]];
  if (before === '.' || before === '?.') return false;
  return TAXING.has(word) || (word === 'import' && (next === '(' || next === '.' || behind === '='));
}

/** The modules that translated code asks for, but the package. Throws NotPlain for other packages, and for names that are not offered. */
function requiredIn(words: readonly string[], offered: ReadonlySet<string>): string[] {
  const required = new Set<string>();
  const packages = new Set<string>();
  for (const [i, word] of words.entries()) {
    const behind = words[i + 1];
    if (word === 'require' && behind === '(') {
      const name = words[i + 2].slice(1, -1);
      if (name === 'mergemate') {
        // `var _mergemate = require('mergemate');`
        if (words[i - 1] === '=') packages.add(words[i - 2]);
      } else if (/^(?:\.{1,2}\/|node:)/.test(name)) required.add(name);
      else throw new NotPlain();
    } else if (packages.has(word) && (behind !== '.' || !offered.has(words[i + 2]))) throw new NotPlain();
  }
  return [...required];
}
