/** The index of names: which node a name is, by the key of the name. */

import type { Counters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { gather, type Source } from '../../operators/gather.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { Batch, Cursor, RunRef } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { type IdKey, idText, KEY_MAJORS, keyOf, REST_MASK } from './ids.js';
import { openJoined } from './joined-runs.js';
import { importMemory } from './memory.js';
import { openNames } from './node-names.js';
import type { NodeId } from './source.js';
import type { ImportEnv } from './stride.js';

const INDEX = 'graph-index';

const spec: RunSpec = {
  kind: INDEX,
  dense: false,
  columns: [
    { name: 'rest', type: 'u32' },
    { name: 'node', type: 'u32' },
  ],
  strict: false,
  meta: {},
};

/** Two nodes with one key. */
export interface Twice {
  readonly first: number;
  readonly second: number;
}

/** Writes the part of the index that has the keys of some majors, or reports two nodes with one key. */
export async function writeIndex(
  keys: readonly Source[],
  majors: Interval,
  name: string,
  env: ImportEnv,
): Promise<RunRef | Twice> {
  const { store, budget, counters } = env;
  const order = { ...env, budget: importMemory('index', budget).order };
  const run = await createIndex(store, name, counters);
  let twice: Twice | null = null;
  return orAbort(run, async () => {
    const group: Group = { major: -1, minor: -1, length: 0, rests: [], nodes: [] };
    for await (const batch of gather(keys, majors, 2, order)) {
      twice = findTwice(batch, group);
      if (twice !== null) break;
      await run.append(batch.major, batch.length, batch.minor, batch.payload);
      env.report(batch.length);
    }
    if (twice !== null) {
      await run.abort();
      return twice;
    }
    return run.close();
  });
}

/** A run for rows (key of the name | rest of the key and side, node), by key. */
export function createIndex(store: Store, name: string, counters: Counters): Promise<RunWriter> {
  return createRun(store, name, spec, { batchRows: INDEX_ROWS, counters });
}

/** Rows of a record batch: what is read for one name. */
const INDEX_ROWS = 1 << 12;

/** The last rows that have one (major, minor): mostly one row. The arrays are used again, for garbage of each row would add up. */
interface Group {
  major: number;
  minor: number;
  length: number;
  readonly rests: number[];
  readonly nodes: number[];
}

/** Finds rows with the same key, also in the rest of it; null if there are none. */
function findTwice({ major, minor, length, payload }: Batch, group: Group): Twice | null {
  const [rest, node] = payload;
  for (let i = 0; i < length; i++) {
    if (minor[i] !== group.minor || major !== group.major) {
      group.minor = minor[i];
      group.major = major;
      group.length = 0;
    }
    const own = rest[i] & REST_MASK;
    for (let k = 0; k < group.length; k++)
      if (group.rests[k] === own) return { first: group.nodes[k], second: node[i] };
    group.rests[group.length] = own;
    group.nodes[group.length++] = node[i];
  }
  return null;
}

/** The rows of the index that have the keys of some majors. */
export async function openIndexCursor(
  { store, counters }: ImportEnv,
  index: readonly RunRef[],
  majors: Interval,
): Promise<Cursor> {
  return (await openJoined(store, index, { counters, expect: { kind: INDEX } })).cursor(majors);
}

export interface NodeIndex {
  /** The number of the node of this name; null if there is none. Reads a record batch or two. */
  node(id: NodeId): Promise<number | null>;
}

export async function openNodeIndex(
  store: Store,
  runs: { readonly index: readonly RunRef[]; readonly names: RunRef },
  seed: number,
  counters: Counters,
): Promise<NodeIndex> {
  const reader = await openJoined(store, runs.index, { counters, expect: { kind: INDEX } });
  const names = await openNames(store, runs.names, counters);
  const key: IdKey = { major: 0, minor: 0, rest: 0 };
  return {
    async node(id) {
      keyOf(id, seed, key);
      const { major, minor, rest } = key;
      for await (const batch of reader.cursor({ from: major, to: major + 1 })) {
        for (let i = 0; i < batch.length; i++) {
          if (batch.minor[i] !== minor || (batch.payload[0][i] & REST_MASK) !== rest) continue;
          const node = batch.payload[1][i];
          // A name that is no node's may have the key of one that is.
          return (await names.of(node)) === idText(id) ? node : null;
        }
      }
      assert(major < KEY_MAJORS, 'majors of keys are few');
      return null;
    },
  };
}
