/** Plans: which slices must be solved, in which order. Data only; nothing is run here. */
import type { Game } from './game.js';

export interface PlannedSlice {
  readonly slice: string;
  readonly dependencies: readonly string[];
}

/** The slices `wanted` and all they convert to, each once, every one after its dependencies. */
export function planSlices(game: Game, wanted: readonly string[]): PlannedSlice[] {
  const planned = new Map<string, PlannedSlice>();
  const visit = (name: string): void => {
    if (planned.has(name)) return;
    const dependencies = game.slice(name).dependencies.map((dependency) => dependency.slice);
    for (const dependency of dependencies) visit(dependency);
    planned.set(name, { slice: name, dependencies });
  };
  for (const name of wanted) visit(name);
  return [...planned.values()];
}
