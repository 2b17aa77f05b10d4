/** The figures of a report about a solved keyed game, or a graph. */

import type { Store } from '../../operators/storage/store.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { graphStats } from '../../pipeline/graph/graph-stats.js';
import { type GraphStats, moverTallies } from '../../pipeline/graph/graph-tallies.js';
import { type KeyedLine, keyedLine } from '../../pipeline/graph/keyed-line.js';
import type { KeyedProber, ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import type { NodeId } from '../../pipeline/graph/source.js';

/** A position that the report shows. */
export interface ShownPosition {
  readonly position: unknown;
  readonly probed: ProbedPosition<unknown>;
  /** Best play from there; null where nobody wins, and under `wdl`. */
  readonly line: KeyedLine<unknown> | null;
}

/** A game as reports show it. */
export type ReportedGame = Pick<KeyedRules, 'name' | 'colours' | 'format' | 'diagram'>;

/** A game, and the ways to its positions. */
export interface ReportSource {
  readonly game: ReportedGame;
  readonly prober: KeyedProber<unknown>;
  readonly starts: Iterable<unknown>;
  at(node: NodeId): unknown;
}

export interface KeyedGameReport {
  readonly game: ReportedGame;
  readonly metric: KeyedProber<unknown>['metric'];
  readonly stats: GraphStats;
  /** The first of them. */
  readonly roots: readonly ShownPosition[];
  /** The longest win and the longest loss of each player to move. */
  readonly longest: readonly ShownPosition[];
}

const MOST_ROOTS = 8;

export async function gatherKeyed(
  { game, prober, starts, at }: ReportSource,
  store: Store,
  breathe: () => Promise<void>,
): Promise<KeyedGameReport> {
  const { metric } = prober;
  const stats = await graphStats(store, game.name, metric, breathe);
  const roots: ShownPosition[] = [];
  for (const root of starts) {
    if (roots.length === MOST_ROOTS) break;
    roots.push(await shown(prober, root));
  }
  const longest: ShownPosition[] = [];
  for (const { longestWin, longestLoss } of moverTallies(stats))
    for (const far of [longestWin, longestLoss])
      if (far !== null) longest.push(await shown(prober, at(far.node)));
  return { game, metric, stats, roots, longest };
}

async function shown(prober: KeyedProber<unknown>, position: unknown): Promise<ShownPosition> {
  const probed = await prober.probe(position);
  const hasLine = stipulations[prober.metric].plies && probed.wdl !== 'draw';
  return { position, probed, line: hasLine ? await keyedLine(prober, position) : null };
}
