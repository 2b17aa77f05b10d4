/**
 * Measures the repository: `npx tsx test/code/measure.ts [CHECKOUT…]` prints a table in Markdown, a column for each checkout (this
 * folder if none is given). Lines are those of the files that git tracks.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parse, type SyntaxNode, walk } from './sources.js';

const PRODUCTION = ['operators', 'pipeline', 'jobs', 'samples'];
const AREAS = [...PRODUCTION, 'test', 'docs'];
const CODE = /\.(ts|js|css|html|sh)$/;
const MANY_LINES = 70;

interface Area {
  readonly files: number;
  readonly lines: number;
}

interface Measured {
  readonly areas: Readonly<Record<string, Area>>;
  readonly functions: { readonly lines: number; readonly parameters: number; readonly name: string }[];
  readonly nonNull: number;
}

const linesOf = (text: string) => text.split('\n').length;

function measure(folder: string): Measured {
  const tracked = execFileSync('git', ['ls-files', ...AREAS], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n');
  const areas: Record<string, { files: number; lines: number }> = {};
  for (const area of AREAS) areas[area] = { files: 0, lines: 0 };
  const functions: Measured['functions'] = [];
  let nonNull = 0;
  for (const file of tracked) {
    const [area] = file.split('/');
    if (!(area === 'docs' ? /\.md$/ : CODE).test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    areas[area].files++;
    areas[area].lines += linesOf(text) - 1;
    if (!file.endsWith('.ts')) continue;
    walk(parse(file, text).program, (node, around) => {
      if (node.type === 'TSNonNullExpression') nonNull++;
      if (area === 'test' || !/^(Function|ArrowFunction)/.test(node.type) || node.body === null) return;
      const parameters = (node.params as readonly SyntaxNode[] | undefined)?.length ?? 0;
      const named = [node, ...around.slice(-2).reverse()]
        .map((each) => ((each.id ?? each.key) as { name?: string } | null | undefined)?.name)
        .find((name) => name !== undefined);
      const lines = linesOf(text.slice(node.start, node.end));
      functions.push({ lines, parameters, name: `\`${named}\` in ${file}` });
    });
  }
  return { areas, functions, nonNull };
}

function figuresOf(folder: string): Map<string, string> {
  const { areas, functions, nonNull } = measure(folder);
  const figures = new Map<string, string>();
  const add = (what: string, value: number | string) =>
    figures.set(what, typeof value === 'number' ? value.toLocaleString('en-US') : value);
  const sum = (of: keyof Area) => PRODUCTION.reduce((total, area) => total + areas[area][of], 0);
  add('production files', sum('files'));
  add('production lines', sum('lines'));
  for (const area of AREAS) {
    add(`${area}: files`, areas[area].files);
    add(`${area}: lines`, areas[area].lines);
  }
  add(`functions over ${MANY_LINES} lines`, functions.filter(({ lines }) => lines > MANY_LINES).length);
  add('longest function', Math.max(...functions.map(({ lines }) => lines)));
  add('functions with more than six parameters', functions.filter(({ parameters }) => parameters > 6).length);
  const widest = [...functions].sort((a, b) => b.parameters - a.parameters).slice(0, 3);
  add('longest parameter lists', widest.map(({ parameters }) => parameters).join(', '));
  add('`!` after an expression', nonNull);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  add('glossary: terms', [...read('GLOSSARY.md').matchAll(/^\| \*\*/gm)].length);
  for (const name of ['README.md', 'ARCHITECTURE.md']) add(`${name}: lines`, linesOf(read(name)) - 1);
  return figures;
}

const folders = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['.'];
const columns = folders.map(figuresOf);
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
console.log(row(['', ...folders.map((folder) => basename(resolve(folder)))]));
console.log(`|${'---|'.repeat(1 + folders.length)}`);
for (const what of columns[0].keys())
  console.log(row([what, ...columns.map((figures) => figures.get(what) ?? '')]));
