/** The losses in exercises: plies of wins, and outcomes. */
import { count } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';

export interface Score {
  /** Moves of the player in this exercise. */
  readonly moves: number;
  /** An exercise begins; `best`: plies that its win takes, null for a draw. */
  begin(best: number | null): void;
  /** Returns the plies that the move gave away. */
  played(before: number | null, after: number | null): number;
  hint(): void;
  /** The outcome was given away. */
  fail(): void;
  /** The exercise is done: how it went, in words. */
  end(isWon: boolean): string;
  /** All exercises since the page was opened. */
  totals(): string;
}

export function newScore(): Score {
  let best: number | null = null;
  let moves = 0;
  let given = 0;
  let hints = 0;
  let mistakes = 0;
  const all = { done: 0, failed: 0, points: 0 };

  return {
    get moves() {
      return moves;
    },
    begin(plies) {
      best = plies;
      [moves, given, hints, mistakes] = [0, 0, 0, 0];
    },
    played(before, after) {
      moves++;
      const lost = before === null || after === null ? 0 : Math.max(0, after - before);
      given += lost;
      return lost;
    },
    hint() {
      hints++;
    },
    fail() {
      if (mistakes === 0) all.failed++;
      mistakes++;
    },
    end(isWon) {
      // The share of the win's own plies among all that were needed; a player who gave the win away gets nothing.
      const share = best === null || best + given === 0 ? 1 : best / (best + given);
      const points = mistakes > 0 ? 0 : Math.round(100 * share);
      all.done++;
      all.points += points;
      const took =
        isWon && best !== null
          ? ` in ${count(moves, 'move')}, ${Math.ceil(best / 2)} ${best <= 2 ? 'is' : 'are'} enough`
          : '';
      const parts = [
        count(points, 'point'),
        ...(given > 0 ? [`${pliesText(given)} given away`] : []),
        ...(mistakes > 0 ? [`${count(mistakes, 'mistake')} taken back`] : []),
        ...(hints > 0 ? [count(hints, 'hint')] : []),
      ];
      return `${took === '' ? '' : `Done${took}: `}${parts.join(', ')}.`;
    },
    totals() {
      const mean = all.done === 0 ? 0 : Math.round(all.points / all.done);
      return `${all.done} done, ${mean} points on average, ${all.failed} given away.`;
    },
  };
}
