/** Several threads write an ending together: what each has of the memory, and what they share. */
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { newSharedArena, PairingArena } from '../../../../../pipeline/games/chess/syzygy/pairing-arena.js';
import { LONGEST, sweep } from '../../../../support/long.js';
import { filesOf, solveEnding } from './making.js';

describe('files written by several threads', () => {
  // The sequences of KBNvK are paired by passes first, then by lists in the shared arena.
  it.each(
    sweep(
      [{ ending: 'KPK', memory: 2 << 20, threads: 3 }],
      [
        { ending: 'KBNK', memory: 8 << 20, threads: 2 },
        ...(LONGEST ? [{ ending: 'KBNK', memory: 64 << 20, threads: 2 }] : []),
      ],
    ),
  )('are those of one thread with the same memory: $ending', async ({ ending, memory, threads }) => {
    const solved = await solveEnding(ending);
    const alone = await filesOf(solved, 'halved', { alone: true, memory });
    const together = await filesOf(solved, 'halved', { alone: true, memory, threads });
    expect(alone.size).toBe(2);
    for (const [name, bytes] of alone) {
      expect(Buffer.compare(together.get(name)!, bytes), name).toBe(0);
    }
  });
});

describe('an arena that threads share', () => {
  it('is used by one thread at a time', async () => {
    const shared = newSharedArena(1 << 16);
    const arena = new PairingArena(shared);
    // Another thread takes its turn, and ends it when it has counted to a hundred in the memory.
    const other = new Worker(
      `const { parentPort, workerData: { memory, turn } } = require('node:worker_threads');
      Atomics.store(turn, 0, 1);
      parentPort.postMessage('taken');
      const count = new Int32Array(memory.buffer, memory.buffer.byteLength - 4, 1);
      while (count[0] < 100) { count[0]++; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2); }
      Atomics.store(turn, 0, 0);
      Atomics.notify(turn, 0, 1);`,
      { eval: true, workerData: shared },
    );
    await new Promise((resolve) => other.once('message', resolve));
    const { buffer } = shared.memory;
    const counted = arena.use(() => new Int32Array(buffer, buffer.byteLength - 4, 1)[0]);
    expect(counted).toBe(100);
    await other.terminate();
  });

  it('is free again after an error', () => {
    const arena = new PairingArena(newSharedArena(1 << 16));
    const fail = () => {
      throw new Error('while it is used');
    };
    expect(() => arena.use(fail)).toThrow('while it is used');
    expect(arena.use(() => 'free')).toBe('free');
  });
});
