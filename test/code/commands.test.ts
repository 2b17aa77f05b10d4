/** Commands are the words of jobs alone: another program may use operators and the pipeline. */
import { expect, test } from 'vitest';
import { parse, type SourceFile, sourcesIn, walk } from './sources.js';

/** The texts of a file that name a command of mergemate. */
function commandsIn({ file, program }: SourceFile): string[] {
  const found: string[] = [];
  walk(program, (node) => {
    const text = node.type === 'TemplateElement' ? (node.value as { readonly raw: string }).raw : node.value;
    if (typeof text === 'string' && /\bmergemate [a-z]/.test(text)) found.push(`${file}: ${text}`);
  });
  return found;
}

test('no text of operators or the pipeline names a command', () => {
  expect(sourcesIn(['operators', 'pipeline']).flatMap(commandsIn)).toEqual([]);
});

test.each([
  ['a string', 'fail(\'run "mergemate solve"\');'],
  ['a template', 'fail(`run "mergemate solve"$' + '{b}`);'],
])('a command named in %s is found', (_, code) => {
  expect(commandsIn(parse('a.ts', code))).toHaveLength(1);
});

test('a command named in a comment is not reported', () => {
  expect(commandsIn(parse('a.ts', '// "mergemate solve" does it'))).toEqual([]);
});
