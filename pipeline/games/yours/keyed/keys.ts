/** The keys of a keyed game. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import { type Asker, MOST_LISTED, messageOf, placeIn, placeOf, shown } from '../definition.js';
import {
  bigOf,
  bitsOf,
  copyKey,
  isLess,
  isSameKey,
  KeyList,
  KeyReader,
  type KeyWords,
  kindOfKeys as kindOfBits,
  MOST_KEY_BITS,
  newKey,
  splitKey,
  WORD,
} from './key-words.js';
import type { KeyedGame, KeyedRules, KeyText, Orbit } from './keyed-rules.js';

/** The author's functions, and how messages speak of them. */
interface Keying<Position, Key extends bigint | number> {
  readonly definition: KeyedGame<Position, Key>;
  /** That of the definition, or what it is if left out. */
  readonly keyBits: number;
  readonly asker: Asker<Position>;
  readonly mover: (position: Position) => Side;
  /** As `keyedGame` has it. */
  readonly author: object;
  readonly words: KeyText | undefined;
}

/** Keys from positions, and positions from keys. */
export function keysOf<Position, Key extends bigint | number>(
  keying: Keying<Position, Key>,
): Pick<
  KeyedRules<Position>,
  | 'keyOf'
  | 'ownKeyOf'
  | 'keyInto'
  | 'ownInto'
  | 'at'
  | 'atWords'
  | 'madeOf'
  | 'symmetries'
  | 'orbit'
  | 'words'
> {
  const { definition, keyBits, asker, mover } = keying;
  const { wrong, askAll, listInto } = asker;
  const list =
    definition.symmetries === undefined ? null : (position: Position) => definition.symmetries!(position);
  /** The symmetries of the position that is asked about: an array for each would be most of the garbage. */
  const images: Position[] = [];
  const [own, asked] = [newKey(keyBits), newKey(keyBits)];
  /** Keys of an orbit. */
  const seenKeys = new KeyList(keyBits);
  const ownKeys = ownKeysOf(keying);
  const { ownInto } = ownKeys;
  const shownKey = (key: bigint) => (ownKeys.kindOfKeys() === 'number' ? String(key) : `${key}n`);
  const words: KeyText = keying.words ?? {
    what: 'key',
    shown: shownKey,
    position: (key) => `position(${shownKey(key)})`,
  };
  const { atWords, madeOf } = positionsOf({ ...keying, words }, ownKeys);

  /** The least key so far, and who is to move there; null while it is that of the position itself. */
  const least = newKey(keyBits);
  let leastMover: Side | null = null;
  const orbit: Orbit = { size: 1, exchanges: false };

  /** When images are listed: what lists them may go on to change them. */
  function takeImages(listed: readonly Position[], from: number, to: number): void {
    let lesser = -1;
    for (let i = from; i < to; i++) {
      ownInto(listed[i], own);
      if (!isLess(own, least)) continue;
      copyKey(own, least);
      lesser = i;
    }
    if (lesser >= 0) leastMover = mover(listed[lesser]);
  }

  function keyInto(position: Position, out: KeyWords): boolean {
    if (list === null) {
      ownInto(position, out);
      return false;
    }
    ownInto(position, least);
    leastMover = null;
    listInto(position, 'symmetries', list, images, MOST_LISTED, takeImages);
    copyKey(least, out);
    return leastMover !== null && leastMover !== mover(position);
  }

  function unlike(position: Position, key: bigint): UserError {
    return wrong(
      position,
      `symmetries gives one whose ${words.what} is ${words.shown(key)}, and does not give it of all that look alike: it must give all of them, of each`,
    );
  }

  return {
    symmetries: list && ((position) => askAll(position, 'symmetries', () => list(position))),
    words,
    keyInto,
    ownInto,
    atWords,
    madeOf,
    keyOf(position) {
      keyInto(position, asked);
      return bigOf(asked);
    },
    ownKeyOf(position) {
      ownInto(position, asked);
      return bigOf(asked);
    },
    at(key) {
      splitKey(key, asked);
      return atWords(asked);
    },
    orbit(position, key, known) {
      orbit.size = 1;
      orbit.exchanges = false;
      if (list === null) return orbit;
      seenKeys.put(0, key);
      let seen = 1;
      const here = known ?? mover(position);
      const length = listInto(position, 'symmetries', list, images);
      for (let i = 0; i < length; i++) {
        ownInto(images[i], own);
        if (isLess(own, key)) throw unlike(position, bigOf(own));
        if (seenKeys.has(own, seen)) continue;
        seenKeys.put(seen++, own);
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

function ownKeysOf<Position, Key extends bigint | number>({
  definition,
  keyBits,
  asker: { wrongResult, failed },
}: Keying<Position, Key>): OwnKeys<Position> {
  const reader = new KeyReader(keyBits);
  const first = newKey(keyBits);
  /** Null until the first key was seen. */
  let kind: 'number' | 'bigint' | null = null;

  function ownInto(position: Position, out: KeyWords): void {
    let key: Key;
    try {
      key = definition.key(position);
    } catch (error) {
      throw failed(position, 'key', error);
    }
    if (!reader.read(key, out)) throw wrongKey(position, key);
    if (kind !== typeof key) requireKind(position, key);
  }

  function wrongKey(position: Position, key: Key): UserError {
    return wrongResult(
      position,
      'key',
      `its key is ${shown(key)}, not ${kindOfBits(keyBits)}${roomFor(key, keyBits)}`,
    );
  }

  function requireKind(position: Position, key: Key): void {
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

/** What a key that is too wide needs, for a message. */
function roomFor(key: unknown, keyBits: number): string {
  const bits = typeof key === 'bigint' && key > 0n ? bitsOf(key) : 0;
  return bits > keyBits && bits <= MOST_KEY_BITS ? `: keyBits: ${bits} would have room for it` : '';
}

/** The position with the key of some words; and as the author's `position` makes it. */
function positionsOf<Position, Key extends bigint | number>(
  {
    definition,
    keyBits,
    asker: { wrong },
    author,
    words,
  }: Keying<Position, Key> & { readonly words: KeyText },
  { ownInto, kindOfKeys }: OwnKeys<Position>,
): Pick<KeyedRules<Position>, 'atWords' | 'madeOf'> {
  const { name } = definition;
  const found = newKey(keyBits);

  function madeOf(asked: Readonly<KeyWords>): Position {
    const key = kindOfKeys() === 'number' ? (asked.high >>> 0) * WORD + (asked.low >>> 0) : bigOf(asked);
    let position: Position;
    try {
      position = definition.position(key as Key);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        `${name}: ${words.position(bigOf(asked))} failed: ${messageOf(error)}${placeOf(error)}`,
      );
    }
    if (position === undefined || position === null || position instanceof Promise)
      throw new UserError(
        `${name}: ${words.position(bigOf(asked))} is ${shown(position)}, not the position with this key${placeIn(author, 'position')}`,
      );
    return position;
  }

  function atWords(asked: Readonly<KeyWords>): Position {
    const position = madeOf(asked);
    ownInto(position, found);
    if (isSameKey(found, asked)) return position;
    words.explain?.(bigOf(asked));
    throw wrong(
      position,
      `is ${words.position(bigOf(asked))}, but its ${words.what} is ${words.shown(bigOf(found))}`,
    );
  }

  return { atWords, madeOf };
}
