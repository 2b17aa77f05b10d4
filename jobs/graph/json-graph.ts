/**
 * Graphs in JSON, as documents or lines, larger than memory. Only a piece of the text with its nodes and edges is
 * held, and one node. To place an error, the text is read again up to there; so reading needs not keep account of
 * places. Between lines of a file that is not compressed reading can be interrupted.
 */
import { UserError } from '../../operators/core/errors.js';
import type { ListedGraph } from '../../pipeline/graph/source.js';
import { type GraphReader, type Head, newGraphReader, type ReadBatch } from './graph-reader.js';
import { badSyntax, byteOfToken, placeText } from './places.js';
import { fileInput, readText, type TextInput } from './text.js';
import { newTokenizer, SyntaxProblem } from './tokens.js';
import { Misfit, shown } from './values.js';

/** Characters that a string, number or gap may be long before it is given up. */
const LONGEST_TOKEN = 1 << 20;

/** Opens a file, JSON Lines by name if it is .jsonl or .ndjson, .gz or not. @param name in messages. @throws UserError, StorageError. */
export async function openJsonGraph(path: string, name = path): Promise<ListedGraph> {
  return jsonGraph(fileInput(path, name));
}

/** Reads the head; all else is read when it is asked for. @throws UserError. */
export async function jsonGraph(input: TextInput): Promise<ListedGraph> {
  const head = await readHead(input);
  const { players, stuck, roots } = head;

  /** The node or edge with a number, and the token that it begins with. */
  async function find<T>(
    number: number,
    of: (batch: ReadBatch) => readonly [readonly T[], readonly number[]],
  ) {
    let before = 0;
    for await (const batch of readBatches(input)) {
      const [found, tokens] = of(batch);
      const at = number - before;
      if (at < found.length) return { found: found[at], token: tokens[at] };
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
    ...(roots.length > 0 && { roots }),
    async *read(going) {
      const [from = 0] = going?.from?.at ?? [];
      for await (const { nodes, edges, between } of readBatches(input, from, head)) {
        if (nodes.length + edges.length === 0) continue;
        const canGoOn = between !== null && input.bytesFrom !== undefined;
        yield { nodes, edges, ...(canGoOn && { place: async () => ({ at: [between], runs: [] }) }) };
      }
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

interface PlacedBatch extends ReadBatch {
  /** The byte behind it if that is between two lines, from where reading can go on. */
  readonly between: number | null;
}

/**
 * All batches, or those from a byte between lines on, for which the head must be known. The last batch is that of the end of
 * the text.
 */
async function* readBatches(
  input: TextInput,
  from = 0,
  head: Head | null = null,
): AsyncGenerator<PlacedBatch> {
  const reader = newGraphReader(isLines(input.name), from === 0 ? null : head);
  const tokenize = newTokenizer();
  let pieces = 0;
  let idle = 0;
  try {
    for await (const { text, bytes, at } of readText(input, from)) {
      const tokens = tokenize(text);
      reader.take(tokens);
      idle = tokens.length > 0 ? 0 : idle + text.length;
      if (idle > LONGEST_TOKEN)
        throw new Misfit(`a string, number or gap of more than ${LONGEST_TOKEN} characters`);
      pieces++;
      const between = reader.isBetween ? at + bytes.length : null;
      yield { ...reader.batch(), between };
    }
    reader.take(tokenize(null));
    reader.end();
  } catch (error) {
    const isInText = error instanceof Misfit || error instanceof SyntaxProblem;
    // Places in messages are counted from the beginning: from there it is wrong again.
    if (isInText && from > 0) for await (const _ of readBatches(input));
    if (error instanceof Misfit) throw await misfitError(input, error, reader);
    if (error instanceof SyntaxProblem) throw await syntaxError(input, pieces);
    throw error;
  }
  yield { ...reader.batch(), between: null };
}

function isLines(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name);
}

async function misfitError(input: TextInput, { message }: Misfit, reader: GraphReader): Promise<UserError> {
  const place = await placeText(input, await byteOfToken(input, reader.tokens()));
  return new UserError(`graph ${input.name}: ${place}: ${reader.subject()}${message}`);
}

/**
 * @param sound the number of pieces that were read. The place of the wrong character in the next piece is not known, since the
 * tokenizer returns the tokens of whole pieces. So that piece is read again, character by character.
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
