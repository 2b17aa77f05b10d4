/** Tables that are lent to the runs of a comparison. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lendTables } from '../../../jobs/compare/dependencies.js';
import { StorageError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { testFolder } from '../../support/folders.js';

test('a folder that cannot be made is named', async () => {
  const folder = testFolder();
  writeFileSync(join(folder, 'file'), '');
  const to = join(folder, 'file/run-0');
  const lent = lendTables({ store: memoryStore(), folder }, to, chess, 'dtm', ['KK']);
  await expect(lent).rejects.toThrow(StorageError);
  await expect(lent).rejects.toThrow(`${to}: cannot be written: `);
});
