/** Playing the main line on the board, move by move, until it ends or is stopped. */
import type { Explorer } from './explorer.js';
import { positionOf } from './line.js';
import type { TableSource } from './source.js';

export interface PlayingOut {
  readonly running: boolean;
  /** Resolves at its end; rejects if there is no main line. */
  start(): Promise<void>;
  stop(): void;
}

export interface PlayingOutEvents {
  changed(running: boolean): void;
  /** The line is known; plies after which the 50-move rule draws it, or null. */
  found(ruleDrawsAt: number | null): void;
  /** Milliseconds between moves. */
  pace(): number;
}

export function newPlayingOut(
  source: TableSource,
  explorer: Explorer,
  { changed, found, pace }: PlayingOutEvents,
): PlayingOut {
  /** The run that is at it; null if none is. */
  let run: symbol | null = null;

  function stop(): void {
    if (run === null) return;
    run = null;
    changed(false);
  }

  return {
    get running() {
      return run !== null;
    },
    stop,
    async start() {
      const mine = Symbol();
      run = mine;
      changed(true);
      try {
        const { game, metric, line } = explorer.shown!;
        const { moves, ruleDrawsAt } = await source.mainLine(game.name, metric, positionOf(line));
        if (run !== mine) return;
        found(ruleDrawsAt);
        for (const [i, move] of moves.entries()) {
          // All of it is one step back in the browser's history.
          if (!(await explorer.play(move, i === 0 ? 'push' : 'replace'))) return;
          if (i < moves.length - 1) await new Promise((done) => setTimeout(done, pace()));
          if (run !== mine) return;
        }
      } finally {
        if (run === mine) stop();
      }
    },
  };
}
