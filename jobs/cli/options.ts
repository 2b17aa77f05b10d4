import { UserError } from '../../operators/core/errors.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { publishedAs, publishedMetrics } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { didYouMean } from './did-you-mean.js';

export interface CommonOptions {
  readonly store: string;
  readonly json?: boolean;
}

export interface MetricOptions extends CommonOptions {
  /** Metric as typed; undefined: the game's first. */
  readonly metric?: string;
}

/** The metric asked for, in capital letters or small ones, or the game's first. Throws UserError, with those it has, for one that it has not. */
export function metricOf(
  { name, metrics }: Pick<Game, 'name' | 'metrics'>,
  asked: string | undefined,
): Metric {
  const metric = asked === undefined ? metrics[0] : metrics.find((each) => each === asked.toLowerCase());
  if (metric !== undefined) return metric;
  const has = `${name} has no ${JSON.stringify(asked)} (it has: ${metrics.join(', ')})`;
  throw new UserError(`metric: ${has}${didYouMean(asked!, metrics)}`);
}

/** Endings of more pieces are not suggested: there are thousands. */
const MOST_SUGGESTED = 5;

/** The ending of a name. Throws UserError, with the endings that are called nearly so, for other words. */
function endingOf(game: Game, text: string): Ending {
  try {
    return game.ending(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Conditions without quotes are words of their own.
    if (/^(?:[a-z]+=|longest$|zugzwang$)/i.test(text))
      throw new UserError(`${error.message}; several conditions of --where need quotes around them`);
    const names = namesUpTo(game, Math.min(text.length + 1, MOST_SUGGESTED));
    // "KQvsKR" is KQKR with signs that no ending has in its name.
    const signs = new Set(names.join('').toLowerCase());
    const known = [...text].filter((sign) => signs.has(sign.toLowerCase())).join('');
    throw new UserError(error.message + didYouMean(known, names));
  }
}

type Named = Pick<Game, 'ending'>;

/** The ending of a name where no metric says how endings are named: one of play, or of problems if no other has the name. Throws UserError. */
export function anyEndingOf(game: Named & { readonly sided?: Named | undefined }, text: string): Ending {
  try {
    return game.ending(text);
  } catch (error) {
    if (!(error instanceof UserError) || game.sided === undefined) throw error;
    try {
      return game.sided.ending(text);
    } catch {
      throw error;
    }
  }
}

function namesUpTo(game: Game, pieces: number): string[] {
  try {
    return game.endingsUpTo(pieces).map(({ name }) => name);
  } catch {
    // Fewer pieces than any ending has, or more.
    return [];
  }
}

/** Throws UserError for an option about what rounds pass on, under a metric whose slices are solved in memory only. */
export function requireStreaming(metric: Metric, option: string): void {
  if (!isClocked(metric)) return;
  throw new UserError(
    `${option} cannot be combined with --metric ${metric}, whose slices are solved in memory without request files`,
  );
}

/**
 * The endings named and, with `pieces`, all of at most so many pieces; each once, and none beside the class that it is a slice of. Throws
 * UserError if there is none.
 */
export function askEndings(game: Game, names: readonly string[], pieces: number | undefined): Ending[] {
  const named = names.map((name) => endingOf(game, name));
  if (named.length === 0 && pieces === undefined && game.whole !== undefined) return [game.whole];
  const endings = pieces === undefined ? named : [...named, ...game.endingsUpTo(pieces)];
  const byName = new Map(endings.map((ending) => [ending.name, ending]));
  if (endings.length > 0)
    return [...byName.values()].filter((each) => each.name === each.class || !byName.has(each.class));
  throw new UserError(
    pieces === undefined
      ? `name the endings of ${game.name}, or give --pieces N for all of at most so many`
      : `${game.name} has no endings of at most ${pieces} pieces`,
  );
}

/** The slices of endings, each once. */
export function slicesOf(endings: readonly Ending[]): string[] {
  return [...new Set(endings.flatMap(({ slices }) => slices))];
}

/** The one slice of an ending. Throws UserError for names that are no ending, or several slices. */
export function sliceOf(game: Game, text: string): string {
  const { name, slices } = endingOf(game, text);
  if (slices.length === 1) return slices[0];
  throw new UserError(`${name} is ${slices.length} slices: name one of them, such as ${slices.at(-1)}`);
}

/** Throws UserError for a metric that published files of endings do not have. */
export function requirePublished(game: Pick<Game, 'metrics'>, metric: Metric): void {
  if (publishedAs(metric) === metric) return;
  const others = publishedMetrics.filter((each) => game.metrics.includes(each)).join(', ');
  throw new UserError(
    `published tables have no plies under ${metric}: leave out --metric, or give one of ${others}`,
  );
}
