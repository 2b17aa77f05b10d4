/** Looks values up by clock. */
import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { SliceIndex } from '../../game/game.js';
import { brokenCode, RULE_PLIES } from '../../game/value.js';
import { type OpenClocks, openClocks } from '../clock-runs.js';
import { BROKEN_LADDER, codeAt } from '../ladders.js';
import type { Table } from '../table.js';
import type { BlockCache } from './block-cache.js';
import type { OpenValues } from './open-values.js';

export interface ClockedLookUp {
  /** The values of a table: of positions with moves, with so many plies since the last zeroing move. A broken one has that of the table. */
  open(table: Table<SliceIndex>): OpenValues;
}

export function newClockedLookUp(store: Store, cache: BlockCache): ClockedLookUp {
  const once = newOnce<string, OpenClocks>();
  const clocksOf = ({ manifest }: Table<SliceIndex>) =>
    once(manifest.slice, () => openClocks(store, manifest));

  return {
    open(table) {
      const { manifest } = table;
      const { valueType } = manifest;
      return {
        valueType,
        async code({ side, part, key }, clock) {
          const { ladders, block } = await clocksOf(table);
          const ladder = await cache.code({ manifest, kind: '/clocks', block }, side, part, key);
          if (ladder === BROKEN_LADDER) return brokenCode(valueType);
          return clock >= RULE_PLIES ? 0 : codeAt(ladders, ladder, clock);
        },
      };
    },
  };
}
