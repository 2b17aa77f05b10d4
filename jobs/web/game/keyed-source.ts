/** A keyed game, or a published graph, as a source of the page: its positions have no endings, and so no lists, searches and counts. */

import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import type { KeyedProber, ProbedPosition } from '../../../pipeline/graph/keyed-prober.js';
import { keyedVerdict } from '../../ui/keyed-text.js';
import { NoValueError, type ShownPosition, type TableSource } from '../source.js';

/** The facts of a game that the page shows. */
export type ShownGame = Pick<
  KeyedRules,
  'name' | 'colours' | 'starts' | 'format' | 'parse' | 'diagram' | 'board'
>;

export function keyedSource(game: ShownGame, prober: KeyedProber<unknown>): TableSource {
  const { metric } = prober;
  const read = (text: string) => {
    try {
      return game.parse(text);
    } catch (error) {
      throw new NoValueError('illegal', (error as Error).message);
    }
  };

  function shown(
    position: unknown,
    { mover, isOver, moves, ...value }: ProbedPosition<unknown>,
  ): ShownPosition {
    return {
      ...value,
      game: game.name,
      metric,
      position: game.format(position),
      ending: '',
      mover: game.colours[mover],
      isOver,
      precise: true,
      words: keyedVerdict(game.colours, { mover, isOver, ...value }),
      diagram: game.diagram(position),
      moves: moves.map(({ name, after, ...own }) => ({
        ...own,
        uci: name,
        san: name,
        position: game.format(after),
        precise: true,
        conversion: false,
      })),
    };
  }

  const none = async () => [];
  const never = () => Promise.reject(new Error('This game has no endings.'));
  return {
    games: async () => [
      {
        name: game.name,
        metrics: [metric],
        // Names of players, where the game has some.
        colours: game.colours as ['white', 'black'],
        example: game.format([...game.starts()][0]),
      },
    ],
    async probe(_, __, text) {
      const position = read(text);
      return [shown(position, await prober.probe(position))];
    },
    async mainLine(_, __, text) {
      const { steps } = await keyedLine(prober, read(text));
      return {
        line: steps.map(({ name, mover, after }) => ({
          move: name,
          mover: game.colours[mover],
          position: game.format(after),
        })),
      };
    },
    endings: none,
    files: none,
    histogram: never,
    positions: never,
    solutions: never,
    check: never,
    plan: async () => null,
  };
}
