/** Checks of a slice as a whole: its sizes, names and dependencies, before any position is looked at. */
import type { Game, Slice } from '../game/game.js';
import { MAX_COUNT } from '../game/labels.js';
import { metrics } from '../game/value.js';
import type { Subject } from './subject.js';
import type { ContractRule, Fault } from './violation.js';

export interface SliceCheck {
  readonly rule: ContractRule;
  check(subject: Subject): Fault | null;
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;

function sizes({ slice }: Subject): Fault | null {
  const { parts, width, size, maxMoves } = slice;
  const wrong = (what: string, rules: string): Fault => ({ kernel: what, rules });
  if (!isWhole(parts, 1, 2 ** 32)) return wrong(`parts is ${parts}`, 'it is a whole number from 1 on');
  if (!isWhole(width, 1, 2 ** 32)) return wrong(`width is ${width}`, 'it is a whole number from 1 to 2^32');
  if (!isWhole(size, 1, Number.MAX_SAFE_INTEGER))
    return wrong(`size is ${size}`, 'it is a whole number from 1 to 2^53 - 1');
  if (!isWhole(maxMoves, 1, 2 ** 16))
    return wrong(`maxMoves is ${maxMoves}`, `it is a whole number from 1 on, moves are at most ${MAX_COUNT}`);
  const last = parts - 1;
  for (const part of new Set([0, Math.floor(last / 2), Math.max(0, last - 1), last])) {
    const found = slice.partSize(part);
    const wanted = part < last ? width : size - last * width;
    if (found !== wanted) return wrong(`partSize(${part}) is ${found}`, `${parts} parts make it ${wanted}`);
  }
  const least = size - last * width;
  return isWhole(least, 1, width)
    ? null
    : wrong(`the last part has ${least} positions`, `it has 1 to ${width}`);
}

function names({ game, slice, ending }: Subject): Fault | null {
  const { name } = slice;
  if (!/^\w[\w.+-]*$/.test(name))
    return { kernel: 'that is the name', rules: 'names of slices are folders: letters, digits and . _ + -' };
  if (ending.slices.length !== 1 || ending.slices[0] !== name)
    return {
      kernel: `ending(${name}) has slices ${ending.slices.join(', ')}`,
      rules: 'it is that slice alone',
    };
  const exchanged = game.ending(ending.exchanged);
  if (exchanged.exchanged !== ending.name)
    return {
      kernel: `${name} exchanged is ${ending.exchanged}, and that exchanged ${exchanged.exchanged}`,
      rules: 'exchanging twice gives the name again',
    };
  if (exchanged.slices.join() !== name)
    return { kernel: `${ending.exchanged} is ${exchanged.slices.join(', ')}`, rules: `it is ${name}` };
  return null;
}

function dependencies({ game, slice }: Subject): Fault | null {
  const seen = new Set<string>();
  for (const dependency of slice.dependencies) {
    const { slice: name, parts, restarts } = dependency;
    if (seen.has(name)) return { kernel: `${name} is named twice`, rules: 'each dependency is named once' };
    seen.add(name);
    const there = game.slice(name);
    if (there.name !== name)
      return { kernel: `dependency ${name} is slice ${there.name}`, rules: 'they have the same name' };
    if (there.parts !== parts)
      return { kernel: `dependency ${name} is said to have ${parts} parts`, rules: `it has ${there.parts}` };
    const unknown = restarts.find((metric) => !metrics.includes(metric));
    if (unknown !== undefined)
      return { kernel: `dependency ${name} restarts ${unknown}`, rules: `metrics are ${metrics.join(', ')}` };
  }
  const circle = circleFrom(game, slice);
  return circle === null
    ? null
    : { kernel: `dependencies go in a circle: ${circle.join(' → ')}`, rules: 'plans are acyclic' };
}

/** A circle that the dependencies of the slice lead into, or null. */
function circleFrom(game: Game, slice: Slice): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    path.push(name);
    for (const dependency of game.slice(name).dependencies) {
      const found = visit(dependency.slice);
      if (found !== null) return found;
    }
    path.pop();
    done.add(name);
    return null;
  };
  return visit(slice.name);
}

function periods({ slice }: Subject): Fault | null {
  for (const side of [0, 1] as const) {
    const found = slice.periods?.(side) ?? [];
    const wrong = found.findIndex(
      (period, i) => !isWhole(period, 1, slice.size) || (i > 0 && period <= found[i - 1]),
    );
    if (wrong >= 0)
      return {
        kernel: `periods(${side}) is ${found.join(', ')}`,
        rules: 'it is distances in the index, ascending',
      };
  }
  return null;
}

/** In this order; if the sizes are wrong, nothing else is asked. */
export const sliceChecks: readonly SliceCheck[] = [
  { rule: 'sizes', check: sizes },
  { rule: 'names', check: names },
  { rule: 'dependencies', check: dependencies },
  { rule: 'periods', check: periods },
];
