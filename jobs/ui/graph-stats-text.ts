/** The statistics of a graph for people, and as JSON. */

import type { Metric } from '../../pipeline/game/value.js';
import type { GraphStats, NodeTally } from '../../pipeline/graph/graph-stats.js';
import { idText } from '../../pipeline/graph/ids.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { keysText, nodeIdJson, pliesText } from './graph-text.js';
import { wordsOf } from './graph-words.js';
import { histogram } from './histogram.js';
import { percent, whole } from './numbers.js';
import { textTable } from './text-table.js';

/** @param named how a node is called; else by its name in quotes, or its number. */
export function graphStatsText(
  stats: GraphStats,
  metric: Metric,
  named: (id: NodeId) => string = (id) => `node ${idText(id)}`,
): string {
  const { graph, chooses, over, all, longest, byPlies, byScore, verified } = stats;
  const { players } = graph;
  const { title, node, edge, plies: several, chooses: does, over: ended } = wordsOf(graph);
  const row = (what: string, { won, nobody }: NodeTally) => {
    const nodes = won[0] + won[1] + nobody;
    const cells = [won[0], won[1], nobody].flatMap((count) => [whole(count), percent(count, nodes)]);
    return [what, whole(nodes), ...cells];
  };
  const table = textTable(
    ['', `${node}s`, ...players.flatMap((player) => [`${player} wins`, '']), 'nobody wins', ''],
    [
      row(`${players[0]} ${does}`, chooses[0]),
      row(`${players[1]} ${does}`, chooses[1]),
      row(ended, over),
      row('all', all),
    ],
  );
  const head = `${title}, ${metric}: ${whole(graph.nodes)} ${node}s, ${whole(graph.edges)} ${edge}s, ${verified ? 'verified' : 'not verified'}\n`;
  const pieces = [`${head}${keysText(graph)}\n${table}`];
  if (byScore !== null) pieces.push(scoresText(byScore, all.nobody, graph.players, node));
  for (const winner of [0, 1] as const) {
    for (const chooser of [0, 1] as const) {
      const far = longest[winner][chooser];
      if (far === null) continue;
      const where = `${players[chooser]} ${does}: ${pliesText(far.plies, wordsOf(graph))}`;
      pieces.push(`Longest win of ${players[winner]} where ${where}\n  ${named(far.node)}\n`);
    }
    const bars = histogram([...byPlies[winner]], several);
    if (bars !== '') pieces.push(`${players[winner]} wins by ${several} until ${ended}, ${node}s:\n${bars}`);
  }
  return pieces.join('\n');
}

/** A row for each score, best for player 0 first. */
function scoresText(
  byScore: NonNullable<GraphStats['byScore']>,
  nobody: number,
  players: GraphManifest['players'],
  node: string,
): string {
  const rows = [
    ...[...byScore[0]].reverse().map(([score, nodes]) => [`${players[0]} wins by ${score}`, whole(nodes)]),
    ['nobody wins', whole(nobody)],
    ...[...byScore[1]].map(([score, nodes]) => [`${players[1]} wins by ${score}`, whole(nodes)]),
  ];
  return textTable(['score', `${node}s`], rows);
}

export function graphStatsJson(
  { graph, verified, chooses, over, all, byPlies, byScore, longest }: GraphStats,
  metric: Metric,
  named: (id: NodeId) => string | number = nodeIdJson,
): object {
  const { name, players, nodes, boards, edges, movesCompared } = graph;
  return {
    graph: name,
    metric,
    players,
    nodes,
    boards,
    edges,
    movesCompared,
    verified,
    won: all.won,
    nobody: all.nobody,
    chooses,
    over,
    longest: longest.map((farthest) =>
      farthest.map((far) => (far === null ? null : { plies: far.plies, node: named(far.node) })),
    ),
    byPlies: byPlies.map((counts) => Object.fromEntries(counts)),
    ...(byScore === null ? {} : { byScore: byScore.map((counts) => Object.fromEntries(counts)) }),
  };
}
