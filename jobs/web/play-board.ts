/** The board on which a game is played: its men move as the answer says they can. Games without a board are shown as text. */
import type { MoveAnswer } from '../server/api-answers.js';
import { type Board, newBoard } from './board/board.js';
import type { Cell } from './board/kind.js';
import { chooseMove } from './choose-move.js';
import { h } from './dom.js';
import type { Shown } from './explorer.js';
import { positionOf } from './line.js';
import { shadeOf } from './value-words.js';

export interface PlayBoard {
  readonly element: HTMLElement;
  /** Null for a game without one, or before one was shown. */
  readonly board: Board | null;
  readonly whiteBelow: boolean;
  show(shown: Shown, animated: boolean): Promise<void>;
  /** Shows the position after a move before its value is known. */
  foresee(move: MoveAnswer, animated: boolean): void;
  /** Points at a move; null: at none. */
  point(move: MoveAnswer | null): void;
  flip(): void;
  /** Shows the board from a side. */
  turn(whiteBelow: boolean): void;
  /** Whether nothing of the board shows what moves are worth. */
  keepSecret(secret: boolean): void;
  /** Takes input again, after something else did. */
  resume(): void;
}

/** `play`: a move was made on the board; `dragged`: its man has been brought there already. */
export function newPlayBoard(play: (move: MoveAnswer, dragged: boolean) => void): PlayBoard {
  const host = h('div', { class: 'host' });
  const diagram = h('pre', { class: 'diagram' });
  let game: string | null = null;
  let board: Promise<Board | null> = Promise.resolve(null);
  let made: Board | null = null;
  let shown: Shown | null = null;
  let whiteBelow = true;
  let isSecret = false;

  /** The board of the game; the old one goes. */
  function boardOf(name: string): Promise<Board | null> {
    if (game === name) return board;
    game = name;
    made = null;
    host.replaceChildren();
    board = newBoard(host, name).then((created) => {
      if (game !== name) return created;
      made = created;
      if (created === null) host.replaceChildren(diagram);
      created?.turn(whiteBelow);
      resume();
      return created;
    });
    return board;
  }

  const movesFrom = (cell: Cell): readonly MoveAnswer[] =>
    (shown?.answer?.moves ?? []).filter(({ uci }) => made!.kind.path(uci)[0] === cell);
  const movesTo = (from: Cell, to: Cell): readonly MoveAnswer[] =>
    movesFrom(from).filter(({ uci }) => made!.kind.path(uci).at(-1) === to);

  function resume(): void {
    made?.handle({
      canLift: (cell) => movesFrom(cell).length > 0,
      canDrop: (from, to) => movesTo(from, to).length > 0,
      // The best of several moves to the same cell comes first, and so it is set last.
      targets: (cell) =>
        new Map(
          movesFrom(cell)
            .map(
              (move) =>
                [
                  made!.kind.path(move.uci).at(-1)!,
                  isSecret ? 'draw' : shadeOf(move, shown!.answer!),
                ] as const,
            )
            .reverse(),
        ),
      async moved(from, to, dragged) {
        const moves = to === null ? [] : movesTo(from, to);
        const move = moves.length > 1 ? await chooseMove(moves, shown!.answer!, made!, isSecret) : moves[0];
        if (move) play(move, dragged);
      },
      pressed: () => false,
      key: () => false,
    });
  }

  function drawn(position: string, uci: string | undefined, animated: boolean): Promise<void> | undefined {
    const setup = made?.kind.read(position);
    return setup ? made!.show(setup, uci === undefined ? [] : made!.kind.path(uci), animated) : undefined;
  }

  function turn(white: boolean): void {
    whiteBelow = white;
    made?.turn(whiteBelow);
  }

  return {
    element: host,
    get board() {
      return made;
    },
    get whiteBelow() {
      return whiteBelow;
    },
    async show(next, animated) {
      await boardOf(next.game.name);
      if (game !== next.game.name) return; // another one is asked for meanwhile
      shown = next;
      diagram.textContent = next.answer?.diagram.trimEnd() ?? '';
      await drawn(positionOf(next.line), next.line.steps[next.line.at - 1]?.uci, animated);
      // Something else may have been shown meanwhile.
      if (shown === next && !isSecret)
        made?.marks.best(
          bestOf(next).map((move) => ({
            path: made!.kind.path(move.uci),
            shade: shadeOf(move, next.answer!),
          })),
        );
    },
    foresee({ position, uci }, animated) {
      // Until the answer is there, no man can be moved.
      shown = null;
      void drawn(position, uci, animated);
    },
    point(move) {
      if (made !== null)
        made.marks.arrow(
          move && made.kind.path(move.uci),
          move && shown?.answer ? shadeOf(move, shown.answer) : 'draw',
        );
    },
    flip: () => turn(!whiteBelow),
    turn,
    keepSecret(secret) {
      isSecret = secret;
      if (secret) made?.marks.best([]);
    },
    resume,
  };
}

/** The moves that are as good as the first; none where all of several moves are alike: arrows would say nothing. */
function bestOf({ answer }: Shown): readonly MoveAnswer[] {
  const moves = answer?.moves ?? [];
  const best = moves.filter(
    ({ category, plies }) => category === moves[0].category && plies === moves[0].plies,
  );
  return best.length > 1 && best.length === moves.length ? [] : best;
}
