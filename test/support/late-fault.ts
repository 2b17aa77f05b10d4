/** A keyed game whose fault is met late, when several find its positions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The message that names the position, and the cause in words of the author. */
export const LATE_FAULT = /^mergemate: bad: 1\d{5}: mover is 7, not 0 or 1: chance .* cannot move, .*\n$/;

/** Writes the game into a folder. @returns its path. */
export function writeLateFault(folder: string): string {
  const path = join(folder, 'bad.ts');
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';
export default keyedGame<number, number>({
  name: 'bad', roots: () => [0], key: (n) => n, position: (n) => n,
  mover: (n) => (n > 160000 && n % 5 === 0 ? 7 : n % 2) as 0 | 1,
  moves: (n) => (n > 60000 ? [] : [1, 2, 3, 4].map((i) => [String(i), 4 * n + i] as const)),
});
`,
  );
  return path;
}
