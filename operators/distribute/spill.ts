/** Writing memory fulls of a distribution to its scratch object, and reading them back. */
import type { Counters } from '../core/counters.js';
import type { SortEnv } from '../sort/env.js';
import type { Store } from '../storage/store.js';
import type { Pool } from './pool.js';
import { type DistributedRows, type Held, lowerBound, type Spill } from './segments.js';

const MAX_STAGE_WORDS = 1 << 18;

export type Spilled = Pick<DistributedRows, 'object' | 'run' | 'spills'>;

export interface SpillWriter {
  write(held: Held): Promise<void>;
  close(): Promise<Spilled>;
  abort(): Promise<void>;
}

/** Starts the scratch object that takes all spills of one distribution. */
export async function startSpilling(
  { scratch, counters }: SortEnv,
  pool: Pool,
  payload: number,
): Promise<SpillWriter> {
  const object = scratch.name();
  const sink = await scratch.store.create(object);
  const { words } = pool;
  const stage = new Uint32Array(Math.max(64, Math.min(MAX_STAGE_WORDS, words.length >>> 3)));
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
      const { majors, rows, starts, pages, pageRows } = held;
      const directory = new Float64Array(majors.length + 1);
      let total = 0;
      for (let i = 0; i < majors.length; i++) {
        directory[i] = end;
        for (let c = 0; c <= payload; c++) {
          let rest = rows[i];
          for (let p = starts[i]; p < starts[i + 1]; p++) {
            const from = pages[p] + c * pageRows;
            const to = from + Math.min(rest, pageRows);
            rest -= to - from;
            for (let at = from; at < to; ) {
              if (staged === stage.length) await flush();
              const upTo = Math.min(to, at + stage.length - staged);
              stage.set(words.subarray(at, upTo), staged);
              staged += upTo - at;
              at = upTo;
            }
          }
        }
        end += rows[i] * (1 + payload);
        total += rows[i];
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
  const first = lowerBound(spill.majors, from);
  const last = lowerBound(spill.majors, to);
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
