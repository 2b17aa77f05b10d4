/** Where the search from a root may stop: what each choice of `--stop-at` and `--most-pieces` takes, and what it leaves unknown. */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/stipulation.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { ManyStructuresError } from '../../pipeline/games/chess/root-structures.js';
import { PAWN } from '../../pipeline/games/chess/rules.js';
import { type Cost, costOf, costText, solvedIn } from '../plan/cost.js';
import { tableText } from '../ui/document.js';
import { count, whole } from '../ui/numbers.js';
import { askedRoot, endingsOf, leafFiles, positionOf } from './asked-root.js';
import type { RootFlags } from './root-flags.js';
import { countsOf } from './root-text.js';

/** Undefined: no limit. */
export interface Limits {
  readonly stopAt?: number | undefined;
  readonly mostPieces?: number | undefined;
}

/** What a choice takes; null: more structures than are compared. */
export interface Stop extends Limits {
  readonly found: {
    readonly structures: number;
    readonly slices: number;
    /** Null if the forecast took too long. */
    readonly cost: Cost | null;
    /** Endings at which solving stops without tables. */
    readonly unknown: number;
    /** Slices whose positions all have one value. */
    readonly exact: number;
  } | null;
}

/** Structures that are looked at for one choice, and the CPU milliseconds of its forecast. */
const MOST_STRUCTURES = 20_000;
const FORECAST_MS = 3000;

/** Men and pieces (kings and pawns not counted) of a position. */
export function menOf(fen: string): { men: number; pieces: number } {
  const men = [...parseManyMen(fen).squares].filter((man) => man !== 0).map(Math.abs);
  return { men: men.length, pieces: men.filter((man) => man > 1 && man !== PAWN).length };
}

/**
 * All choices that differ for a position: as many pieces as there are, one more, or any number; for each from the first capture on down to
 * where two kings are left, until there are too many structures.
 * @throws UserError if the flags ask for no root.
 */
export async function compareStops(
  flags: RootFlags & { readonly from: string },
  store: Store | null,
  metric: Metric,
): Promise<Stop[]> {
  const from = await positionOf(flags.from);
  const { men, pieces } = menOf(from);
  const solved = store === null ? new Set<string>() : await solvedIn(store, chess.name, metric);
  const leaves = flags.syzygy === undefined ? null : leafFiles(flags.syzygy, metric);
  const stops: Stop[] = [];
  for (const mostPieces of [pieces, pieces + 1, undefined]) {
    for (let stopAt = men - 1; stopAt >= 2; stopAt--) {
      const limits = { ...(stopAt > 2 && { stopAt }), ...(mostPieces !== undefined && { mostPieces }) };
      try {
        const root = await askedRoot(chess.name, { ...flags, from, ...limits }, store, metric, {
          most: MOST_STRUCTURES,
          leaves,
        });
        const slices = slicesOfRoot(root.name, root.structures);
        const cost = await costOf(chess as Game, slices, { metric, solved, cpuMs: FORECAST_MS });
        const unknown = endingsOf(root.structures).unknown.length;
        stops.push({ ...limits, found: { ...countsOf(root.structures), cost, unknown } });
      } catch (error) {
        if (!(error instanceof ManyStructuresError)) throw error;
        stops.push({ ...limits, found: null });
        break;
      }
    }
  }
  return stops;
}

/** The choice that takes least CPU of those that leave nothing unknown; null if there is none. */
export function cheapest(stops: readonly Stop[]): Stop | null {
  const seconds = ({ found }: Stop) => found?.cost?.cpuSeconds ?? Number.POSITIVE_INFINITY;
  const known = stops.filter(({ found }) => found?.unknown === 0);
  return known.reduce<Stop | null>(
    (best, each) => (best === null || seconds(each) < seconds(best) ? each : best),
    null,
  );
}

export function stopsText(stops: readonly Stop[]): string {
  const rows = stops.map((stop) => {
    const { found } = stop;
    if (found === null) return [optionsOf(stop), `over ${whole(MOST_STRUCTURES)}`, '', '', '', ''];
    const { structures, slices, cost, unknown, exact } = found;
    const takes = cost === null ? 'too many slices to say soon' : costText(cost);
    return [
      optionsOf(stop),
      whole(structures),
      whole(slices),
      takes,
      whole(unknown),
      `${whole(exact)} of ${whole(slices)}`,
    ];
  });
  const columns = [
    'options',
    'structures',
    'slices',
    'to solve, both bounds',
    'unknown endings',
    'exact slices',
  ];
  const best = cheapest(stops);
  const end =
    best === null
      ? 'Each of these leaves positions unknown that can be reached. Tables or Syzygy files of the endings where solving stops make them known.'
      : `The cheapest that leaves nothing unknown: ${optionsOf(best)} (${count(best.found!.structures, 'pawn structure')})`;
  return `${tableText({ columns, rows })}\n${end}\n`;
}

function optionsOf(limits: Limits): string {
  return limitOptions(limits).join(' ') || 'no limit';
}

/** Limits as the options of a command. */
export function limitOptions({ stopAt, mostPieces }: Limits): string[] {
  return [
    ...(stopAt === undefined ? [] : [`--stop-at ${stopAt}`]),
    ...(mostPieces === undefined ? [] : [`--most-pieces ${mostPieces}`]),
  ];
}

/** Throws UserError for limits beside the comparison of limits. */
export function requireNoLimits({ stopAt, mostPieces }: RootFlags): void {
  if (stopAt !== undefined || mostPieces !== undefined)
    throw new UserError('--compare-stops tries all limits: leave out --stop-at and --most-pieces');
}
