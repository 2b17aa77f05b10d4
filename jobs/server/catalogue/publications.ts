/** Publications beside a store: they answer for `wdl` where the store has no such tables. */
import { UserError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { catalogueName } from '../../../pipeline/tables/published/catalogue.js';
import { openPublication, type Publication } from '../../../pipeline/tables/published/publication.js';
import { Versions } from '../versions.js';
import { LISTING } from './remembered.js';

/** A publication, with a version that grows when another publication takes its place. */
export interface OpenPublication {
  readonly publication: Publication;
  readonly version: number;
}

export class Publications {
  readonly #once = newOnce<Game, OpenPublication>();
  readonly #opened = new Set<Game>();
  readonly #versions: Versions;

  constructor(private readonly store: Store) {
    this.#versions = new Versions(store, async () => {}, LISTING.freshMs);
  }

  /** Null if nothing is published of the game. Throws StorageError. */
  async of(game: Game): Promise<OpenPublication | null> {
    const version = this.#versions.of(catalogueName(game.name));
    const open = async () => ({ publication: await openPublication(this.store, game), version });
    this.#opened.add(game);
    try {
      const found = await this.#once(game, open);
      if (found.version === version) return found;
      this.#once.forget(game);
      return await this.#once(game, open);
    } catch (error) {
      if (error instanceof UserError) return null;
      throw error;
    }
  }

  /** Closes publications: the next use opens them again by name. */
  forget(): void {
    this.#versions.closeFiles();
    for (const game of this.#opened) this.#once.forget(game);
    this.#opened.clear();
  }
}
