/** Threads that expand positions of a keyed game, each piece by the next of them. */
import { Worker } from 'node:worker_threads';
import type { Expander } from '../../pipeline/graph/reachable/expander.js';
import type { PackedNodes } from '../../pipeline/graph/source.js';
import { giveRulesRoom } from '../heap.js';
import { readNodes, type SlotNodes, slotBytes, writeKeys } from './expander-slots.js';
import { type PackedError, unpackError } from './packed-error.js';

/** The first message to a thread: the module of the game, bytes for what it expands, and the slots of its pieces. */
export interface ExpanderPlace {
  readonly path: string;
  readonly memory: number;
  readonly slots: readonly SharedArrayBuffer[];
}

/** A piece, whose keys are in a slot, and what comes back, in the same slot as far as there is room. */
export interface ExpanderPiece {
  readonly id: number;
  readonly slot: number;
  readonly major: number;
  readonly length: number;
}
export type ExpandedPiece =
  | { readonly id: number; readonly slot: number; readonly nodes: readonly (SlotNodes | PackedNodes)[] }
  | { readonly id: number; readonly error: PackedError };

/** Pieces that a thread has: the one it expands, and the next. */
const PIECES_PER_THREAD = 2;
const PIECE = 1 << 11;

/** `memory`: bytes for all that is expanded and not yet taken. */
export function threadExpander(path: string, threads: number, memory: number): Expander {
  const ahead = PIECES_PER_THREAD * threads;
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

  giveRulesRoom();
  const workers = Array.from({ length: threads }, () => {
    const slots = Array.from(
      { length: PIECES_PER_THREAD },
      () => new SharedArrayBuffer(slotBytes(PIECE, each)),
    );
    const workerData: ExpanderPlace = { path, memory: each, slots };
    const worker = new Worker(new URL('./expander-worker.js', import.meta.url), { workerData });
    worker.on('message', (reply: ExpandedPiece) => {
      const asked = pending.get(reply.id);
      pending.delete(reply.id);
      if ('nodes' in reply) asked?.resolve(reply.nodes.map((nodes) => readNodes(slots[reply.slot], nodes)));
      else asked?.reject(unpackError(reply.error));
    });
    worker.on('error', die);
    worker.on('exit', (code) => die(new Error(`a thread that expands ended with code ${code}`)));
    return { worker, slots };
  });

  return {
    ahead,
    piece: PIECE,
    expand(keys) {
      if (death !== undefined) return Promise.reject(death);
      const id = next++;
      const { worker, slots } = workers[id % threads];
      const slot = Math.floor(id / threads) % PIECES_PER_THREAD;
      writeKeys(slots[slot], keys);
      const piece: ExpanderPiece = { id, slot, major: keys.major, length: keys.length };
      worker.postMessage(piece);
      return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
    },
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}
