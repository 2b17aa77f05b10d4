/**
 * Majors: the numbers by which rows are distributed and ordered. A major names a part of a *group*: of the positions of a side,
 * a flow or an event (pipeline/game/events.ts). The groups of a slice follow each other, and each has a major for every part:
 *
 *   major = group * parts + part
 *
 * Loops over rows compute `firstMajor` once, before the loop.
 */

import type { Interval } from '../../operators/core/interval.js';
import { eventNumber, opponent, sideOf } from './events.js';
import type { Dependency, Side } from './game.js';

/** A slice, as far as majors are concerned. */
export interface Parts {
  readonly parts: number;
}

/** The major of a group's first part; what kernels are given to add to the part (`bias`). */
export function firstMajor({ parts }: Parts, group: number): number {
  return group * parts;
}

/** The first major of the positions that moves of `side` lead to. */
export function firstMajorBehind(slice: Parts, side: Side): number {
  return firstMajor(slice, opponent(side));
}

/** The first major of positions labelled in a flow at a ply. */
export function firstMajorOfEvent(slice: Parts, ply: number, flowNumber: number): number {
  return firstMajor(slice, eventNumber(ply, flowNumber));
}

export function majorOf(slice: Parts, group: number, part: number): number {
  return firstMajor(slice, group) + part;
}

/** The majors of some parts of a group. */
export function majorsOf(slice: Parts, group: number, { from, to }: Interval): Interval {
  const first = firstMajor(slice, group);
  return { from: first + from, to: first + to };
}

/** How many majors so many groups have. */
export function majorsIn(slice: Parts, groups: number): number {
  return firstMajor(slice, groups);
}

export function groupOf({ parts }: Parts, major: number): number {
  return Math.floor(major / parts);
}

export function partOf({ parts }: Parts, major: number): number {
  return major % parts;
}

/** The side of a major whose group is a side or a flow. */
export function sideOfMajor(slice: Parts, major: number): Side {
  return sideOf(groupOf(slice, major));
}

/**
 * Where the positions of each dependency begin, if they are numbered one after the other: `2 * dependency + side` → first major.
 * The last value is the number of majors. `start`: majors taken before.
 */
export function dependencyMajors(
  { dependencies }: { readonly dependencies: readonly Pick<Dependency, 'parts'>[] },
  start: number,
): number[] {
  const majors = [start];
  for (const { parts } of dependencies) {
    for (let side = 0; side < 2; side++) majors.push(majors.at(-1)! + parts);
  }
  return majors;
}
