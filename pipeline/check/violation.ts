/** A finding of the kit: which rule of the contract does not hold, and where. */
import type { Address } from '../game/game.js';
import { messageOf } from '../games/yours/definition.js';

/** The rules that are checked, each with its requirement. The order is that in which one fault is best explained. */
export const contractRules = {
  sizes: 'parts, width, size and maxMoves of a slice fit each other and their bounds',
  names: 'a slice is found under its name; exchanging the sides of a name twice gives the name again',
  dependencies: 'dependencies are slices, each named once, with their parts; no slice depends on itself',
  index:
    'exactly the indices that census calls legal are those of legal boards, and their boards lead back to them',
  symmetry: 'images of a board are the same position: where it is located, who moves, where moves lead',
  again: 'moves and terminal give the same whenever they are asked',
  terminal: 'a position is open if it has moves; those to move are who the index says',
  census: 'census tells out-counts, conversions, lost and drawn positions as the rules of the game do',
  intervals: 'census tells the same of an index in whatever interval it is asked, and its sums are right',
  moves: 'moves emits a row for every legal move that stays in the slice',
  conversions: 'conversions emits a row for every legal move that leaves it, to a dependency that is named',
  unmoves: 'unmoves(q) emits p exactly as often as moves(p) emits q',
  local: 'unmoves within the part and beyond it are together what unmoves emits',
  rowKernels: 'the unmoves of a row, by rowKernels, are those of its positions',
  rowMoves: 'the best of the moves of a row, by rowMoves, is that of its positions',
  unconversions: 'unconversions(q) emits p exactly as often as conversions(p) emits q',
  rowConversions: 'the unconversions of a row, by rowConversions, are those of its positions',
  capacity: 'a kernel stops before a position whose rows do not fit, and goes on from there',
  maxMoves: 'no position emits more rows, or has more moves, than maxMoves',
  orbits: 'orbitSizes tells how many boards a position stands for',
  periods: 'periods are distances, ascending',
  colours: 'with the colours exchanged a board is the same position, with as many moves',
  search: 'the search for values that need not be published agrees with the rules',
} as const;

/** A rule of {@link contractRules}. */
export type ContractRule = keyof typeof contractRules;

/** A rule that a game breaks, with the simplest case that was found. */
export interface Violation {
  readonly rule: ContractRule;
  readonly slice: string;
  /** Null if the slice is wrong as a whole, not at a position. */
  readonly address: Address | null;
  /** The position as the game writes it, if the address has one. */
  readonly board: string | null;
  /** The answer of the kernels (or the slice), and that of the rules of the game (or the contract). */
  readonly kernel: string;
  readonly rules: string;
}

/** A fault at a position; the caller adds the position to the message. */
export interface Fault {
  readonly kernel: string;
  readonly rules: string;
}

/** Thrown inside a check where going on makes no sense. */
export class Contradiction extends Error {
  constructor(
    readonly rule: ContractRule,
    readonly fault: Fault,
  ) {
    super(`${fault.kernel}; ${fault.rules}`);
  }
}

/** The fault of a kernel that throws. */
export function thrown(error: unknown): Fault {
  return { kernel: `throws: ${messageOf(error)}`, rules: 'kernels never throw' };
}

/** One line. `colours` are the game's. */
export function describeViolation(
  { rule, slice, address, board, kernel, rules }: Violation,
  colours: readonly string[],
): string {
  const where =
    address === null
      ? slice
      : `${slice}, ${colours[address.side]} to move, part ${address.part}, key ${address.key}`;
  const text = board === null ? '' : ` (${board})`;
  return `${rule}: ${where}${text}: ${kernel}; ${rules}`;
}
