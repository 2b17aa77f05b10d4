/** Values of a published keyed game, or graph, from the files beside the page. Its positions have no endings, and so no lists, searches and counts. */
import { type OpenedKeyed, SolvedKeyed } from '../../solved/keyed.js';
import { answerJson } from '../../solved/solved.js';
import { shownPosition } from '../shown-position.js';
import { NoValueError, type TableSource } from '../source.js';

export function filedSource(name: string, { writing, prober }: OpenedKeyed<unknown>): TableSource {
  const solved = new SolvedKeyed(writing, async () => prober);
  const read = (text: string) => {
    try {
      return solved.parse(text);
    } catch (error) {
      throw new NoValueError('illegal', (error as Error).message);
    }
  };
  const none = async () => [];
  const never = () => Promise.reject(new Error('This game has no endings.'));
  return {
    async probe(_, __, text) {
      const position = read(text);
      const answer = answerJson(solved, position, await solved.probe(position));
      return [shownPosition({ ...answer, game: name, diagram: solved.diagram(position) })];
    },
    mainLine: async (_, __, text) => (await solved.line(read(text))).json,
    endings: none,
    files: none,
    histogram: never,
    positions: never,
    solutions: never,
    check: never,
    plan: async () => null,
  };
}
