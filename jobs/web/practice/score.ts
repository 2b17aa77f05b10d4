/** The score of exercises, by what the player gave away: plies of a win, or the win or draw itself. */
import { count } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { kept } from '../kept.js';

export class Score {
  /** Of the player in this exercise. */
  moves = 0;
  hints = 0;
  private best: number | null = null;
  private given = 0;
  private mistakes = 0;
  private done = 0;
  private failed = 0;
  private points = 0;
  private ending = '';
  /** By endings: exercises in a row without a mistake. They last as long as the browser keeps them. */
  private readonly streaks = kept<Readonly<Record<string, number>>>('mergemate-streaks', {});

  /** An exercise begins; `best`: plies that its win takes, null for a draw. */
  begin(ending: string, best: number | null): void {
    this.ending = ending;
    this.best = best;
    this.moves = this.hints = this.given = this.mistakes = 0;
  }

  /** Returns the plies that the move gave away. */
  played(before: number | null, after: number | null): number {
    this.moves++;
    const lost = before === null || after === null ? 0 : Math.max(0, after - before);
    this.given += lost;
    return lost;
  }

  /** The outcome was given away. */
  fail(): void {
    if (this.mistakes === 0) this.failed++;
    this.mistakes++;
    this.streak = 0;
  }

  private get streak(): number {
    return this.streaks.value[this.ending] ?? 0;
  }
  private set streak(length: number) {
    this.streaks.value = { ...this.streaks.value, [this.ending]: length };
  }

  /** The exercise is done: how it went, in words. */
  end(isWon: boolean): string {
    const { best, given, mistakes, hints } = this;
    // The share of the win's own plies among all that were needed; a player who gave the win away gets nothing.
    const share = best === null || best + given === 0 ? 1 : best / (best + given);
    const points = mistakes > 0 ? 0 : Math.round(100 * share);
    this.done++;
    this.points += points;
    if (mistakes === 0) this.streak++;
    const took =
      isWon && best !== null
        ? `Done in ${count(this.moves, 'move')}, ${Math.ceil(best / 2)} ${best <= 2 ? 'is' : 'are'} enough: `
        : '';
    const parts = [
      count(points, 'point'),
      ...(given > 0 ? [`${pliesText(given)} given away`] : []),
      ...(mistakes > 0 ? [`${count(mistakes, 'mistake')} taken back`] : []),
      ...(hints > 0 ? [count(hints, 'hint')] : []),
    ];
    return `${took}${parts.join(', ')}.`;
  }

  /** All exercises since the page was opened. */
  get totals(): string {
    const mean = this.done === 0 ? 0 : Math.round(this.points / this.done);
    const streak = this.streak > 1 ? ` ${this.streak} in a row in ${this.ending}.` : '';
    return `${this.done} done, ${mean} points on average, ${this.failed} given away.${streak}`;
  }
}
