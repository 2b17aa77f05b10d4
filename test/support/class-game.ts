/**
 * A game of random graphs whose endings are classes of slices, as those of checkers are. Black is side 0. A slice
 * that looks the same with its sides exchanged does not exist twice. Slices of the class 11 are named by what Black
 * and White have: "11.10" is also "11.01".
 */
import { UserError } from '../../operators/core/errors.js';
import type { Address, Ending, Game } from '../../pipeline/game/game.js';
import { graphGame, randomGraph, type SmallGraph } from './graph-game.js';

const graph = (seed: number, name: string, dependency?: SmallGraph): SmallGraph =>
  randomGraph(seed, {
    name,
    size: 300 + 10 * seed,
    width: 64,
    ladder: seed % 2 === 0,
    ...(dependency && { dependency }),
  });

const equal = graph(1, '11.00');
const unequal = graph(2, '11.10', equal);
const first = graph(3, '21.0', equal);
const second = graph(4, '21.1', first);
export const classGraphs = [equal, unequal, first, second];

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  11: ['11.10', '11.00'],
  21: ['21.0', '21.1'],
};

const turned = (text: string): string => [...text].reverse().join('');
const exchange = (name: string): string => name.split('.').map(turned).join('.');

/** The ending of a canonical name, or its exchange. */
function endingOf(name: string): Ending {
  const [pieces] = name.split('.') as [string];
  for (const flipped of [false, true]) {
    const canonical = flipped ? exchange(name) : name;
    const slices =
      CLASSES[canonical] ?? Object.values(CLASSES).flatMap((all) => all.filter((one) => one === canonical));
    if (slices.length > 0)
      return { name, slices, flipped, exchanged: exchange(name), class: pieces, pieces: pieces.length };
  }
  throw new UserError(`no ending: ${name}`);
}

/** Boards are texts: slice, side, index, and whether the colours are exchanged. */
export const classGame: Game<string> = {
  ...(graphGame(...classGraphs) as Game<string>),
  colours: ['black', 'white'],
  metrics: ['dtw', 'wdl', 'dtc'],
  ending: endingOf,
  endingsUpTo: (pieces) => ['11', '21'].slice(0, Math.max(0, pieces - 1)).map(endingOf),
  board: ({ slice, side, part, key }: Address, flipped = false) =>
    `${slice} ${side} ${64 * part + key} ${flipped}`,
  format: (board) => board,
};
