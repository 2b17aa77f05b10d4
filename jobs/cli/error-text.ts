/** The text of an error for people: what is wrong, and the command that mends it. */

import { type Remedy, remedyOf } from '../../pipeline/game/remedy.js';
import { PUBLISHED_METRIC } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { messageOf } from '../../pipeline/games/yours/definition.js';
import { damageAdvice } from './damage-advice.js';

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const remedy = remedyOf(error);
  const mends = remedy === null ? damageAdvice(error) : advice(remedy, costs.get(error));
  return mends === null ? error.message : `${error.message}: ${mends}`;
}

/** What following the advice of an error costs, by the error. */
const costs = new WeakMap<object, string>();

/** Has the advice of an error say what it costs. */
export function noteCost(error: object, cost: string): void {
  costs.set(error, cost);
}

function advice(remedy: Remedy, cost: string | undefined): string {
  switch (remedy.task) {
    case 'solve':
      return `run "${sliceCommand(remedy)}" first${cost === undefined ? '' : `: ${cost}`}`;
    case 'verify':
      return `run "${sliceCommand(remedy)}"`;
    case 'import graph':
      return `"mergemate solve" of its file ${remedy.begun ? 'does that' : 'makes one'}`;
    case 'solve graph':
      return `"mergemate solve" of ${remedy.source} with --metric ${remedy.metric} does it`;
    case 'solve again':
      return `"mergemate solve" of ${remedy.game} with --again makes it anew`;
    case 'publish':
      return `run "mergemate publish ${remedy.game}${metricFlag(remedy.metric)}" first`;
    case 'publish again':
      return `run the same "mergemate publish ${remedy.game}${metricFlag(remedy.metric)}" again`;
    case 'publish with others':
      return `publish it with the others ("mergemate publish ${remedy.game}${metricFlag(remedy.metric)} …")`;
  }
}

/** The flag that `publish` needs for a publication of this metric; none for wins, draws and losses, which tables of several metrics give. */
export function metricFlag(metric: Metric): string {
  return metric === PUBLISHED_METRIC ? '' : ` --metric ${metric}`;
}

function sliceCommand({ task, game, slice, metric }: Extract<Remedy, { readonly slice: string }>): string {
  return `mergemate ${task} ${game} ${slice} --metric ${metric}`;
}
