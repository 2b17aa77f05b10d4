/** Objects that are copied as they are, a piece at a time. */
import { createHash } from 'node:crypto';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Store } from '../../operators/storage/store.js';
import { breathe } from '../cli/output.js';

/** Bytes that are copied at once. */
const PIECE = 1 << 20;

/** Throws StorageError. */
export async function copyObject(from: Store, to: Store, name: string, bytes: number): Promise<void> {
  const sink = await to.create(name);
  await orAbort(sink, async () => {
    for await (const piece of piecesOf(from, name, bytes)) await sink.write([piece]);
    await sink.close();
  });
}

/** SHA-256 in hexadecimal. Throws StorageError. */
export async function digestOf(store: Store, name: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(store, name, bytes)) hash.update(piece);
  return hash.digest('hex');
}

async function* piecesOf(store: Store, name: string, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(bytes, PIECE));
  for (let at = 0; at < bytes; at += PIECE) {
    const piece = buffer.subarray(0, Math.min(PIECE, bytes - at));
    await store.read(name, at, piece);
    yield piece;
    await breathe();
  }
}
