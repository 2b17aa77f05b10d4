/** How the numbers of a numbered game are divided into slices: one, or intervals that follow each other. */

import { UserError } from '../../../../operators/core/errors.js';
import { lastAtMost } from '../../../../operators/core/search.js';
import { NAME } from '../definition.js';
import type { NumberedGame } from './numbered-definition.js';

/** The numbers [first, first + size). */
export interface NumberRange {
  readonly name: string;
  readonly first: number;
  readonly size: number;
  /** The slices that moves lead to from here. */
  readonly leadsTo: readonly string[];
  /** Slices on the longest way to one from which no move leads to another: 0 there. */
  readonly depth: number;
}

export interface Ranges {
  /** In the order of their numbers. */
  readonly all: readonly NumberRange[];
  /** The range of a number below the game's size. */
  of(index: number): NumberRange;
}

/** Throws UserError if the slices cannot be: by their names, by their sizes, or because moves would lead in a circle. */
export function newRanges({ name: game, size, slices }: NumberedGame<never>): Ranges {
  const said = slices ?? [{ name: game, size }];
  const wrong = (what: string) => new UserError(`${game}: ${what}`);
  const names = new Map<string, (typeof said)[number]>();
  for (const slice of said) {
    const { name, size } = slice;
    const key = name.toLowerCase();
    if (!NAME.test(name))
      throw wrong(`${JSON.stringify(name)} cannot be a slice's name: letters, digits, - and _ can`);
    if (names.has(key)) throw wrong(`there are two slices ${name}`);
    if (slices !== undefined && key === game.toLowerCase())
      throw wrong(`slice ${name} has the name of the game, which is that of all slices together`);
    if (!Number.isSafeInteger(size) || size < 1)
      throw wrong(`slice ${name} has size ${size}, not a whole number from 1 to 2^53 - 1`);
    names.set(key, slice);
  }
  const sum = said.reduce((so, slice) => so + slice.size, 0);
  if (sum !== size) throw wrong(`its slices have ${sum} numbers together, but size is ${size}`);

  const depths = new Map<string, number>();
  function depthOf(name: string, path: readonly string[]): number {
    const known = depths.get(name);
    if (known !== undefined) return known;
    if (path.includes(name))
      throw wrong(`slices lead in a circle: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`);
    const { leadsTo = [] } = said.find((slice) => slice.name === name)!;
    const unknown = leadsTo.find((to) => !said.some((slice) => slice.name === to));
    if (unknown !== undefined) throw wrong(`slice ${name} leads to ${unknown}, which is not a slice`);
    const depth = 1 + Math.max(-1, ...leadsTo.map((to) => depthOf(to, [...path, name])));
    depths.set(name, depth);
    return depth;
  }

  let next = 0;
  const all = said.map(({ name, size, leadsTo = [] }): NumberRange => {
    const first = next;
    next += size;
    return { name, first, size, leadsTo: [...new Set(leadsTo)], depth: depthOf(name, []) };
  });
  const firsts = Float64Array.from(all, ({ first }) => first);

  return {
    all,
    of: (index) => all[lastAtMost(firsts, index)],
  };
}
