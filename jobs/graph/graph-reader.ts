/**
 * Reads a graph from tokens, in both of its forms (docs/graphs.md). One is a document: an object with all nodes. The
 * other is lines: a value for each node or edge. The first fields show the form. The reader holds the batch that was
 * not yet asked for and the node that is being read.
 */
import type { GraphEdge, GraphNode, NodeId } from '../../pipeline/graph/source.js';
import { fieldOf, newElementReader, type State, secondField, unknownField } from './element-reader.js';
import type { Token } from './tokens.js';
import { idOf, Misfit, nameOf, type Players, shown, stuckOf, wrongType } from './values.js';

/** Fields that a document does not have. */
const NODE_ONLY = new Set(['id', 'owner', 'winner', 'score', 'plies']);
/** Fields that precede all nodes and edges. */
const HEAD_ONLY = new Set(['players', 'stuck', 'roots']);
/** Roots of a graph: their values are printed, and their names kept in the manifest. */
const MOST_ROOTS = 1024;

export interface Head {
  readonly players: Players;
  readonly stuck: 'lost' | 'drawn';
  readonly roots: readonly NodeId[];
}

export interface ReadBatch {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** The numbers of the tokens that the nodes and edges begin with. */
  readonly nodeTokens: number[];
  readonly edgeTokens: number[];
  /** Null as long as it is not known. */
  readonly head: Head | null;
}

export interface GraphReader {
  /** Throws Misfit. */
  take(tokens: readonly Token[]): void;
  /** The text is over. Throws Misfit. */
  end(): void;
  /** Nodes and edges that were completed since the last call. */
  batch(): ReadBatch;
  /** Whether the reader is between the values of lines, and has seen a node: another reader can go on from here. */
  readonly isBetween: boolean;
  /** Number of tokens taken; after a Misfit, the number of the wrong token. */
  tokens(): number;
  /** Node or edge that is being read, for messages: 'node 17 ("x"): '. */
  subject(): string;
}

/**
 * @param lines whether the file's name is that of JSON Lines.
 * @param going the head of the text, for a reader that goes on between values.
 */
export function newGraphReader(lines: boolean, going: Head | null = null): GraphReader {
  let form: 'lines' | 'document' | null = lines || going !== null ? 'lines' : null;
  let values = going === null ? 0 : 1;
  let tokens = 0;
  let begin = 0;
  const read = newReadElements(going !== null);
  const elements = newElementReader(
    (node) => read.addNode(node, begin),
    (edge) => read.addEdge(edge, begin),
  );

  function node(after: State): State {
    const { players } = head.fixed();
    begin = tokens;
    return elements.node(players, after);
  }

  function edge(isPair: boolean, after: State): State {
    head.fixed();
    begin = tokens;
    return elements.edge(isPair, after);
  }

  /** Between the values of the text. */
  const value: State = (token) => {
    if (form === 'document') throw new Misfit('something follows the graph');
    if (++values > 1) form = 'lines';
    if (token.name === 'startObject') return firstKey;
    if (token.name === 'startArray' && form === 'lines') return edge(true, value);
    throw wrongType(token, form === 'lines' ? 'a node or edge' : 'a graph', 'an object');
  };

  const firstKey: State = (token) => {
    if (token.name === 'endObject') throw new Misfit('an object without fields is not a node');
    const field = fieldOf(token);
    if (NODE_ONLY.has(field) || field === 'from' || field === 'to') form = 'lines';
    const isElement = form === 'lines' && !HEAD_ONLY.has(field);
    if (!isElement) return head.begin()(token);
    const state = field === 'from' || field === 'to' ? edge(false, value) : node(value);
    // The brace was the token before.
    begin = tokens - 1;
    return state(token);
  };

  const head = newHeadReader(going, {
    headPlace: () => (form === 'lines' ? ', in the first lines' : ''),
    /** Fields of a document alone. */
    field(name, headKey) {
      if (form === 'lines') throw unknownField(name);
      form = 'document';
      if (name === '$schema') return schemaValue(headKey);
      head.fixed();
      return name === 'nodes' ? arrayOf('nodes', nodesElement) : arrayOf('edges', edgesElement);
    },
    end() {
      if (form === 'document' && !read.anyNode()) throw new Misfit('there are no nodes');
      return value;
    },
  });

  const nodesElement: State = (token) => {
    if (token.name === 'startObject') return node(nodesElement);
    if (token.name === 'endArray') return head.key;
    throw wrongType(token, 'a node', 'an object');
  };

  const edgesElement: State = (token) => {
    if (token.name === 'startArray' || token.name === 'startObject')
      return edge(token.name === 'startArray', edgesElement);
    if (token.name === 'endArray') return head.key;
    throw wrongType(token, 'an edge', 'a pair of identifiers');
  };

  let state: State = value;

  return {
    take(more) {
      for (let i = 0; i < more.length; i++) {
        state = state(more[i]);
        tokens++;
      }
    },
    end() {
      if (values === 0) throw new Misfit('the text is empty');
      if (!read.anyNode()) throw new Misfit('there are no nodes');
    },
    batch: () => ({ ...read.takeAll(), head: head.known() }),
    get isBetween() {
      return form === 'lines' && state === value && read.anyNode();
    },
    tokens: () => tokens,
    subject: elements.subject,
  };
}

