/** States and phases in words and signs. */
import type { RunStatus, SliceState, SliceStatus } from '../../server/monitor/monitor-answers.js';

/** A sign beside the colour, for those who do not see it. */
export const STATES: Readonly<Record<SliceState, { readonly sign: string; readonly words: string }>> = {
  waiting: { sign: '○', words: 'waiting' },
  working: { sign: '▶', words: 'at work' },
  begun: { sign: '‖', words: 'begun, nobody at work' },
  solved: { sign: '●', words: 'solved' },
  verified: { sign: '✓', words: 'verified' },
  damaged: { sign: '!', words: 'damaged' },
};

/** As they follow each other. */
export const STATE_ORDER = Object.keys(STATES) as SliceState[];

const RUNS: Readonly<Record<RunStatus['state'], string>> = {
  running: 'running',
  quiet: 'not heard of',
  done: 'finished',
  failed: 'failed',
  stopped: 'stopped',
};

export const runWords = (state: RunStatus['state']): string => RUNS[state];

/** "rounds, 23 done", "enumerate 40 %" */
export function atWords({ phase, round, share }: Pick<SliceStatus, 'phase' | 'round' | 'share'>): string {
  if (phase === null) return '';
  if (round !== null) return `round ${round + 1}`;
  return share === null ? phase : `${phase}, ${Math.floor(100 * share)} %`;
}

export function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
}

/** So many endings are named where more were asked for. */
const NAMED = 6;

export function titleOf({ game, metric, endings }: RunStatus): string {
  const some = endings.slice(0, NAMED).join(' ');
  const more = endings.length > NAMED ? ` and ${endings.length - NAMED} more` : '';
  return `${game} ${metric}: ${some}${more}`;
}
