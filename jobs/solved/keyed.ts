/** Positions of keyed games, and nodes of graphs, as {@link Solved} has them. */
import { UserError } from '../../operators/core/errors.js';
import { oneOf } from '../../operators/core/once.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import type { GraphProber } from '../../pipeline/graph/graph-prober.js';
import { idOf } from '../../pipeline/graph/ids.js';
import { keyedLine } from '../../pipeline/graph/keyed-line.js';
import type { KeyedProber, StoredKeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { nodeProber } from '../../pipeline/graph/node-prober.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { readNodeId, writeNodeId } from '../graph/node-id.js';
import type { SolvedValue } from '../positions/value.js';
import { nodeIdJson } from '../ui/graph-text.js';
import { WORDS } from '../ui/graph-words.js';
import { bestPlayText, keyedVerdict, type PlyWords } from '../ui/keyed-text.js';
import { count } from '../ui/numbers.js';
import { type Answer, type Answers, positionJson, type Solved, type SolvedLine } from './solved.js';

/** How positions are written, and who plays. */
export interface Writing<Position>
  extends Pick<KeyedRules<Position>, 'parse' | 'format' | 'diagram' | 'starts'> {
  readonly players: readonly [string, string];
  readonly what: string;
  /** By which exports call the position. */
  id(position: Position): string | number;
  readonly words: PlyWords;
}

export class SolvedKeyed<Position> implements Solved<Position> {
  readonly players: readonly [string, string];
  readonly what: string;
  private readonly prober: () => Promise<KeyedProber<Position>>;

  constructor(
    private readonly writing: Writing<Position>,
    open: () => Promise<KeyedProber<Position>>,
  ) {
    this.players = writing.players;
    this.what = writing.what;
    this.prober = oneOf(open);
  }

  starts(): Iterable<Position> {
    return this.writing.starts();
  }

  parse(text: string): Position {
    return this.writing.parse(text);
  }

  format(position: Position): string {
    return this.writing.format(position);
  }

  names(position: Position): { readonly id: string | number } {
    return { id: this.writing.id(position) };
  }

  diagram(position: Position): string {
    return this.writing.diagram(position);
  }

  clock(): number {
    return 0;
  }

  async probe(position: Position): Promise<Answers> {
    const prober = await this.prober();
    const { moves, ...probed } = await prober.probe(position);
    const named = moves.map(({ after, ...move }) => ({ ...move, after: this.format(after) }));
    return [{ metric: prober.metric, ...probed, moves: named }];
  }

  async line(position: Position): Promise<SolvedLine> {
    const prober = await this.prober();
    const { players } = this;
    const line = await keyedLine(prober, position);
    const { start, steps } = line;
    const answer: Answer = { metric: prober.metric, ...start, moves: [] };
    const head = `${this.diagram(position)}\n${this.verdict(position, answer)}\n`;
    const best =
      start.wdl === 'draw' ? 'A drawn position has no main line.' : bestPlayText({ colours: players }, line);
    const json = {
      ...positionJson(this, position, answer),
      line: steps.map(({ name, mover, after }) => ({
        move: name,
        mover: players[mover],
        position: this.format(after),
      })),
    };
    return { text: `${head}\n${best}\n`, json };
  }

  verdict(_: Position, answer: Answer): string {
    return keyedVerdict(this.players, { ...answer, score: answer.score ?? null }, this.writing.words);
  }

  distance({ plies }: SolvedValue): string {
    const { ply, plies: several } = this.writing.words;
    return plies === null ? '' : count(plies, ply, several);
  }
}

/** Positions as the module of the game has them. */
export function writingOf(game: KeyedRules): Writing<unknown> {
  return {
    players: game.colours,
    what: 'a position',
    id: (position) => String(game.keyOf(position)),
    words: WORDS.games,
    starts: () => game.starts(),
    parse: (text) => game.parse(text),
    format: (position) => game.format(position),
    diagram: (position) => game.diagram(position),
  };
}

/** A prober of positions, and how they are written. */
export interface OpenedKeyed<Position> {
  readonly writing: Writing<Position>;
  readonly prober: KeyedProber<Position>;
}

interface OpenedNodes extends OpenedKeyed<NodeId> {
  readonly prober: StoredKeyedProber<NodeId>;
}

/** A graph, whose nodes are its positions. Moves without a name are called as people write the nodes that they lead to. */
export function nodesAsMoves(nodes: GraphProber): OpenedNodes {
  const { name, players, roots } = nodes.graph;
  const writing = {
    players,
    what: 'a node',
    id: nodeIdJson,
    words: WORDS.graphs,
    starts() {
      if (roots === undefined) throw new UserError(`name a node of ${name}: its file lists no "roots"`);
      return roots.map(idOf);
    },
    parse: readNodeId,
    format: writeNodeId,
    diagram: (node: NodeId) => `node ${writeNodeId(node)}\n`,
  };
  return { writing, prober: nodeProber(nodes, writeNodeId) };
}
