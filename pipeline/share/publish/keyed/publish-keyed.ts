/**
 * Publishes a solved keyed game as one small file (format.ts): its positions' keys and values, in the order of the mixed keys.
 *
 *   names and values, in the order of the graph ─ (key | value) ─ distribute / gather ─▶ a bucket at a time
 *
 * Memory: `budget.memory` to order the keys, a bucket, four bytes a bucket. I/O: a scan of names and values, 16 bytes a position spilled if
 * they do not fit.
 */

import { newCounters } from '../../../../operators/core/counters.js';
import { assert, UserError } from '../../../../operators/core/errors.js';
import { newRows } from '../../../../operators/runs/rows.js';
import type { RowSource } from '../../../../operators/runs/types.js';
import type { Words } from '../../../games/yours/keyed/key-words.js';
import { graphStats } from '../../../graph/graph-stats.js';
import { keyWordsOf } from '../../../graph/ids.js';
import { openNames } from '../../../graph/node-names.js';
import { scanNodes } from '../../../graph/scan-nodes.js';
import { needSolvedGraph } from '../../../graph/solved-graph.js';
import { putBlockFile } from './block-file.js';
import { bucketShape, bucketsOf, MOST_NUMBERS, putKey } from './buckets.js';
import { type KeyedHeader, keyedFileName, MAGIC, type PublishedValue } from './format.js';
import type { PublishGraphOptions } from './publish-options.js';
import { publishedValue, publishedValues } from './values.js';

export interface PublishedKeyed {
  readonly header: KeyedHeader;
  /** The object. */
  readonly name: string;
  readonly bytes: number;
  readonly verified: boolean;
}

const ROWS = 1 << 14;

/** @throws UserError if the game is not solved for the metric; StorageError, DamageError. */
export async function publishKeyed(options: PublishGraphOptions): Promise<PublishedKeyed> {
  const { metric, to, verify } = options;
  const header = await headerOf(options);
  const name = keyedFileName(header.game, metric);
  const blocks = bucketsOf(valuesByKey(options, header.values), header, options);
  const count = 2 ** header.bucketBits;
  const bytes = await putBlockFile(to, name, { magic: MAGIC, header, count, blocks }, verify);
  return { header, name, bytes, verified: verify };
}

async function headerOf({ store, name, metric }: PublishGraphOptions): Promise<KeyedHeader> {
  const { graph, outcomes } = await graphStats(store, name, metric, async () => {});
  const values = publishedValues(outcomes);
  if (values.length > MOST_NUMBERS)
    throw new UserError(
      `${name}: it has ${values.length} values, more than the ${MOST_NUMBERS} that a published file can have`,
    );
  const { nodes: positions, seed, rules, fingerprint } = graph;
  return {
    game: name,
    metric,
    positions,
    ...(seed > 0 && { seed }),
    ...(rules === undefined ? {} : { rules, fingerprint }),
    values,
    ...bucketShape(positions, values.length),
  };
}

/** (mixed key | its lower word, number of the value) of all positions, in the order of the graph. */
async function* valuesByKey(
  { store, name, metric }: PublishGraphOptions,
  values: readonly PublishedValue[],
): RowSource {
  const counters = newCounters();
  const opened = await needSolvedGraph(store, name, metric, counters);
  const names = (await openNames(store, opened.graph.runs.names, counters)).all();
  const numbers = new Map(values.map((value, i) => [String(value), i]));
  const rows = newRows(ROWS, 2);
  const key: Words = { high: 0, low: 0 };
  for await (const nodes of scanNodes(store, opened, counters)) {
    for (let i = 0; i < nodes.length; i++) {
      keyWordsOf(BigInt((await names.next()).value as string), opened.graph.seed, key);
      const value = numbers.get(String(publishedValue(nodes.winningOf(i))));
      assert(value !== undefined, 'all values are counted');
      putKey(rows, key.high, key.low, value);
      if (rows.length < ROWS) continue;
      yield rows;
      rows.length = 0;
    }
  }
  await names.return?.(undefined);
  if (rows.length > 0) yield rows;
}
