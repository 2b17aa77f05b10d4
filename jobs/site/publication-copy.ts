/** A publication as a static site has it: the same files. They are made to be looked up in, a block of 1 KiB at a time. */
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { type Catalogue, catalogueName, publishedName } from '../../pipeline/tables/published/catalogue.js';
import { copyObject, digestOf } from './copy-object.js';

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
  const { metric } = catalogue;
  for (const entry of catalogue.files) {
    const { bytes, sha256 } = entry;
    const name = publishedName(game, metric, entry);
    names.push(name);
    if ((await to.size(name)) === bytes && (await digestOf(to, name, bytes)) === sha256) continue;
    await copyObject(from, to, name, bytes);
    if ((await digestOf(to, name, bytes)) === sha256) continue;
    await to.delete(name);
    throw new DamageError(objectName(from, name), 'has another SHA-256 than the catalogue states');
  }
  for (const name of [...catalogue.codebooks.map((book) => book.name), catalogueName(game.name, metric)]) {
    names.push(name);
    const bytes = await readAll(from, name);
    if (bytes === null) throw new DamageError(objectName(from, name), 'no such object');
    await putOver(to, name, bytes);
  }
  return names;
}
