/**
 * Reading a source in strides that are committed, or a share of it. Several who read shares end their strides at the same places. The
 * first of them collects what each has of a stride, and commits it.
 */
import type { Counters } from '../../operators/core/counters.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { divided } from './divided.js';
import { type Exchange, Halted } from './exchange.js';
import type { GraphSource, Place, SourceCounts } from './source.js';
import type { ImportSteps, ReadStep, StrideRuns } from './steps.js';
import { type ImportEnv, newStride, type Stride } from './stride.js';

export interface ReadEnv extends ImportEnv {
  readonly commitRows: number;
}

/** Where reading begins. It can be posted. */
export interface Beginning {
  /** The number of the stride. */
  readonly stride: number;
  readonly seed: number;
  /** Names of passing objects begin so. */
  readonly prefix: string;
  /** All that was read until then. */
  readonly counts: SourceCounts;
  readonly place: Place | null;
}

/** A stride that ends, or the part of it that a share has. */
export interface EndedStride {
  /** The counts of it alone. */
  readonly counts: SourceCounts;
  readonly runs: StrideRuns;
  /** Null: this was the end of the source. */
  readonly place: Place | null;
}

/** Those who read the other shares. */
export interface OtherReaders {
  /** That of the first share. */
  readonly exchange: Exchange;
  /** Takes what the first has done, and reports what all have. */
  readonly report: (done: number) => void;
  /** The parts that all have of the next stride, in order; the first is that of who asks. @throws what ended one of them. */
  ended(first: EndedStride, counters: Counters): Promise<readonly EndedStride[]>;
  /** The error of the first of them that has one of its own, when all have ended. */
  fault(): Promise<Error>;
  close(): Promise<void>;
}

/** Several who read a source together. */
export interface Readers {
  /** How many share the memory, with the one who asks. */
  readonly workers: number;
  /** Where they keep objects that steps do not name yet, and how names begin of those that are made here. In steps themselves, unless given. */
  readonly place?: { readonly kept: string; readonly prefix: string };
  /** Starts the others. `env.budget` is what each has. */
  start(beginning: Beginning, env: ReadEnv): OtherReaders;
}

/** @param prefix of the names of passing objects: that of the steps, unless given. */
export function beginningOf(
  { read, seed, prefix: own }: Pick<ImportSteps, 'read' | 'seed' | 'prefix'>,
  prefix = own,
): Beginning {
  const last = read.at(-1);
  const counts = { nodes: 0, edges: 0, apart: 0, texts: 0, ...last?.told };
  return { stride: read.length, seed, prefix, counts, place: last?.place ?? null };
}

/**
 * Reads on to the end of the source. `commit` is called with each stride that ends at a place. Returns the last one, with what it
 * was read, which nobody committed. @throws as the source does.
 */
export async function readStrides(
  source: GraphSource,
  { seed, prefix, place, ...from }: Beginning,
  env: ReadEnv,
  commit: (ended: EndedStride) => Promise<void>,
  exchange?: Exchange,
): Promise<{ readonly last: Stride; readonly counts: SourceCounts }> {
  const { store, commitRows } = env;
  const share = exchange === undefined ? '' : `-${exchange.self}`;
  const going = {
    from: place,
    kept: newScratch(store, `${prefix}place-${from.stride}${share}`),
    ...(exchange && { exchange }),
  };
  const counts = { ...from.counts };
  const pools = {};
  let number = from.stride;
  let before = { ...counts };
  const begin = () => {
    const name = `${prefix}read-${String(number++).padStart(5, '0')}${share}`;
    return newStride({ source, seed, prefix: name, counts, pools }, env);
  };
  let stride = await begin();
  // The stride that is read when it fails, not the first.
  return orAbort({ abort: () => stride.abort() }, async () => {
    for await (const batch of source.read(going)) {
      await stride.add(batch);
      env.report((batch.packed ?? batch.nodes).length + batch.edges.length);
      const { shared } = batch;
      if (batch.place !== undefined && (shared ?? stride).rows >= commitRows) {
        const place = await batch.place();
        await commit({ counts: since(before, counts), runs: await stride.commit(), place });
        before = { ...counts };
        stride = await begin();
      }
      if (shared !== undefined) stride.goOn(shared.next);
    }
    return { last: stride, counts: since(before, counts) };
  });
}

/** Reads a share, and ends the last stride, too. Whatever goes wrong, the others get to know. */
export async function readShare(
  source: GraphSource,
  beginning: Beginning,
  env: ReadEnv,
  exchange: Exchange,
  commit: (ended: EndedStride) => Promise<void>,
): Promise<void> {
  try {
    const { last, counts } = await readStrides(source, beginning, env, commit, exchange);
    const runs = await orAbort(last, () => last.commit());
    await commit({ counts, runs, place: null });
  } catch (error) {
    exchange.fail();
    throw error;
  }
}

/** Reads the first share, and commits what all have read. */
export async function readTogether(
  source: GraphSource,
  steps: ImportSteps,
  env: ReadEnv,
  readers: Readers,
): Promise<void> {
  const own = { ...env, shared: false, budget: divided(env.budget, readers.workers) };
  const beginning = beginningOf(steps, readers.place?.prefix);
  const others = readers.start(beginning, own);
  let all = beginning.counts;
  try {
    const first = { ...own, report: others.report };
    await readShare(source, beginning, first, others.exchange, async (ended) => {
      const parts = await others.ended(ended, env.counters);
      all = sumOf([all, ...parts.map(({ counts }) => counts)]);
      await steps.commitRead(
        { told: all, runs: parts.map(({ runs }) => runs), ...placed(source, joined(parts)) },
        env.counters,
      );
    });
  } catch (error) {
    throw error instanceof Halted ? await others.fault() : error;
  } finally {
    await others.close();
  }
}

/** Where a stride ends. The end of the source has its layers, too. */
export function placed(source: GraphSource, place: Place | null): Pick<ReadStep, 'place' | 'layers'> {
  const layers = place === null ? layersOf(source) : undefined;
  return { place, ...(layers && { layers }) };
}

const MOST_LAYERS = 2 ** 16;

/** The layers of a source that was read, if it has some and they are not too many for a manifest. */
export function layersOf(source: GraphSource): number[] | undefined {
  const layers = source.layers?.();
  return layers === undefined || layers.length > MOST_LAYERS ? undefined : [...layers];
}

/** The runs of all shares, one share after the other. */
function joined(parts: readonly EndedStride[]): Place | null {
  const places = parts.flatMap(({ place }) => place ?? []);
  if (places.length === 0) return null;
  return {
    at: places[0].at,
    runs: places.flatMap(({ runs }) => runs),
    shares: places.map(({ runs }) => runs.length),
  };
}

/** Counts that a source does not have are not there. */
function since(before: SourceCounts, now: SourceCounts): SourceCounts {
  return combined((a, b) => b - a, before, now);
}

export function sumOf(counts: readonly SourceCounts[]): SourceCounts {
  return counts.reduce((sum, each) => combined((a, b) => a + b, sum, each));
}

function combined(
  combine: (a: number, b: number) => number,
  first: SourceCounts,
  second: SourceCounts,
): SourceCounts {
  const whats = new Set([...Object.keys(first), ...Object.keys(second)] as (keyof SourceCounts)[]);
  const pairs = [...whats].map((what) => [what, combine(first[what] ?? 0, second[what] ?? 0)]);
  return Object.fromEntries(pairs) as SourceCounts;
}
