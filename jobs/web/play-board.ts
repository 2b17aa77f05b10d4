/** The board on which a game is played: its men move as the position says they can. Games without a board are shown as text. */
import { signal } from '@preact/signals';
import { type Board, newBoard } from './board/board.js';
import type { Cell } from './board/kind.js';
import { type LineStep, positionOf, type Shown } from './line.js';
import type { ShownMove, ShownPosition } from './source.js';
import { shadeOf } from './value-words.js';

/** Several moves between the same squares, one of which is to be chosen: a promotion, one of several ways to capture. */
export interface Choosing {
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
  /** The position in text, for games without a board; null where there is one. */
  readonly diagram = signal<string | null>(null);
  readonly choosing = signal<Choosing | null>(null);
  /** The place of the board. */
  readonly host = document.createElement('div');
  private game: string | null = null;
  private board: Promise<Board | null> = Promise.resolve(null);
  private shown: Shown | null = null;
  private latest: Shown | null = null;
  private whiteBelow = true;
  private isSecret = false;

  /** `play`: a move was made on the board; `dragged`: its man has been brought there already. */
  constructor(private readonly play: (move: LineStep, dragged: boolean) => void) {
    this.host.className = 'host';
  }

  /** The board of the game; the old one goes. */
  private boardOf(name: string): Promise<Board | null> {
    if (this.game === name) return this.board;
    this.game = name;
    this.made.value = null;
    this.host.replaceChildren();
    this.board = newBoard(this.host, name).then((created) => {
      if (this.game !== name) return created;
      this.made.value = created;
      created?.turn(this.whiteBelow);
      this.resume();
      return created;
    });
    return this.board;
  }

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

  /** Takes input, again after something else did. */
  resume(): void {
    this.made.peek()?.handle({
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
    });
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

  private drawn(position: string, uci: string | undefined, animated: boolean): Promise<void> | undefined {
    const made = this.made.peek();
    const setup = made?.kind.read(position);
    return setup ? made!.show(setup, uci === undefined ? [] : made!.kind.path(uci), animated) : undefined;
  }

  /** `secret`: nothing of the board shows what moves are worth. */
  async show(next: Shown | null, secret: boolean, animated = next !== this.latest): Promise<void> {
    if (next === null) return;
    // What was being chosen is a move of another position.
    if (next !== this.latest) this.choosing.peek()?.chosen(null);
    this.latest = next;
    this.isSecret = secret;
    if (secret) this.made.peek()?.marks.best([]);
    await this.boardOf(next.game.name);
    if (this.latest !== next) return; // another one is asked for meanwhile
    this.shown = next;
    this.diagram.value = this.made.peek() === null ? (next.answer?.diagram.trimEnd() ?? '') : null;
    await this.drawn(positionOf(next.line), next.line.steps[next.line.at - 1]?.uci, animated);
    const made = this.made.peek();
    // Something else may have been shown meanwhile.
    if (this.shown === next && !this.isSecret && made !== null)
      made.marks.best(
        bestOf(next).map((move) => ({ path: made.kind.path(move.uci), shade: shadeOf(move, next.answer!) })),
      );
  }

  /** Shows the same again, after something else was drawn. */
  redraw(): void {
    void this.show(this.latest, this.isSecret, false);
  }

  /** Shows the position after a move before its value is known. */
  foresee({ position, uci }: LineStep, animated: boolean): void {
    // Until the answer is there, no man can be moved.
    this.shown = null;
    void this.drawn(position, uci, animated);
  }

  /** Points at a move; null: at none. */
  point(move: LineStep | null): void {
    const made = this.made.peek();
    made?.marks.arrow(move && made.kind.path(move.uci), move && this.shown ? this.shade(move) : 'draw');
  }

  flip = (): void => this.turn(!this.whiteBelow);

  /** Shows the board from a side. */
  turn(whiteBelow: boolean): void {
    this.whiteBelow = whiteBelow;
    this.made.peek()?.turn(whiteBelow);
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
