/** Practising an ending: a random position is to be won, or held, against replies that give nothing away. */
import type { Metric } from '../../../pipeline/game/value.js';
import type { EndingAnswer, GameAnswer } from '../../server/api-answers.js';
import type { TableSource } from '../source.js';
import { type Coach, type CoachEvents, newCoach } from './coach.js';
import { newExercise } from './exercise.js';
import { newExerciseForm } from './exercise-form.js';

export interface Practice extends Omit<Coach, 'begin'> {
  /** The form that begins exercises. */
  readonly element: HTMLElement;
  show(game: GameAnswer, metric: Metric): Promise<void>;
}

export interface PracticeEvents extends CoachEvents {
  failed(error: Error): void;
}

export function newPractice(source: TableSource, events: PracticeEvents): Practice {
  let of: { game: GameAnswer; metric: Metric; endings: readonly EndingAnswer[] } | null = null;
  let wanted = '';
  const form = newExerciseForm(() => void begin());
  const coach = newCoach(source, events, { scored: form.say, next: () => void begin() });

  async function begin(): Promise<void> {
    const choice = form.read();
    const ending = of?.endings.find((each) => each.ending === choice.ending);
    if (of === null || ending === undefined) return;
    form.wait(true);
    try {
      const { game, metric } = of;
      const { goal, difficulty } = choice;
      const found = await newExercise(source, { game, metric, ending, goal, difficulty });
      if (found === null) form.say(`${ending.ending} has no such position.`);
      else await coach.begin(found, goal);
    } catch (error) {
      events.failed(error as Error);
    } finally {
      form.wait(false);
    }
  }

  return {
    element: form.element,
    status: coach.status,
    get running() {
      return coach.running;
    },
    get start() {
      return coach.start;
    },
    played: coach.played,
    stop: coach.stop,
    async show(game, metric) {
      const key = `${game.name} ${metric}`;
      if (key === wanted) return;
      wanted = key;
      of = null;
      const endings = await source.endings(game.name, metric).catch(() => []);
      if (wanted !== key) return;
      of = { game, metric, endings };
      form.offer(endings);
    },
  };
}
