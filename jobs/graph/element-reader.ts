/** Nodes and edges from tokens: two machines whose states are the functions that take the next token. */
import type { Side } from '../../pipeline/game/game.js';
import type { GraphEdge, GraphNode, NodeId } from '../../pipeline/graph/source.js';
import type { Token } from './tokens.js';
import {
  edgeNameOf,
  idOf,
  Misfit,
  type Players,
  playerOf,
  pliesOf,
  scoreOf,
  shown,
  wrongType,
} from './values.js';

/** Takes a token and returns the state that takes the next one. Throws Misfit. */
export type State = (token: Token) => State;

/** The most edges of a node: what solving holds of one grows with them. Edges that are listed separately do not count. */
const MOST_EDGES = 1 << 23;
/** Edges that are handed on with their node. More follow as edges that are listed separately, so that they need not all be in memory. */
const EDGES_OF_NODE = 1 << 16;
/** Edges that are held until it is known which node they are of, and that its play goes on. */
const MOST_UNKNOWN = 1 << 19;

const NO_EDGES: readonly NodeId[] = [];

/** The field that a key begins. */
export function fieldOf(key: Token): string {
  return (key as { value: string }).value;
}

export function unknownField(field: string): Misfit {
  return new Misfit(`there is no field ${shown(field)} here`);
}

export function secondField(field: string): Misfit {
  return new Misfit(`there are two fields ${shown(field)}`);
}

interface ElementReader {
  /** State that takes the tokens of a node after its opening brace. @param after the state after the node. */
  node(players: Players, after: State): State;
  /** State that takes the tokens of an edge; the edge is a pair in brackets, or an object. */
  edge(isPair: boolean, after: State): State;
  /** Node or edge that is being read, for messages: 'node 17 ("x"): ', or ''. Numbers are counted from 0. */
  subject(): string;
}

export function newElementReader(
  onNode: (node: GraphNode) => void,
  onEdge: (edge: GraphEdge) => void,
): ElementReader {
  let inside: 'node' | 'edge' | null = null;
  const nodes = newNodeReader((node) => {
    onNode(node);
    inside = null;
  }, onEdge);
  const edges = newEdgeReader((edge) => {
    onEdge(edge);
    inside = null;
  });

  return {
    node(players, after) {
      inside = 'node';
      return nodes.begin(players, after);
    },
    edge(isPair, after) {
      inside = 'edge';
      return edges.begin(isPair, after);
    },
    subject() {
      if (inside === null) return '';
      return inside === 'edge' ? `edge ${edges.count()}: ` : `node ${nodes.subject()}: `;
    },
  };
}

interface NodeReader {
  begin(players: Players, after: State): State;
  /** The number of the node that is being read, and its id. */
  subject(): string;
}

