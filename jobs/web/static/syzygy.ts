/** All that reads Syzygy's files, loaded by pages of sites that have some. */
export { syzygyProber } from '../../../pipeline/games/chess/syzygy/read/prober.js';
export { openSyzygyTables } from '../../../pipeline/games/chess/syzygy/read/tables.js';
