/**
 * Whether the images of a board, which the game says are the same position, are the same by the rules. Each is located where
 * the board is, with the same player to move. Each is as much at an end, and has as many moves to the same positions. Each
 * has the same images; and they are as many as orbitSizes says.
 */
import type { Address } from '../game/game.js';
import { times } from '../games/yours/definition.js';
import { orbitAt } from './orbit-checks.js';
import { firstDifference, type PositionCheck, withoutBoards } from './position-checks.js';
import { addressText, home, type Subject } from './subject.js';
import type { Fault } from './violation.js';

function symmetry(subject: Subject, at: Address): Fault | null {
  const { game } = subject;
  const { board, text, terminal } = subject.ruled(at);
  const targets = (from: unknown) => game.moves(from).map((move) => addressText(game.locate(move.board)));
  const texts = (from: unknown) => game.images!(from).map((image) => game.format(image));
  const images = game.images!(board);
  const named = texts(board);
  if (!named.includes(text))
    return { kernel: `its images are ${named.join(', ')}`, rules: 'a board is an image of itself' };
  if (new Set(named).size < named.length)
    return { kernel: `its images are ${named.join(', ')}`, rules: 'each is named once' };
  const here = addressText(home(game, at));
  for (const [i, image] of images.entries()) {
    const kernel = `its image is ${named[i]}`;
    const fault = (rules: string): Fault => ({ kernel, rules });
    const there = addressText(game.locate(image));
    if (game.mover(image) !== game.mover(board)) return fault('that has another side to move');
    if (there !== here) return fault(`that is located at ${there}`);
    if (game.terminal(image) !== terminal)
      return fault(`that is ${game.terminal(image)}, and this is ${terminal}`);
    const moves = firstDifference(targets(image), targets(board));
    if (moves !== null)
      return fault(
        `a move from there leads to ${moves.text} ${times(moves.seen)}, from here ${times(moves.wanted)}`,
      );
    if (firstDifference(texts(image), named) !== null)
      return fault(`the images of that are ${texts(image).join(', ')}`);
  }
  const said = orbitAt(subject, home(game, at));
  return said === images.length
    ? null
    : { kernel: `orbitSizes says ${said}`, rules: `it has ${images.length} images` };
}

export const symmetryCheck: PositionCheck = {
  rule: 'symmetry',
  every: 1,
  absent: (subject) =>
    withoutBoards(subject) ?? (subject.game.images === undefined ? 'the game names no images' : null),
  check: symmetry,
};
