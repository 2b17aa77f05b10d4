/** Checks that kernels that take moves back agree with those that make them: the same pairs of positions, equally often. */
import type { Address, Side } from '../game/game.js';
import { times } from '../games/yours/definition.js';
import {
  type ConvertedPosition,
  conversionsFrom,
  localUnmovesTo,
  movesFrom,
  unconversionsTo,
  unmovesTo,
} from './kernels.js';
import {
  differenceFault,
  firstDifference,
  lacking,
  type PositionCheck,
  withoutDependencies,
} from './position-checks.js';
import { addressText, countOf, home, type Subject } from './subject.js';
import type { Fault } from './violation.js';

/** Each address once, with how often it is in the list. */
function multiples(addresses: readonly Address[]): { readonly address: Address; readonly count: number }[] {
  const counts = countOf(addresses.map(addressText));
  const once = new Map(addresses.map((address) => [addressText(address), address]));
  return [...once].map(([text, address]) => ({ address, count: counts.get(text)! }));
}

const count = (addresses: readonly Address[], wanted: string): number =>
  addresses.filter((address) => addressText(address) === wanted).length;

function textOf(subject: Subject, at: Address): string {
  const found = subject.boardAt(at);
  return typeof found === 'string' ? addressText(at) : `${addressText(at)} (${found.text})`;
}

/** Faults of a kernel that makes moves are left to the check of that kernel. */
function makesRight(subject: Subject, kernel: 'moves' | 'conversions', from: Address): boolean {
  if (!subject.hasBoards) return true;
  const seen =
    kernel === 'moves'
      ? movesFrom(subject, from)
      : conversionsFrom(subject, from).map(({ address }) => address);
  const texts = seen.map((address) => addressText(home(subject.game, address)));
  return firstDifference(texts, subject.ruled(from)[kernel]) === null;
}

function unmoves(subject: Subject, at: Address): Fault | null {
  const here = addressText(at);
  for (const { address: to, count: forward } of multiples(movesFrom(subject, at))) {
    if (!subject.isLegal(to.side, to.part, to.key)) continue;
    const backward = count(unmovesTo(subject, to), here);
    if (backward !== forward && makesRight(subject, 'moves', at))
      return {
        kernel: `unmoves of ${textOf(subject, to)} emits it ${times(backward)}`,
        rules: `moves leads there ${times(forward)}`,
      };
  }
  for (const { address: from, count: backward } of multiples(unmovesTo(subject, at))) {
    if (!subject.isLegal(from.side, from.part, from.key)) continue;
    const forward = count(movesFrom(subject, from), here);
    if (backward !== forward && makesRight(subject, 'moves', from))
      return {
        kernel: `unmoves emits ${textOf(subject, from)} ${times(backward)}`,
        rules: `moves leads from there ${times(forward)}`,
      };
  }
  return null;
}

function local(subject: Subject, at: Address): Fault | null {
  const separate = localUnmovesTo(subject, at).map(addressText);
  const together = unmovesTo(subject, at).map(addressText);
  return differenceFault(separate, together, 'unmovesWithin and unmovesBeyond emit', 'unmoves emits it');
}

/** From the positions that convert, and from those that are converted to. */
function unconversions(subject: Subject, at: Address): Fault | null {
  const here = addressText(at);
  const converted = conversionsFrom(subject, at);
  const seen = new Set<string>();
  for (const to of converted) {
    const text = addressText(to.address);
    if (seen.has(text)) continue;
    seen.add(text);
    const { sidesThere, keysThere } = subject.slice.dependencies[to.dependency];
    if (sidesThere?.includes(to.address.side) === false)
      return { kernel: `conversions leads to ${text}`, rules: 'sidesThere does not name the side to move' };
    if (keysThere !== undefined && !hasBit(keysThere(), to.address.key))
      return { kernel: `conversions leads to ${text}`, rules: 'keysThere does not name the key' };
    const forward = converted.filter(({ address }) => addressText(address) === text).length;
    const backward = unconversionsTo(subject, to, at.side);
    const emitted = count(backward, here);
    if (emitted !== forward && makesRight(subject, 'conversions', at))
      return {
        kernel: `unconversions of ${text} emits it ${times(emitted)}`,
        rules: `conversions leads there ${times(forward)}`,
      };
    const stray =
      converting(subject, to, at.side, backward) ?? strayUnconversion(subject, to, (1 - at.side) as Side);
    if (stray !== null) return stray;
  }
  return null;
}

function hasBit(bits: Uint32Array, number: number): boolean {
  return ((bits[number >>> 5] >>> (number & 31)) & 1) !== 0;
}

/** Whether unconversions of a position of a dependency emits what does not convert to it. */
export function strayUnconversion(subject: Subject, to: ConvertedPosition, side: Side): Fault | null {
  return converting(subject, to, side, unconversionsTo(subject, to, side));
}

function converting(
  subject: Subject,
  to: ConvertedPosition,
  side: Side,
  emitted: readonly Address[],
): Fault | null {
  const text = addressText(to.address);
  for (const { address: from, count: backward } of multiples(emitted)) {
    if (!subject.isLegal(side, from.part, from.key)) continue;
    const forward = conversionsFrom(subject, from).filter(
      ({ address }) => addressText(address) === text,
    ).length;
    if (backward !== forward && makesRight(subject, 'conversions', from))
      return {
        kernel: `unconversions of ${text} emits ${textOf(subject, from)} ${times(backward)}`,
        rules: `conversions leads from there ${times(forward)}`,
      };
  }
  return null;
}

export const mirrorChecks: readonly PositionCheck[] = [
  {
    rule: 'unmoves',
    every: 4,
    absent: (subject) => lacking(subject, 'unmoves'),
    check: unmoves,
  },
  {
    rule: 'local',
    every: 2,
    absent: (subject) => lacking(subject, 'local', 'unmoves'),
    check: local,
  },
  {
    rule: 'unconversions',
    every: 8,
    absent: (subject) => lacking(subject, 'unconversions') ?? withoutDependencies(subject),
    check: unconversions,
  },
];
