/** A board: its drawing, marks over it, and what takes input over these. */
import { h } from '../dom.js';
import { checkersKind } from './checkers-kind.js';
import { chessKind } from './chess-kind.js';
import type { Drawing } from './drawing.js';
import { type Handlers, newInput } from './input.js';
import type { BoardKind, Cell, Man, Setup } from './kind.js';
import { type Marks, newMarks } from './marks.js';

export interface Board {
  readonly kind: BoardKind;
  readonly marks: Marks;
  /** `last`: the cells of the move that led here. Resolves when the men stand. */
  show(setup: Setup, last: readonly Cell[], animated: boolean): Promise<void>;
  handle(handlers: Handlers): void;
  turn(whiteBelow: boolean): void;
  picture(man: Man): Element;
  cellAt(x: number, y: number): Cell | null;
}

/** Milliseconds that a man takes from cell to cell. */
const DURATION = 220;

/** Null if the page has no board for the game. */
export function kindOf(game: string): BoardKind | null {
  return [chessKind, checkersKind].find((each) => each.game === game) ?? null;
}

/** The board of a game, put into `host`, which is in the page; null if the page has no board for it. */
export async function newBoard(host: HTMLElement, game: string): Promise<Board | null> {
  const kind = kindOf(game);
  if (kind === null) return null;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const duration = still ? 0 : DURATION;
  const element = h('div', { class: 'frame' });
  host.append(element);
  const drawing = await drawingOf(kind, element, duration);
  const marks = newMarks();
  const input = newInput(kind, drawing, marks);
  element.append(marks.element, input.element);
  let men: ReadonlyMap<Cell, Man> = new Map();
  /** How often men are being drawn. */
  let moving = 0;
  return {
    kind,
    marks,
    async show(setup, last, animated) {
      men = setup.men;
      marks.last(last);
      marks.arrow(null, 'draw');
      marks.best([]);
      input.refresh(men);
      // Who plays faster than men move is not kept waiting.
      const moves = animated && !still && moving === 0;
      moving++;
      await drawing.draw(men, moves);
      moving--;
    },
    handle(handlers) {
      input.handle(handlers);
      input.refresh(men);
    },
    turn(whiteBelow) {
      for (const part of [drawing, marks, input]) part.turn(whiteBelow);
    },
    picture: drawing.picture,
    cellAt: input.cellAt,
  };
}

/** The code that draws a board is fetched with the first board of its game. */
async function drawingOf(kind: BoardKind, host: HTMLElement, duration: number): Promise<Drawing> {
  if (kind === chessKind) return (await import('./chess-drawing.js')).chessDrawing(host, duration);
  return (await import('./checkers-drawing.js')).checkersDrawing(host, duration);
}
