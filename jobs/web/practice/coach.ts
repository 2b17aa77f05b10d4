/** The coach goes through an exercise with the player: it replies from the tables and keeps the score. */
import { computed, signal } from '@preact/signals';
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import { capital, pliesText } from '../../ui/verdict.js';
import { isInsufficient } from '../drawn.js';
import type { PlayBoard } from '../play-board.js';
import type { ShownMove, ShownPosition, TableSource } from '../source.js';
import { type Goal, replyTo } from './exercise.js';
import { Score } from './score.js';

/** Beside the board: what is to be done, and how it went. `failed`: the outcome was given away; `done`: the exercise is over. */
export interface Status {
  readonly text: string;
  readonly more: string;
  readonly kind: 'running' | 'done' | 'failed';
}

/** What the coach does with the page. */
interface Page {
  readonly source: TableSource;
  readonly board: PlayBoard;
  open(place: { readonly position: string }): Promise<boolean>;
  reply(move: ShownMove): Promise<void>;
  windTo(to: number): void;
  makeRoom(): Promise<void>;
  readonly shown: { peek(): { readonly line: { readonly at: number } } | null };
}

/** Moves after which a draw is held. */
const HELD = 12;
/** Moves of a solution that are named; the others are counted. */
const NAMED = 3;

export class Coach {
  /** Null while no exercise runs. */
  readonly status = signal<Status | null>(null);
  /** Whether an exercise runs. Views that only depend on this are not drawn again whenever the status has other words. */
  readonly running = computed(() => this.status.value !== null);
  /** The score of all exercises, in words. */
  readonly totals = signal('');
  private goal: Goal = 'win';
  /** The position that the player has to move in; null while nothing runs. */
  private here: ShownPosition | null = null;
  private first: ShownPosition | null = null;
  private hinted = 0;
  private readonly score = new Score();

  constructor(private readonly page: Page) {}

  /** The position that the exercise began with; null while none runs. */
  get start(): string | null {
    return this.here === null ? null : this.first!.position;
  }

  private say(text: string, more: string, kind: Status['kind']): void {
    this.status.value = { text, more, kind };
  }

  /** Replaces the second line of the status. */
  private add(more: string): void {
    this.status.value = { ...this.status.peek()!, more };
  }

  /** Begins an exercise at a position; `goal` is what the player has to reach from there. */
  async begin(position: ShownPosition, goal = this.goal): Promise<void> {
    this.goal = goal;
    this.here = position;
    this.first = position;
    this.hinted = 0;
    this.score.begin(position.ending, position.plies);
    this.say('Setting the position up', position.ending, 'running');
    await this.page.makeRoom();
    if (!(await this.page.open({ position: position.position }))) return this.stop();
    if (this.here !== position) return;
    this.page.board.turn(position.mover === 'white');
    const aim = goal === 'win' ? 'win' : `hold the draw for ${HELD} moves`;
    this.say(`${capital(position.mover)} to move: ${aim}`, position.ending, 'running');
  }

  again = (): void => void (this.first && this.begin(this.first));

  /** Begins another exercise of the kind that was chosen last. */
  another: () => void = () => {};

  hint = (): void => {
    const [best] = this.here?.moves ?? [];
    if (best === undefined) return;
    this.score.hints++;
    this.hinted++;
    if (this.hinted > 1) this.page.board.point(best);
    this.add(this.hinted > 1 ? `Play ${best.san}.` : `Move the man on ${originOf(best)}.`);
  };

  /** Names the moves that would have kept the outcome. */
  solve = (): void => {
    const names = keepingMoves(this.here!).map(({ san }) => san);
    const more = names.length - NAMED;
    this.add(`It is kept by ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`);
  };

  takeBack = (): void => {
    if (this.here === null) return;
    this.say(`${capital(this.here.mover)} to move`, 'Try another move.', 'running');
    this.page.windTo(this.page.shown.peek()!.line.at - 1);
  };

  stop = (): void => {
    this.here = null;
    this.status.value = null;
  };

  /** Whether the game is over, one way or the other. */
  private ended(after: ShownPosition): boolean {
    const { goal, score } = this;
    const isWon = goal === 'win' && isLost(after);
    const isHeld = goal === 'draw' && (after.isOver || score.moves >= HELD || cannotWin(after));
    if (!isWon && !isHeld) return false;
    this.say(isWon ? 'Won.' : 'Held.', score.end(isWon), 'done');
    this.totals.value = score.totals;
    return true;
  }

  /** The player moved; `after` is the position that it led to. Resolves when it is answered. */
  async played(before: ShownPosition, uci: string, after: ShownPosition): Promise<void> {
    if (this.here === null || before.position !== this.here.position) return;
    this.hinted = 0;
    const { goal, score, page } = this;
    const move = before.moves.find((each) => each.uci === uci)!;
    if (!keepingMoves(before).includes(move)) {
      score.fail();
      this.here = before;
      this.totals.value = score.totals;
      const what = 'Take it back and try again, or see what keeps it.';
      return this.say(`${move.san} gives the ${goal} away.`, what, 'failed');
    }
    const lost = score.played(before.plies, move.plies);
    if (this.ended(after)) return;
    const reply = await replyTo(page.source, after, goal);
    if (reply === undefined || !this.running.peek()) return;
    await page.reply(reply);
    const [position] = await page.source.probe(after.game, [after.metric], reply.position);
    if (!this.running.peek()) return;
    this.here = position;
    if (this.ended(position)) return;
    const worth = lost === 0 ? 'A best move.' : `That took ${pliesText(lost)} longer than the best.`;
    const more = goal === 'win' ? worth : `${score.moves} of ${HELD} moves.`;
    this.say(`${capital(position.mover)} to move`, more, 'running');
  }
}

/** The player to move is mated, or has no move where that loses. */
function isLost({ isOver, wdl }: ShownPosition): boolean {
  return isOver && wdl === 'loss';
}

/** No mate can come of these men. */
function cannotWin({ game, position }: ShownPosition): boolean {
  return game === 'chess' && isInsufficient(position);
}

/** The square that a move begins on, in words. */
function originOf({ uci }: ShownMove): string {
  return uci.split(/[-x]/)[0].slice(0, 2);
}
