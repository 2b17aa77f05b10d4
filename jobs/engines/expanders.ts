/** Threads that expand positions of a keyed game, each piece by the next of them. */
import { Worker } from 'node:worker_threads';
import type { Batch } from '../../operators/runs/types.js';
import type { Expander } from '../../pipeline/graph/reachable/expander.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';
import { type PackedError, unpackError } from './packed-error.js';

/** What a thread is told at first: the module of the game, and bytes for what it expands. */
export interface ExpanderPlace {
  readonly path: string;
  readonly memory: number;
}

/** A piece, and what comes back. */
export interface ExpanderPiece {
  readonly id: number;
  readonly keys: Batch;
}
export type ExpandedPiece =
  | { readonly id: number; readonly nodes: readonly PackedNodes[] }
  | { readonly id: number; readonly error: PackedError };

/** Pieces that a thread has: the one it expands, and the next. */
const AT_ONCE = 2;
const PIECE = 1 << 11;

/** `memory`: bytes for all that is expanded and not yet taken. */
export function threadExpander(path: string, threads: number, memory: number): Expander {
  const ahead = AT_ONCE * threads;
  const each = Math.floor(memory / (ahead + threads));
  const pending = new Map<
    number,
    { resolve(nodes: readonly PackedNodes[]): void; reject(error: Error): void }
  >();
  let next = 0;
  let death: Error | undefined;

  function die(error: Error): void {
    death ??= error;
    for (const { reject } of pending.values()) reject(death);
    pending.clear();
  }

  const workers = Array.from({ length: threads }, () => {
    const workerData: ExpanderPlace = { path, memory: each };
    const worker = new Worker(new URL('./expander-worker.js', import.meta.url), { workerData });
    worker.on('message', (reply: ExpandedPiece) => {
      const asked = pending.get(reply.id);
      pending.delete(reply.id);
      if ('nodes' in reply) asked?.resolve(reply.nodes);
      else asked?.reject(unpackError(reply.error));
    });
    worker.on('error', die);
    worker.on('exit', (code) => die(new Error(`a thread that expands ended with code ${code}`)));
    return worker;
  });

  return {
    ahead,
    piece: PIECE,
    expand(keys) {
      if (death !== undefined) return Promise.reject(death);
      const id = next++;
      const piece: ExpanderPiece = { id, keys };
      workers[id % threads].postMessage(piece);
      return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
