/** The page as its views see it: its stores, the board, the coach; and what plays moves. */
import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { stipulations } from '../../../pipeline/game/stipulation.js';
import type { GameAnswer } from '../../server/api-answers.js';
import { pliesText } from '../../ui/verdict.js';
import { entryOf } from '../entry.js';
import type { Line, LineStep, Shown } from '../line.js';
import { findOf, type PagePlace, placeOf } from '../place.js';
import { PlayBoard } from '../play-board.js';
import { Coach } from '../practice/coach.js';
import { stepOf } from '../shown-position.js';
import type { TableSource } from '../source.js';
import type { Unit } from '../value-words.js';
import { Layout } from './layout.js';
import { Notices } from './notices.js';
import { type Keep, PositionStore } from './position.js';

/** Milliseconds before a move is answered, so that one sees it. */
const REPLY = 450;
const moment = () => new Promise((done) => setTimeout(done, REPLY));

export interface AppOptions {
  readonly source: TableSource;
  /** Those that there are tables of, one at least. */
  readonly games: readonly GameAnswer[];
  /** Whether there is a page on which runs can be watched. */
  readonly monitor: boolean;
  /** The names of the panels, the first of which is open where there is room. */
  readonly panels: readonly string[];
  /** The positions that the game can begin with, where there are several. */
  readonly starts?: readonly string[];
  /** Draws positions of a game that has no board of the page. */
  readonly picture?: (position: string) => ComponentChildren;
}

export class App {
  readonly notices = new Notices();
  readonly layout: Layout;
  readonly position: PositionStore;
  readonly board: PlayBoard;
  readonly coach: Coach;
  readonly unit = signal<Unit>('plies');
  /** Milliseconds between the moves of a main line. */
  readonly pace = signal(800);
  /** Whether the other side shall answer by itself. */
  readonly answers = signal(false);
  /** A text that the games panel is to read. */
  readonly pasted = signal('');
  /** What the list of endings is searched for. */
  readonly search = signal('');
  /** Brings the focus to the list of moves, while there is one. */
  toMoves: () => void = () => {};
  /** Why there is no main line; null if there is one. */
  readonly noLine = computed(() => noLine(this.position.shown.value));
  /** The main line that is being played. */
  private readonly run = signal<symbol | null>(null);
  readonly playing = computed(() => this.run.value !== null);

  constructor(readonly options: AppOptions) {
    const { source, games, panels } = options;
    // A link to a list of positions shows it.
    const { panel = findOf(location.hash) === null ? undefined : 'endings' } = placeOf(location.hash);
    this.layout = new Layout(panels, panel);
    this.board = new PlayBoard((move, dragged) => void this.play(move, dragged));
    this.position = new PositionStore(source, games, this.notices, this.layout, () => this.board.redraw());
    this.coach = new Coach({
      source,
      board: this.board,
      shown: this.position.shown,
      open: (place) => this.open(place),
      reply: (move) => this.reply(move),
      windTo: (to) => this.position.windTo(to),
      makeRoom: () => this.layout.makeRoom(),
    });
    effect(() => void this.board.show(this.position.shown.value, this.coach.running.value));
  }

  get source(): TableSource {
    return this.options.source;
  }

  /** Shows a place, or the position of a line; what runs stops. */
  open(place: Partial<PagePlace>, keep?: Keep, line?: Line): Promise<boolean> {
    this.stop();
    this.layout.settingUp.value = false;
    if (line !== undefined || place.position !== this.coach.start) this.coach.stop();
    return this.position.open(place, keep, line);
  }

  /** Shows a panel; null: the moves. */
  openPanel(name: string | null): void {
    this.layout.chosen.value = name;
    this.position.keepPlace();
  }

  /** Shows what was typed or pasted: a position, a link to one, a game, or the name of an ending. */
  async enter(text: string): Promise<void> {
    const { games } = this.options;
    const entry = entryOf(text, this.position.shown.peek()?.game.name === 'chess');
    if ('hash' in entry) {
      location.hash = entry.hash;
    } else if ('games' in entry) {
      this.pasted.value = entry.games;
      this.openPanel('games');
    } else if ('problem' in entry) {
      this.notices.failed(new Error(entry.problem));
    } else if ('ending' in entry && this.layout.panels.includes('endings')) {
      this.search.value = entry.ending;
      this.openPanel('endings');
    } else {
      const position = 'ending' in entry ? entry.ending : entry.position;
      const isChess = 'isChess' in entry && entry.isChess && games.some(({ name }) => name === 'chess');
      await this.open({ position, ...(isChess && { game: 'chess' }) });
    }
  }

