/** Answers about positions of keyed games. */
import type { Context } from 'hono';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { keyedLine } from '../../pipeline/graph/keyed-line.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { keyedLineJson, probedPositionJson } from '../ui/keyed-text.js';
import type { KeyedAnswer, KeyedLineAnswer } from './api-answers.js';
import { readKeyedPosition } from './keyed-games.js';
import { HttpProblem } from './problems.js';
import { pausing, type Service } from './service.js';

interface Asked {
  readonly game: string;
  readonly position: string;
  readonly metric?: Metric | undefined;
}

export async function keyedPositionAnswer(
  game: KeyedRules,
  prober: KeyedProber<unknown>,
  position: unknown,
): Promise<KeyedAnswer> {
  const probed = await prober.probe(position);
  return {
    game: game.name,
    metric: prober.metric,
    ...probedPositionJson(game, position, probed),
  } as KeyedAnswer;
}

/** The position that a request asks for, of a keyed game that is there. */
export function keyedPosition(service: Service, context: Context, asked: Asked): Promise<KeyedAnswer> {
  const game = service.keyed.find(asked.game)!;
  const position = readKeyedPosition(game, asked.position);
  return service.inTurn(context, () =>
    service.keyed.probing(game, asked.metric, (prober) => keyedPositionAnswer(game, prober, position)),
  );
}

/** Best play from there. */
export function keyedMainLine(service: Service, context: Context, asked: Asked): Promise<KeyedLineAnswer> {
  const game = service.keyed.find(asked.game)!;
  const position = readKeyedPosition(game, asked.position);
  return service.inTurn(context, (signal) =>
    service.keyed.probing(game, asked.metric, async (prober) => {
      if (prober.metric === 'wdl')
        throw new HttpProblem(400, 'metric wdl holds no distances, so it has no main line');
      const line = await keyedLine(pausing(prober, signal), position);
      return {
        game: game.name,
        ...keyedLineJson(game, position, line, prober.metric),
      } as KeyedLineAnswer;
    }),
  );
}
