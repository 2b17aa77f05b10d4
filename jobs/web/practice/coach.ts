/** The coach goes through an exercise with the player: it replies from the tables and keeps the score. */
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import type { MoveAnswer, PositionAnswer } from '../../server/api-answers.js';
import { capital, pliesText } from '../../ui/verdict.js';
import { isInsufficient } from '../drawn.js';
import type { TableSource } from '../source.js';
import { type Goal, replyTo } from './exercise.js';
import { newExerciseStatus } from './exercise-status.js';
import { newScore } from './score.js';

export interface Coach {
  /** Beside the board: what is to be done, and how it went. */
  readonly status: HTMLElement;
  readonly running: boolean;
  /** The position that the exercise began with; null while none runs. */
  readonly start: string | null;
  /** Begins an exercise from a position, whose goal is to be reached. Resolves when it is shown. */
  begin(position: PositionAnswer, goal: Goal): Promise<void>;
  /** The player moved; `after` is the position that it led to. Resolves when it is answered. */
  played(before: PositionAnswer, move: MoveAnswer, after: PositionAnswer): Promise<void>;
  stop(): void;
}

export interface CoachEvents {
  /** Shows a position, from the side of who is to move. Resolves to whether it is shown. */
  begin(position: PositionAnswer): Promise<boolean>;
  reply(move: MoveAnswer): Promise<void>;
  takeBack(): void;
  /** Points at a move. */
  point(move: MoveAnswer): void;
  /** It began, ended, or can be looked into: values are hidden while it runs. */
  changed(): void;
}

/** The form's part in an exercise. */
interface Around {
  /** An exercise ended, or its outcome was given away: the score of all exercises, in words. */
  scored(totals: string): void;
  /** Another exercise is wanted. */
  next(): void;
}

/** Moves after which a draw is held. */
const HELD = 12;

export function newCoach(source: TableSource, events: CoachEvents, { scored, next }: Around): Coach {
  let goal: Goal = 'win';
  /** The position that the player has to move in; null while nothing runs. */
  let here: PositionAnswer | null = null;
  let first: PositionAnswer | null = null;
  let hinted = 0;
  const score = newScore();
  const status = newExerciseStatus({
    hint,
    solve,
    takeBack,
    next,
    stop,
    again: () => first && void begin(first),
  });

  async function begin(position: PositionAnswer, wanted = goal): Promise<void> {
    [goal, here, first, hinted] = [wanted, position, position, 0];
    score.begin(position.plies);
    const who = capital(position.mover);
    const aimWords = goal === 'win' ? 'win' : `hold the draw for ${HELD} moves`;
    status.show(`${who} to move: ${aimWords}`, position.slice, 'running');
    events.changed();
    if (!(await events.begin(position))) stop();
  }

  function hint(): void {
    const [best] = here?.moves ?? [];
    if (best === undefined) return;
    score.hint();
    hinted++;
    if (hinted > 1) events.point(best);
    status.add(hinted > 1 ? `Play ${best.san}.` : `Move the man on ${originOf(best)}.`);
  }

  /** What would have kept the outcome: shown to who asks. */
  function solve(): void {
    if (here !== null) status.add(`It is kept by ${namesOf(keepingMoves(here))}.`);
  }

  function takeBack(): void {
    if (here === null) return;
    status.show(`${capital(here.mover)} to move`, 'Try another move.', 'running');
    events.takeBack();
  }

  function stop(): void {
    if (here === null) return;
    here = null;
    status.hide();
    events.changed();
  }

  /** Whether the game is over, one way or the other. */
  function ended(after: PositionAnswer): boolean {
    const isWon = goal === 'win' && after.terminal === 'lost';
    const isHeld = goal === 'draw' && (after.terminal !== 'open' || score.moves >= HELD || cannotWin(after));
    if (!isWon && !isHeld) return false;
    status.show(isWon ? 'Won.' : 'Held.', score.end(isWon), 'done');
    scored(score.totals());
    return true;
  }

  async function played(before: PositionAnswer, move: MoveAnswer, after: PositionAnswer): Promise<void> {
    if (here === null || before.position !== here.position) return;
    hinted = 0;
    const keeping = keepingMoves(before);
    if (!keeping.some(({ uci }) => uci === move.uci)) {
      score.fail();
      here = before;
      scored(score.totals());
      return status.show(
        `${move.san} gives the ${goal} away.`,
        'Take it back and try again, or see what keeps it.',
        'failed',
      );
    }
    const lost = score.played(before.plies, move.plies);
    if (ended(after)) return;
    const reply = await replyTo(source, after, goal);
    if (reply === undefined || here === null) return;
    await events.reply(reply);
    const position = await source.probe(after.game, after.metric, reply.position);
    if (here === null) return;
    here = position;
    if (ended(position)) return;
    const worth = lost === 0 ? 'A best move.' : `That took ${pliesText(lost)} longer than the best.`;
    status.show(
      `${capital(position.mover)} to move`,
      goal === 'win' ? worth : `${score.moves} of ${HELD} moves.`,
      'running',
    );
  }

  return {
    status: status.element,
    get running() {
      return here !== null;
    },
    get start() {
      return here === null ? null : first!.position;
    },
    begin,
    played,
    stop,
  };
}

/** No mate can come of these men. */
function cannotWin({ game, position }: PositionAnswer): boolean {
  return game === 'chess' && isInsufficient(position);
}

/** The names of the first few moves. */
function namesOf(moves: readonly MoveAnswer[]): string {
  return moves
    .slice(0, 3)
    .map(({ san }) => san)
    .join(', ');
}

/** The square that a move begins on, in words. */
function originOf({ uci }: MoveAnswer): string {
  return uci.split(/[-x]/)[0].slice(0, 2);
}
