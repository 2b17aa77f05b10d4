/** The results of a keyed game or a graph as papers print them: won, drawn and lost for the player to move, in text, JSON and tables. */
import type { Side } from '../../pipeline/game/game.js';
import {
  type Farthest,
  type GraphStats,
  isTurnMerged,
  type MoverTally,
  moverTallies,
  type NodeCounts,
} from '../../pipeline/graph/graph-tallies.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import type { Cell, Table } from './document.js';
import { wordsOf } from './graph-words.js';
import { percent, whole } from './numbers.js';

/** Positions in which one player, or either, is to move. */
interface ResultRow {
  readonly what: string;
  /** Null where it is not known who was to move: at ends that an earlier release stored. */
  readonly tally: MoverTally | null;
  readonly positions: number;
  readonly longest: { readonly win: number | null; readonly loss: number | null };
}

const NO_LONGEST = { win: null, loss: null };

/** Counts of nodes, or of the positions that they stand for, of which there are so many. */
type Counted = Pick<GraphStats, 'graph' | 'longest' | 'hasPlies'> &
  NodeCounts & { readonly positions: number };

const ofNodes = (stats: GraphStats): Counted => ({ ...stats, positions: stats.graph.nodes });

/** Null where only nodes are counted. */
function ofUnmerged(stats: GraphStats): Counted | null {
  const { graph, unmerged } = stats;
  return unmerged === null ? null : { ...stats, ...unmerged, positions: graph.boards! };
}

function rowsOf(counts: Counted): ResultRow[] {
  const { graph, over, ends } = counts;
  const words = wordsOf(graph);
  const movers = moverTallies(counts).map(({ mover, tally, longestWin, longestLoss }) => ({
    what: mover === null ? words.chooses : `${graph.players[mover]} ${words.chooses}`,
    tally,
    positions: tally.won + tally.drawn + tally.lost,
    longest: { win: pliesOf(longestWin), loss: pliesOf(longestLoss) },
  }));
  const finished = {
    what: words.over,
    tally: ends,
    positions: over.won[0] + over.won[1] + over.nobody,
    longest: NO_LONGEST,
  };
  const tallies = [...movers.map(({ tally }) => tally), ends];
  const all = {
    what: 'all',
    tally: tallies.reduce((sum, each) => (sum === null || each === null ? null : added(sum, each))),
    positions: counts.positions,
    longest: {
      win: most(movers.map(({ longest }) => longest.win)),
      loss: most(movers.map(({ longest }) => longest.loss)),
    },
  };
  return [...movers, finished, all];
}

const pliesOf = (far: Farthest | null): number | null => far?.plies ?? null;
const added = (a: MoverTally, b: MoverTally): MoverTally => ({
  won: a.won + b.won,
  drawn: a.drawn + b.drawn,
  lost: a.lost + b.lost,
});

