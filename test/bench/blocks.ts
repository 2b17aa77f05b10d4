/**
 * How many blocks a lookup reads, by the size of the cache of decoded blocks. Positions are drawn at random, and as
 * players look at them (1994, section 4).
 */
import { storeToRead } from '../../jobs/stores.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { newPublishedProber } from '../../pipeline/tables/probe/published-prober.js';
import { openPublication } from '../../pipeline/tables/published/publication.js';
import { alongPlay, randomBoards } from './checkers.js';

export interface ReadRow {
  readonly cacheBytes: number;
  /** Blocks read for a position. */
  readonly random: number;
  readonly alongPlay: number;
}

const SIZES = [16, 18, 20, 22, 24, 26, 28].map((bits) => 2 ** bits);
/** Positions before reads are counted, and while they are. */
const BEFORE = 100_000;
const COUNTED = 20_000;

/** @param uri published files of all of so many pieces. */
export async function benchBlocks(uri: string, pieces: number): Promise<ReadRow[]> {
  const publication = await openPublication(storeToRead(uri), checkers);
  const draws = [randomBoards(pieces), alongPlay(randomBoards(pieces))];
  const asked = draws.map((draw) => Array.from({ length: BEFORE + COUNTED }, draw));
  const rows: ReadRow[] = [];
  for (const cacheBytes of SIZES) {
    const [random, play] = [await reads(0), await reads(1)];
    rows.push({ cacheBytes, random, alongPlay: play });

    async function reads(which: number): Promise<number> {
      const prober = newPublishedProber({ game: checkers, publication, cacheBytes, positionBytes: 0 });
      const boards = asked[which];
      // A small cache is full soon.
      const first = cacheBytes < 1 << 24 ? BEFORE - COUNTED : 0;
      for (const board of boards.slice(first, BEFORE)) await prober.value(board);
      const before = prober.counters.blocks.misses;
      for (const board of boards.slice(BEFORE)) await prober.value(board);
      return (prober.counters.blocks.misses - before) / COUNTED;
    }
  }
  return rows;
}
