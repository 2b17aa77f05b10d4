/**
 * The verdict on a position: its category under the 50-move rule, its plies and whether they are exact. Every answer about a position
 * takes its verdict from here, in probers, studies, the server's API and the page (this file runs in browsers too), so that they cannot disagree.
 *
 * The half-move clock of the position decides whether a win comes in time. A metric with cursed wins (`dtz`) decides that exactly; one
 * by clock (`dtm50`) has its values; plies to mate (`dtm`) decide it if the mate itself comes in time. In all other cases the category is
 * `maybe-win` or `maybe-loss`: the position is won without the rule, and the values at hand do not decide whether the rule makes it a draw.
 */
import { isDirectMate, metrics, stipulations } from '../../game/stipulation.js';
import {
  decodeValue,
  type Metric,
  pliesOfCode,
  preference,
  RULE_PLIES,
  type Value,
  type Wdl,
} from '../../game/value.js';

/**
 * For the mover, the best first: those of the Lichess tablebase API. A `cursed-win` is a win that the 50-move rule makes a draw, a
 * `blessed-loss` a loss. `unknown`: no value is there; a move into the unknown may be as good as any but a win, so it comes second.
 * Nothing here yields `syzygy-win` and `syzygy-loss`.
 */
export const categories = [
  'win',
  'unknown',
  'syzygy-win',
  'maybe-win',
  'cursed-win',
  'draw',
  'blessed-loss',
  'maybe-loss',
  'syzygy-loss',
  'loss',
] as const;
export type Category = (typeof categories)[number];

/** A code of pipeline/game/value.ts; where it is not precise, it may be of one ply more: files may give plies in pairs. */
export interface Coded {
  readonly code: number;
  readonly precise: boolean;
}

/** The codes of a position by the metrics that have one. `over`: that of a position where the game is over, -1 (lost) or 0. */
export type KnownCodes = Partial<Readonly<Record<Metric | 'over', Coded | null>>>;

/** A value and what the 50-move rule makes of it. */
export interface Judged extends Value {
  readonly category: Category;
  /** False: there may be one ply more than `plies`. */
  readonly precise: boolean;
}

/** Plies of a code that is no draw, least and most. */
export function pliesOf({ code, precise }: Coded): { readonly least: number; readonly most: number } {
  const least = pliesOfCode(code);
  return { least, most: precise ? least : least + 1 };
}

/** A code from plies: positive if it is a win. */
function codedOf(isWin: boolean, least: number, most: number): Coded {
  return { code: isWin ? least : -least - 1, precise: least === most };
}

const SURE = { win: 'win', loss: 'loss' } as const;
const UNSURE = { win: 'maybe-win', loss: 'maybe-loss' } as const;
const RULED = { win: 'cursed-win', loss: 'blessed-loss' } as const;

/** Metrics by what their values decide of the 50-move rule. */
const CURSED = metrics.filter((metric) => stipulations[metric].rule50 === 'cursed');
const CLOCKED = metrics.filter((metric) => stipulations[metric].rule50 === 'clocked');
const UNRULED = metrics.filter((metric) => stipulations[metric].rule50 === 'ignored');
const MATES = UNRULED.filter(isDirectMate);

function firstOf(known: KnownCodes, order: readonly Metric[]): Coded | null {
  for (const metric of order) {
    const coded = known[metric];
    if (coded) return coded;
  }
  return null;
}

/**
 * The category of a position.
 * @param clock plies since the last zeroing move; null in games without the 50-move rule.
 */
export function categoryOf(known: KnownCodes, clock: number | null): Category {
  const ruled = known.over ?? firstOf(known, CURSED);
  const mate = firstOf(known, MATES);
  const clocked = firstOf(known, CLOCKED);
  const some = ruled ?? mate ?? firstOf(known, UNRULED) ?? clocked;
  if (some === null) return 'unknown';
  if (some.code === 0) return 'draw';
  const sign = some.code > 0 ? 'win' : 'loss';
  if (ruled !== null) {
    const { least, most } = pliesOf(ruled);
    const passed = clock ?? 0;
    if (passed + most <= RULE_PLIES) return SURE[sign];
    return passed + least > RULE_PLIES ? RULED[sign] : UNSURE[sign];
  }
  if (clock === null) return SURE[sign];
  if (clocked !== null) return clocked.code === 0 ? RULED[sign] : SURE[sign];
  // Another ply would be one too many, unless it never comes.
  if (clock >= RULE_PLIES) return RULED[sign];
  return mate !== null && clock + pliesOf(mate).most <= RULE_PLIES ? SURE[sign] : UNSURE[sign];
}

/**
 * The category of a move, for the side that makes it.
 * @param known the codes of the position that the move leads to, for the side to move there.
 * @param clock that of the position before the move, and `after` the one behind it.
 */
export function moveCategory(known: KnownCodes, clock: number | null, after: number | null): Category {
  // The rule has drawn the game before the move is made.
  const isOver = clock !== null && clock >= RULE_PLIES;
  const category = opposite(categoryOf(known, after));
  if (!isOver) return category;
  return isWinning(category) ? RULED.win : isLosing(category) ? RULED.loss : category;
}

const isWinning = (category: Category): boolean => category.endsWith('win');
const isLosing = (category: Category): boolean => category.endsWith('loss');

