/** What a definition says, with everything that it must not say told in one line. */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game.js';
import { MAX_COUNT } from '../../labels.js';
import { askerOf, messageOf, parseWith, requireName, shown } from '../definition.js';
import type { SimpleGame } from './simple-game.js';

export interface Rules<Position> {
  readonly definition: SimpleGame<Position>;
  /** The position with this number, whose own number and side must be these; null if there is none. */
  at(index: number, side: Side): Position | null;
  /** The same, where there must be one. */
  need(index: number, side: Side): Position;
  indexOf(position: Position): number;
  mover(position: Position): Side;
  /** Positions after each move; none if the game is over. Their numbers are not looked at. */
  moves(position: Position): Position[];
  /** Those from which moves lead here: of them all that are positions and in which the game goes on. */
  unmoves(position: Position): Position[];
  terminal(position: Position): 'open' | 'lost' | 'drawn';
  /** Whether it is over, and how many moves there are if not: each to a position, with the other side to move. */
  examine(position: Position): { terminal: 'open' | 'lost' | 'drawn'; moves: number };
  parse(text: string): Position;
  text(position: Position): string;
  wrong(position: Position, what: string): UserError;
}

const SIDES = 'wb';

/** Throws UserError if name or size cannot be. */
export function newRules<Position>(definition: SimpleGame<Position>): Rules<Position> {
  const { name, size, stuck = 'lost' } = definition;
  requireName(name);
  if (!Number.isSafeInteger(size) || size < 1)
    throw new UserError(`${name}: size is ${size}, not a whole number from 1 to 2^53 - 1`);

  const { wrong, named, ask } = askerOf<Position>(name, text);

  function indexOf(position: Position): number {
    const index = ask(position, 'index', () => definition.index(position));
    if (Number.isInteger(index) && index >= 0 && index < size) return index;
    throw new UserError(
      `${name}: index(${shown(position)}) is ${index}, not a whole number from 0 to ${size - 1}`,
    );
  }

  function mover(position: Position): Side {
    const side = ask(position, 'mover', () => definition.mover(position));
    if (side === 0 || side === 1) return side;
    throw wrong(position, `mover is ${side}, not 0 or 1`);
  }

  function at(index: number, side: Side): Position | null {
    let position: Position | null;
    try {
      position = definition.position(index, side);
    } catch (error) {
      throw new UserError(`${name}: position(${index}, ${side}) failed: ${messageOf(error)}`);
    }
    if (position === null) return null;
    const back = indexOf(position);
    if (back !== index) throw wrong(position, `is position(${index}, ${side}), but its index is ${back}`);
    if (mover(position) !== side)
      throw wrong(position, `is position(${index}, ${side}), but its mover is ${1 - side}`);
    return position;
  }

  const ended = (position: Position) => ask(position, 'ended', () => definition.ended?.(position) ?? null);

  function collect(position: Position, what: 'moves' | 'unmoves'): Position[] {
    return ask(position, what, () => [...definition[what]!(position)]);
  }

  function movesOf(position: Position): Position[] {
    const moves = collect(position, 'moves');
    if (moves.length <= MAX_COUNT) return moves;
    throw wrong(position, `has ${moves.length} moves, and there may be ${MAX_COUNT}`);
  }

  function text(position: Position): string {
    return (
      definition.format?.(position) ?? `${definition.index(position)} ${SIDES[definition.mover(position)]}`
    );
  }

  function examine(position: Position): { terminal: 'open' | 'lost' | 'drawn'; moves: number } {
    const over = ended(position);
    if (over !== null) return { terminal: over, moves: 0 };
    const moves = movesOf(position);
    const other = (1 - mover(position)) as Side;
    for (const after of moves) {
      if (mover(after) !== other)
        throw wrong(position, `a move leads to ${named(after)} with the same side to move`);
      if (at(indexOf(after), other) === null)
        throw wrong(position, `a move leads to ${named(after)}, which is no position`);
    }
    return { terminal: moves.length === 0 ? stuck : 'open', moves: moves.length };
  }

  return {
    definition,
    at,
    indexOf,
    mover,
    examine,
    text,
    wrong,
    need(index, side) {
      const position = at(index, side);
      if (position === null)
        throw new UserError(`${name}: there is no position ${index} with side ${side} to move`);
      return position;
    },
    moves: (position) => (ended(position) === null ? movesOf(position) : []),
    unmoves: (position) =>
      collect(position, 'unmoves').filter((before) => {
        const index = indexOf(before);
        return at(index, mover(before)) !== null && ended(before) === null;
      }),
    terminal: (position) => ended(position) ?? (movesOf(position).length === 0 ? stuck : 'open'),
    parse(words) {
      if (definition.parse !== undefined) return parseWith(name, words, (each) => definition.parse!(each));
      const [, digits, letter] = /^\s*(\d+)\s+([wb])\s*$/.exec(words) ?? [];
      const index = Number(digits);
      const side = SIDES.indexOf(letter ?? '?');
      const position = side < 0 || index >= size ? null : at(index, side as Side);
      if (position !== null) return position;
      throw new UserError(
        `${name}: ${JSON.stringify(words)} is no position: a number below ${size} and "w" or "b" is`,
      );
    },
  };
}
