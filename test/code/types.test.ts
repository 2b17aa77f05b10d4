/** A name of a type has one meaning: no two files export types of one name. */
import { expect, test } from 'vitest';
import { parse, type SourceFile, type SyntaxNode, sourcesIn } from './sources.js';

/** AssemblyScript is another program, which shares no type with the rest. */
const ASSEMBLY = /\/assembly\//;

const TYPES = /^(TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration|ClassDeclaration)$/;

/** The names of the types that a file declares and exports at once. */
function exportedTypes({ program }: SourceFile): string[] {
  return (program.body as readonly SyntaxNode[]).flatMap((statement) => {
    const declared = statement.declaration as SyntaxNode | null;
    if (statement.type !== 'ExportNamedDeclaration' || declared === null || !TYPES.test(declared.type))
      return [];
    return [(declared.id as unknown as { readonly name: string }).name];
  });
}

/** A line for each name that several files export. */
function duplicates(sources: readonly SourceFile[]): string[] {
  const files = new Map<string, string[]>();
  for (const source of sources)
    for (const name of exportedTypes(source)) files.set(name, [...(files.get(name) ?? []), source.file]);
  return [...files]
    .filter(([, exporters]) => exporters.length > 1)
    .map(([name, exporters]) => `${name}: ${exporters.join(', ')}`);
}

test('no two files export types of one name', () => {
  const sources = sourcesIn(['operators', 'pipeline', 'jobs', 'test']).filter(
    ({ file }) => !ASSEMBLY.test(file),
  );
  expect(sources.length).toBeGreaterThan(1000);
  const found = duplicates(sources);
  expect(found).toEqual([]);
});

test('a name that two files export is found', () => {
  const texts = [
    'export interface Cell { a: 1 }\nexport const cell = 1;',
    'export type Cell = number;\nexport type Own = 1;',
    'type Cell = 2;\nexport function Own() {}',
    "export type { Cell } from './a.js';",
  ];
  expect(duplicates(texts.map((text, i) => parse(`${i}.ts`, text)))).toEqual(['Cell: 0.ts, 1.ts']);
});
