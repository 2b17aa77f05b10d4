/** Which of the roots of a store a position is looked up in first. */
import { expect, test } from 'vitest';
import { rootsIn } from '../../../jobs/roots/stored-roots.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { putOver } from '../../../operators/storage/store.js';

test('roots whose answers say the most come first', async () => {
  const store = memoryStore();
  const inOrder = [
    'KPKP_b5b4',
    'KPKP_b5b4_m1',
    'KPKP_b5b4_m0',
    'KPKP_b5b4_s3_k1b',
    'KPKP_b5b4_s3_k2',
    'KPKP_b5b4_s3',
    'KPKP_b5b4_pQR',
    'KPKP_b5b4_pQ',
  ];
  for (const name of [...inOrder].reverse().concat('KPKP_b5b4_kzz'))
    await putOver(store, `chess/roots/${name}.json`, Buffer.from('{}'));
  expect(await rootsIn(store)).toEqual(inOrder);
});
