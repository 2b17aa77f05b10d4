/**
 * Finds games whose `moves` gives positions that share something it changes: it makes a move on a board, lists the board, takes the move
 * back, and so lists one board under several names. The keys of such positions are those of the board as it was left, so a table of them
 * would be wrong and yet consistent: verification could not notice.
 *
 * Sharing alone is no fault: moves may leave an array as it is. So what two moves share is looked at closely, by listing the moves once
 * more. Each position has its key taken as soon as it is put into a list or yielded, and again after the last move. If the two differ, the
 * game is refused. Positions that were never seen before the list was complete, as those of an array literal, may only share what is
 * frozen, or what the position itself has and moves does not try to change once it is frozen.
 *
 * How a position is seen when it is put into a list: while the moves of one position are listed again, and only then, the methods by which
 * code fills arrays (push, map, concat and the like) and `next` of generators are replaced by ones that take the key first. That is one
 * synchronous call, and `finally` puts the methods back. Plainer ways find less. A frozen position, or a proxy of one, shows what
 * moves does to the position that it is given, but not to a copy that it makes once and changes for each move. Positions that are
 * compared after the call are all as the last move left them, and equal. Only a generator shows each move before the next; most games
 * return an array.
 *
 * Cost: neighbouring moves are compared field by field, always. The close look, three times the cost of the moves, is taken at the first
 * positions, then at some, and wherever a field is shared that was not looked at often enough. Positions that are numbers or text share
 * nothing and cost nothing.
 */
import type { UserError } from '../../../operators/core/errors.js';
import type { NamedMove } from './definition.js';

/** The functions of a game that are called again. */
export interface Watched<Position> {
  list(position: Position): Iterable<NamedMove<Position>>;
  /** The key of the position itself, by `===`. Throws for what has none. */
  keyOf(position: Position): unknown;
  /** The same position, made anew from its key. */
  again(position: Position): Position;
  /** An error about the result of `moves` at a position. */
  wrong(position: Position, what: string): UserError;
}

/** Positions that are looked at closely: the first, then one of so many; of each shared field the first, too. */
const FIRST = 64;
const ONE_OF = 256;
const FIRST_OF_FIELD = 32;
/** Fields of fields that are compared, and objects that are looked for in a position. */
const DEEPEST = 6;
const MOST_OBJECTS = 1 << 12;

export class MoveWatch<Position> {
  private looked = 0;
  /** How often positions were looked at closely because their moves share a field. */
  private readonly fields = new Map<string, number>();

  constructor(private readonly game: Watched<Position>) {}

  /** @throws UserError if the moves that were listed of a position share something that changes. */
  look(from: Position, moves: readonly NamedMove<Position>[], length: number): void {
    if (length === 0 || (!isObject(from) && !isObject(moves[0][1]))) return;
    const isFirst = this.looked++ < FIRST || this.looked % ONE_OF === 0;
    if (isFirst || this.sharesNew(from, moves, length)) lookClosely(this.game, from);
  }

  /** Whether a move shares a field with the one before, or with the position, that was not looked at often enough. */
  private sharesNew(from: Position, moves: readonly NamedMove<Position>[], length: number): boolean {
    let before: unknown;
    for (let i = 0; i < length; i++) {
      const after = moves[i][1];
      if (this.hasNew(after, before, from)) return true;
      before = after;
    }
    return false;
  }

  private hasNew(after: unknown, before: unknown, from: unknown): boolean {
    if (!isObject(after)) return false;
    if (after === before || after === from || Array.isArray(after) || ArrayBuffer.isView(after))
      return isShared(after, before, from, DEEPEST) && this.isNew('');
    const ones = fieldsOf(before);
    const others = fieldsOf(from);
    for (const field in after) {
      const value = (after as Fields)[field];
      if (isObject(value) && isShared(value, ones[field], others[field], DEEPEST - 1) && this.isNew(field))
        return true;
    }
    return false;
  }