  /** `dragged`: its man has been brought there already. */
  async play(move: LineStep, dragged = false): Promise<void> {
    this.stop();
    const { shown } = this.position;
    const before = shown.peek()?.answer;
    this.board.foresee(move, !dragged);
    if (!(await this.position.step(move))) return;
    const { answer } = shown.peek()!;
    if (this.coach.running.peek() && before && answer !== null) {
      await this.coach.played(before, move.uci, answer).catch((error: Error) => this.notices.failed(error));
      return;
    }
    const [reply] = answer?.moves ?? [];
    if (!this.answers.peek() || reply === undefined) return;
    await moment();
    // Unless something else was shown meanwhile.
    if (shown.peek()?.answer === answer) await this.position.step(reply);
  }

  /** The move of the defence in an exercise. */
  private async reply(move: LineStep): Promise<void> {
    await moment();
    if (this.coach.running.peek()) await this.position.step(move, 'replace');
  }

  /** Shows the position after so many moves of the line. */
  wind(to: number): void {
    if (this.coach.running.peek()) return;
    this.stop();
    this.position.windTo(to);
  }

  first = (): void => this.wind(0);
  back = (): void => this.wind(this.position.at - 1);
  on = (): void => this.wind(this.position.at + 1);
  last = (): void => this.wind(Number.POSITIVE_INFINITY);

  playBest = (): void => {
    const best = this.position.shown.peek()?.answer?.moves[0];
    if (best && !this.coach.running.peek()) void this.play(best);
  };

  /** Plays the main line, or stops. */
  playOut = async (): Promise<void> => {
    if (this.playing.peek()) return this.stop();
    if (this.coach.running.peek() || this.noLine.peek() !== null) return;
    const mine = Symbol();
    this.run.value = mine;
    try {
      const { game, answer } = this.position.shown.peek()!;
      const { metric, position } = answer!;
      const { line, ruleDrawsAt = null } = await this.source.mainLine(game.name, metric, position);
      if (this.run.peek() !== mine) return;
      // All at once, so that none is waited for.
      for (const { position: next } of line)
        void this.source.probe(game.name, [metric], next).catch(() => {});
      for (const [i, move] of line.map(stepOf).entries()) {
        // All of it is one step back in the browser's history.
        if (!(await this.position.step(move, i === 0 ? 'push' : 'replace'))) return;
        if (ruleDrawsAt !== null)
          this.position.note.value = `After ${pliesText(ruleDrawsAt)} the 50-move rule draws this line.`;
        if (i < line.length - 1) await new Promise((done) => setTimeout(done, this.pace.peek()));
        if (this.run.peek() !== mine) return;
      }
    } catch (error) {
      this.notices.failed(error as Error, () => void this.playOut());
    } finally {
      if (this.run.peek() === mine) this.stop();
    }
  };

  private stop(): void {
    this.run.value = null;
  }

  switchSetup = (): void => {
    const { settingUp } = this.layout;
    if (this.board.made.peek() === null || this.position.shown.peek() === null) return;
    this.stop();
    this.coach.stop();
    if (!settingUp.peek()) void this.layout.makeRoom();
    settingUp.value = !settingUp.peek();
  };

  /** Stops playing out, or closes the palette of men. */
  leave = (): void => {
    if (this.playing.peek()) this.stop();
    else this.layout.settingUp.value = false;
  };
}

function noLine(now: Shown | null): string | null {
  if (now === null || now.answer === null) return 'A position without a value has no main line';
  const { wdl, most, isOver, metric } = now.answer;
  if (isOver) return 'The game is over';
  if (most !== undefined && wdl !== 'win' && most.wdl !== 'loss')
    return 'Where only bounds are known there is no main line';
  if (wdl === 'draw') return 'A drawn position has no main line';
  return stipulations[metric].plies ? null : 'This metric has no distances, and so no main line';
}
