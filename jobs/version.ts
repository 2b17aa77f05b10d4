/** Which release this is. */
import { readFileSync } from 'node:fs';

export function versionOf(): string {
  for (const up of ['../', '../../']) {
    try {
      return JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8')).version;
    } catch {
      // Compiled, this file lies one folder deeper.
    }
  }
  return 'unknown';
}
