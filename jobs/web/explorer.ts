/**
 * The position that is shown, and the ways from position to position. A step is made only once the source has answered. A position
 * without a value is shown all the same if its board can be drawn; else the one before stays.
 */
import type { Metric } from '../../pipeline/game/value.js';
import type { GameAnswer, MoveAnswer, PositionAnswer } from '../server/api-answers.js';
import { kindOf } from './board/board.js';
import { type Line, newLine, played, positionOf, wound } from './line.js';
import type { PagePlace } from './place.js';
import { NoValueError, type TableSource } from './source.js';

export interface Shown {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly line: Line;
  /** Null if the position has no value here: then `problem` says why. */
  readonly answer: PositionAnswer | null;
  readonly problem: NoValueError | null;
}

/** How a step is kept in the browser's history: as a new page of it, in place of the last, or not at all. */
export type Keep = 'push' | 'replace' | 'none';

export interface Listener {
  /** Something else is shown now. */
  shown(shown: Shown, keep: Keep): void;
  /** It could not be shown; `again` tries once more. */
  failed(error: Error, again: () => void): void;
  /** Whether an answer is waited for. */
  waiting(waits: boolean): void;
}

export interface Explorer {
  readonly games: readonly GameAnswer[];
  readonly shown: Shown | null;
  /** Shows a place, or the position of a line. Resolves to whether it is shown. */
  go(place: Partial<PagePlace>, keep: Keep, line?: Line): Promise<boolean>;
  play(move: MoveAnswer, keep?: Keep): Promise<boolean>;
  /** Shows the position after so many of the line's moves. */
  wind(at: number): Promise<boolean>;
  /** Looks a position up without showing it. */
  look(position: string): Promise<PositionAnswer>;
}

/** `games`: one at least. */
export function newExplorer(source: TableSource, games: readonly GameAnswer[], listener: Listener): Explorer {
  let shown: Shown | null = null;
  /** The number of the latest step asked for: answers to earlier ones come too late. */
  let asked = 0;

  async function show(game: GameAnswer, metric: Metric, line: Line, keep: Keep): Promise<boolean> {
    const mine = ++asked;
    listener.waiting(true);
    try {
      const found = await source.probe(game.name, metric, positionOf(line)).catch((error: Error) => {
        const canShow = error instanceof NoValueError && kindOf(game.name)?.read(positionOf(line));
        if (canShow) return error;
        throw error;
      });
      if (mine !== asked) return false;
      shown =
        found instanceof NoValueError
          ? { game, metric, line, answer: null, problem: found }
          : { game, metric, line: settled(line, found), answer: found, problem: null };
      listener.shown(shown, keep);
      return true;
    } catch (error) {
      if (mine === asked) listener.failed(error as Error, () => void show(game, metric, line, keep));
      return false;
    } finally {
      if (mine === asked) listener.waiting(false);
    }
  }

  function refused(why: string): false {
    listener.failed(new Error(why), () => {});
    return false;
  }

  return {
    games,
    get shown() {
      return shown;
    },
    async go(place, keep, line) {
      const game =
        place.game === undefined ? (shown?.game ?? games[0]) : games.find(({ name }) => name === place.game);
      if (game === undefined) return refused(`There are no tables of ${place.game} here.`);
      const same = game === shown?.game;
      const metric = place.metric ?? (same ? shown!.metric : game.metrics[0]);
      if (!game.metrics.includes(metric))
        return refused(`There are no tables of ${game.name} for ${metric} here.`);
      const stays = place.position === undefined && same ? shown!.line : undefined;
      return show(game, metric, line ?? stays ?? newLine(place.position ?? game.example), keep);
    },
    async play(move, keep = 'push') {
      return shown !== null && show(shown.game, shown.metric, played(shown.line, move), keep);
    },
    async wind(at) {
      if (shown === null) return false;
      const line = wound(shown.line, at);
      return line.at !== shown.line.at && show(shown.game, shown.metric, line, 'push');
    },
    look: (position) => source.probe(shown!.game.name, shown!.metric, position),
  };
}

/** A line whose first position is written as the game writes it, and whose first mover is known. */
function settled(line: Line, { position, mover }: PositionAnswer): Line {
  return line.at > 0 ? line : { ...line, start: position, first: mover };
}
