/** `mergemate positions` of a keyed game: a scan of the rows of its graph, two if the longest are asked for. */
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Side } from '../../pipeline/contract/game.js';
import type { Metric, Wdl } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { type KeyedValue, valueFor } from '../../pipeline/graph/keyed-value.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { headOf, type LineFormat, textOf } from '../positions/lines.js';
import { scratchParent, storeToRead } from '../stores.js';
import { budgetOf } from './graph-options.js';

export interface KeyedSelection {
  readonly store: string;
  readonly format: LineFormat;
  readonly metric: Metric;
  readonly memory: number;
  readonly result?: Wdl | undefined;
  readonly plies?: { readonly least: number; readonly most: number } | undefined;
  readonly sides: readonly Side[];
  readonly longest: boolean;
  readonly limit: number;
  /** Looks the best moves up; null if they are not asked for. */
  readonly prober: KeyedProber<unknown> | null;
}

interface Found extends KeyedValue {
  readonly position: unknown;
  readonly side: Side;
}

/** Lines, a text for each batch of rows. */
export async function* keyedPositionLines(
  game: KeyedRules,
  selection: KeyedSelection,
): AsyncGenerator<{ readonly text: string; readonly positions: number }> {
  const { format, metric, longest, limit, prober } = selection;
  if (longest && metric === 'wdl')
    throw new UserError('metric wdl holds no distances: --longest needs --metric dtw');
  const most: [number, number] = [-1, -1];
  if (longest)
    for await (const batch of selected(game, selection))
      for (const { side, plies } of batch) most[side] = Math.max(most[side], plies ?? -1);
  yield { text: headOf(format), positions: 0 };
  let number = 0;
  for await (const batch of selected(game, selection)) {
    let text = '';
    const before = number;
    for (const { position, side, wdl, plies, score } of batch) {
      if (number === limit) break;
      if (longest && plies !== most[side]) continue;
      const moves =
        prober === null
          ? null
          : (await prober.probe(position)).moves.map((move) => ({ ...move, san: move.name }));
      text += textOf(format, {
        ...{ ending: game.name, number: ++number, fen: game.format(position), metric },
        ...{
          side: game.colours[side],
          value: { wdl, plies, ...(score === null ? {} : { score }) },
          zugzwang: null,
          moves,
        },
      });
    }
    yield { text, positions: number - before };
    if (number === limit) return;
  }
}

/** The positions that have what is asked for, but for the longest. */
async function* selected(game: KeyedRules, asked: KeyedSelection): AsyncGenerator<Found[]> {
  const { store: uri, metric, memory, plies, sides, longest } = asked;
  const result = asked.result ?? (longest ? 'win' : undefined);
  const claimed = claimScratch(scratchParent(uri, undefined));
  try {
    const scratch = newScratch(localStore(claimed.folder, { durable: false }), 'positions');
    const store = storeToRead(uri);
    const { rows } = await openGraphRows({
      store,
      name: game.name,
      metric,
      scratch,
      budget: budgetOf(memory),
    });
    for await (const batch of rows) {
      yield batch
        .map((row) => foundIn(game, row))
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

function foundIn(game: KeyedRules, { id, ...row }: GraphRow): Found {
  const position = game.at(BigInt(id));
  const side = game.mover(position);
  return { position, side, ...valueFor(side, row) };
}
