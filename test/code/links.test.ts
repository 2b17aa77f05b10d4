/** Links of the documentation: every file and every heading that a page links to, or that it names, is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'samples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

/** The anchor that renderers of Markdown give a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
}

test.each(pages)('every link of %s leads to a file and a heading', (page) => {
  const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  for (const [link, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const there = path === '' ? page : normalize(join(dirname(page), path));
    expect(existsSync(there), `${link} in ${page}`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(there), `${link} in ${page}`).toContain(anchor);
  }
});

/** All files of the repository that pages name, and their folders. */
const files = ['operators', 'pipeline', 'jobs', 'test', 'samples', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);

/** The names that a name with braces and asterisks stands for: `games/{a,b}/*.ts`. */
function patternsOf(name: string): RegExp[] {
  const [, before, choices, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(name) ?? [];
  if (choices !== undefined)
    return choices.split(',').flatMap((each) => patternsOf(`${before}${each}${after}`));
  const escaped = name.replace(/[.+?^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return [new RegExp(`(^|/)${escaped}$`)];
}

const isThere = (name: string): boolean =>
  patternsOf(name).every((pattern) => files.some((file) => pattern.test(file)));

/** Names of source files in a text; `NAME` in a name stands for any, and `./` begins a name in a user's folder. */
const sourcesNamed = (text: string): string[] =>
  [...text.matchAll(/`([\w{}*,./-]+\/[\w{}*,./-]*\.ts)`/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !name.includes('NAME') && !name.startsWith('./'));

test('names of source files are found in a text, and matched with the files that exist', () => {
  expect(sourcesNamed('in `operators/sort/sort.ts`, not `operators/NAME.ts` or `sort`')).toEqual([
    'operators/sort/sort.ts',
  ]);
  expect(
    ['operators/sort/sort.ts', 'engine/phases/{un,}convert.ts', 'games/*/metrics.ts'].every(isThere),
  ).toBe(true);
  expect(['operators/no-such.ts', 'perators/sort.ts', 'games/{chess,none}/metrics.ts'].some(isThere)).toBe(
    false,
  );
});

test.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
  'every source file that %s names exists',
  (page) => {
    expect(sourcesNamed(readFileSync(page, 'utf8')).filter((name) => !isThere(name))).toEqual([]);
  },
);
