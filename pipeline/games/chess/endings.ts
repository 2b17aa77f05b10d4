import { UserError } from '../../../operators/core/errors.js';
import type { Ending, Side } from '../../game/game.js';
import {
  allowsPassant,
  classOf,
  compareMen,
  type EndingShape,
  exchanged,
  inOrder,
  LETTERS,
  type Naming,
  nameOf,
  pawnsOf,
  sliceOf,
} from './shape.js';

export const MOST_MEN = 7;

const NAME = /^K([QRBNP]*)V?K([QRBNP]*?)(EP)?(?:\.(\d+)([WB])?)?(:B)?$/;

/** A name with the colours exchanged, where one side has a goal of its own. */
const BLACKS = /^(.*):b$/i;

/**
 * Reads the name of an ending: "KQKR", "kqkr", "KQvKR"; "KNKR" is "KRKN" flipped. With pawns it is a class of slices
 * or one slice (see shape.ts). Classes are "KRPKP", and "KPKPep" for its positions with a right to capture en
 * passant. Slices are "KRPKP.25" and "KPKPep.44b". Throws UserError for anything that is no ending of two kings and
 * at most five other men. Where names are sided, the first side is White in the slice too, "KQKR" means "KQvKR"; "KRvKQ:b" has its boards with the
 * colours exchanged, so that the goal of White is Black's.
 */
export function readEnding(text: string, naming: Naming = 'exchangeable'): Ending {
  const named = BLACKS.exec(text.trim());
  if (naming === 'sided' && named !== null) return withColoursExchanged(readEnding(named[1], naming));
  const quoted = JSON.stringify(text);
  const fail = (what: string): never => {
    throw new UserError(`ending ${quoted}: ${what}`);
  };
  const match = NAME.exec(text.trim().toUpperCase());
  if (!match) {
    return fail("expected each side's king and its men (Q R B N P), such as KQKR or KRPvKR");
  }
  const men = [inOrder(match[1]), inOrder(match[2])] as const;
  const count = men[0].length + men[1].length + 2;
  if (count > MOST_MEN) return fail(`${count} men, at most ${MOST_MEN} are supported`);
  const pawns = men.map(pawnsOf);
  const passant = match[3] !== undefined;
  if (passant && (pawns[0] === 0 || pawns[1] === 0)) {
    return fail('capturing en passant takes a pawn of either side');
  }
  if (match[4] === undefined) return classEnding(men, passant, naming);

  const ranks = [...match[4]].map(Number);
  const all = pawns[0] + pawns[1];
  if (ranks.length !== all) return fail(`${ranks.length} ranks of pawns, expected ${all}`);
  if (ranks.some((rank) => rank < 2 || rank > 7)) return fail('pawns stand on ranks 2 to 7');
  const split = [ranks.slice(0, pawns[0]).sort(), ranks.slice(pawns[0]).sort()] as const;
  if (passant !== (match[5] !== undefined)) {
    return fail(
      'the side that may capture en passant is w or b after the ranks, and "ep" stands before them',
    );
  }
  const taker = passant ? (match[5] === 'W' ? 0 : 1) : null;
  if (taker !== null && !allowsPassant(split, taker)) {
    return fail(`nothing can be captured en passant there: both sides need a pawn on rank ${5 - taker}`);
  }
  return sliceEnding({ men, ranks: split, taker }, naming);
}

/** The ending whose boards are those of the exchanged name, with the colours exchanged. */
function withColoursExchanged({ exchanged: named }: Ending): Ending {
  const own = readEnding(BLACKS.exec(named)![1], 'sided');
  const { exchanged: itsClass } = readEnding(own.class, 'sided');
  return { ...own, name: own.exchanged, exchanged: own.name, class: itsClass, flipped: true };
}

/** The name of an ending with the colours exchanged. */
function exchangedName(name: typeof nameOf, shape: EndingShape, naming: Naming): string {
  return `${name(exchanged(shape), naming)}${naming === 'sided' ? ':b' : ''}`;
}

function sliceEnding(shape: EndingShape, naming: Naming): Ending {
  const { slice, flipped } = sliceOf(shape, naming);
  return {
    name: nameOf(shape, naming),
    slices: [slice],
    flipped,
    exchanged: exchangedName(nameOf, shape, naming),
    class: classOf(shape, naming),
    pieces: shape.men.join('').length + 2,
  };
}

function classEnding(men: EndingShape['men'], passant: boolean, naming: Naming): Ending {
  const shape: EndingShape = { men, ranks: [[], []], taker: passant ? 1 : null };
  if (pawnsOf(men.join('')) === 0) return sliceEnding(shape, naming);
  const flipped = naming === 'exchangeable' && compareMen(...men) < 0;
  const name = classOf(shape, naming);
  return {
    name,
    slices: slicesOf(flipped ? exchanged(shape).men : men, passant, naming),
    flipped,
    exchanged: exchangedName(classOf, shape, naming),
    class: name,
    pieces: men.join('').length + 2,
  };
}

/** The slices of a class, those with pawns further ahead first. Where colours may be exchanged White is not the weaker. */
function slicesOf(men: EndingShape['men'], passant: boolean, naming: Naming): string[] {
  const takers: (Side | null)[] = passant ? [1, 0] : [null];
  const slices = new Set<string>();
  for (const white of ranksFor(pawnsOf(men[0])).reverse()) {
    for (const black of ranksFor(pawnsOf(men[1]))) {
      for (const taker of takers) {
        const ranks = [white, black] as const;
        if (taker !== null && !allowsPassant(ranks, taker)) continue;
        slices.add(sliceOf({ men, ranks, taker }, naming).slice);
      }
    }
  }
  return [...slices];
}

/** All ascending sequences of `count` ranks of pawns. */
function ranksFor(count: number, from = 2): number[][] {
  if (count === 0) return [[]];
  const ranks = Array.from({ length: 8 - from }, (_, i) => from + i);
  return ranks.flatMap((rank) => ranksFor(count - 1, rank).map((rest) => [rank, ...rest]));
}

/**
 * All endings of at least three and at most `men` men, fewer first, in an order in which they may be solved. Those
 * with pawns come after those that they promote to. Throws UserError if so many are not supported.
 */
export function endingsUpTo(men: number, naming: Naming = 'exchangeable'): Ending[] {
  if (men > MOST_MEN) throw new UserError(`${men} men are too many, at most ${MOST_MEN} are supported`);
  const endings: Ending[] = [];
  for (let total = 1; total <= men - 2; total++) {
    for (let pawns = 0; pawns <= total; pawns++) {
      for (let black = 0; black <= total; black++) {
        for (const white of menOf(total - black)) {
          for (const weaker of menOf(black)) {
            if (
              pawnsOf(white) + pawnsOf(weaker) !== pawns ||
              (naming === 'exchangeable' && compareMen(white, weaker) < 0)
            )
              continue;
            endings.push(classEnding([white, weaker], false, naming));
            if (pawnsOf(white) > 0 && pawnsOf(weaker) > 0)
              endings.push(classEnding([white, weaker], true, naming));
          }
        }
      }
    }
  }
  return endings;
}

/** All sets of `count` men in the order of names. */
function menOf(count: number, from = 0): string[] {
  if (count === 0) return [''];
  return [...LETTERS]
    .slice(from)
    .flatMap((letter, i) => menOf(count - 1, from + i).map((rest) => letter + rest));
}
