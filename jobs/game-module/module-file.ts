/** The files that imports of users' modules stand for. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** As TypeScript has it. */
const ENDS = ['', '.ts', '.mts', '.js', '.mjs'];

/** The file of a relative import in a module of a folder; null if there is none. */
export function fileOf(folder: string, asked: string): string | null {
  const stem = resolve(folder, asked);
  const stems = [stem, stem.replace(/\.(m?)js$/, '.$1ts'), resolve(stem, 'index')];
  for (const each of stems)
    for (const end of ENDS)
      if (statSync(`${each}${end}`, { throwIfNoEntry: false })?.isFile()) return `${each}${end}`;
  return null;
}
