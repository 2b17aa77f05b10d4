/** Comments name files that are there: a name, or the end of a path, of a file of the repository. */
import { readdirSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { expect, test } from 'vitest';
import { parse, type SourceFile, sourcesIn } from './sources.js';

const FOLDERS = ['operators', 'pipeline', 'jobs', 'samples', 'test'];

const files = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
].map((file) => file.split(sep).join('/'));
const names = new Set(files.flatMap((file) => endsOf(file)));

/** "a/b/c.ts": "c.ts", "b/c.ts" and itself. */
function endsOf(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, i) => steps.slice(i).join('/'));
}

/** The files of TypeScript that comments name, and that are not there. Names in quotation marks are examples of what users write. */
function missingIn({ file, comments }: SourceFile): string[] {
  return comments.flatMap(({ value }) =>
    [...value.matchAll(/(?<![\w"'`./{}*-])(?:\.{1,2}\/)*[a-z][\w-]*(?:\/[\w-]+)*\.(?:tsx?|mts)\b(?!["'`])/g)]
      .map(([name]) => name)
      .filter((name) => {
        const path = name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
        return !names.has(path.split(sep).join('/'));
      })
      .map((name) => `${file}: ${name}`),
  );
}

test('the files that comments name are there', () => {
  expect(sourcesIn(FOLDERS).flatMap(missingIn)).toEqual([]);
});

test('a file that is not there is found', () => {
  const text =
    '/** As rows.ts and game/nowhere.ts; ./imports.ts, but not ../gone.ts, nor "mine.ts". */\n// also-gone.ts\n';
  expect(missingIn(parse('test/code/sample.ts', text))).toEqual([
    'test/code/sample.ts: game/nowhere.ts',
    'test/code/sample.ts: ../gone.ts',
    'test/code/sample.ts: also-gone.ts',
  ]);
});
