/**
 * Finds each `!` that does nothing: the type of the expression before it has neither null nor undefined. The compiler
 * says which type that is.
 */
import { relative, resolve } from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { isIdentifier, isNonNullExpression, isVariableDeclaration } from 'typescript/unstable/ast/is';
import { API, type Project, TypeFlags } from 'typescript/unstable/sync';

export interface IdleAssertion {
  readonly file: string;
  /** Where the `!` stands. */
  readonly at: number;
  readonly text: string;
}

/** @param configs projects, as paths of their `tsconfig.json`. */
export function idleAssertions(configs: readonly string[]): IdleAssertion[] {
  const api = new API({ cwd: process.cwd() });
  try {
    const found = new Map<string, IdleAssertion>();
    const snapshot = api.updateSnapshot({ openProjects: configs.map((config) => resolve(config)) });
    for (const project of snapshot.getProjects())
      for (const each of idleIn(project)) found.set(`${each.file}:${each.at}`, each);
    return [...found.values()];
  } finally {
    api.close();
  }
}

function* idleIn(project: Project): Generator<IdleAssertion> {
  const { program, checker } = project;
  for (const name of program.getSourceFileNames()) {
    if (name.includes('node_modules') || name.endsWith('.d.ts')) continue;
    const source = program.getSourceFile(name);
    if (source === undefined) continue;
    const before: Node[] = [];
    visit(source);
    if (before.length === 0) continue;
    const types = checker.getTypeAtLocation(before);
    for (const [i, node] of before.entries()) {
      const type = types[i];
      if (type === undefined || checker.getNonNullableType(type) !== type) continue;
      if (type.flags & TypeFlags.AnyOrUnknown || mayBeUnassigned(project, node)) continue;
      yield {
        file: relative('.', name),
        at: node.end,
        text: source.text.slice(node.getStart(source), node.end + 1),
      };
    }

    function visit(node: Node): void {
      if (isNonNullExpression(node)) before.push(node.expression);
      node.forEachChild(visit);
    }
  }
}

/** Whether an expression is a variable that is declared without a value: the compiler asks for one, or for a `!`. */
function mayBeUnassigned(project: Project, node: Node): boolean {
  if (!isIdentifier(node)) return false;
  const declared = project.checker.getSymbolAtLocation(node)?.valueDeclaration?.resolve(project);
  return declared !== undefined && isVariableDeclaration(declared) && declared.initializer === undefined;
}
