/** Digests of users' modules: their own text, and that of the modules which they import by relative paths. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileOf } from './module-file.js';

/** Relative imports in TypeScript and JavaScript. An import in a comment adds a file to the digest, which is harmless. */
const RELATIVE = /\b(?:from|import|require)\b\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/**
 * SHA-256 of the module at an absolute path, in hexadecimal: that of the file itself if it imports no other by a relative path. Packages
 * and data that the module reads when it runs are not part of it. Throws a system error if a file cannot be read.
 */
export function moduleDigest(path: string): string {
  const digests = new Map<string, string>();
  for (const [file, bytes] of bytesOf(path)) digests.set(file, sha256(bytes));
  if (digests.size === 1) return digests.get(path)!;
  const named = [...digests].map(([file, digest]) => [
    relative(dirname(path), file).split(sep).join('/'),
    digest,
  ]);
  return sha256(JSON.stringify(named.sort()));
}

/** The module at an absolute path and all that it imports by relative paths. Throws a system error if a file cannot be read. */
export function moduleFiles(path: string): Iterable<string> {
  return bytesOf(path).keys();
}

function bytesOf(path: string): Map<string, Buffer> {
  const read = new Map<string, Buffer>();
  const add = (file: string): void => {
    if (read.has(file)) return;
    const bytes = readFileSync(file);
    read.set(file, bytes);
    for (const [, , asked] of bytes.toString('utf8').matchAll(RELATIVE)) {
      const found = fileOf(dirname(file), asked);
      if (found !== null) add(found);
    }
  };
  add(path);
  return read;
}

/** The same of the file alone, without what it imports. */
export function fileDigest(path: string): string {
  return sha256(readFileSync(path));
}

function sha256(what: Buffer | string): string {
  return createHash('sha256').update(what).digest('hex');
}