  private isNew(field: string): boolean {
    const times = this.fields.get(field) ?? 0;
    if (times >= FIRST_OF_FIELD) return false;
    this.fields.set(field, times + 1);
    return true;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

type Fields = Record<string | number, unknown>;
const NO_FIELDS: Fields = Object.freeze({});
const fieldsOf = (value: unknown): Fields => (isObject(value) ? (value as Fields) : NO_FIELDS);

/** Whether a value is an object that may change, or has one, which one of two others is, or has in the same place. */
function isShared(value: object, one: unknown, other: unknown, depth: number): boolean {
  if (value === one || value === other) return !Object.isFrozen(value) || hasObjects(value);
  if (ArrayBuffer.isView(value)) return overlaps(value, one) || overlaps(value, other);
  // Boards are long arrays of numbers or text.
  if (Array.isArray(value) && !isObject(value[0]) && !isObject(value[value.length - 1])) return false;
  if (depth === 0) return false;
  const ones = fieldsOf(one);
  const others = fieldsOf(other);
  for (const field in value) {
    const each = (value as Fields)[field];
    if (isObject(each) && isShared(each, ones[field], others[field], depth - 1)) return true;
  }
  return false;
}

/** Whether two positions have one and the same object that may change. */
export function sharesObject(a: unknown, b: unknown): boolean {
  return isObject(a) && isShared(a, b, undefined, DEEPEST);
}

function hasObjects(value: object): boolean {
  return Object.values(value).some(isObject) || value instanceof Map || value instanceof Set;
}

/** Whether something is a view that shows bytes of another. Small buffers of Node lie side by side in one. */
function overlaps(a: ArrayBufferView, b: unknown): boolean {
  if (!ArrayBuffer.isView(b) || a.buffer !== b.buffer) return false;
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

/** A move that was listed again. */
interface Seen<Position> {
  readonly name: string;
  readonly after: Position;
  /** Its key when it was first seen; undefined if that was after the list was complete. */
  readonly key: unknown;
}

function lookClosely<Position>(game: Watched<Position>, from: Position): void {
  const position = game.again(from);
  const key = game.keyOf(position);
  const seen = listAgain(game, position);
  if (game.keyOf(position) !== key)
    throw game.wrong(game.again(from), 'moves changes the position that it is given');
  const changed = seen.find((move) => move.key !== undefined && move.key !== game.keyOf(move.after));
  if (changed !== undefined) throw changeOf(game, position, seen, changed);
  const shared = unprovenOf(position, seen);
  if (shared.length > 0 && !staysFrozen(game, position, seen, shared))
    throw game.wrong(
      game.again(from),
      `${shared[0].whose}: ${COPY}, or freeze it (Object.freeze) if it never changes`,
    );
}

/** What is shared by moves of which one was not seen before the list was complete. */
function unprovenOf<Position>(position: Position, seen: readonly Seen<Position>[]): Shared<Position>[] {
  if (seen.every(({ key }) => key !== undefined)) return [];
  return sharedBy(position, seen).filter(({ moves }) => moves.some(({ key }) => key === undefined));
}

const COPY = 'copy it for each move';

/** Lists the moves of a position; each has its key taken when it is first seen. */
function listAgain<Position>(game: Watched<Position>, position: Position): Seen<Position>[] {
  const keys = new Map<unknown, unknown>();
  const note = (move: unknown): void => {
    if (!Array.isArray(move) || typeof move[0] !== 'string' || keys.has(move)) return;
    try {
      keys.set(move, game.keyOf(move[1] as Position));
    } catch {
      // It is no move, or not one yet.
    }
  };
  const all: NamedMove<Position>[] = [];
  whileNoting(note, () => {
    const listed = game.list(position);
    const isComplete = isList(listed);
    for (const move of listed) {
      if (!isComplete) note(move);
      // Not by `push`, which is noted.
      all[all.length] = move;
    }
  });
  return all.map((move) => ({ name: move[0], after: move[1], key: keys.get(move) }));
}

/** Whether all items are there before the first is read. */
function isList(listed: object): boolean {
  if (Array.isArray(listed) || listed instanceof Map || listed instanceof Set) return true;
  return / Iterator\]$/.test(Object.prototype.toString.call(listed));
}

/** What changed between two moves, in words. */
function changeOf<Position>(
  game: Watched<Position>,
  position: Position,
  seen: readonly Seen<Position>[],
  changed: Seen<Position>,
): UserError {
  const shared = sharedBy(position, seen).find(({ moves }) => moves.includes(changed));
  const what =
    shared?.whose ??
    `the position after its move ${JSON.stringify(changed.name)} changes while moves goes on`;
  return game.wrong(game.again(position), `${what}: ${COPY}`);
}

/** An object that several moves have, or a move and the position before it. */
interface Shared<Position> {
  readonly object: object;
  readonly moves: readonly Seen<Position>[];
  readonly isOfPosition: boolean;
  /** As a sentence: it names the moves. */
  readonly whose: string;
}

/** All that is shared and may change. */
function sharedBy<Position>(position: Position, moves: readonly Seen<Position>[]): Shared<Position>[] {
  const own = objectsOf(position);
  const owners = new Map<object, Seen<Position>[]>();
  for (const move of moves)
    for (const object of objectsOf(move.after)) {
      const known = owners.get(object);
      if (known === undefined) owners.set(object, [move]);
      else known.push(move);
    }
  const shared: Shared<Position>[] = [];
  for (const [object, having] of owners) {
    const isOfPosition = own.has(object);
    if ((having.length === 1 && !isOfPosition) || !mayChange(object)) continue;
    const [a, b] = having;
    const [first, second] = [a, b ?? a].map(({ name }) => JSON.stringify(name));
    const what = isObject(a.after) && a.after === object ? 'position' : kindOf(object);
    const whose =
      having.length === 1
        ? `its move ${first} gives the same ${what} as the position before it has`
        : `moves ${first} and ${second} give one and the same ${what}`;
    shared.push({ object, moves: having, isOfPosition, whose });
  }
  return shared;
}

/** The objects of a position, itself included. Bytes are known by their buffer. */
function objectsOf(position: unknown): Set<object> {
  const found = new Set<object>();
  const visit = (value: unknown): void => {
    if (!isObject(value) || found.has(value) || found.size >= MOST_OBJECTS) return;
    found.add(value);
    if (ArrayBuffer.isView(value)) return;
    if (value instanceof Map) for (const [key, each] of value) visitBoth(key, each);
    else if (value instanceof Set) for (const each of value) visit(each);
    for (const field in value) visit((value as Fields)[field]);
  };
  const visitBoth = (key: unknown, value: unknown): void => {
    visit(key);
    visit(value);
  };
  visit(position);
  return found;
}

/** Frozen arrays and objects do not; what they hold is looked at by itself. */
function mayChange(object: object): boolean {
  if (ArrayBuffer.isView(object)) return object.byteLength > 0;
  return object instanceof Map || object instanceof Set || object instanceof Date || !Object.isFrozen(object);
}

function kindOf(object: object): string {
  if (Array.isArray(object)) return 'array';
  const name: unknown = Object.getPrototypeOf(object)?.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'object';
}

/** Whether moves gives the same when all that is shared belongs to the position and is frozen. It then never changes it. */
function staysFrozen<Position>(
  game: Watched<Position>,
  position: Position,
  seen: readonly Seen<Position>[],
  shared: readonly Shared<Position>[],
): boolean {
  if (!shared.every(({ object, isOfPosition }) => isOfPosition && isPlain(object))) return false;
  for (const { object } of shared) Object.freeze(object);
  try {
    const again = listAgain(game, position);
    const areSame =
      again.length === seen.length &&
      again.every(({ after }, i) => game.keyOf(after) === game.keyOf(seen[i].after));
    return areSame && unprovenOf(position, again).length === 0;
  } catch {
    return false;
  }
}

function isPlain(object: object): boolean {
  return [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(object));
}

/** The prototype of what generators return. */
const generators = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())) as {
  next: (...given: unknown[]) => IteratorResult<unknown>;
};

