/** What is said of positions of keyed games, in words and as JSON. */
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-game.js';
import type { ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import { textTable } from './text-table.js';
import { capital, distance } from './verdict.js';

/** As `mergemate probe` says it of other games. */
const NO_MATES = { metrics: ['dtw', 'wdl'] } as const;

export function probedPositionText<Position>(
  game: KeyedRules<Position>,
  position: Position,
  probed: ProbedPosition<Position>,
): string {
  const { mover, moves } = probed;
  const rows = moves.map(({ name, wdl, plies }) => [name, wdl, distance(plies, 'dtw', NO_MATES) || '-']);
  const table = rows.length === 0 ? 'no legal moves\n' : textTable(['move', 'value', 'distance'], rows);
  return `${game.diagram(position)}\n${capital(game.colours[mover])} to move: ${verdict(probed)}\n\n${table}`;
}

function verdict({ wdl, plies, isOver }: ProbedPosition<unknown>): string {
  if (wdl === 'draw') return 'draw';
  if (isOver) return wdl === 'win' ? 'has won' : 'has lost';
  const how = plies === null ? '' : ` in ${distance(plies, 'dtw', NO_MATES)}`;
  return `${wdl === 'win' ? 'wins' : 'loses'}${how}`;
}

export function probedPositionJson<Position>(
  game: KeyedRules<Position>,
  position: Position,
  { mover, isOver, wdl, plies, moves }: ProbedPosition<Position>,
): object {
  return {
    position: game.format(position),
    key: String(game.keyOf(position)),
    mover: game.colours[mover],
    over: isOver,
    wdl,
    plies,
    moves: moves.map(({ name, after, wdl, plies }) => ({ name, after: game.format(after), wdl, plies })),
  };
}
