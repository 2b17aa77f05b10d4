/** Which sources are newer than what is made of them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** When the newest source in a folder was changed, in milliseconds since 1970. */
export function newest(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(tsx?|css|html|svg)$/.test(file.name))
    .reduce((latest, file) => Math.max(latest, statSync(join(file.parentPath, file.name)).mtimeMs), 0);
}
