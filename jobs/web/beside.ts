/** The position that is shown under the other metrics of its game. */
import type { Metric } from '../../pipeline/game/value.js';
import type { PositionAnswer } from '../server/api-answers.js';
import type { Shown } from './explorer.js';
import { positionOf } from './line.js';
import type { TableSource } from './source.js';

/** Those that have a value of it, in the order of the game. */
export type Beside = ReadonlyMap<Metric, PositionAnswer>;

/** Never rejects: what cannot be had is not there. */
export async function besideOf(source: TableSource, { game, metric, line }: Shown): Promise<Beside> {
  const others = game.metrics.filter((other) => other !== metric);
  const answers = await Promise.all(
    others.map((other) => source.probe(game.name, other, positionOf(line)).catch(() => null)),
  );
  return new Map(
    others.flatMap((other, i) => (answers[i] ? [[other, answers[i]] as [Metric, PositionAnswer]] : [])),
  );
}
