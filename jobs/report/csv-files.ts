/** The figures of a report as CSV files. `boards` count placements, `canonical` count them up to the symmetries. */
import type { Wdl } from '../../pipeline/game/value.js';
import { csvText } from '../ui/csv.js';
import type { EndingReport, LongestLine } from './gather.js';

const LONGEST = [
  ['win', 'longestWin'],
  ['loss', 'longestLoss'],
  ['cursed_win', 'longestCursedWin'],
  ['blessed_loss', 'longestBlessedLoss'],
] as const;

/** A line for each ending and side to move. */
export function endingsCsv(results: readonly Wdl[], endings: readonly EndingReport[]): string {
  const words = results.map((result) => result.replace(' ', '_'));
  const kinds = LONGEST.filter(([what]) => words.includes(what));
  const longest = kinds.flatMap(([what]) =>
    ['plies', 'moves', 'fen'].map((field) => `longest_${what}_${field}`),
  );
  const header = [
    ...['ending', 'pieces', 'side_to_move', 'boards', 'canonical'],
    ...words,
    ...words.map((word) => `${word}_percent`),
    ...longest,
  ];
  const rows = endings.flatMap(({ name, pieces, sides }) =>
    sides.map((each) => {
      const { side, legal, results: found } = each;
      const counts = results.map((result) => found.get(result)!.placements);
      const shares = counts.map((count) =>
        legal.placements === 0 ? null : ((100 * count) / legal.placements).toFixed(6),
      );
      return [
        ...[name, pieces, side, legal.placements, legal.orbits],
        ...counts,
        ...shares,
        ...kinds.flatMap(([, field]) => longestCells(each[field])),
      ];
    }),
  );
  return csvText(header, rows);
}

function longestCells(longest: LongestLine | null) {
  const plies = longest?.value.plies ?? null;
  return [plies, plies === null ? null : Math.ceil(plies / 2), longest?.fen ?? null];
}

/** A line for each ending, side to move, result and number of plies that occurs. */
export function pliesCsv(endings: readonly EndingReport[]): string {
  const rows = endings.flatMap(({ name, sides }) =>
    sides.flatMap(({ side, results }) =>
      [...results].flatMap(([result, { byPly }]) =>
        byPly.map(([plies, { placements, orbits }]) => [name, side, result, plies, placements, orbits]),
      ),
    ),
  );
  return csvText(['ending', 'side_to_move', 'result', 'plies', 'boards', 'canonical'], rows);
}

/** A line for each ending and kind of mutual zugzwang. */
export function zugzwangsCsv(endings: readonly EndingReport[]): string {
  const rows = endings.flatMap(({ name, zugzwangs }) =>
    Object.entries(zugzwangs?.tallies ?? {}).map(([kind, { placements, orbits }]) => [
      name,
      kind,
      placements,
      orbits,
    ]),
  );
  return csvText(['ending', 'kind', 'boards', 'canonical'], rows);
}
