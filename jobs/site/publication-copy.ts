/** A publication as a static site has it: the same files. They are made to be looked up in, a block of 1 KiB at a time. */
import { createHash } from 'node:crypto';
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game.js';
import { type Catalogue, catalogueName, publishedName } from '../../pipeline/publish/catalogue.js';
import { breathe } from '../output.js';

/** Bytes that are copied at once. */
const PIECE = 1 << 20;

/**
 * Copies objects of a game's publication that `to` does not have.
 * @returns the names of its objects. @throws StorageError; DamageError if a file is not as in the catalogue.
 */
export async function copyPublication(
  game: Game,
  catalogue: Catalogue,
  from: Store,
  to: Store,
): Promise<string[]> {
  const names: string[] = [];
  for (const { slice, side, bytes, sha256 } of catalogue.files) {
    const name = publishedName(game, slice, side);
    names.push(name);
    if ((await to.size(name)) === bytes && (await digestOf(to, name, bytes)) === sha256) continue;
    await copy(from, to, name, bytes);
    if ((await digestOf(to, name, bytes)) === sha256) continue;
    await to.delete(name);
    throw new DamageError(objectName(from, name), 'has another SHA-256 than the catalogue says');
  }
  for (const name of [...catalogue.codebooks.map((book) => book.name), catalogueName(game.name)]) {
    names.push(name);
    const bytes = await readAll(from, name);
    if (bytes === null) throw new DamageError(objectName(from, name), 'no such object');
    await to.delete(name);
    await to.putIfAbsent(name, bytes);
  }
  return names;
}

async function copy(from: Store, to: Store, name: string, bytes: number): Promise<void> {
  const sink = await to.create(name);
  try {
    for await (const piece of piecesOf(from, name, bytes)) await sink.write([piece]);
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

async function digestOf(store: Store, name: string, bytes: number): Promise<string> {
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
