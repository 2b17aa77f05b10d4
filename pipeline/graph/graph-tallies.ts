/** The figures of a solved graph (graph-stats.ts), by player and for the player to move. Loads nothing that reads tables. */
import type { Side } from '../game/game.js';
import type { GraphManifest } from './manifest.js';
import type { Winning } from './outcomes.js';
import type { NodeId } from './source.js';

/** Of some nodes, or of the positions that they stand for, how many are won, drawn and lost for the player who chooses there. */
export interface MoverTally {
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
}

/** The same by player: how many each player wins and how many nobody wins. */
export interface NodeTally {
  readonly won: [number, number];
  nobody: number;
}

/** Nodes, or the positions that they stand for. */
export interface NodeCounts {
  /** Those at which each player chooses. */
  readonly chooses: readonly [NodeTally, NodeTally];
  /** Those where the play is over. */
  readonly over: NodeTally;
  /** The same for the player who would choose there. Null of games that an earlier release found: it kept no count of it. */
  readonly ends: MoverTally | null;
  readonly all: NodeTally;
}

export interface GraphStats extends NodeCounts {
  readonly graph: GraphManifest;
  readonly verified: boolean;
  /** Whether the metric has plies, so that there are longest wins. */
  readonly hasPlies: boolean;
  /** The positions before symmetric ones were merged; null of games without symmetries, and of those that an earlier release found. */
  readonly unmerged: NodeCounts | null;
  /** How many nodes each player wins from, by the edges that it takes; nothing under `wdl`. */
  readonly byPlies: readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>];
  /** How many nodes each player wins from, by the points; null under other metrics than `score`. */
  readonly byScore: readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>] | null;
  /** All values that nodes have: who wins, in how many edges and by how many points. In no order. */
  readonly outcomes: readonly Winning[];
  /**
   * The longest win of each player, where one and where the other chooses. With it comes the first node of the source
   * from which the win takes so long. Null where there is none, and under `wdl`.
   */
  readonly longest: readonly [ByChooser<Farthest>, ByChooser<Farthest>];
}

export type ByChooser<T> = readonly [T | null, T | null];

/** The node from which it takes longest until the play is over. */
export interface Farthest {
  readonly plies: number;
  readonly node: NodeId;
}

/** Whether positions stand for either player to move. Who would be called by a colour then is an accident of keys. */
export function isTurnMerged({ exchanging = 0 }: Pick<GraphManifest, 'exchanging'>): boolean {
  return exchanging > 0;
}

/** The nodes at which a player chooses, by their values for that player. */
export interface MoverStats {
  /** Null for either player, where the turn is merged. */
  readonly mover: Side | null;
  readonly tally: MoverTally;
  readonly longestWin: Farthest | null;
  readonly longestLoss: Farthest | null;
}

export function moverTallies({
  graph,
  chooses,
  longest,
}: Pick<GraphStats, 'graph' | 'chooses' | 'longest'>): MoverStats[] {
  const [first, second] = ([0, 1] as const).map((mover): MoverStats & { readonly mover: Side } => {
    const other = (1 - mover) as Side;
    const { won, nobody } = chooses[mover];
    return {
      mover,
      tally: { won: won[mover], drawn: nobody, lost: won[other] },
      longestWin: longest[mover][mover],
      longestLoss: longest[other][mover],
    };
  });
  if (!isTurnMerged(graph)) return [first, second];
  const { won, drawn, lost } = first.tally;
  const { tally } = second;
  return [
    {
      mover: null,
      tally: { won: won + tally.won, drawn: drawn + tally.drawn, lost: lost + tally.lost },
      longestWin: farther(first.longestWin, second.longestWin),
      longestLoss: farther(first.longestLoss, second.longestLoss),
    },
  ];
}

function farther(a: Farthest | null, b: Farthest | null): Farthest | null {
  return a === null || (b !== null && b.plies > a.plies) ? b : a;
}