const schemaValue =
  (after: State): State =>
  (token) => {
    if (token.name !== 'stringValue') throw wrongType(token, '"$schema"', 'a string');
    return after;
  };

const arrayOf =
  (field: string, element: State): State =>
  (token) => {
    if (token.name !== 'startArray') throw wrongType(token, `"${field}"`, 'an array');
    return element;
  };

/** Nodes and edges that nobody has asked for. */
function newReadElements(seenNode: boolean) {
  let anyNode = seenNode;
  let batch = noElements();

  return {
    anyNode: () => anyNode,
    addNode(node: GraphNode, token: number): void {
      anyNode = true;
      batch.nodes.push(node);
      batch.nodeTokens.push(token);
    },
    addEdge(edge: GraphEdge, token: number): void {
      batch.edges.push(edge);
      batch.edgeTokens.push(token);
    },
    takeAll(): Omit<ReadBatch, 'head'> {
      const taken = batch;
      batch = noElements();
      return taken;
    },
  };
}

function noElements(): Omit<ReadBatch, 'head'> {
  return { nodes: [], edges: [], nodeTokens: [], edgeTokens: [] };
}

interface HeadReader {
  /** State at the first key of an object that is the document, or one of the first lines. */
  begin(): State;
  /** State at the next key of that object. */
  readonly key: State;
  /** The head, which cannot change any more. */
  fixed(): Head;
  /** The head if it is fixed. */
  known(): Head | null;
}

/** The fields that follow in the object that has the head. */
interface Rest {
  /** Where else the head must be, for messages. */
  headPlace(): string;
  field(name: '$schema' | 'nodes' | 'edges', after: State): State;
  end(): State;
}

function newHeadReader(going: Head | null, rest: Rest): HeadReader {
  let players: Players = going?.players ?? ['0', '1'];
  let stuck: Head['stuck'] = going?.stuck ?? 'lost';
  let head = going;
  let names: string[] = [];
  const roots = new Set<NodeId>(going?.roots);
  const fields = new Set<string>();

  const fixed = (): Head => (head ??= { players, stuck, roots: [...roots] });

  const key: State = (token) => {
    if (token.name === 'endObject') return rest.end();
    const field = fieldOf(token);
    if (HEAD_ONLY.has(field) && head !== null)
      throw new Misfit(`${shown(field)} must come before all nodes and edges${rest.headPlace()}`);
    if (fields.has(field)) throw secondField(field);
    fields.add(field);
    switch (field) {
      case 'players':
        return playersValue;
      case 'stuck':
        return stuckValue;
      case 'roots':
        return rootsValue;
      case '$schema':
      case 'nodes':
      case 'edges':
        return rest.field(field, key);
      default:
        throw unknownField(field);
    }
  };

  const playersValue: State = (token) => {
    if (token.name !== 'startArray') throw wrongType(token, '"players"', 'an array of two names');
    names = [];
    return playerName;
  };

  const playerName: State = (token) => {
    if (token.name === 'endArray' && names.length === 2) {
      players = [names[0], names[1]];
      return key;
    }
    names.push(nameOf(token, names));
    return playerName;
  };

  const rootsValue: State = (token) => {
    if (token.name !== 'startArray') throw wrongType(token, '"roots"', 'an array of identifiers');
    return root;
  };

  const root: State = (token) => {
    if (token.name === 'endArray') return key;
    if (roots.size === MOST_ROOTS) throw new Misfit(`there are more than ${MOST_ROOTS} roots`);
    roots.add(idOf(token, 'a root'));
    return root;
  };

  const stuckValue: State = (token) => {
    stuck = stuckOf(token);
    return key;
  };

  return {
    begin: () => key,
    key,
    fixed,
    known: () => head,
  };
}
