/** Questions about positions: the same on the command line, over HTTP and on the page. */
import { UserError } from '../../operators/core/errors.js';
import { checkSelection, type Selection } from '../../pipeline/analysis/selection.js';
import type { Colour, Game, Side } from '../../pipeline/game/game.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import type { PlyRange } from './ply-range.js';

/** Results are for the side to move. What is left out is any. */
export interface PositionsQuery {
  readonly result?: Wdl | undefined;
  readonly plies?: PlyRange | undefined;
  readonly side?: Colour | undefined;
  /** Only those that take longest; wins, unless another result is asked for. */
  readonly longest?: boolean | undefined;
  /** Only mutual zugzwangs; with the side that begins the game to move, unless another is asked for. */
  readonly zugzwang?: boolean | undefined;
  /** Where men stand, in the notation of the game: "Kg1 pa". */
  readonly on?: string | undefined;
}

/** Throws UserError for what does not go together, or what no position under the metric can have. */
export function selectionOf(game: Game, metric: Metric, query: PositionsQuery): Selection {
  const { result, plies, side, longest = false, zugzwang = false, on } = query;
  if (longest && plies !== undefined) throw new UserError('give either longest or plies');
  if (longest && zugzwang) throw new UserError('give either longest or zugzwang');
  if (on !== undefined && game.standing === undefined)
    throw new UserError(`positions of ${game.name} cannot be chosen by where men stand`);
  const [beginner] = game.colours;
  const selection: Selection = {
    result: result ?? (longest ? 'win' : null),
    plies: plies ?? null,
    sides: side !== undefined ? [side] : zugzwang ? [beginner] : game.colours,
    longest,
    zugzwang,
    ...(on !== undefined && { standing: game.standing!(on) }),
  };
  checkSelection(game, metric, selection);
  return selection;
}

/** The player with a name, whatever its case. @throws UserError, with the names that there are, for other texts. */
export function playerNamed(game: string, players: readonly [string, string], text: string): Side {
  const side = players.findIndex((player) => player.toLowerCase() === text.trim().toLowerCase());
  if (side >= 0) return side as Side;
  throw new UserError(`side: ${game} has no player ${JSON.stringify(text)} (it has: ${players.join(', ')})`);
}
