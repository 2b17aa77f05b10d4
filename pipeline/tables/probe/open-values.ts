/** Values of an open table, by address. */
import type { Address } from '../../game/game.js';
import type { TableManifest } from '../../game/manifest.js';

/** The values of an open table. */
export interface OpenValues {
  readonly valueType: TableManifest['valueType'];
  /** @param clock under `dtm50`: plies since the last zeroing move. Other metrics ignore it. */
  code(address: Address, clock: number): Promise<number>;
  /** The number beside the value (tables/numbers.ts); left out where the stipulation has none. */
  number?(address: Address): Promise<number>;
}
