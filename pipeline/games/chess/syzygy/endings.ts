/** Which endings have files, and which tables these are made of. */
import { sort } from 'fast-sort';
import { UserError } from '../../../../operators/core/errors.js';
import type { Ending, Game } from '../../../game/game.js';
import { rootIn } from '../root-slices.js';
import { pawnsOf, shapeOf } from '../shape.js';
import { type Material, MOST_MEN, materialOf } from './material.js';

/** An ending as files have it: White the stronger side, all ranks of pawns. */
export interface FiledEnding {
  readonly ending: Ending;
  readonly material: Material;
  /** The slices whose tables its files are made of: its own, and those that they convert to. */
  readonly slices: readonly string[];
}

/**
 * The endings that are asked for and all that they convert to, each after those that it converts to. Whoever probes
 * one by its captures needs files of all. Throws UserError for what is no whole ending.
 */
export function filedEndings(game: Game, asked: readonly Ending[]): FiledEnding[] {
  const filed = new Map<string, FiledEnding>();
  const add = (name: string): void => {
    const ending = filedEndingOf(game, name);
    if (filed.has(ending.name) || ending.pieces < 3) return;
    if (ending.pieces > MOST_MEN) throw new UserError(`${name}: the format has at most ${MOST_MEN} men`);
    const slices = new Set(ending.slices);
    const [white, black] = shapeOf(ending.slices[0]).men;
    for (const slice of ending.slices) {
      for (const dependency of game.slice(slice).dependencies) slices.add(dependency.slice);
    }
    filed.set(ending.name, { ending, material: materialOf(white, black), slices: [...slices] });
    for (const slice of slices) add(slice);
  };
  for (const { name, class: whole } of asked) {
    if (rootIn(name) !== null)
      throw new UserError(`${name}: files are of whole endings, and this has some of the positions of one`);
    const [white, black] = shapeOf(game.ending(name).slices[0]).men;
    const isPart = whole !== name || whole.endsWith('ep');
    if (isPart && pawnsOf(white + black) > 0) {
      throw new UserError(`${name}: files are of whole endings, name ${wholeEnding(name)}`);
    }
    add(name);
  }
  // A capture leaves fewer men, a promotion fewer pawns.
  return sort([...filed.values()]).asc([
    ({ ending }) => ending.pieces,
    ({ material }) => material.leadingPawns.length + material.otherPawns.length,
    ({ material }) => material.name,
  ]);
}

/** The ending, as files have it, that a slice belongs to: of KPKPep.3 it is KPKP. */
export function filedEndingOf(game: Game, slice: string): Ending {
  const given = game.ending(wholeEnding(slice));
  return given.flipped ? game.ending(given.exchanged) : given;
}

/** The ending of a slice of it, or of positions with a right to capture en passant, which no file has. */
function wholeEnding(name: string): string {
  return name.replace(/(ep)?(\..*)?$/, '');
}
