/** `mergemate positions` of keyed games and graphs: a scan of the rows of the graph, two if the longest are asked for. */

import { UserError } from '../../operators/core/errors.js';
import type { Side } from '../../pipeline/game/game.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import { openGraphRows } from '../../pipeline/graph/graph-rows.js';
import { idOf } from '../../pipeline/graph/ids.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { inKeyOrder, NodeRow } from '../export/graph-rows.js';
import { writeNodeId } from '../graph/node-id.js';
import type { PositionRecord, RecordField } from '../positions/records.js';
import { budgetOf } from '../settings.js';
import { scratchParent, storeToRead } from '../stores.js';
import type { AskedGraph, NodeFlags } from './asked-graph.js';

export interface ScanOfRows {
  readonly store: string;
  readonly metric: Metric;
  readonly memory: number;
  readonly result?: Wdl | undefined;
  readonly plies?: { readonly least: number; readonly most: number } | undefined;
  /** The side to move; null: either, and nobody. */
  readonly side: Side | null;
  readonly longest: boolean;
  readonly limit: number;
}

/** Positions of a keyed game or graph, with the columns of its export. */
export interface RowListing {
  readonly players: readonly [string, string];
  readonly fields: readonly RecordField[];
  /** The positions that have what is asked for, in batches. */
  records(asked: ScanOfRows): AsyncGenerator<PositionRecord[]>;
}

/** @param withMoves whether the best moves are asked for. */
export async function rowListing(
  asked: AskedGraph,
  flags: NodeFlags,
  metric: Metric,
  withMoves: boolean,
): Promise<RowListing> {
  const { game, name } = asked;
  const text = (...names: string[]): RecordField[] => names.map((name) => ({ name, type: 'text' }));
  const integer = (...names: string[]): RecordField[] => names.map((name) => ({ name, type: 'integer' }));
  const best: RecordField[] = withMoves ? [{ name: 'best', type: 'texts' }] : [];
  if (game === null) {
    const { needGraph } = await import('../../pipeline/graph/manifest.js');
    const { players } = await needGraph(storeToRead(flags.store), name);
    return {
      players,
      fields: [...text('id', 'owner', 'wdl', 'winner'), ...integer('plies'), ...best],
      records: (scan) => recordsOf(asked, scan, async (node) => graphRecord(node, players)),
    };
  }
  const { keyedProber } = await import('../solved/open.js');
  const prober = withMoves ? await keyedProber({ ...asked, game }, flags) : null;
  const score = metric === 'score' ? ['score'] : [];
  return {
    players: game.colours,
    fields: [
      ...text('id', 'position', 'mover', 'wdl', 'winner'),
      ...integer('plies', ...score, 'layer'),
      ...best,
    ],
    records: (scan) => recordsOf(asked, scan, (node) => keyedRecord(node, prober)),
  };
}

/** @param prober looks the best moves up; null if they are not asked for. */
async function keyedRecord(node: NodeRow, prober: KeyedProber<unknown> | null): Promise<PositionRecord> {
  const { row, position } = node;
  const { colours, format } = node.game!;
  return {
    id: BigInt(row.id),
    position: format(position),
    mover: colours[node.side!],
    winner: row.winner === null ? null : colours[row.winner],
    ...node.value!,
    layer: row.layer,
    best: prober === null ? [] : await bestMoves(prober, position),
  };
}

/** The moves that are as good as the first. */
async function bestMoves(prober: KeyedProber<unknown>, position: unknown): Promise<string[]> {
  const { moves } = await prober.probe(position);
  return moves
    .filter(({ wdl, plies, score }) => {
      const [best] = moves;
      return wdl === best.wdl && plies === best.plies && score === best.score;
    })
    .map(({ name }) => name);
}

/** Where the play is over nobody is to move, so that the position is no win or loss of a mover. */
function graphRecord({ row, value }: NodeRow, players: readonly [string, string]): PositionRecord {
  const { owner, winner, plies, move } = row;
  return {
    id: idOf(row.id),
    owner: owner === null ? null : players[owner],
    wdl: value?.wdl ?? null,
    winner: winner === null ? null : players[winner],
    plies,
    best: move === null ? [] : [writeNodeId(idOf(move))],
  };
}

async function* recordsOf(
  asked: AskedGraph,
  scan: ScanOfRows,
  record: (node: NodeRow) => Promise<PositionRecord>,
): AsyncGenerator<PositionRecord[]> {
  const { metric, longest, limit } = scan;
  if (longest && metric === 'wdl')
    throw new UserError('metric wdl holds no distances: longest needs --metric dtw');
  const most: [number, number] = [-1, -1];
  if (longest)
    for await (const batch of selected(asked, scan))
      for (const { side, row } of batch) most[side!] = Math.max(most[side!], row.plies ?? -1);
  let number = 0;
  for await (const batch of selected(asked, scan)) {
    const records: PositionRecord[] = [];
    for (const node of batch) {
      if (number === limit) break;
      if (longest && node.row.plies !== most[node.side!]) continue;
      records.push(await record(node));
      number++;
    }
    yield records;
    if (number === limit) return;
  }
}

/** The positions that have what is asked for, but for the longest. */
async function* selected({ name, game }: AskedGraph, scan: ScanOfRows): AsyncGenerator<NodeRow[]> {
  const { store: uri, metric, memory, plies, side, longest } = scan;
  const result = scan.result ?? (longest ? 'win' : undefined);
  const claimed = claimScratch(scratchParent(uri, undefined));
  try {
    const scratch = scratchIn(claimed.folder, 'positions');
    const store = storeToRead(uri);
    const { rows } = await openGraphRows({ store, name, metric, scratch, budget: budgetOf(memory) });
    for await (const batch of inKeyOrder(rows, game)) {
      yield batch
        .map((row) => new NodeRow(row, game))
        .filter(
          (node) =>
            (side === null || node.side === side) &&
            (result === undefined || node.value?.wdl === result) &&
            (plies === undefined ||
              (node.row.plies !== null && node.row.plies >= plies.least && node.row.plies <= plies.most)),
        );
    }
  } finally {
    claimed.release();
  }
}
