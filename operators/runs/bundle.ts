/**
 * A bundle is one object that holds several runs, one for each receiver, one after another: one object costs a store less than many. Each run
 * is a whole Arrow file, and its footer says where in the object it begins. The manifest that names the
 * bundle has the end and the digest of each run. So a receiver reads the bytes of its own run and nothing else, and can check
 * that they are the right ones.
 */

import { type Arrays, takeBytes } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { newCounters } from '../core/counters.js';
import type { Sink, Store } from '../storage/store.js';
import { newWindow } from '../storage/window.js';
import { type Expected, openRun, type RunReader } from './reader.js';
import type { RunSpec } from './schema.js';
import { RunWriter, type WriterOptions } from './writer.js';

/** A reference to a bundle: enough to open its runs and to check that they are the right ones. */
export interface BundleRef {
  /** The name of the object, in its store. */
  readonly name: string;
  /** Run i is bytes [ends[i - 1], ends[i]) of the object, the first from 0 on. Without bytes it has no rows. */
  readonly ends: readonly number[];
  /** Digests of the runs as in {@link RunRef}; empty where there are no rows. */
  readonly crcs: readonly string[];
}

export interface BundleWriter {
  /** Adds the next run: `fill` appends its rows. */
  add(spec: RunSpec, fill: (run: RunWriter) => Promise<void>): Promise<void>;
  /** Publishes the bundle. Null if no run has a row: then there is no object. */
  close(): Promise<BundleRef | null>;
  /** Drops the bundle; nothing of it stays in the store. */
  abort(): Promise<void>;
}

/** Starts a bundle, whose object is begun with the first bytes of a run. */
export function newBundle(store: Store, name: string, options: WriterOptions): BundleWriter {
  const ends: number[] = [];
  const crcs: string[] = [];
  let object: Sink | null = null;
  let at = 0;
  const shared: Sink = {
    async write(chunks) {
      object ??= await store.create(name);
      await object.write(chunks);
    },
    close: async () => {},
    abort: async () => {},
  };
  return {
    async add(spec, fill) {
      const run = new RunWriter(shared, name, spec, options, at);
      await fill(run);
      if (run.rows === 0) crcs.push('');
      else {
        const { bytes, crc } = await run.close();
        at += bytes;
        crcs.push(crc);
      }
      ends.push(at);
    },
    async close() {
      await object?.close();
      return object === null ? null : { name, ends, crcs };
    },
    async abort() {
      await object?.abort();
    },
  };
}

/** How a run of a bundle is read. */
export interface BundledOptions {
  readonly counters: Counters;
  readonly expect?: Expected;
  /** Bytes that are read and held at once: a run that is not longer is read by one operation, whatever is asked of it. */
  readonly window: number;
  /** The window and the buffers of cursors come from these, instead of the heap. */
  readonly arrays?: Arrays;
}

/** An open run of a bundle. */
export interface BundledRun {
  readonly run: RunReader;
  /** Gives the window back. Nothing can be read afterwards. */
  release(): void;
}

/** Opens run number `i` of a bundle, as {@link openRun} does; null if it has no rows. */
export async function openBundled(
  store: Store,
  { name, ends, crcs }: BundleRef,
  i: number,
  { counters, expect = {}, window, arrays }: BundledOptions,
): Promise<BundledRun | null> {
  const begins = i === 0 ? 0 : ends[i - 1];
  const bytes = ends[i] - begins;
  if (bytes === 0) return null;
  let taken: Uint32Array | null = null;
  const allocate = (size: number) => {
    if (arrays === undefined) return new Uint8Array(size);
    const { array, bytes } = takeBytes(arrays, size);
    taken = array;
    return bytes;
  };
  const part = newWindow(store, { from: begins, size: bytes }, { bytes: window, counters, allocate });
  const ref = { name, crc: crcs[i] };
  // Reads are counted where the object is read: several reads of a run may be one of the object.
  const run = await openRun(part, ref, {
    counters: newCounters(),
    expect,
    begins,
    ...(arrays && { arrays }),
  });
  return {
    run,
    release() {
      if (taken !== null) arrays!.give(taken);
      taken = null;
    },
  };
}
