/**
 * Here belong tests of the structure of code and documents.
 *
 * No function has more than a hundred lines or more than six parameters, unless a comment gives the reason.
 */
import { expect, test } from 'vitest';
import { parse, type SourceFile, type SyntaxNode, sourcesIn, walk } from './sources.js';

const MOST_LINES = 100;
const MOST_PARAMETERS = 6;

/** The comment of a function, or the first comment of its file, gives the reason in a sentence that begins so. */
const WHY_SO_LONG = /In one piece: \w/;
const WHY_SO_WIDE = /Many parameters: \w/;

/** AssemblyScript: what comes from JavaScript, and what is to stay in registers, is numbers. */
const ASSEMBLY = /\/assembly\//;

interface LargeFunction {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
  /** The comments that may give a reason. */
  readonly header: string;
}

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const linesOf = (text: string) => text.split('\n').length;

/** The last comment before a place with nothing but space in between, and the file's first comment. */
function headerOf(
  { text, comments, program }: SourceFile,
  around: readonly SyntaxNode[],
  node: SyntaxNode,
): string {
  const starts = [...around, node].map((each) => each.start);
  const own = comments.filter((comment) =>
    starts.some((start) => start >= comment.end && text.slice(comment.end, start).trim() === ''),
  );
  const first = comments.filter((comment) => comment.end <= program.start || comment.start === 0).slice(0, 1);
  return [...first, ...own].map(({ value }) => value.replace(/\n\s*\*/g, ' ')).join('\n');
}

function nameOf(node: SyntaxNode, around: readonly SyntaxNode[]): string {
  const named = [node, ...around.slice(-2).reverse()].map(
    (each) => ((each.id ?? each.key) as SyntaxNode | null | undefined)?.name,
  );
  return String(named.find((name) => name !== undefined) ?? 'a function');
}

function functionsOf(source: SourceFile): LargeFunction[] {
  const found: LargeFunction[] = [];
  walk(source.program, (node, around) => {
    if (!FUNCTIONS.test(node.type) || node.body === null) return;
    const parameters = (node.params as readonly SyntaxNode[]).length;
    const lines = linesOf(source.text.slice(node.start, node.end));
    if (lines <= MOST_LINES && parameters <= MOST_PARAMETERS) return;
    const header = headerOf(source, around, node);
    found.push({ file: source.file, name: nameOf(node, around), lines, parameters, header });
  });
  return found;
}

const tooLong = ({ lines, header }: LargeFunction) => lines > MOST_LINES && !WHY_SO_LONG.test(header);
const tooWide = ({ parameters, header }: LargeFunction) =>
  parameters > MOST_PARAMETERS && !WHY_SO_WIDE.test(header);

const large = sourcesIn(['operators', 'pipeline', 'jobs']).flatMap(functionsOf);

test('no function has more than a hundred lines without a reason', () => {
  const found = large.filter(tooLong);
  expect(found.map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`)).toEqual([]);
});

test('no function has more than six parameters without a reason', () => {
  const found = large.filter((each) => tooWide(each) && !ASSEMBLY.test(each.file));
  expect(found.map(({ file, name, parameters }) => `${file}: ${name} has ${parameters} parameters`)).toEqual(
    [],
  );
});

const lines = (count: number) => '\n'.repeat(count - 1);
const wide = '(a: A, b: B, c: C, d: D, e: E, f: F, g: G)';

test.each([
  ['function long() {', `function long() {${lines(101)}}`, 1, 0],
  ['a hundred lines', `function long() {${lines(100)}}`, 0, 0],
  ['a closure counts to the function around it', `function long() { return () => {${lines(101)}}; }`, 2, 0],
  ['a method', `const o = { long() {${lines(101)}} };`, 1, 0],
  ['a reason', `/** In one piece: one table. */\nexport function long() {${lines(101)}}`, 0, 0],
  [
    "the reason of another function's header",
    `/** In one piece: one table. */\nlet a;\n/** No. */\nfunction long() {${lines(101)}}`,
    0,
    0,
  ],
  ['a comment without a reason', `import 'a';\n/** Long. */\nfunction long() {${lines(101)}}`, 1, 0],
  ['seven parameters', `export const wide = ${wide} => a;`, 0, 1],
  [
    'seven parameters with a reason',
    `import 'a';\n/** Many parameters: they are registers. */\nfunction wide${wide} {}`,
    0,
    0,
  ],
  ['a type', `export type Wide = ${wide} => void;`, 0, 0],
])('%s', (_what, text, long, wideOnes) => {
  const found = functionsOf(parse('a.ts', text));
  expect(found.filter(tooLong)).toHaveLength(long);
  expect(found.filter(tooWide)).toHaveLength(wideOnes);
});
