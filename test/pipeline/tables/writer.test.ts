import { tableFromIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll } from '../../../operators/storage/store.js';
import { writeValues } from '../../../pipeline/tables/writer.js';

/** Values of each record batch of a table with `parts` parts of `partSize` values. */
async function batchesOf(parts: number, partSize: number, batchRows: number): Promise<number[]> {
  const store = memoryStore();
  const { run } = await writeValues(
    store,
    'values',
    { slice: 'S', metric: 'dtm', side: 0, type: 'i8', parts: { from: 0, to: parts }, partSize },
    { batchRows, counters: newCounters() },
    async (writer) => {
      for (let part = 0; part < parts; part++) await writer.append(part, new Int8Array(partSize));
    },
  );
  return tableFromIPC((await readAll(store, run.name))!).batches.map(({ numRows }) => numRows);
}

it('record batches end where parts end, so that a part is read alone', async () => {
  expect(await batchesOf(3, 100, 64)).toEqual([50, 50, 50, 50, 50, 50]);
  expect(await batchesOf(2, 102, 50)).toEqual([34, 34, 34, 34, 34, 34]);
  expect(await batchesOf(2, 101, 50)).toEqual([50, 50, 50, 50, 2]);
  expect(await batchesOf(3, 64, 64)).toEqual([64, 64, 64]);
  expect(await batchesOf(7, 20, 64)).toEqual([60, 60, 20]);
});
