/**
 * The state of the page, and the ways in which it changes: which position is shown and how one came to it, what is known of it, which
 * panel is open. The address holds it. Views are functions of these signals.
 */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { GameAnswer, PlanAnswer } from '../server/api-answers.js';
import { menOf } from '../study/position-text.js';
import { pliesText } from '../ui/verdict.js';
import { kindOf } from './board/board.js';
import {
  type Beside,
  type Line,
  type LineStep,
  newLine,
  played,
  positionOf,
  type Shown,
  wound,
} from './line.js';
import { type Find, findOf, hashOf, type PagePlace, placeOf } from './place.js';
import { PlayBoard } from './play-board.js';
import { Coach } from './practice/coach.js';
import { stepOf } from './shown-position.js';
import { NoValueError, type ShownPosition, type TableSource, UnreachableError } from './source.js';
import type { Unit } from './value-words.js';

/** How a step is kept in the browser's history: as a new page of it, in place of the last, or not at all. */
export type Keep = 'push' | 'replace' | 'none';

/** One line at the foot of the window. */
export interface Said {
  readonly text: string;
  readonly kind: 'problem' | 'done';
  /** What a button tries once more. */
  readonly again?: (() => void) | undefined;
}

/** Milliseconds before a move is answered, so that one sees it. */
const REPLY = 450;
/** Endings of so many men are solved within the hour, so that nobody needs tables of one position. */
const SOLVED_SOON = 5;
/** In windows as wide as this, panels have a place of their own. In others they take room from the board. */
const WIDE = matchMedia('(min-width: 1240px)');

const moment = () => new Promise((done) => setTimeout(done, REPLY));
const noMoves: Beside = new Map();

export class App {
  readonly shown = signal<Shown | null>(null);
  readonly beside = signal<Beside>(noMoves);
  /** The position under the metric that knows the 50-move rule; that of the position before, until its own is there. */
  readonly dtz = signal<ShownPosition | null>(null);
  /** Whether an answer is waited for. */
  readonly waiting = signal(false);
  /** Beside the value: what else there is to say of the position. */
  readonly note = signal('');
  /** What tables of the shown position would take, where it has more men than any table. */
  readonly plan = signal<PlanAnswer | null>(null);
  readonly said = signal<Said | null>(null);
  /** The positions that are listed; null: none are. */
  readonly find = signal(findOf(location.hash));
  readonly panel: ReadonlySignal<string | null>;
  /** Whether the main line is being played out. */
  readonly playing = computed(() => this.run.value !== null);
  readonly settingUp = signal(false);
  /** The text in the field below the board. */
  readonly text = signal('');
  readonly unit = signal<Unit>('plies');
  /** Milliseconds between the moves of a main line. */
  readonly pace = signal(800);
  /** Whether the other side shall answer by itself. */
  readonly answers = signal(false);
  /** Which dialog is open. */
  readonly dialog = signal<'keys' | 'share' | null>(null);
  readonly board: PlayBoard;
  readonly coach: Coach;
  /** Why there is no main line; null if there is one. */
  readonly noLine = computed(() => noLine(this.shown.value));
  private readonly chosenPanel: ReturnType<typeof signal<string | null>>;
  /** The number of the latest step asked for: answers to earlier ones come too late. */
  private asked = 0;
  /** The main line that is being played. */
  private readonly run = signal<symbol | null>(null);

  /** `games`: those that there are tables of, one at least. `monitor`: whether there is a page on which runs can be watched. */
  constructor(
    readonly source: TableSource,
    readonly games: readonly GameAnswer[],
    readonly monitor: boolean,
    panels: readonly string[],
  ) {
    const isWide = signal(WIDE.matches);
    WIDE.addEventListener('change', () => {
      isWide.value = WIDE.matches;
    });
    const { panel } = placeOf(location.hash);
    this.chosenPanel = signal(panel !== undefined && panels.includes(panel) ? panel : null);
    this.panel = computed(() => this.chosenPanel.value ?? (isWide.value ? panels[0] : null));
    this.board = new PlayBoard((move, dragged) => void this.play(move, dragged));
    this.coach = new Coach(this);
    effect(() => void this.board.show(this.shown.value, this.coach.running.value));
  }

