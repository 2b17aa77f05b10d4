/** The files that imports of users' modules stand for. */
import { resolve } from 'node:path';
import { whatIs } from '../cli/what-is.js';

/** As TypeScript has it. */
const ENDS = ['', '.ts', '.mts', '.js', '.mjs'];

/** The file of a relative import in a module of a folder; null if there is none. */
export function fileOf(folder: string, asked: string): string | null {
  const stem = resolve(folder, asked);
  const stems = [stem, stem.replace(/\.(m?)js$/, '.$1ts'), resolve(stem, 'index')];
  for (const each of stems)
    for (const end of ENDS) if (whatIs(`${each}${end}`)?.isFile()) return `${each}${end}`;
  return null;
}
