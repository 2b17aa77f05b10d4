/** Writes the rows of a full pool to the scratch object of its distribution, and reads them back. */

import { copyWords } from '../core/copy-words.js';
import type { Counters } from '../core/counters.js';
import { newWords } from '../core/pages.js';
import { firstAtLeast } from '../core/search.js';
import type { SortEnv } from '../sort/env.js';
import type { Store } from '../storage/store.js';
import type { Pool } from './pool.js';
import type { DistributedRows, Held, Spill } from './segments.js';

const MAX_STAGE_WORDS = 1 << 18;

export type Spilled = Pick<DistributedRows, 'object' | 'run' | 'spills'>;

export interface SpillWriter {
  write(held: Held): Promise<void>;
  close(): Promise<Spilled>;
  abort(): Promise<void>;
}

/**
 * Where copying goes on: the number of a major, and a column of it. Then the number of one of the major's pages, and
 * a row of that page.
 */
interface Place {
  major: number;
  column: number;
  page: number;
  row: number;
}

/**
 * Copies rows of the pool into `stage`, from word `staged` on, until it is full or no row is left; returns how many words it then has. Not a
 * closure, which V8 would compile again for each distribution.
 */
function copyHeld(
  stage: Uint32Array,
  staged: number,
  words: Uint32Array,
  { majors, rows, starts, pages, pageRows }: Held,
  payload: number,
  place: Place,
): number {
  let to = staged;
  for (; place.major < majors.length; place.major++, place.column = 0) {
    const { major } = place;
    const count = starts[major + 1] - starts[major];
    for (; place.column <= payload; place.column++, place.page = 0) {
      for (; place.page < count; place.page++, place.row = 0) {
        const used = Math.min(rows[major] - place.page * pageRows, pageRows);
        const copied = Math.min(used - place.row, stage.length - to);
        const from = pages[starts[major] + place.page] + place.column * pageRows + place.row;
        copyWords(words, from, copied, stage, to);
        to += copied;
        place.row += copied;
        if (place.row < used) return to;
      }
    }
  }
  return to;
}

/** The write buffer of each pool, which has one distribution at a time. */
const stages = new WeakMap<Pool, Uint32Array<ArrayBuffer>>();

function stageOf(pool: Pool): Uint32Array<ArrayBuffer> {
  const words = Math.max(64, Math.min(MAX_STAGE_WORDS, pool.words.length >>> 3));
  const stage = stages.get(pool) ?? newWords(words);
  stages.set(pool, stage);
  return stage;
}

/** Starts the scratch object that takes all spills of one distribution. */
export async function startSpilling(
  { scratch, counters }: SortEnv,
  pool: Pool,
  payload: number,
): Promise<SpillWriter> {
  const { name: object, sink } = await scratch.object();
  const { words } = pool;
  const stage = stageOf(pool);
  const spills: Spill[] = [];
  let end = 0;
  let staged = 0;

  async function flush(): Promise<void> {
    const bytes = new Uint8Array(stage.buffer, 0, 4 * staged);
    await sink.write([bytes]);
    counters.bytesWritten += bytes.length;
    staged = 0;
  }

  return {
    async write(held) {
      const { majors, rows } = held;
      const directory = new Float64Array(majors.length + 1);
      let total = 0;
      for (let i = 0; i < majors.length; i++) {
        directory[i] = end;
        end += rows[i] * (1 + payload);
        total += rows[i];
      }
      const place: Place = { major: 0, column: 0, page: 0, row: 0 };
      for (;;) {
        staged = copyHeld(stage, staged, words, held, payload, place);
        if (place.major === majors.length) break;
        await flush();
      }
      directory[majors.length] = end;
      spills.push({ majors, words: directory });
      counters.spills++;
      counters.rowsSpilled += total;
    },
    async close() {
      if (staged > 0) await flush();
      await sink.close();
      return { object, run: null, spills };
    },
    abort: () => sink.abort(),
  };
}

/** The part of a spill that holds the majors [from, to): its first major's number, number of majors, words. */
export function spillPart(spill: Spill, from: number, to: number) {
  const first = firstAtLeast(spill.majors, from);
  const last = firstAtLeast(spill.majors, to);
  return { first, last, words: spill.words[last] - spill.words[first] };
}

/** Reads words [from, from + into.length) of a scratch object. */
export async function readWords(
  store: Store,
  object: string,
  from: number,
  into: Uint32Array,
  counters: Counters,
): Promise<void> {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  await store.read(object, 4 * from, bytes);
  counters.bytesRead += bytes.length;
}
