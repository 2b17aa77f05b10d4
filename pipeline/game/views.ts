/** The slices of an ending as boards: which of their sides has which colour. */
import type { Colour, Ending, Side, SliceCatalogue } from './game.js';

/** Names of endings, and their meanings. */
type Endings = Pick<SliceCatalogue, 'ending'>;

export interface View {
  readonly slice: string;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
}

/**
 * The views that together are all boards of an ending, each once. Where both sides of a class are the same, those of its
 * slices in which they are not hold its boards in both colours.
 */
export function viewsOf(game: Endings, { name, exchanged, slices, flipped }: Ending): View[] {
  return slices.flatMap((slice) => {
    const view = { slice, flipped };
    const twice = name === exchanged && game.ending(slice).exchanged !== slice;
    return twice ? [view, { slice, flipped: !flipped }] : [view];
  });
}

/**
 * The class of the positions of a side of a slice. Colours are exchanged if need be so that the first of the game's colours
 * is to move. `repeats`: they are those of side 0 once more, because the slice is its own mirror image.
 */
export function halfOf(game: Endings, slice: string, side: Side): { class: string; repeats: boolean } {
  const ending = game.ending(slice);
  if (side === 0) return { class: ending.class, repeats: false };
  return { class: game.ending(ending.exchanged).class, repeats: ending.exchanged === slice };
}

/** The side of a slice that has this colour in a view of it. */
export function sideOf(game: Pick<SliceCatalogue, 'colours'>, colour: Colour, flipped: boolean): Side {
  return (colour === game.colours[0]) === flipped ? 1 : 0;
}

/** The slice of a board, by its name in the colours of the board. @param mover of the board. */
export function shownSlice(
  game: Pick<SliceCatalogue, 'colours' | 'ending'>,
  mover: Colour,
  { slice, side }: { readonly slice: string; readonly side: Side },
): string {
  return side === sideOf(game, mover, false) ? slice : game.ending(slice).exchanged;
}
