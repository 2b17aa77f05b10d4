/**
 * The quick translation of a module: types are taken out and imports become calls of `require`, line by line. Sucrase needs a tenth of
 * the time of Babel, which jiti brings; it knows no namespaces and checks little, so only plain modules are taken.
 */
import { Script } from 'node:vm';
import { transform } from 'sucrase';

/** Says that a module is not plain: it is to be translated by jiti. */
export class NotPlain extends Error {}

/** Sucrase leaves these as they are or drops them, or they need a module that is no script. Words in comments count as well. */
const TAXING =
  /\b(?:await|namespace|module|require|using|accessor)\b|\bimport\s*(?:\(|\.|\w+\s*=)|^\s*@\w|<\/?\w+\s*\/?>\s*$/m;

/** The modules that a translated module asks for. */
export const REQUIRED = /\brequire\('([^']*)'\)/g;
const PACKAGE = /\b(_mergemate\w*) = require\('mergemate'\)/g;

/**
 * @param offered names that the module may import from the package. @returns a script for the function that CommonJS modules are.
 * Throws NotPlain.
 */
export function translate(source: string, path: string, offered: ReadonlySet<string>): string {
  if (TAXING.test(source)) throw new NotPlain();
  let code: string;
  try {
    const isTyped = /\.m?ts$/.test(path);
    ({ code } = transform(source, {
      transforms: isTyped ? ['typescript', 'imports'] : ['imports'],
      disableESTransforms: true,
      production: true,
    }));
    // Sucrase accepts much that is no program.
    new Script(`(async function () { ${code}\n})`);
  } catch {
    throw new NotPlain();
  }
  for (const [, name] of code.matchAll(REQUIRED))
    if (name !== 'mergemate' && !/^(?:\.{1,2}\/|node:)/.test(name)) throw new NotPlain();
  for (const [, variable] of code.matchAll(PACKAGE))
    for (const [, member] of code.matchAll(new RegExp(`\\b${variable}\\b(?! = )(?:\\.(\\w+))?`, 'g')))
      if (member === undefined || !offered.has(member)) throw new NotPlain();
  return code;
}
