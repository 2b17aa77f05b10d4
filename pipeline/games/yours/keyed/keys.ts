/** The keys of a keyed game. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import { type Asker, MOST_LISTED, messageOf, placeIn, placeOf, shown } from '../definition.js';
import { bigOf, isLess, KEYS, type KeyWords, splitKey, WORD, wordsOf } from './key-words.js';
import type { KeyedGame, KeyedRules, KeyText, Orbit } from './keyed-rules.js';

/** Keys from positions, and positions from keys. */
export function keysOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  asker: Asker<Position>,
  mover: (position: Position) => Side,
  author: object,
  givenWords: KeyText | undefined,
): Pick<
  KeyedRules<Position>,
  'keyOf' | 'ownKeyOf' | 'keyInto' | 'ownInto' | 'at' | 'atWords' | 'symmetries' | 'orbit' | 'words'
> {
  const { wrong, askAll, listInto } = asker;
  const list =
    definition.symmetries === undefined ? null : (position: Position) => definition.symmetries!(position);
  /** The symmetries of the position that is asked about: an array for each would be most of the garbage. */
  const images: Position[] = [];
  const own: KeyWords = { high: 0, low: 0 };
  const asked: KeyWords = { high: 0, low: 0 };
  /** Keys of an orbit, in arrays that are used again: an object each would be most of the garbage. */
  const seenHigh: number[] = [];
  const seenLow: number[] = [];
  const ownKeys = ownKeysOf(definition, asker);
  const { ownInto } = ownKeys;
  const shownKey = (key: bigint) => (ownKeys.kindOfKeys() === 'number' ? String(key) : `${key}n`);
  const words: KeyText = givenWords ?? {
    what: 'key',
    shown: shownKey,
    position: (key) => `position(${shownKey(key)})`,
  };
  const atWords = positionsOf(definition, asker, ownKeys, author, words);

  /** The least key so far, and who is to move there; null while it is that of the position itself. */
  const least: KeyWords = { high: 0, low: 0 };
  let leastMover: Side | null = null;
  const orbit: Orbit = { size: 1, exchanges: false };

  /** When an image is listed: the list may go on to change it. */
  function takeImage(image: Position): void {
    ownInto(image, own);
    if (!isLess(own, least)) return;
    least.high = own.high;
    least.low = own.low;
    leastMover = mover(image);
  }

  function keyInto(position: Position, out: KeyWords): boolean {
    if (list === null) {
      ownInto(position, out);
      return false;
    }
    ownInto(position, least);
    leastMover = null;
    listInto(position, 'symmetries', list, images, MOST_LISTED, takeImage);
    out.high = least.high;
    out.low = least.low;
    return leastMover !== null && leastMover !== mover(position);
  }

  return {
    symmetries: list && ((position) => askAll(position, 'symmetries', () => list(position))),
    words,
    keyInto,
    ownInto,
    atWords,
    keyOf(position) {
      keyInto(position, asked);
      return bigOf(asked.high, asked.low);
    },
    ownKeyOf(position) {
      ownInto(position, asked);
      return bigOf(asked.high, asked.low);
    },
    at(key) {
      splitKey(key, asked);
      return atWords(asked.high, asked.low);
    },
    orbit(position, key) {
      orbit.size = 1;
      orbit.exchanges = false;
      if (list === null) return orbit;
      seenHigh[0] = key.high;
      seenLow[0] = key.low;
      let seen = 1;
      const here = mover(position);
      const length = listInto(position, 'symmetries', list, images);
      for (let i = 0; i < length; i++) {
        ownInto(images[i], own);
        if (isLess(own, key))
          throw wrong(
            position,
            `symmetries gives one whose ${words.what} is ${words.shown(bigOf(own.high, own.low))}, and does not give it of all that look alike: it must give all of them, of each`,
          );
        let at = 0;
        while (at < seen && (seenHigh[at] !== own.high || seenLow[at] !== own.low)) at++;
        if (at < seen) continue;
        seenHigh[seen] = own.high;
        seenLow[seen++] = own.low;
        orbit.exchanges ||= mover(images[i]) !== here;
      }
      orbit.size = seen;
      return orbit;
    },
  };
}

/** The keys of positions themselves, whatever their symmetries have. */
interface OwnKeys<Position> {
  ownInto(position: Position, out: KeyWords): void;
  /** All keys of a game are of one kind. */
  kindOfKeys(): 'number' | 'bigint';
}

function ownKeysOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrongResult, failed }: Asker<Position>,
): OwnKeys<Position> {
  const first: KeyWords = { high: 0, low: 0 };
  /** Null until the first key was seen. */
  let kind: 'number' | 'bigint' | null = null;

  function ownInto(position: Position, out: KeyWords): void {
    let key: Key;
    try {
      key = definition.key(position);
    } catch (error) {
      throw failed(position, 'key', error);
    }
    if (!wordsOf(key, out)) throw wrongResult(position, 'key', `its key is ${shown(key)}, not ${KEYS}`);
    if (kind === typeof key) return;
    if (kind !== null)
      throw wrongResult(
        position,
        'key',
        `its key is ${shown(key)}, not a ${kind} as that of others: a game has one kind of keys`,
      );
    kind = typeof key as 'number' | 'bigint';
  }

  // Looked up at the first root if it is not known.
  function kindOfKeys(): 'number' | 'bigint' {
    if (kind === null)
      for (const root of definition.roots()) {
        ownInto(root, first);
        break;
      }
    return kind ?? 'bigint';
  }

  return { ownInto, kindOfKeys };
}

/** The position with the key of two words. */
function positionsOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrong }: Asker<Position>,
  { ownInto, kindOfKeys }: OwnKeys<Position>,
  author: object,
  words: KeyText,
): (high: number, low: number) => Position {
  const { name } = definition;
  const found: KeyWords = { high: 0, low: 0 };
  return (high, low) => {
    const key = kindOfKeys() === 'number' ? (high >>> 0) * WORD + (low >>> 0) : bigOf(high, low);
    let position: Position;
    try {
      position = definition.position(key as Key);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        `${name}: ${words.position(bigOf(high, low))} failed: ${messageOf(error)}${placeOf(error)}`,
      );
    }
    if (position === undefined || position === null || position instanceof Promise)
      throw new UserError(
        `${name}: ${words.position(bigOf(high, low))} is ${shown(position)}, not the position with this key${placeIn(author, 'position')}`,
      );
    ownInto(position, found);
    if (found.high === high && found.low === low) return position;
    const asked = bigOf(high, low);
    words.explain?.(asked);
    throw wrong(
      position,
      `is ${words.position(asked)}, but its ${words.what} is ${words.shown(bigOf(found.high, found.low))}`,
    );
  };
}
