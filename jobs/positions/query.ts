/** Questions about positions: the same on the command line, over HTTP and on the page. */
import { UserError } from '../../operators/core/errors.js';
import { checkSelection, type Selected, type Selection } from '../../pipeline/analysis/selection.js';
import type { Colour, Game, Side } from '../../pipeline/game/game.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import type { PlyRange } from './ply-range.js';

/** Results are for the side to move. What is left out is any. */
export interface PositionsQuery {
  readonly result?: Wdl | undefined;
  readonly plies?: PlyRange | undefined;
  readonly side?: Colour | undefined;
  /** Of solutions, or of best moves, under metrics that have numbers of them. */
  readonly solutions?: PlyRange | undefined;
  /** How many different moves solutions begin with, and end with. */
  readonly starts?: PlyRange | undefined;
  readonly ends?: PlyRange | undefined;
  /** Only those that take longest; wins, unless another result is asked for. */
  readonly longest?: boolean | undefined;
  /** Only mutual zugzwangs; with the side that begins the game to move, unless another is asked for. */
  readonly zugzwang?: boolean | undefined;
  /** Where men stand, in the notation of the game: "Kg1 pa". */
  readonly on?: string | undefined;
}

/** Throws UserError for what does not go together, or what no position under the metric can have. */
export function selectionOf(game: Game, metric: Metric, query: PositionsQuery): Selection {
  const { result, plies, solutions, starts, ends, side, longest = false, zugzwang = false, on } = query;
  const { numbers, goalOf } = stipulations[metric];
  if (!numbers && (starts ?? ends) !== undefined)
    throw new UserError(`metric ${metric} holds no solutions to select by`);
  if (zugzwang && goalOf !== 'either')
    throw new UserError('problems have no zugzwangs: both sides play for one goal');
  if (longest && plies !== undefined) throw new UserError('give either longest or plies');
  if (longest && zugzwang) throw new UserError('give either longest or zugzwang');
  if (on !== undefined && game.standing === undefined)
    throw new UserError(`positions of ${game.name} cannot be chosen by where men stand`);
  const [beginner] = game.colours;
  const selection: Selection = {
    // Where the goal is one side's, both play for it, or one of them against it.
    result: result ?? (longest && goalOf === 'either' ? 'win' : null),
    plies: plies ?? null,
    sides: side !== undefined ? [side] : zugzwang ? [beginner] : game.colours,
    longest,
    zugzwang,
    ...(solutions !== undefined && { numbers: solutions }),
    ...(on !== undefined && { standing: game.standing!(on) }),
  };
  checkSelection(game, metric, selection);
  return selection;
}

/** How many different moves solutions of a board begin or end with. @param most more than so many need not be told apart. */
interface Counted {
  starts(board: unknown): Promise<number>;
  ends(board: unknown, most: number): Promise<number>;
}

/** What `starts` and `ends` of a query ask of a position; undefined if they are not given. */
export function meetsOf(
  { starts, ends }: Pick<PositionsQuery, 'starts' | 'ends'>,
  solutions: () => Counted,
): ((found: Pick<Selected, 'board' | 'value'>) => Promise<boolean>) | undefined {
  if (starts === undefined && ends === undefined) return undefined;
  const counted = solutions();
  const isIn = async (
    range: PlyRange | undefined,
    isPlayed: boolean,
    count: (most: number) => Promise<number>,
  ) => {
    if (range === undefined) return true;
    const { least, most } = range;
    // Only solutions that are some moves long begin and end with one.
    if (!isPlayed) return least === 0;
    if (most === 0) return false;
    const found = await count(most);
    return least <= found && found <= most;
  };
  return async ({ board, value: { plies } }) => {
    const isPlayed = plies !== null && plies > 0;
    return (
      (await isIn(starts, isPlayed, () => counted.starts(board))) &&
      (await isIn(ends, isPlayed, (most) => counted.ends(board, most)))
    );
  };
}

/** The player with a name, whatever its case. @throws UserError, with the names that there are, for other texts. */
export function playerNamed(game: string, players: readonly [string, string], text: string): Side {
  const side = players.findIndex((player) => player.toLowerCase() === text.trim().toLowerCase());
  if (side >= 0) return side as Side;
  throw new UserError(`side: ${game} has no player ${JSON.stringify(text)} (it has: ${players.join(', ')})`);
}
