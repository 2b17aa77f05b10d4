/** Slices by the classes they belong to: where there are hundreds of slices, people want to see classes. */
import type { SliceCatalogue } from '../../pipeline/game/game.js';

/** More rows than these are no longer read one by one. */
export const MANY_SLICES = 30;

export interface ClassOf<T> {
  /** The class, or the slice where it is alone. */
  readonly name: string;
  readonly members: readonly T[];
}

/** Groups those of a class, in the order in which the classes come first. */
export function byClass<T extends { readonly slice: string }>(
  game: Pick<SliceCatalogue, 'ending'>,
  items: readonly T[],
): ClassOf<T>[] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const name = game.ending(item.slice).class;
    const members = found.get(name);
    if (members === undefined) found.set(name, [item]);
    else members.push(item);
  }
  return [...found].map(([name, members]) => ({ name, members }));
}

export function total<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0);
}
