/** The sources of the repository and their syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of a syntax tree in the form of ESTree: its fields depend on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly program: SyntaxNode;
  /** Where comments stand. */
  readonly comments: readonly { readonly start: number; readonly end: number; readonly value: string }[];
}

export function parse(file: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return { file, text, program: program as unknown as SyntaxNode, comments };
}

/** The TypeScript files in some folders, read and parsed. */
export function sourcesIn(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile() && each.name.endsWith('.ts'))
    .map((each) => join(each.parentPath, each.name))
    .map((file) => parse(file, readFileSync(file, 'utf8')));
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** Visits a node and all nodes in it, each with the nodes around it, outermost first. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, around: readonly SyntaxNode[]) => void,
  around: readonly SyntaxNode[] = [],
): void {
  visit(node, around);
  const inner = [...around, node];
  for (const field of Object.values(node))
    for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) walk(child, visit, inner);
}
