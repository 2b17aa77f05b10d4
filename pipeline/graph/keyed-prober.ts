/** Looks positions of a solved keyed game up, with what each of their moves leads to. */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../game/game.js';
import type { Metric, Wdl } from '../game/value.js';
import { bigOf, newKey } from '../games/yours/keyed/key-words.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import type { BlockCache } from '../tables/probe/block-cache.js';
import { openGraphProber, type ProbedNode } from './graph-prober.js';
import { type KeyedValue, metricsOf, valueFor } from './keyed-value.js';
import { needGraph } from './manifest.js';
import { exchangedWinning } from './outcomes.js';
import { requireSameRules } from './same-rules.js';
import type { NodeId } from './source.js';

export interface KeyedMove<Position> extends KeyedValue {
  readonly name: string;
  readonly after: Position;
  /** Plies are counted from before the move. Values are for the player who makes it. */
  readonly wdl: Wdl;
  readonly plies: number | null;
}

export interface ProbedPosition<Position> extends KeyedValue {
  readonly mover: Side;
  /** The game is over: there are no moves. */
  readonly isOver: boolean;
  /** Best first: under `score` those by most points; wins by fewer plies, draws, losses by more. */
  readonly moves: readonly KeyedMove<Position>[];
}

/** Looks positions up in a store. */
export interface StoredKeyedProber<Position> extends KeyedProber<Position> {
  /** The value alone: a few blocks, however many moves there are. @throws UserError if the position cannot be reached. */
  value(position: Position): Promise<Omit<ProbedPosition<Position>, 'moves'>>;
}

/** Looks positions of a solved keyed game up. */
export interface KeyedProber<Position> {
  readonly metric: Metric;
  /** @throws UserError if it cannot be reached. */
  probe(position: Position): Promise<ProbedPosition<Position>>;
}

/**
 * Opens a solved keyed game, to look positions up. `name` is what it is called in the store, if not as the game is; `cache` as that
 * of openGraphProber.
 *
 * @throws UserError if it is not solved, or was solved by other rules; StorageError, DamageError.
 */
export async function openKeyedProber<Position>(
  game: KeyedRules<Position>,
  store: Store,
  metric: Metric = metricsOf(game)[0],
  { name = game.name, cache }: { readonly name?: string; readonly cache?: BlockCache } = {},
): Promise<StoredKeyedProber<Position>> {
  requireSameRules(game, await needGraph(store, name), store);
  const prober = await openGraphProber(store, name, metric, cache);

  const words = newKey(game.keyBits);

  /** The node that a position is solved as, and whether with the colours exchanged. */
  async function nodeOf(position: Position): Promise<{ found: ProbedNode; exchanged: boolean }> {
    const exchanged = game.keyInto(position, words);
    const found = await prober.node(bigOf(words));
    if (found === null) throw game.wrong(position, 'no game comes to this position');
    return { found, exchanged };
  }

  /** The value for a side of a position by that of its node. */
  function valueAt(side: Side, node: ProbedNode, exchanged: boolean): KeyedValue {
    return valueFor(side, exchanged ? exchangedWinning(node) : node);
  }

  return {
    metric,
    async value(position) {
      const { found, exchanged } = await nodeOf(position);
      const mover = game.mover(position);
      return { ...valueAt(mover, found, exchanged), mover, isOver: found.isOver };
    },
    async probe(position) {
      const { found, exchanged } = await nodeOf(position);
      const mover = game.mover(position);
      const after = await prober.edges(found.number);
      const nameOf = (key: NodeId, isExchanged: boolean) => `${key} ${isExchanged}`;
      const rank = new Map(after.map((edge, i) => [nameOf(edge.id, edge.exchanged), i]));
      const moves = game.moves(position).map(([called, next]) => {
        const nextExchanged = game.keyInto(next, words);
        // Edges come from the node, which may have its colours exchanged already.
        const at = rank.get(nameOf(bigOf(words), nextExchanged !== exchanged));
        if (at === undefined)
          throw new UserError(
            `${name}: ${game.format(position)}: the rules now have a move ${called} to ${game.format(next)}, which was not there when the game was solved`,
          );
        const value = valueAt(mover, after[at], nextExchanged);
        const plies = value.plies === null ? null : value.plies + 1;
        return { at, move: { ...value, name: called, after: next, plies } };
      });
      moves.sort((a, b) => a.at - b.at);
      return {
        ...valueAt(mover, found, exchanged),
        mover,
        isOver: moves.length === 0,
        moves: moves.map(({ move }) => move),
      };
    },
  };
}