/** Whether the 50-move rule may make a draw of the position, or not: that is not known. */
export function isUnsure(category: Category): boolean {
  return category === 'maybe-win' || category === 'maybe-loss';
}

/** The same position for the other side. */
export function opposite(category: Category): Category {
  if (category === RULED.win) return RULED.loss;
  if (category === RULED.loss) return RULED.win;
  if (isWinning(category)) return category.replace('win', 'loss') as Category;
  return isLosing(category) ? (category.replace('loss', 'win') as Category) : category;
}

const WORDS: Readonly<Record<Category, Wdl>> = {
  win: 'win',
  'syzygy-win': 'win',
  'maybe-win': 'win',
  'cursed-win': 'cursed win',
  draw: 'draw',
  'blessed-loss': 'blessed loss',
  'maybe-loss': 'loss',
  'syzygy-loss': 'loss',
  unknown: 'draw',
  loss: 'loss',
};

/** The value that a code stands for once its category is known: `wdl` says what the rule makes of it, as far as that is known. */
export function judgedAs(category: Category, { code, precise }: Coded, metric: Metric): Judged {
  const { plies } = decodeValue(code, metric);
  return { wdl: WORDS[category], plies, precise: precise || plies === null, category };
}

/** The verdict alone, of something that has one. */
export function verdictOf({ wdl, plies, precise, category }: Judged): Judged {
  return { wdl, plies, precise, category };
}

/** The verdict on a position of which one metric is known. */
export function judged(coded: Coded, metric: Metric, clock: number | null): Judged {
  return judgedAs(categoryOf({ [metric]: coded }, clock), coded, metric);
}

/** A category that one metric leaves open, from that of another which knows the rule, and for which a cursed win may be a draw. */
export function settledBy(own: Category, ruled: Category): Category {
  if (!isUnsure(own)) return own;
  if (ruled !== 'draw') return ruled;
  return own === UNSURE.win ? RULED.win : RULED.loss;
}

/** Metrics that decide the 50-move rule at every clock, the more precise one first. */
export const RULE_METRICS: readonly Metric[] = [...CURSED, ...CLOCKED];

/**
 * The category of a position from its own and that of its best move. Moves may be known better than the position: a zeroing move whose
 * rest comes in time, a mate.
 */
export function withBest(own: Category, best: Category | undefined): Category {
  if (best === undefined || best === 'unknown') return own;
  return isUnsure(own) || own === 'unknown' ? best : own;
}

const PLACES = new Map(categories.map((category, place) => [category, place]));

/** For a sort of moves, the best first: by category for the mover. */
export function placeOf(category: Category): number {
  return PLACES.get(category)!;
}

export interface Ordered {
  readonly category: Category;
  readonly code: number;
  readonly precise: boolean;
  readonly uci: string;
}

/**
 * Compares two moves of a position for a sort, the best first: by category, then wins by fewer plies and losses by more, the exact ones
 * first, then by name. `rank` orders codes: the greater is better. @param isByCategory false where the goal is one side's: win and loss do
 * not say which move is better there.
 */
export function compareMoves(
  a: Ordered,
  b: Ordered,
  rank: (code: number) => number = preference,
  isByCategory = true,
): number {
  return (
    (isByCategory ? placeOf(a.category) - placeOf(b.category) : 0) ||
    rank(b.code) - rank(a.code) ||
    Number(b.precise) - Number(a.precise) ||
    (a.uci < b.uci ? -1 : a.uci > b.uci ? 1 : 0)
  );
}

/** A position and its moves, each for the mover, by plies from the position on. */
export interface CodedMoves {
  readonly own: Coded;
  readonly moves: readonly Coded[];
}

/**
 * Narrows plies that are known in pairs, under `dtz`: a position takes as many as its best move, so each says something of the other.
 * What contradicts itself stays as it is.
 */
export function narrowed({ own, moves }: CodedMoves): CodedMoves {
  if (own.code === 0 || moves.length === 0) return { own, moves };
  const isWin = own.code > 0;
  const spans = moves.map((move) => (move.code !== 0 && move.code > 0 === isWin ? pliesOf(move) : null));
  const counted = spans.filter((span) => span !== null);
  // A loss has no other moves; of a win none would be a contradiction.
  if (counted.length === 0 || (!isWin && counted.length < moves.length)) return { own, moves };
  const best = isWin ? Math.min : Math.max;
  const known = pliesOf(own);
  const least = Math.max(known.least, best(...counted.map((span) => span.least)));
  const most = Math.min(known.most, best(...counted.map((span) => span.most)));
  if (least > most) return { own, moves };
  const canBeBest = counted.filter((span) => (isWin ? span.least <= most : span.most >= least));
  const narrow = (move: Coded, i: number): Coded => {
    const span = spans[i];
    if (span === null) return move;
    const isOnly = canBeBest.length === 1 && canBeBest[0] === span;
    // No move is better than the position; one must be as good.
    return isWin
      ? codedOf(
          true,
          Math.max(span.least, least),
          isOnly ? Math.min(span.most, most) : Math.max(span.most, least),
        )
      : codedOf(
          false,
          isOnly ? Math.max(span.least, least) : Math.min(span.least, most),
          Math.min(span.most, most),
        );
  };
  return { own: codedOf(isWin, least, most), moves: moves.map(narrow) };
}
