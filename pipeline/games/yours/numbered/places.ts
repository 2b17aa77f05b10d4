/** The positions of a numbered game by their numbers. */
import type { Side } from '../../../game/game.js';

/** Positions by number, and the images of a position. Throws UserError. */
export interface Places<Position> {
  /** The position with this number, whose own number and side must be these; null if there is none. */
  at(index: number, side: Side): Position | null;
  /** The same, where there must be one: its own number and side were looked at before. */
  need(index: number, side: Side): Position;
  /** The number of the canonical position: the least of those of all images. */
  home(position: Position): number;
  /** Whether the position, which has this number, is the canonical one. */
  isHome(position: Position, index: number): boolean;
  /** All images, this position among them, each once. */
  images(position: Position): Position[];
}