  get place(): string {
    const { game, metric, line } = this.shown.peek()!;
    const panel = this.chosenPanel.peek() ?? undefined;
    return hashOf({ game: game.name, metric, line, panel }, this.find.peek());
  }

  /** Shows a panel. Pressed once more it is closed, where it takes room from the board. */
  openPanel(name: string): void {
    this.chosenPanel.value = name === this.chosenPanel.peek() && !WIDE.matches ? null : name;
    this.keepPlace();
  }

  /** Gives the board its room back. Resolves when it has its size: men that move while it changes would be lost. */
  async makeRoom(): Promise<void> {
    if (WIDE.matches || this.chosenPanel.peek() === null) return;
    this.chosenPanel.value = null;
    for (let frames = 0; frames < 3; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
  }

  list(find: Find | null): void {
    this.find.value = find;
    this.keepPlace();
  }

  private keepPlace(): void {
    if (this.shown.peek() !== null) history.replaceState(history.state, '', this.place);
  }

  failed(error: Error, again?: () => void): void {
    const isLost = error instanceof UnreachableError;
    this.said.value = { text: error.message, kind: 'problem', again: isLost ? again : undefined };
  }

  done(text: string): void {
    this.said.value = { text, kind: 'done' };
  }

  /** Shows a place, or the position of a line; what runs stops. Resolves to whether it is shown. */
  async open(place: Partial<PagePlace>, keep: Keep = 'push', line?: Line): Promise<boolean> {
    this.stop();
    if (line !== undefined || place.position !== this.coach.start) this.coach.stop();
    const { games } = this;
    const now = this.shown.peek();
    const game =
      place.game === undefined ? (now?.game ?? games[0]) : games.find(({ name }) => name === place.game);
    if (game === undefined) return this.refuse(`There are no tables of ${place.game} here.`);
    const same = game === now?.game;
    const metric = place.metric ?? (same ? now.metric : game.metrics[0]);
    if (!game.metrics.includes(metric))
      return this.refuse(`There are no tables of ${game.name} for ${metric} here.`);
    const stays = place.position === undefined && same ? now.line : undefined;
    return this.show(game, metric, line ?? stays ?? newLine(place.position ?? game.example), keep);
  }

  /** Shows what an address names. */
  async openHash(hash: string, keep: Keep, state: Line | null): Promise<boolean> {
    const { from, moves, ...place } = placeOf(hash);
    const line = state ?? (from && moves ? await this.replayed(place.game, from, moves) : null);
    return this.open(place, keep, line ?? undefined);
  }

  /** A line whose moves have these names; null if they are not the moves of that position. */
  private async replayed(
    game = this.games[0].name,
    from: string,
    moves: readonly string[],
  ): Promise<Line | null> {
    const metric = this.games.find(({ name }) => name === game)?.metrics[0];
    if (metric === undefined) return null;
    let line = newLine(from);
    try {
      for (const name of moves) {
        const here = positionOf(line);
        const steps =
          game === 'chess' ? await freeMoves(here) : (await this.source.probe(game, metric, here)).moves;
        const step = steps.find(({ uci }) => uci === name);
        if (step === undefined) return null;
        line = played(line, step);
      }
    } catch {
      return null;
    }
    return line;
  }

  private refuse(why: string): false {
    this.failed(new Error(why));
    return false;
  }

  private async show(game: GameAnswer, metric: Metric, line: Line, keep: Keep): Promise<boolean> {
    const mine = ++this.asked;
    this.waiting.value = true;
    try {
      const next = await this.looked(game, metric, line);
      if (mine !== this.asked) return false;
      this.take(next, keep);
      return true;
    } catch (error) {
      if (mine !== this.asked) return false;
      this.failed(error as Error, () => void this.show(game, metric, line, keep));
      // A move that could not be followed is taken back.
      if (!this.settingUp.peek()) this.board.redraw();
      return false;
    } finally {
      if (mine === this.asked) this.waiting.value = false;
    }
  }

  private async looked(game: GameAnswer, metric: Metric, line: Line): Promise<Shown> {
    const position = positionOf(line);
    const about = { game, metric, line, answer: null, problem: null, free: [] };
    try {
      const answer = await this.source.probe(game.name, metric, position);
      // The first position is written as the game writes it, and its mover is known.
      const settled = line.at > 0 ? line : { ...line, start: answer.position, first: answer.mover };
      return { ...about, line: settled, answer };
    } catch (problem) {
      if (!(problem instanceof NoValueError) || !kindOf(game.name)?.read(position)) throw problem;
      const isFree = problem.kind === 'unknown' && game.name === 'chess';
      return { ...about, problem, free: isFree ? await freeMoves(position).catch(() => []) : [] };
    }
  }

  private take(next: Shown, keep: Keep): void {
    this.endSetup();
    this.shown.value = next;
    this.beside.value = noMoves;
    this.plan.value = null;
    this.said.value = null;
    if (!this.playing.peek()) this.note.value = '';
    this.text.value = positionOf(next.line);
    if (keep === 'push') history.pushState(next.line, '', this.place);
    if (keep === 'replace') history.replaceState(next.line, '', this.place);
    void this.lookBeside();
    void this.lookForLargest();
  }

  /** Other metrics come when the first is there; while a line is played out nobody could read them. */
  private async lookBeside(): Promise<void> {
    const now = this.shown.peek();
    if (now === null || now.answer === null || this.playing.peek()) {
      this.dtz.value = null;
      return;
    }
    const { game, metric, line } = now;
    const others = game.metrics.filter((other) => other !== metric);
    const answers = await Promise.all(
      others.map((other) => this.source.probe(game.name, other, positionOf(line)).catch(() => null)),
    );
    if (this.shown.peek() !== now) return;
    const beside = new Map(others.flatMap((other, i) => (answers[i] ? [[other, answers[i]] as const] : [])));
    this.beside.value = beside;
    const all = [[metric, now.answer] as const, ...beside];
    this.dtz.value = all.find(([each]) => stipulations[each].rule50 === 'cursed')?.[1] ?? null;
  }

  /** Beside a position that no table has: how many men the largest tables have. */
  private async lookForLargest(): Promise<void> {
    const now = this.shown.peek();
    if (now?.problem?.kind !== 'unknown') return;
    const { game, metric } = now;
    const lists = [this.source.endings(game.name, metric), this.source.files(game.name, metric)];
    const endings = await Promise.all(lists).catch(() => []);
    const most = Math.max(0, ...endings.flat().map(({ pieces }) => pieces));
    if (this.shown.peek() !== now) return;
    if (most > 0) this.note.value = `Tables here have at most ${most} pieces.`;
    const position = positionOf(now.line);
    if (game.name !== 'chess' || menOf(position) <= Math.max(most, SOLVED_SOON)) return;
    const [placement, , castling = '-'] = position.split(' ');
    // Without pawns it is an ending; rights to castle are in no table.
    if (!/p/i.test(placement) || castling !== '-') return;
    const plan = await this.source.plan(position).catch(() => null);
    if (this.shown.peek() === now) this.plan.value = plan;
  }

  /** Looks a position up without showing it. */
  look(position: string): Promise<ShownPosition> {
    const { game, metric } = this.shown.peek()!;
    return this.source.probe(game.name, metric, position);
  }

  step(move: LineStep, keep: Keep = 'push'): Promise<boolean> {
    const { game, metric, line } = this.shown.peek()!;
    return this.show(game, metric, played(line, move), keep);
  }

  /** `dragged`: its man has been brought there already. */
  async play(move: LineStep, dragged = false): Promise<void> {
    this.stop();
    if (this.settingUp.peek()) return;
    const before = this.shown.peek()?.answer;
    this.board.foresee(move, !dragged);
    if (!(await this.step(move))) return;
    const { answer } = this.shown.peek()!;
    if (this.coach.running.peek() && before && answer !== null) {
      await this.coach.played(before, move.uci, answer).catch((error: Error) => this.failed(error));
      return;
    }
    const [reply] = answer?.moves ?? [];
    if (!this.answers.peek() || reply === undefined) return;
    await moment();
    // Unless something else was shown meanwhile.
    if (this.shown.peek()?.answer === answer) await this.step(reply);
  }

  /** The move of the defence in an exercise. */
  async reply(move: LineStep): Promise<void> {
    await moment();
    if (this.coach.running.peek()) await this.step(move, 'replace');
  }

  /** Shows the position after so many moves of the line. */
  wind(to: number): void {
    if (this.settingUp.peek() || this.coach.running.peek()) return;
    this.stop();
    this.windTo(to);
  }

  /** Like `wind`, but also in an exercise, which goes on. */
  windTo(to: number): void {
    const { game, metric, line } = this.shown.peek()!;
    const next = wound(line, to);
    if (next.at !== line.at) void this.show(game, metric, next, 'push');
  }

  back = (): void => this.wind((this.shown.peek()?.line.at ?? 0) - 1);
  redo = (): void => this.wind((this.shown.peek()?.line.at ?? 0) + 1);

  playBest = (): void => {
    const best = this.shown.peek()?.answer?.moves[0];
    if (best && !this.coach.running.peek()) void this.play(best);
  };

  /** Plays the main line, or stops. */
  playOut = async (): Promise<void> => {
    if (this.playing.peek()) return this.stop();
    if (this.settingUp.peek() || this.coach.running.peek() || this.noLine.peek() !== null) return;
    const mine = Symbol();
    this.run.value = mine;
    try {
      const { game, metric, line } = this.shown.peek()!;
      const { line: moves, ruleDrawsAt = null } = await this.source.mainLine(
        game.name,
        metric,
        positionOf(line),
      );
      if (this.run.peek() !== mine) return;
      if (ruleDrawsAt !== null)
        this.note.value = `After ${pliesText(ruleDrawsAt)} the 50-move rule draws this line.`;
      for (const [i, move] of moves.map(stepOf).entries()) {
        // All of it is one step back in the browser's history.
        if (!(await this.step(move, i === 0 ? 'push' : 'replace'))) return;
        if (i < moves.length - 1) await new Promise((done) => setTimeout(done, this.pace.peek()));
        if (this.run.peek() !== mine) return;
      }
    } catch (error) {
      this.failed(error as Error, () => void this.playOut());
    } finally {
      if (this.run.peek() === mine) this.stop();
    }
  };

  private stop(): void {
    if (!this.playing.peek()) return;
    this.run.value = null;
    void this.lookBeside();
  }

  switchSetup = (): void => {
    if (this.settingUp.peek()) {
      this.endSetup();
      return;
    }
    this.stop();
    this.coach.stop();
    if (this.board.made.peek() === null || this.shown.peek() === null) return;
    void this.makeRoom();
    this.settingUp.value = true;
    scrollTo({ top: 0 });
  };

  endSetup = (): void => {
    if (!this.settingUp.peek()) return;
    this.settingUp.value = false;
    this.text.value = positionOf(this.shown.peek()!.line);
    this.board.resume();
    this.board.redraw();
  };

  /** Stops playing out, or leaves the setup. */
  leave = (): void => (this.playing.peek() ? this.stop() : this.endSetup());
}

function noLine(now: Shown | null): string | null {
  if (now === null || now.answer === null) return 'A position without a value has no main line';
  const { answer, metric } = now;
  if (answer.isOver) return 'The game is over';
  if (answer.most !== undefined && answer.wdl !== 'win' && answer.most.wdl !== 'loss')
    return 'Where only bounds are known there is no main line';
  if (answer.wdl === 'draw') return 'A drawn position has no main line';
  return stipulations[metric].plies ? null : 'This metric has no distances, and so no main line';
}

/** Every move of a position of chess by the rules alone, which are fetched with the first of them. */
async function freeMoves(fen: string): Promise<LineStep[]> {
  const { movesOf } = await import('./rules.js');
  return movesOf(fen);
}