/**
 * Calls `call` while `note` is called with all that code puts into arrays by the usual methods, and that generators yield, at that moment:
 * nothing else shows a position before `moves` returns.
 */
function whileNoting(note: (item: unknown) => void, call: () => void): void {
  const arrays = Array.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const { push, unshift, concat, map, flatMap } = arrays;
  const { next } = generators;
  const { from } = Array;
  let isNoting = false;
  const noted = (item: unknown): void => {
    // Keys are taken by functions that use lists themselves.
    if (isNoting) return;
    isNoting = true;
    note(item);
    isNoting = false;
  };
  const notedAll = (item: unknown): unknown => {
    noted(item);
    if (Array.isArray(item)) for (let i = 0; i < item.length; i++) noted(item[i]);
    return item;
  };
  const noting = (each: unknown) =>
    typeof each !== 'function' || isNoting
      ? each
      : function (this: unknown, ...given: unknown[]) {
          return notedAll(Reflect.apply(each, this, given));
        };
  arrays.push = function (...items) {
    for (let i = 0; i < items.length; i++) noted(items[i]);
    return Reflect.apply(push, this, items);
  };
  arrays.unshift = function (...items) {
    for (let i = 0; i < items.length; i++) noted(items[i]);
    return Reflect.apply(unshift, this, items);
  };
  arrays.concat = function (...lists) {
    for (let i = 0; i < lists.length; i++) notedAll(lists[i]);
    return Reflect.apply(concat, this, lists);
  };
  arrays.map = function (each, self) {
    return Reflect.apply(map, this, [noting(each), self]);
  };
  arrays.flatMap = function (each, self) {
    return Reflect.apply(flatMap, this, [noting(each), self]);
  };
  Array.from = function (this: unknown, items: unknown, each?: unknown, self?: unknown) {
    return Reflect.apply(from, this, each === undefined ? [items] : [items, noting(each), self]);
  } as typeof from;
  generators.next = function (this: unknown, ...given) {
    const result = Reflect.apply(next, this, given) as IteratorResult<unknown>;
    noted(result.value);
    return result;
  };
  try {
    call();
  } finally {
    Object.assign(arrays, { push, unshift, concat, map, flatMap });
    generators.next = next;
    Array.from = from;
  }
}
