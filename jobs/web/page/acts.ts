/** The acts on the page: go to positions, play, set up, practise. One act stops where another begins. */
import type { MoveAnswer, PositionAnswer } from '../../server/api-answers.js';
import type { Keep } from '../explorer.js';
import { type Line, positionOf } from '../line.js';
import type { PagePlace } from '../place.js';
import { noLine } from './no-line.js';
import type { PageParts } from './parts.js';
import type { Views } from './views.js';

/** Milliseconds before a move is answered, so that one sees it. */
const REPLY = 450;

export interface Acts extends Exercising, SettingUp {
  /** Shows something else. Resolves to whether it is shown. */
  open(place: Partial<PagePlace>, keep?: Keep, line?: Line): Promise<boolean>;
  /** Shows the position after so many moves of the line. */
  wind(to: number): void;
  back(): void;
  redo(): void;
  play(move: MoveAnswer, dragged?: boolean): Promise<void>;
  playBest(): void;
  /** Plays the main line, or stops. */
  playOut(): Promise<void>;
  /** Stops playing out, or leaves the setup. */
  leave(): void;
}

interface Exercising {
  beginExercise(position: PositionAnswer): Promise<boolean>;
  /** The move of the defence. */
  reply(move: MoveAnswer): Promise<void>;
  takeBack(): void;
}

interface SettingUp {
  /** Begins or ends it. */
  switchSetup(): void;
  endSetup(): void;
}

const moment = () => new Promise((done) => setTimeout(done, REPLY));

/** `parts`: all of them, once something is done. `makeRoom`: closes the panel where it takes room from the board. */
export function newActs(parts: () => PageParts, views: Views, main: HTMLElement, makeRoom: () => void): Acts {
  const { beginSetup, endSetup } = settingUp(parts, main, makeRoom);
  const at = () => parts().explorer.shown?.line.at ?? 0;

  function open(place: Partial<PagePlace>, keep: Keep = 'push', line?: Line): Promise<boolean> {
    const { playingOut, practice, explorer } = parts();
    playingOut.stop();
    if (place.position !== practice.start) practice.stop();
    return explorer.go(place, keep, line);
  }

  function wind(to: number): void {
    const { setup, practice, playingOut, explorer } = parts();
    if (setup.running || practice.running) return;
    playingOut.stop();
    void explorer.wind(to);
  }

  async function play(move: MoveAnswer, dragged = false): Promise<void> {
    const { playingOut, setup, explorer, playBoard, practice, tools } = parts();
    playingOut.stop();
    if (setup.running) return;
    const before = explorer.shown?.answer;
    playBoard.foresee(move, !dragged);
    if (!(await explorer.play(move))) return;
    const { answer } = explorer.shown!;
    if (practice.running && before && answer !== null) {
      await practice.played(before, move, answer).catch((error: Error) => views.failed(error, () => {}));
      return;
    }
    if (!tools.answers()) return;
    await moment();
    const reply = answer?.moves[0];
    // Unless something else was shown meanwhile.
    if (reply && explorer.shown?.answer === answer) await explorer.play(reply);
  }

  async function playOut(): Promise<void> {
    const { playingOut, setup, practice, explorer } = parts();
    if (playingOut.running) return playingOut.stop();
    if (setup.running || practice.running || explorer.shown === null || noLine(explorer.shown) !== null)
      return;
    await playingOut.start().catch((error: Error) => views.failed(error, () => void playOut()));
  }

  return {
    open,
    wind,
    back: () => wind(at() - 1),
    redo: () => wind(at() + 1),
    play,
    playBest() {
      if (parts().practice.running) return;
      const best = parts().explorer.shown?.answer?.moves[0];
      if (best) void play(best);
    },
    playOut,
    ...exercising(parts, open, makeRoom),
    switchSetup: () => (parts().setup.running ? endSetup() : beginSetup()),
    endSetup,
    leave() {
      const { playingOut } = parts();
      if (playingOut.running) playingOut.stop();
      else endSetup();
    },
  };
}

function exercising(parts: () => PageParts, open: Acts['open'], makeRoom: () => void): Exercising {
  return {
    async beginExercise(position) {
      const isShown = await open({ position: position.position });
      const { playBoard, header } = parts();
      if (isShown) playBoard.turn(position.mover === 'white');
      makeRoom();
      header.element.scrollIntoView({ block: 'nearest' });
      return isShown;
    },
    async reply(move) {
      await moment();
      const { practice, explorer } = parts();
      if (practice.running) await explorer.play(move, 'replace');
    },
    takeBack() {
      const { explorer } = parts();
      void explorer.wind((explorer.shown?.line.at ?? 0) - 1);
    },
  };
}

function settingUp(parts: () => PageParts, main: HTMLElement, makeRoom: () => void) {
  return {
    beginSetup(): void {
      const { playingOut, practice, playBoard, explorer, header, setup } = parts();
      playingOut.stop();
      practice.stop();
      const { board } = playBoard;
      if (board === null || explorer.shown === null) return;
      main.classList.add('setting-up');
      makeRoom();
      // Whoever has scrolled to the moves sees no board.
      header.element.scrollIntoView({ block: 'nearest' });
      setup.begin(board, positionOf(explorer.shown.line));
    },
    endSetup(): void {
      const { setup, playBoard, tools, explorer, form } = parts();
      if (!setup.running) return;
      setup.end();
      main.classList.remove('setting-up');
      playBoard.resume();
      tools.focusSetUp();
      const now = explorer.shown!;
      form.show(positionOf(now.line));
      void playBoard.show(now, false);
    },
  };
}
