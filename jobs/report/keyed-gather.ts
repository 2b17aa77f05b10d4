/** The figures of a report about a solved keyed game. */
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/contract/game.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphStats, graphStats } from '../../pipeline/graph/graph-stats.js';
import { type KeyedLine, keyedLine } from '../../pipeline/graph/keyed-line.js';
import { type KeyedProber, openKeyedProber, type ProbedPosition } from '../../pipeline/graph/keyed-prober.js';

/** A position that the report shows. */
export interface ShownPosition {
  readonly position: unknown;
  readonly probed: ProbedPosition<unknown>;
  /** Best play from there; null where nobody wins, and under `wdl`. */
  readonly line: KeyedLine<unknown> | null;
}

export interface KeyedGameReport {
  readonly game: KeyedRules;
  readonly metric: Metric;
  readonly stats: GraphStats;
  /** The first of them. */
  readonly roots: readonly ShownPosition[];
  /** For each player, where one and where the other chooses. */
  readonly longest: readonly (ShownPosition & { readonly winner: Side })[];
}

const MOST_ROOTS = 8;

export async function gatherKeyed(
  game: KeyedRules,
  store: Store,
  metric: Metric,
  breathe: () => Promise<void>,
): Promise<KeyedGameReport> {
  const stats = await graphStats(store, game.name, metric, breathe);
  const prober = await openKeyedProber(game, store, metric);
  const roots: ShownPosition[] = [];
  for (const root of game.starts()) {
    if (roots.length === MOST_ROOTS) break;
    roots.push(await shown(prober, root));
  }
  const longest: (ShownPosition & { winner: Side })[] = [];
  for (const winner of [0, 1] as const)
    for (const far of stats.longest[winner])
      if (far !== null) longest.push({ winner, ...(await shown(prober, game.at(BigInt(far.node)))) });
  return { game, metric, stats, roots, longest };
}

async function shown(prober: KeyedProber<unknown>, position: unknown): Promise<ShownPosition> {
  const probed = await prober.probe(position);
  const hasLine = prober.metric !== 'wdl' && probed.wdl !== 'draw';
  return { position, probed, line: hasLine ? await keyedLine(prober, position) : null };
}
