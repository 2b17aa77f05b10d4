/** Text and JSON of graphs. */

import { newCounters } from '../../operators/core/counters.js';
import type { Mismatch } from '../../pipeline/game/step-manifests.js';
import { countersOf } from '../../pipeline/graph/counters-of.js';
import { type GraphStats, isTurnMerged } from '../../pipeline/graph/graph-tallies.js';
import { idOf } from '../../pipeline/graph/ids.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import { type GraphOutcomes, type Winning, winningOf } from '../../pipeline/graph/outcomes.js';
import type { SolvedGraph } from '../../pipeline/graph/solve-graph.js';
import { tableText } from './document.js';
import { countsText, resultsJson, resultsTable, winnersText } from './graph-results.js';
import { nodeIdJson, wordsOf } from './graph-words.js';
import { bytes, count, duration, whole } from './numbers.js';
import { workJson } from './solve-summary.js';

type Players = readonly [string, string];

/** How many nodes each player wins from, and nobody; where the play is over counts, too. */
function outcomes({ summary: { table } }: SolvedGraph) {
  const nodes = table.positions[0] + table.positions[1];
  const won = [table.wins[0] + table.losses[1], table.wins[1] + table.losses[0]] as const;
  return { nodes, won, nobody: nodes - won[0] - won[1] };
}

/** @param stats of the graph under the metric that it was solved for. */
export function solvedGraphText(solved: SolvedGraph, stats: GraphStats, wallMs: number): string {
  const { graph, summary } = solved;
  const words = wordsOf(graph);
  // Time is of this call, and so is work: a table that was there took none.
  const { bytesRead, bytesWritten } = summary.found ? newCounters() : countersOf(solved);
  const peak = summary.peakRss === null ? '' : `, ${bytes(summary.peakRss)} resident`;
  const verified = summary.verified === null ? 'not verified' : 'verified';
  return (
    `${words.title}: ${count(graph.nodes, words.node)}, ${count(graph.edges, words.edge)}, ${count(summary.table.rounds, 'round')}, ${verified}\n${layersText(solved)}${countsText(graph)}${keysText(graph)}\n` +
    `${resultsText(stats)}\n` +
    `${duration(wallMs)}${peak}, ${bytes(bytesRead)} read, ${bytes(bytesWritten)} written\n`
  );
}

/** How far from the roots of a keyed game its positions are. */
function layersText({ reached }: SolvedGraph): string {
  if (!reached) return '';
  const { layers } = reached;
  const largest = layers.reduce((most, layer) => (layer.positions > most.positions ? layer : most));
  return (
    `reached in ${count(layers.length, 'layer')}, the largest of ${count(largest.positions, 'position')} ` +
    `${count(largest.moves, 'move')} from the start\n`
  );
}

/** The results for the player to move, and under them how many positions each player wins from. */
function resultsText(stats: GraphStats): string {
  const winners = winnersText(stats);
  return `${tableText(resultsTable(stats))}${winners === '' ? '' : `\n${winners}\n`}`;
}

/** What "verified" means for a keyed game: its values are right provided that its keys are. */
export function keysText({
  movesCompared,
  edgesRead,
}: Pick<GraphManifest, 'movesCompared' | 'edgesRead'>): string {
  if (movesCompared === undefined) return '';
  const moves =
    movesCompared < edgesRead ? `${whole(movesCompared)} of ${count(edgesRead, 'move')}` : 'all moves';
  return `keys compared with the positions they are read back as: after ${moves}\n`;
}

export function solvedGraphJson(
  solved: SolvedGraph,
  stats: GraphStats,
  wallMs: number,
  cpuMs: number | null,
): object {
  const { graph, summary } = solved;
  const { won, nobody } = outcomes(solved);
  const { table } = summary;
  return {
    graph: graph.name,
    source: graph.source,
    players: graph.players,
    nodes: graph.nodes,
    boards: graph.boards,
    layers: solved.reached?.layers.map(({ positions }) => positions),
    edgesRead: graph.edgesRead,
    movesCompared: graph.movesCompared,
    edges: graph.edges,
    ...resultsJson(stats),
    nobody,
    // By players, who are nobody in particular where the turn is merged.
    ...(isTurnMerged(graph) ? {} : { won, longestWin: table.longestWin }),
    rounds: table.rounds,
    verified: summary.verified,
    ...workJson({ requests: table.requests, ...countersOf(solved) }, summary.found),
    peakRssBytes: summary.peakRss,
    wallMs: Math.round(wallMs),
    cpuMs: cpuMs === null ? null : Math.round(cpuMs),
    phases: summary.phases.map(({ phase, wallMs }) => ({ phase, wallMs: Math.round(wallMs) })),
    digests: table.digests,
  };
}

/** "cop wins in 3 edges" */
function nodeValue({ winner, plies, score }: Winning, players: Players): string {
  if (winner === null) return 'nobody wins';
  const by = score === null ? '' : ` by ${score}`;
  return `${players[winner]} wins${by}${plies === null || plies === 0 ? '' : ` in ${count(plies, 'edge')}`}`;
}

/** A wrong value in the table, of the node that is called so as JSON has it. */
type NamedMismatch = Mismatch & { readonly id: string };

export function mismatchText(
  { id, side, stored, derived }: NamedMismatch,
  outcomes: GraphOutcomes,
  players: Players,
): string {
  const say = (code: number | null) =>
    code === null ? 'nothing' : nodeValue(winningOf(side, outcomes.of(code)), players);
  return `node ${id}: the table says ${say(stored)}, its edges give ${say(derived)}`;
}

export function mismatchJson(
  { id, side, stored, derived }: NamedMismatch,
  outcomes: GraphOutcomes,
  players: Players,
): object {
  const say = (code: number | null) => {
    if (code === null) return null;
    const { winner, plies, score } = winningOf(side, outcomes.of(code));
    const points = score === null ? {} : { score };
    return { winner: winner === null ? null : players[winner], plies, ...points };
  };
  return { node: nodeIdJson(idOf(id)), stored: say(stored), derived: say(derived) };
}
