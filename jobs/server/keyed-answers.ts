/** Answers about positions of keyed games. */
import type { Context } from 'hono';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { SolvedKeyed, writingOf } from '../solved/keyed.js';
import { answerJson } from '../solved/solved.js';
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
  const solved = new SolvedKeyed(writingOf(game), async () => prober);
  return { game: game.name, ...answerJson(solved, position, await solved.probe(position)) } as KeyedAnswer;
}

/** The position that a request names, of a keyed game in the store. */
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
      const solved = new SolvedKeyed(writingOf(game), async () => pausing(prober, signal));
      const { json } = await solved.line(position);
      return { game: game.name, ...json } as KeyedLineAnswer;
    }),
  );
}
