/** Games as texts, solved by going over all positions again and again until nothing changes. */

/** The positions after each move; of a game that is over, how it ended for the side to move. */
export type Turn = readonly string[] | 'lost' | 'drawn';

/**
 * Plies to the end as tables write them: n for won, -n - 1 for lost, 0 for drawn, by text. Round n decides positions with a
 * move to a position lost in n - 1 plies, as won. It also decides, as lost, positions whose moves all lead to positions won
 * before.
 */
export function solveNaively(texts: Iterable<string>, turn: (text: string) => Turn): Map<string, number> {
  const values = new Map<string, number>();
  const after = new Map<string, readonly string[]>();
  for (const text of texts) {
    const next = turn(text);
    values.set(text, next === 'lost' ? -1 : 0);
    if (typeof next !== 'string') after.set(text, next);
  }
  const valueAfter = (text: string): number => {
    const value = values.get(text);
    if (value === undefined) throw new Error(`a move leads to ${text}, which is not a position`);
    return value;
  };
  for (let n = 1, decided = 1; decided > 0; n++) {
    const news: [string, number][] = [];
    for (const [text, next] of after) {
      const reached = next.map(valueAfter);
      if (reached.includes(-n)) news.push([text, n]);
      else if (reached.every((value) => value > 0)) news.push([text, -n - 1]);
    }
    for (const [text, value] of news) {
      values.set(text, value);
      after.delete(text);
    }
    decided = news.length;
  }
  return values;
}
