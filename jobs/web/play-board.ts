/** The board on which a game is played: its men move as the position says they can. Games without a board are shown as text. */
import { signal } from '@preact/signals';
import { Board, type Handlers } from './board/board.js';
import type { Cell } from './board/kind.js';
import { kindOf } from './board/kinds.js';
import { type LineStep, positionOf, type Shown } from './line.js';
import type { ShownMove, ShownPosition } from './source.js';
import { shadeOf } from './value-words.js';

/** Several moves between the same squares, one of which is to be chosen: a promotion, one of several ways to capture. */
interface Choosing {
  readonly moves: readonly LineStep[];
  /** What the moves are worth, which are then those of its answer; null if that is unknown, or not to be shown. */
  readonly values: ShownPosition | null;
  readonly board: Board;
  /** Null: none. */
  chosen(move: LineStep | null): void;
}

export class PlayBoard {
  /** Null for a game without a board, or before one was shown. */
  readonly made = signal<Board | null>(null);
  readonly choosing = signal<Choosing | null>(null);
  private game: string | null = null;
  private shown: Shown | null = null;
  private latest: Shown | null = null;
  private isSecret = false;
  /** Takes the input while men are being put on the board. */
  private editing: Handlers | null = null;

  /** `play`: a move was made on the board; `dragged`: its man has been brought there already. */
  constructor(private readonly play: (move: LineStep, dragged: boolean) => void) {}

  private movesFrom(cell: Cell): readonly LineStep[] {
    const { made, shown } = this;
    const moves: readonly LineStep[] = shown?.answer?.moves ?? shown?.free ?? [];
    return moves.filter(({ uci }) => made.peek()!.kind.path(uci)[0] === cell);
  }

  private movesTo(from: Cell, to: Cell): readonly LineStep[] {
    return this.movesFrom(from).filter(({ uci }) => this.made.peek()!.kind.path(uci).at(-1) === to);
  }

  private shade(move: LineStep) {
    return this.isSecret || !this.shown?.answer ? 'draw' : shadeOf(move as ShownMove, this.shown.answer);
  }

  /** Has the input taken by `handlers`, until null gives it back to the moves. */
  edit(handlers: Handlers | null): void {
    this.editing = handlers;
    this.resume();
  }

  private resume(): void {
    this.made.peek()?.handle(
      this.editing ?? {
        canLift: (cell) => this.movesFrom(cell).length > 0,
        canDrop: (from, to) => this.movesTo(from, to).length > 0,
        // The best of several moves to the same cell comes first, and so it is set last.
        targets: (cell) =>
          new Map(
            this.movesFrom(cell)
              .map((move) => [this.made.peek()!.kind.path(move.uci).at(-1)!, this.shade(move)] as const)
              .reverse(),
          ),
        moved: async (from, to, dragged) => {
          const moves = to === null ? [] : this.movesTo(from, to);
          const move = moves.length > 1 ? await this.choose(moves) : moves[0];
          if (move) this.play(move, dragged);
        },
        pressed: () => false,
        key: () => false,
      },
    );
  }

  private choose(moves: readonly LineStep[]): Promise<LineStep | null> {
    const values = this.isSecret ? null : (this.shown?.answer ?? null);
    return new Promise((done) => {
      this.choosing.value = {
        moves,
        values,
        board: this.made.peek()!,
        chosen: (move) => {
          this.choosing.value = null;
          done(move);
        },
      };
    });
  }

  private draw(position: string, uci: string | undefined, animated: boolean): void {
    const made = this.made.peek();
    const setup = made?.kind.read(position);
    if (setup) made!.show(setup, uci === undefined ? [] : made!.kind.path(uci), animated);
  }

  /** `secret`: nothing of the board shows what moves are worth. */
  show(next: Shown | null, secret: boolean): void {
    if (next === null) return;
    const { game, line, answer } = next;
    // What was being chosen is a move of another position.
    if (next !== this.latest) this.choosing.peek()?.chosen(null);
    if (game.name !== this.game) {
      const kind = kindOf(game.name);
      this.game = game.name;
      const turned = this.made.peek()?.whiteBelow.peek() ?? true;
      this.made.value = kind && new Board(kind);
      this.turn(turned);
    }
    const isOther = this.latest?.line !== line;
    this.shown = this.latest = next;
    this.isSecret = secret;
    const made = this.made.peek();
    if (made === null) return;
    // What is being pointed at, or taken up, stays while more becomes known of the same position.
    if (isOther) {
      this.draw(positionOf(line), line.steps[line.at - 1]?.uci, true);
      this.resume();
    }
    made.best.value = secret
      ? []
      : bestOf(next).map((move) => ({ path: made.kind.path(move.uci), shade: shadeOf(move, answer!) }));
  }

  /** Shows the same again, after something else was drawn. */
  redraw(): void {
    const now = this.latest;
    this.latest = null;
    this.show(now, this.isSecret);
  }

  /** Shows the position after a move before its value is known. */
  foresee({ position, uci }: LineStep, animated: boolean): void {
    // Until the answer is there, no man can be moved.
    this.shown = null;
    this.draw(position, uci, animated);
  }

  /** Points at a move; null: at none. */
  point(move: LineStep | null): void {
    const made = this.made.peek();
    if (made !== null)
      made.pointed.value = move && {
        path: made.kind.path(move.uci),
        shade: this.shown ? this.shade(move) : 'draw',
      };
  }

  flip = (): void => this.turn(!this.made.peek()?.whiteBelow.peek());

  /** Shows the board from a side. */
  turn(whiteBelow: boolean): void {
    const made = this.made.peek();
    if (made !== null) made.whiteBelow.value = whiteBelow;
  }
}

/** The moves that are as good as the first; none where all of several moves are alike: arrows would say nothing. */
function bestOf({ answer }: Shown): readonly ShownMove[] {
  const moves = answer?.moves ?? [];
  const best = moves.filter(
    ({ category, plies, most }) =>
      category === moves[0].category && plies === moves[0].plies && most?.wdl === moves[0].most?.wdl,
  );
  return best.length > 1 && best.length === moves.length ? [] : best;
}