function newNodeReader(onNode: (node: GraphNode) => void, onEdge: (edge: GraphEdge) => void): NodeReader {
  let after: State;
  let nodes = 0;
  let players: Players;
  let id: NodeId | null = null;
  let owner: Side | null = null;
  /** Undefined: the node has no such field. */
  let winner: Side | 'nobody' | undefined;
  let score: number | null = null;
  let plies: number | null = null;
  let targets: NodeId[] | null = null;
  /** Names of edges, as long as the last edge that has one. */
  let names: (string | null)[] = [];
  /** How many of them were read, and whether some were handed on before the node. */
  let edges = 0;
  let isOpen = false;

  const nodeKey: State = (token) => {
    if (token.name === 'endObject') return endNode();
    const field = fieldOf(token);
    switch (field) {
      case 'id':
        if (id !== null) throw secondField(field);
        return nodeId;
      case 'owner':
        if (owner !== null) throw secondField(field);
        return nodeOwner;
      case 'winner':
        if (winner !== undefined) throw secondField(field);
        if (isOpen) throw new Misfit(`its winner must come before more than ${EDGES_OF_NODE} edges`);
        return nodeWinner;
      case 'score':
        if (score !== null) throw secondField(field);
        return nodeScore;
      case 'plies':
        if (plies !== null) throw secondField(field);
        return nodePlies;
      case 'edges':
        if (targets !== null) throw secondField(field);
        return nodeEdges;
      default:
        throw unknownField(field);
    }
  };

  const nodeId: State = (token) => {
    id = idOf(token, 'its id');
    return nodeKey;
  };

  const nodeOwner: State = (token) => {
    owner = playerOf(token, 'its owner', players);
    return nodeKey;
  };

  const nodeWinner: State = (token) => {
    winner = token.name === 'nullValue' ? 'nobody' : playerOf(token, 'its winner', players);
    return nodeKey;
  };

  const nodeScore: State = (token) => {
    score = scoreOf(token);
    return nodeKey;
  };

  const nodePlies: State = (token) => {
    plies = pliesOf(token);
    return nodeKey;
  };

  const nodeEdges: State = (token) => {
    if (token.name !== 'startArray') throw wrongType(token, '"edges"', 'an array of identifiers');
    targets = [];
    return target;
  };

  const target: State = (token) => {
    if (token.name === 'endArray') return nodeKey;
    if (++edges > MOST_EDGES)
      throw new Misfit(`it has more than ${MOST_EDGES} edges: they can be listed separately`);
    if (token.name === 'startArray') return edgeName;
    return addTarget(idOf(token, 'an edge of it'));
  };

  const edgeName: State = (token) => {
    if (edges > EDGES_OF_NODE)
      throw new Misfit(`an edge with a name follows ${EDGES_OF_NODE} edges, behind which they have none`);
    while (names.length < targets!.length) names.push(null);
    names.push(edgeNameOf(token));
    return namedTarget;
  };

  const namedTarget: State = (token) => {
    addTarget(idOf(token, 'where an edge of it leads'));
    return endOfPair;
  };

  const endOfPair: State = (token) => {
    if (token.name === 'endArray') return target;
    throw new Misfit('an edge of it has more than a name and an identifier');
  };

  function addTarget(to: NodeId): State {
    const isKnown = id !== null && owner !== null;
    if (targets!.length < (isKnown ? EDGES_OF_NODE : MOST_UNKNOWN)) {
      targets!.push(to);
      return target;
    }
    if (winner !== undefined) return target;
    if (!isKnown) throw new Misfit(`its id and owner must come before more than ${MOST_UNKNOWN} edges`);
    isOpen = true;
    onEdge({ from: id!, to });
    return target;
  }

  function endNode(): State {
    if (id === null) throw new Misfit('it has no id');
    if (owner === null && winner === undefined) throw new Misfit('it has neither an owner nor a winner');
    const isWon = winner !== undefined && winner !== 'nobody';
    if (score !== null && (score === 0) === isWon)
      throw new Misfit(isWon ? 'its winner wins by 0' : `it has a score of ${score}, and no winner`);
    if (plies !== null && !isWon) throw new Misfit(`it has ${plies} plies, and no winner`);
    if (plies !== null && score !== null) throw new Misfit('it has both a score and plies');
    // An owner is left out where the play is over only: it is then the turn of who has lost.
    const loser = winner === 0 ? 1 : 0;
    const node = { id, owner: owner ?? loser, winner: winner ?? null, edges: targets ?? NO_EDGES };
    while (names.length > 0 && names.length < node.edges.length) names.push(null);
    // Most nodes have nothing else, and are not copied.
    const isPlain = score === null && plies === null && names.length === 0;
    onNode(
      isPlain
        ? node
        : {
            ...node,
            ...(score !== null && score > 0 && { score }),
            ...(plies !== null && plies > 0 && { plies }),
            ...(names.length > 0 && { names }),
          },
    );
    nodes++;
    return after;
  }

  return {
    begin(ofPlayers, next) {
      players = ofPlayers;
      after = next;
      id = owner = score = plies = targets = null;
      if (names.length > 0) names = [];
      isOpen = false;
      edges = 0;
      winner = undefined;
      return nodeKey;
    },
    subject: () => `${nodes}${id === null ? '' : ` (${typeof id === 'string' ? shown(id) : id})`}`,
  };
}

interface EdgeReader {
  begin(isPair: boolean, after: State): State;
  /** Edges that were read. */
  count(): number;
}

function newEdgeReader(onEdge: (edge: GraphEdge) => void): EdgeReader {
  let after: State;
  let edges = 0;
  let from: NodeId | null = null;
  let to: NodeId | null = null;

  const pair: State = (token) => {
    if (token.name === 'endArray' && to !== null) return endEdge(from!, to);
    if (to !== null) throw new Misfit('it has more than two identifiers');
    const end = idOf(token, from === null ? 'where it comes from' : 'where it leads');
    if (from === null) from = end;
    else to = end;
    return pair;
  };

  const edgeKey: State = (token) => {
    if (token.name === 'endObject') {
      if (from === null || to === null) throw new Misfit('it needs both "from" and "to"');
      return endEdge(from, to);
    }
    const field = fieldOf(token);
    if (field !== 'from' && field !== 'to') throw unknownField(field);
    if ((field === 'from' ? from : to) !== null) throw secondField(field);
    return field === 'from' ? edgeFrom : edgeTo;
  };

  const edgeFrom: State = (token) => {
    from = idOf(token, '"from"');
    return edgeKey;
  };

  const edgeTo: State = (token) => {
    to = idOf(token, '"to"');
    return edgeKey;
  };

  function endEdge(from: NodeId, to: NodeId): State {
    onEdge({ from, to });
    edges++;
    return after;
  }

  return {
    begin(isPair, next) {
      after = next;
      from = to = null;
      return isPair ? pair : edgeKey;
    },
    count: () => edges,
  };
}
