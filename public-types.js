/**
 * Leaves in `dist` the declarations that the package root needs, and makes them free of libraries. The program is bundled with its
 * libraries, so whoever installs the package has none of them. Shapes of records are values of zod, from which their types are
 * inferred: shape-types.d.ts stands in for it. A build fails if a public type names any other library.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = 'dist/pipeline/index.d.ts';
const SHAPES = 'dist/pipeline/shape-types.d.ts';
const FOLDERS = ['dist/operators', 'dist/pipeline'];

/** By file, its text, of all declarations that are imported from the root, directly or not. */
const texts = new Map();
const found = [ROOT];
for (let file = found.pop(); file !== undefined; file = found.pop()) {
  if (texts.has(file)) continue;
  const text = readFileSync(file, 'utf8').replaceAll(
    /^import (?:type )?\{ z \} from 'zod';$/gm,
    `import type * as z from './${relative(dirname(file), SHAPES)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.js')}';`,
  );
  texts.set(file, text);
  for (const [, name] of text.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)) {
    if (!name.startsWith('.')) {
      console.error(`${file}: types of the package must not import ${name}`);
      process.exit(1);
    }
    const imported = join(dirname(file), name).replace(/\.js$/, '.d.ts');
    if (imported !== SHAPES) found.push(imported);
  }
}

for (const folder of FOLDERS) {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(parentPath, name);
    if (name.endsWith('.d.ts') && !texts.has(file)) rmSync(file);
  }
}
for (const [file, text] of texts) writeFileSync(file, text);
copyFileSync('shape-types.d.ts', SHAPES);