function most(numbers: readonly (number | null)[]): number | null {
  const known = numbers.flatMap((each) => each ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

const counted = (value: number): Cell => ({ value, text: whole(value) });
const orDash = (value: number | null): Cell => ({ value, text: value === null ? '-' : whole(value) });
const share = (part: number, all: number): Cell => ({
  value: all === 0 ? null : part / all,
  text: percent(part, all),
});

/** Won, drawn and lost are for the player to move. @param hasShares whether each has a column with its share. */
export function resultsTable(stats: GraphStats, hasShares = true): Table {
  return tableOf(ofNodes(stats), hasShares);
}

/** The same of the positions before symmetric ones were merged; null where they are the same or not known. */
export function unmergedTable(stats: GraphStats): Table | null {
  const counts = ofUnmerged(stats);
  return counts === null ? null : tableOf(counts, true);
}

function tableOf(counts: Counted, hasShares: boolean): Table {
  const { hasPlies, graph } = counts;
  const rows = rowsOf(counts).map(({ what, tally, positions, longest }): Cell[] => [
    what,
    counted(positions),
    ...[tally?.won, tally?.drawn, tally?.lost].flatMap((part): Cell[] => {
      const cells: Cell[] =
        part === undefined ? [{ value: null, text: '-' }, null] : [counted(part), share(part, positions)];
      return hasShares ? cells : cells.slice(0, 1);
    }),
    ...(hasPlies ? [orDash(longest.win), orDash(longest.loss)] : []),
  ]);
  return {
    columns: [
      { title: '', name: 'positions_where' },
      { title: `${wordsOf(graph).node}s`, name: 'positions' },
      ...['won', 'drawn', 'lost'].flatMap((title) => (hasShares ? [title, ''] : [title])),
      ...(hasPlies
        ? [
            { title: 'longest win', name: 'longest_win' },
            { title: 'longest loss', name: 'longest_loss' },
          ]
        : []),
    ],
    rows,
  };
}

/** "white wins from 12 positions (60 %), black from 8 (40 %), nobody from 0 (0 %)"; nothing where the turn is merged. */
export function winnersText(stats: GraphStats): string {
  const { graph, all } = stats;
  if (isTurnMerged(graph)) return '';
  const { node } = wordsOf(graph);
  const from = (nodes: number, what = '') => `from ${whole(nodes)}${what} (${percent(nodes, graph.nodes)})`;
  const [first, second] = graph.players;
  return `${first} wins ${from(all.won[0], ` ${node}s`)}, ${second} ${from(all.won[1])}, nobody ${from(all.nobody)}`;
}

/** How positions and moves were counted, a line each; the manifests of earlier releases have fewer figures. */
export function countsText(graph: GraphManifest): string {
  const { nodes, boards = nodes, exchanging = 0, edgesRead, edges } = graph;
  const { node, edge } = wordsOf(graph);
  const lines: string[] = [];
  if (exchanging > 0) {
    const which = exchanging === nodes ? `each ${node} stands` : `${whole(exchanging)} ${node}s stand`;
    lines.push(`the turn is merged: ${which} for either player to move, with the colours exchanged`);
  }
  if (boards !== nodes) lines.push(`${whole(boards)} ${node}s with those that are symmetric to them`);
  if (edgesRead !== edges)
    lines.push(
      graph.movesCompared === undefined
        ? `${whole(edgesRead)} ${edge}s before merging: repeats, and those from where ${wordsOf(graph).over}, are left out`
        : `${whole(edgesRead)} ${edge}s before merging: those from a ${node} to one and the same are one of the ${whole(edges)}`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

export function resultsJson(stats: GraphStats): object {
  const unmerged = ofUnmerged(stats);
  return {
    turnMerged: isTurnMerged(stats.graph),
    ...countsJson(stats),
    ...(unmerged !== null && { unmerged: countsJson(unmerged) }),
  };
}

function countsJson(counts: Omit<Counted, 'positions'>): object {
  const { graph, ends } = counts;
  return {
    byMover: moverTallies(counts).map(({ mover, tally, longestWin, longestLoss }) => ({
      mover: mover === null ? null : graph.players[mover],
      ...tally,
      longestWin: pliesOf(longestWin),
      longestLoss: pliesOf(longestLoss),
    })),
    finished: ends,
  };
}

type Counts = ReadonlyMap<number, number>;

/** The counts of both players together, ascending. */
export function summed([first, second]: readonly [Counts, Counts]): Map<number, number> {
  const sum = new Map(first);
  for (const [at, count] of second) sum.set(at, (sum.get(at) ?? 0) + count);
  return new Map([...sum].sort(([a], [b]) => a - b));
}

/** The nodes that are won, by edges until the play is over: by the winner or, where the turn is merged, of either. */
export function plyCounts({ graph, byPlies }: GraphStats): { what: string; counts: [number, number][] }[] {
  if (isTurnMerged(graph)) return [{ what: 'won or lost', counts: [...summed(byPlies)] }];
  return graph.players.map((player, side) => ({
    what: `${player} wins`,
    counts: [...byPlies[side as Side]],
  }));
}

/** The nodes by points, best for the first player first; null if the metric has none. */
export function scoreCounts({ graph, all, byScore }: GraphStats): [what: string, nodes: number][] | null {
  if (byScore === null) return null;
  const nobody: [string, number] = ['nobody wins', all.nobody];
  const named = (who: string, counts: Counts) =>
    [...counts].map(([score, nodes]): [string, number] => [`${who} by ${score}`, nodes]);
  if (isTurnMerged(graph)) return [...named('won or lost', summed(byScore)).reverse(), nobody];
  const [first, second] = graph.players.map((player, side) => named(`${player} wins`, byScore[side as Side]));
  return [...first.reverse(), nobody, ...second];
}
