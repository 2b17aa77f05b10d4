/** Answers from the tables of one position of chess, in the shape of those from tables of endings. Fetched with the rules of chess. */
import type { Value } from '../../pipeline/game/value.js';
import type { RootedAnswer, RootedLineAnswer, RootedMove } from '../server/api-answers.js';
import { movesOf } from './rules.js';
import type { PlayedLine, ValuedPosition } from './source.js';

export function valuedOf(answer: RootedAnswer): ValuedPosition {
  const { game, metric, fen, mover, over, outcome, promotions } = answer;
  const after = new Map(movesOf(fen).map(({ uci, position }) => [uci, position]));
  return {
    game,
    metric,
    position: fen,
    slice: menOf(fen),
    mover,
    terminal: !over ? 'open' : outcome === 'loss' ? 'lost' : 'drawn',
    ...boundsOf(answer),
    ...(promotions !== undefined && { promotions }),
    diagram: '',
    moves: answer.moves.map((move) => ({
      uci: move.uci,
      san: move.san,
      position: after.get(move.uci)!,
      ...boundsOf(move),
      conversion: menOf(after.get(move.uci)!) !== menOf(fen),
    })),
  };
}

type Rooted = Pick<RootedMove, 'outcome' | 'plies' | 'precise' | 'category' | 'most'>;

function boundsOf({ outcome, plies, precise = true, category, most }: Rooted) {
  return {
    wdl: outcome,
    plies,
    precise,
    category: category!,
    ...(most !== undefined && { most: { wdl: most.outcome, plies: most.plies } as Value }),
  };
}

export function lineOf({ fen, uci, ruleDrawsAt }: RootedLineAnswer): PlayedLine {
  const moves: PlayedLine['moves'][number][] = [];
  for (const name of uci) {
    const step = movesOf(moves.at(-1)?.position ?? fen).find((each) => each.uci === name);
    if (step === undefined) break;
    moves.push(step);
  }
  return { moves, ruleDrawsAt };
}

/** "KRPPKRP": the men of White and of Black. */
function menOf(fen: string): string {
  const [placement] = fen.split(' ');
  const of = (letters: string) =>
    [...letters]
      .flatMap((each) =>
        placement
          .split(each)
          .slice(1)
          .map(() => each),
      )
      .join('');
  return of('KQRBNP') + of('kqrbnp').toUpperCase();
}
