/** The place that an address of the page names: game, metric, position and the line that led to it, panel, and the positions that are listed. */
import type { Metric } from '../../pipeline/game/value.js';
import type { PositionsQuery } from '../positions/query.js';
import { queryOf, queryText, textsOf } from './browse/query-texts.js';
import { type Line, positionOf } from './line.js';

export interface PagePlace {
  readonly game: string;
  readonly metric: Metric;
  readonly position: string;
}

/** What a fragment can name. */
interface Named extends PagePlace {
  /** The first position of the line, and its moves by their UCI names, or those that the game has in their place. */
  readonly from: string;
  readonly moves: readonly string[];
  readonly panel: string;
}

/** Positions of an ending that are listed. */
export interface Find {
  readonly ending: string;
  readonly query: PositionsQuery;
}

interface HashOptions {
  readonly game: string;
  readonly metric: Metric;
  readonly line: Line;
  readonly panel?: string | undefined;
}

/** Longer lines would make links that some programs cut off. */
const MOST_MOVES = 250;

/** "#game=chess&metric=dtm&position=8/8/8/8/3k4/8/8/K6Q+w+-+-+0+1&ending=KQK&plies=19" */
export function hashOf({ game, metric, line, panel }: HashOptions, find: Find | null): string {
  const { start, steps, at } = line;
  const moves = steps.slice(0, at).map(({ uci }) => uci);
  const hasLine = at > 0 && at <= MOST_MOVES;
  return `#${queryText({
    game,
    metric,
    position: positionOf(line),
    ...(hasLine && { from: start, line: moves.join(',') }),
    ...(find !== null && { ending: find.ending, ...textsOf(find.query) }),
    ...(panel !== undefined && { panel }),
  })}`;
}

/** The parts of a place that a fragment names. Underscores of a position may stand for spaces. */
export function placeOf(hash: string): Partial<Named> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const named = (name: string) => query.get(name)?.trim() || undefined;
  const position = (name: string) => named(name)?.replaceAll('_', ' ');
  const found = {
    game: named('game'),
    metric: named('metric'),
    position: position('position'),
    from: position('from'),
    moves: named('line')?.split(','),
    panel: named('panel'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The list that a fragment asks for; null if it asks for none, or for one that cannot be asked for. */
export function findOf(hash: string): Find | null {
  const { ending, ...texts } = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')));
  try {
    return ending ? { ending, query: queryOf(texts) } : null;
  } catch {
    return null;
  }
}
