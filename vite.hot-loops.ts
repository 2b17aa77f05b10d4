/**
 * Hot loops stand in the sources once, written plainly. The builds and the tests write them out where a comment asks for it:
 *
 * - `// @unroll 4 ahead key digit` before a loop: each turn handles four rows. `key` and `digit` are the constants with which
 *   the body begins. They are read for all four rows before the rest. A turn of a loop costs about as much as the work on a
 *   row.
 * - `// @copies payload 0 1 2` before a function: there is a copy of it for each value of that parameter. So each copy has no
 *   branches on it, and its arrays have one type.
 *
 * Without this the sources do the same, in more time. If a comment does not fit the code behind it, the build fails.
 */
import { type Plugin, parseSync } from 'vite';

/** A node of a syntax tree in the form of ESTree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const LOOP = /^for \(let (\w+) = ([^;]+); \1 < (\w+); \1\+\+\) $/;

export const hotLoops: Plugin = {
  name: 'hot-loops',
  enforce: 'pre',
  transform: {
    filter: { id: /\.ts$/, code: /\/\/ @(unroll|copies) / },
    handler: (code, id) => ({ code: writeOut(id, code), map: null }),
  },
};

/** The text of a module with its hot loops written out. */
export function writeOut(file: string, text: string): string {
  const { program, comments } = parseSync(file, text);
  // The last comment first, so that a function is copied after its loops are unrolled.
  const comment = comments.findLast(({ value }) => /^ @(unroll|copies) /.test(value));
  if (comment === undefined) return text;
  const [kind, ...words] = comment.value.trim().split(/ +/);
  const node = nodeBehind(program as unknown as Node, comment.end);
  const isBeside = node !== undefined && text.slice(comment.end, node.start).trim() === '';
  const written = isBeside && (kind === '@unroll' ? unroll(text, node, words) : copy(text, node, words));
  if (!written) throw new Error(`${file}: the code behind //${comment.value} is not of that form`);
  return writeOut(file, text.slice(0, comment.start) + written + text.slice(node.end));
}

/** `words`: how many rows, then "ahead", then the constants that are read ahead. */
function unroll(text: string, loop: Node, [count, , ...ahead]: string[]): string | undefined {
  if (loop.type !== 'ForStatement') return;
  const body = loop.body as Node;
  const head = LOOP.exec(text.slice(loop.start, body.start));
  if (head === null || /\b(break|continue|return)\b/.test(textOf(text, body))) return;
  const [, row, first, end] = head;
  const statements = body.body as Node[];
  const early = statements.slice(0, ahead.length);
  if (early.some((each, k) => !textOf(text, each).startsWith(`const ${ahead[k]} = `))) return;

  const rows = Array.from({ length: Number(count) }, (_, k) => k);
  const inRow = (k: number, each: Node) =>
    rename(
      text,
      each,
      new Map([[row, `(${row} + ${k})`], ...ahead.map((name) => [name, name + k] as const)]),
    );
  return [
    `{ let ${row} = ${first};`,
    `for (const lastTurn = ${end} - ${rows.length - 1}; ${row} < lastTurn; ${row} += ${rows.length}) {`,
    ...rows.flatMap((k) => early.map((each) => inRow(k, each))),
    ...rows.map(
      (k) =>
        `{ ${statements
          .slice(ahead.length)
          .map((each) => inRow(k, each))
          .join('\n')} }`,
    ),
    `} for (; ${row} < ${end}; ${row}++) ${textOf(text, body)} }`,
  ].join('\n');
}

/** `words`: the parameter and its values. */
function copy(text: string, made: Node, [parameter, ...values]: string[]): string | undefined {
  if (made.type !== 'FunctionDeclaration') return;
  const name = (made.id as Node).name as string;
  const parameters = made.params as Node[];
  const others = parameters.filter((each) => each.name !== parameter);
  if (others.length !== parameters.length - 1) return;
  const body = made.body as Node;
  const passed = others.map((each) => each.name).join(', ');
  const copies = values.map((value, k) => {
    const inside = rename(text, body, new Map([[parameter, value]]));
    return `function ${name}${k}(${others.map((each) => textOf(text, each)).join(', ')}) ${inside}`;
  });
  const calls = values.map((value, k) => `if (${parameter} === ${value}) return ${name}${k}(${passed});`);
  const choosing = [...calls, `throw new Error('no copy of ${name} for ' + ${parameter});`];
  return [...copies, `${text.slice(made.start, body.start)}{ ${choosing.join('\n')} }`].join('\n');
}

const textOf = (text: string, { start, end }: Node) => text.slice(start, end);

/** The text of a node with something else in the place of some variables. */
function rename(text: string, node: Node, names: ReadonlyMap<string, string>): string {
  let out = '';
  let from = node.start;
  for (const { type, name, start, end } of variablesIn(node).sort((a, b) => a.start - b.start)) {
    const other = names.get(name as string);
    if (other === undefined) continue;
    out += `${text.slice(from, start)}${type === 'Property' ? `${name}: ` : ''}${other}`;
    from = end;
  }
  return out + text.slice(from, node.end);
}

/** The places of variables. One that is a property, too, as in `{ name }`, has the type of a property. */
function variablesIn(node: Node): Node[] {
  if (node.type === 'Identifier') return [node];
  if (node.shorthand === true) return [{ ...(node.key as Node), type: 'Property' }];
  const { property, key, ...others } = node;
  return childrenOf(node.computed === false ? others : node).flatMap(variablesIn);
}

/** The outermost of the nodes that begin first behind a place. */
function nodeBehind(node: Node, place: number): Node | undefined {
  if (node.start >= place) return node;
  const next = childrenOf(node).find((each) => each.end > place);
  return next && nodeBehind(next, place);
}

const childrenOf = (node: object): Node[] =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value === 'object' && value !== null && typeof value.type === 'string');
