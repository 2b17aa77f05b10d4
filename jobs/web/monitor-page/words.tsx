/** States, phases and figures in words and signs. */
import { type Metric, stipulations } from '../../../pipeline/game/stipulation.js';
import type { FileSet, RunStatus, SliceState } from '../../progress/model.js';
import { duration } from '../../ui/numbers.js';

/** A sign beside the colour, for those who do not see it. */
export const STATES: Readonly<Record<SliceState, { readonly sign: string; readonly words: string }>> = {
  waiting: { sign: '○', words: 'waiting' },
  working: { sign: '▶', words: 'at work' },
  begun: { sign: '‖', words: 'begun, nobody at work' },
  solved: { sign: '●', words: 'solved' },
  verified: { sign: '✓', words: 'verified' },
  damaged: { sign: '!', words: 'damaged' },
};

export const RUNS: Readonly<Record<RunStatus['state'], string>> = {
  running: 'running',
  quiet: 'not heard of',
  done: 'finished',
  failed: 'failed',
  stopped: 'stopped',
};

/** When a run began, and how long nobody has heard of it. */
export function whenWords(
  { startedAt, state }: Pick<RunStatus | FileSet, 'startedAt' | 'state'>,
  heardAt: number | null,
  now: number,
): string {
  const heard = heardAt === null ? 'never' : `${duration(Math.max(0, now - heardAt))} ago`;
  return `begun ${timeOfDay(startedAt)}${state === 'quiet' ? `; last heard of ${heard}` : ''}`;
}

export function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
}

/** So many endings are named where more were asked for. */
const NAMED = 6;

/** The title of the most plies: nobody wins a problem. */
export function longestTitle(metrics: readonly Metric[]): string {
  const areProblems = metrics.length > 0 && metrics.every((metric) => stipulations[metric].numbers);
  return areProblems ? 'longest problem' : 'longest win';
}

export function titleOf({ game, metric, endings }: RunStatus): string {
  const some = endings.slice(0, NAMED).join(' ');
  const more = endings.length > NAMED ? ` and ${endings.length - NAMED} more` : '';
  return `${game} ${metric}: ${some}${more}`;
}

export const textOf = (n: number | null, words: (n: number) => string): string | null =>
  n === null ? null : words(n);

/** Figures with what they are, side by side. Null: not known, and not shown. */
export function Tiles({ of }: { readonly of: Readonly<Record<string, string | null>> }) {
  return (
    <dl class="tiles">
      {Object.entries(of).map(
        ([name, figure]) =>
          figure !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{figure}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface TitleProps {
  readonly id: string;
  readonly text: string;
  readonly state?: string;
  readonly words?: string;
}

/** The title of a panel, and beside it the state of what the panel shows. */
export function Title({ id, text, state, words }: TitleProps) {
  return (
    <div class="title">
      <h2 id={id}>{text}</h2>
      {state !== undefined && (
        <span class="state" data-state={state}>
          {words}
        </span>
      )}
    </div>
  );
}
