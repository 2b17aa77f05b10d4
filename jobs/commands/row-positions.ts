/** `mergemate positions` of keyed games and graphs: a scan of the rows of the graph, two if the longest are asked for. */
import { UserError } from '../../operators/core/errors.js';
import type { Side } from '../../pipeline/contract/game.js';
import type { Metric, Wdl } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import { idOf } from '../../pipeline/graph/ids.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { type KeyedValue, valueFor } from '../../pipeline/graph/keyed-value.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { writeNodeId } from '../graph/node-id.js';
import { headOf, type LineFormat, type ListedPosition, textOf } from '../positions/lines.js';
import { scratchParent, storeToRead } from '../stores.js';
import type { AskedGraph, NodeFlags } from './asked-graph.js';
import { budgetOf } from './graph-options.js';

export interface ScanOfRows {
  readonly store: string;
  readonly format: LineFormat;
  readonly metric: Metric;
  readonly memory: number;
  readonly result?: Wdl | undefined;
  readonly plies?: { readonly least: number; readonly most: number } | undefined;
  readonly sides: readonly Side[];
  readonly longest: boolean;
  readonly limit: number;
}

/** A row, as the author of the game would write it. */
interface Found extends KeyedValue {
  readonly side: Side;
  /** Moves from the nearest root, if there are layers. */
  readonly layer: number | null;
  text(): string;
  moves(): Promise<ListedPosition['moves']>;
}

/** Whose rows are gone through. */
export interface RowSubject {
  readonly name: string;
  readonly players: readonly [string, string];
  found(row: GraphRow): Found;
}

/** @param withMoves whether the best moves are asked for. */
export async function subjectOf(
  asked: AskedGraph,
  flags: NodeFlags,
  withMoves: boolean,
): Promise<RowSubject> {
  const { game, name } = asked;
  if (game !== null) {
    const { keyedProber } = await import('./keyed-probe.js');
    return keyedSubject(game, withMoves ? await keyedProber({ ...asked, game }, flags) : null);
  }
  const { needGraph } = await import('../../pipeline/graph/manifest.js');
  const { players } = await needGraph(storeToRead(flags.store), name);
  return graphSubject(name, players, withMoves);
}

/** @param prober looks the best moves up; null if they are not asked for. */
function keyedSubject(game: KeyedRules, prober: KeyedProber<unknown> | null): RowSubject {
  return {
    name: game.name,
    players: game.colours,
    found({ id, layer, ...row }) {
      const position = game.at(BigInt(id));
      const side = game.mover(position);
      return {
        ...{ side, layer, ...valueFor(side, row), text: () => game.format(position) },
        moves: async () =>
          prober === null
            ? null
            : (await prober.probe(position)).moves.map((move) => ({ ...move, san: move.name })),
      };
    },
  };
}

/** Where the play is over it is the turn of who has lost, or of the first player. */
function graphSubject(name: string, players: readonly [string, string], withMoves: boolean): RowSubject {
  const textOfId = (id: string) => writeNodeId(idOf(id));
  return {
    name,
    players,
    found({ id, owner, move, layer, ...row }) {
      const side = owner ?? (row.winner === 0 ? 1 : 0);
      const value = valueFor(side, row);
      return {
        ...{ side, layer, ...value, text: () => textOfId(id) },
        moves: async () => (withMoves ? (move === null ? [] : [{ ...value, san: textOfId(move) }]) : null),
      };
    },
  };
}

/** Lines, a text for each batch of rows. */
export async function* rowPositionLines(
  subject: RowSubject,
  selection: ScanOfRows,
): AsyncGenerator<{ readonly text: string; readonly positions: number }> {
  const { format, metric, longest, limit } = selection;
  if (longest && metric === 'wdl')
    throw new UserError('metric wdl holds no distances: --longest needs --metric dtw');
  const most: [number, number] = [-1, -1];
  if (longest)
    for await (const batch of selected(subject, selection))
      for (const { side, plies } of batch) most[side] = Math.max(most[side], plies ?? -1);
  yield { text: headOf(format), positions: 0 };
  let number = 0;
  for await (const batch of selected(subject, selection)) {
    let text = '';
    const before = number;
    for (const found of batch) {
      const { side, wdl, plies, score, layer } = found;
      if (number === limit) break;
      if (longest && plies !== most[side]) continue;
      text += textOf(format, {
        ...{ ending: subject.name, number: ++number, fen: found.text(), metric },
        ...{
          side: subject.players[side],
          value: { wdl, plies, ...(score === null ? {} : { score }) },
          zugzwang: null,
          layer,
          moves: await found.moves(),
        },
      });
    }
    yield { text, positions: number - before };
    if (number === limit) return;
  }
}

/** The positions that have what is asked for, but for the longest. */
async function* selected(subject: RowSubject, asked: ScanOfRows): AsyncGenerator<Found[]> {
  const { store: uri, metric, memory, plies, sides, longest } = asked;
  const result = asked.result ?? (longest ? 'win' : undefined);
  const claimed = claimScratch(scratchParent(uri, undefined));
  try {
    const scratch = scratchIn(claimed.folder, 'positions');
    const store = storeToRead(uri);
    const { rows } = await openGraphRows({
      store,
      name: subject.name,
      metric,
      scratch,
      budget: budgetOf(memory),
    });
    for await (const batch of rows) {
      yield batch
        .map((row) => subject.found(row))
        .filter(
          (each) =>
            sides.includes(each.side) &&
            (result === undefined || each.wdl === result) &&
            (plies === undefined ||
              (each.plies !== null && each.plies >= plies.least && each.plies <= plies.most)),
        );
    }
  } finally {
    claimed.release();
  }
}
