/** Failures are easier to understand the simpler the position is. */

import type { Address, Game } from '../game/game.js';
import { planSlices } from '../game/plan.js';
import { type Random, sample } from '../game/sample.js';
import { ProgramEnd } from '../games/yours/definition.js';
import type { PositionCheck } from './position-checks.js';
import { newSubject, type Subject } from './subject.js';
import { type ContractRule, Contradiction, type Fault, thrown } from './violation.js';

/** A failure of a check at a position. */
export interface Failure {
  readonly subject: Subject;
  readonly at: Address;
  readonly rule: ContractRule;
  readonly fault: Fault;
}

/** The fault that a check of a rule finds, and the rule that it breaks; an error that the check throws counts as a fault. */
export function faultOf(
  rule: ContractRule,
  check: () => Fault | null,
): { readonly rule: ContractRule; readonly fault: Fault } | null {
  try {
    const fault = check();
    return fault && { rule, fault };
  } catch (error) {
    if (error instanceof ProgramEnd) throw error;
    return error instanceof Contradiction ? error : { rule, fault: thrown(error) };
  }
}

/** The failure that a check finds at a position. */
export function tryCheck(check: PositionCheck, subject: Subject, at: Address): Failure | null {
  const found = faultOf(check.rule, () => check.check(subject, at));
  return found && { subject, at, rule: found.rule, fault: found.fault };
}

/** Fewer pieces, then fewer moves, then lower indices. */
function cost({ subject, at }: Failure): readonly number[] {
  let moves = 0;
  try {
    const ruled = subject.hasBoards ? subject.ruled(at) : null;
    moves = ruled === null ? 0 : ruled.moves.length + ruled.conversions.length;
  } catch {
    // The index is no position.
  }
  return [subject.ending.pieces, moves, at.part * subject.slice.width + at.key];
}

function simplest(failures: readonly Failure[]): Failure {
  const costs = failures.map(cost);
  let best = 0;
  costs.forEach((one, i) => {
    const difference = one.map((value, n) => value - costs[best][n]).find((value) => value !== 0) ?? 0;
    if (difference < 0) best = i;
  });
  return failures[best];
}

/** Indices tried on either side of a failure, and rounds of it. */
const NEIGHBOURS = 24;
const ROUNDS = 4;
/** Slices with fewer pieces that are looked into, and indices of a side of each. */
const SMALLER_SLICES = 6;
const SMALLER_INDICES = 256;

/** Looks for a simpler position at which the same rule is broken: in smaller slices, then among its neighbours. */
export function shrink(
  game: Game,
  check: PositionCheck,
  failures: readonly Failure[],
  random: Random,
): Failure {
  let best = simplest(failures);
  const { rule } = best;
  const smaller = amongSmaller(game, check, best, random);
  if (smaller.length > 0) best = simplest(smaller);
  for (let round = 0; round < ROUNDS; round++) {
    const next = simplest([best, ...around(best).flatMap((at) => failureAt(check, best.subject, at, rule))]);
    if (next === best) break;
    best = next;
  }
  return best;
}

function failureAt(check: PositionCheck, subject: Subject, at: Address, rule: ContractRule): Failure[] {
  if (!check.anyIndex && !subject.isLegal(at.side, at.part, at.key)) return [];
  const failure = tryCheck(check, subject, at);
  return failure !== null && failure.rule === rule ? [failure] : [];
}

function around({ subject, at }: Failure): Address[] {
  const keys = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, i) => at.key - NEIGHBOURS + i);
  const size = subject.slice.partSize(at.part);
  return keys.filter((key) => key >= 0 && key < size && key !== at.key).map((key) => ({ ...at, key }));
}

function amongSmaller(
  game: Game,
  check: PositionCheck,
  { subject, rule }: Failure,
  random: Random,
): Failure[] {
  const names = planSlices(game, [subject.slice.name]).map(({ slice }) => slice);
  const fewer = names
    .filter((name) => game.ending(name).pieces < subject.ending.pieces)
    .slice(0, SMALLER_SLICES);
  for (const name of fewer) {
    const smaller = newSubject(game, name);
    if ((check.absent?.(smaller) ?? null) !== null) continue;
    const found: Failure[] = [];
    for (const { side, part, first, length } of sample(smaller.slice, SMALLER_INDICES, random)) {
      for (let key = first; key < first + length; key++)
        found.push(...failureAt(check, smaller, { slice: name, side, part, key }, rule));
    }
    if (found.length > 0) return found;
  }
  return [];
}
