/**
 * Graphs in JSON, as documents or lines, larger than memory: what is held is a piece of the text with what is read from
 * it, and one node. When something is wrong, the text is read again up to there, to tell where it is; so reading
 * needs not keep account of places.
 */
import { UserError } from '../../operators/core/errors.js';
import type { GraphSource } from '../../pipeline/graph/source.js';
import { type GraphReader, type Head, newGraphReader, type ReadBatch } from './graph-reader.js';
import { badSyntax, byteOfToken, placeText } from './places.js';
import { fileInput, readText, type TextInput } from './text.js';
import { newTokenizer, SyntaxProblem } from './tokens.js';
import { Misfit, shown } from './values.js';

/** Characters that a string, number or gap may be long before it is given up. */
const LONGEST_TOKEN = 1 << 20;

/** Opens a file, JSON Lines by name if it is .jsonl or .ndjson, .gz or not. @throws UserError, StorageError. */
export async function openJsonGraph(path: string): Promise<GraphSource> {
  return jsonGraph(fileInput(path));
}

/** Reads the head; all else is read when it is asked for. @throws UserError. */
export async function jsonGraph(input: TextInput): Promise<GraphSource> {
  const { players, stuck } = await readHead(input);

  /** The node or edge with a number: what it is, and the token that it begins with. */
  async function find<T>(
    number: number,
    of: (batch: ReadBatch) => readonly [readonly T[], readonly number[]],
  ) {
    let before = 0;
    for await (const batch of readBatches(input)) {
      const [found, tokens] = of(batch);
      const at = number - before;
      if (at < found.length) return { found: found[at]!, token: tokens[at]! };
      before += found.length;
    }
    throw new Error(`${input.name}: there is no number ${number}`);
  }
  const findNode = (number: number) => find(number, (batch) => [batch.nodes, batch.nodeTokens]);
  const findEdge = (number: number) => find(number, (batch) => [batch.edges, batch.edgeTokens]);
  const where = async (token: number) => placeText(input, await byteOfToken(input, token));

  return {
    name: input.name,
    head: { players },
    stuck,
    async *read() {
      for await (const { nodes, edges } of readBatches(input))
        if (nodes.length + edges.length > 0) yield { nodes, edges };
    },
    async whereNode(number) {
      const { found, token } = await findNode(number);
      const id = typeof found.id === 'string' ? shown(found.id) : found.id;
      return `node ${number} (${id}) at ${await where(token)}`;
    },
    async whereEdge(number) {
      const { token } = await findEdge(number);
      return `edge ${number} at ${await where(token)}`;
    },
    async nameAtNode(number, wrong) {
      const { found } = await findNode(number);
      return [found.id].concat(found.edges).find(wrong) ?? null;
    },
    async nameAtEdge(number, wrong) {
      const { found } = await findEdge(number);
      return [found.from, found.to].find(wrong) ?? null;
    },
  };
}

async function readHead(input: TextInput): Promise<Head> {
  for await (const { head } of readBatches(input)) if (head !== null) return head;
  throw new Error(`${input.name}: a graph was read that has no head`);
}

/** The last batch is that of the end of the text. */
async function* readBatches(input: TextInput): AsyncGenerator<ReadBatch> {
  const reader = newGraphReader(isLines(input.name));
  const tokenize = newTokenizer();
  let pieces = 0;
  let idle = 0;
  try {
    for await (const { text } of readText(input)) {
      const tokens = tokenize(text);
      reader.take(tokens);
      idle = tokens.length > 0 ? 0 : idle + text.length;
      if (idle > LONGEST_TOKEN)
        throw new Misfit(`a string, number or gap of more than ${LONGEST_TOKEN} characters`);
      pieces++;
      yield reader.batch();
    }
    reader.take(tokenize(null));
    reader.end();
  } catch (error) {
    if (error instanceof Misfit) throw await misfitError(input, error, reader);
    if (error instanceof SyntaxProblem) throw await syntaxError(input, pieces);
    throw error;
  }
  yield reader.batch();
}

function isLines(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name);
}

async function misfitError(input: TextInput, { message }: Misfit, reader: GraphReader): Promise<UserError> {
  const place = await placeText(input, await byteOfToken(input, reader.tokens()));
  return new UserError(`graph ${input.name}: ${place}: ${reader.subject()}${message}`);
}

/**
 * @param sound so many pieces were read. What comes before the wrong character in the next one is not known, since the
 * tokenizer returns the tokens of whole pieces; so that one is read again character by character.
 */
async function syntaxError(input: TextInput, sound: number): Promise<UserError> {
  const reader = newGraphReader(isLines(input.name));
  const tokenize = newTokenizer();
  let pieces = 0;
  try {
    for await (const { text } of readText(input))
      for (const part of pieces++ < sound ? [text] : text.split('')) reader.take(tokenize(part));
    reader.take(tokenize(null));
  } catch (error) {
    if (error instanceof Misfit) return misfitError(input, error, reader);
    if (!(error instanceof SyntaxProblem)) throw error;
  }
  const { byte, what } = await badSyntax(input);
  return new UserError(`graph ${input.name}: ${await placeText(input, byte)}: ${reader.subject()}${what}`);
}
