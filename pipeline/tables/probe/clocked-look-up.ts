/** Looks values up by clock. */
import { oneOf } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { SliceIndex } from '../../game/game.js';
import { brokenCode, RULE_PLIES } from '../../game/value.js';
import { type OpenClocks, openClocks } from '../clock-runs.js';
import { BROKEN_LADDER } from '../ladders.js';
import type { Table } from '../table.js';
import type { BlockCache } from './block-cache.js';
import type { OpenValues } from './open-values.js';

/** The values of a table of dtm50, with so many plies since the last zeroing move. A broken index has the code of such in the table. */
export function valuesByClock(store: Store, table: Table<SliceIndex>, cache: BlockCache): OpenValues {
  const { manifest } = table;
  const { valueType } = manifest;
  // Values may be the same where ladders are numbered otherwise.
  const kind = `/clocks-${manifest.clocks?.ladderDigest}-${manifest.clocks?.digests}`;
  const clocks = oneOf<OpenClocks>(() => openClocks(store, table));
  return {
    valueType,
    async code({ side, part, key }, clock) {
      const { ladders, numbers } = await clocks();
      const ladder = await cache.code({ manifest, kind, block: numbers.block }, side, part, key);
      if (ladder === BROKEN_LADDER) return brokenCode(valueType);
      return clock >= RULE_PLIES ? 0 : ladders.codeAt(ladder, clock);
    },
  };
}
