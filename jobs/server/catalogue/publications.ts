/** Publications beside a store: each answers for its metric where the store has no such tables. */
import { UserError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { namedFor } from '../../../pipeline/game/named-for.js';
import { publishedAs } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { catalogueName } from '../../../pipeline/tables/published/catalogue.js';
import { openPublication, type Publication } from '../../../pipeline/tables/published/publication.js';
import { Versions } from '../versions.js';
import { FRESH_MS } from './listing.js';

/** A publication, with a version that grows when another publication takes its place. */
export interface OpenPublication {
  readonly publication: Publication;
  readonly version: number;
}

export class Publications {
  /** By the name of the catalogue. */
  readonly #once = newOnce<string, OpenPublication>();
  readonly #versions: Versions;

  constructor(private readonly store: Store) {
    this.#versions = new Versions(store, async () => {}, FRESH_MS);
  }

  /** Null if nothing is published of the game under the metric. Throws StorageError. */
  async of(game: Game, metric: Metric): Promise<OpenPublication | null> {
    if (publishedAs(metric) !== metric) return null;
    const name = catalogueName(game.name, metric);
    const version = this.#versions.of(name);
    const open = async () => ({
      publication: await openPublication(this.store, namedFor(game, metric), metric),
      version,
    });
    try {
      return await this.#once(name, open, version);
    } catch (error) {
      if (error instanceof UserError) return null;
      throw error;
    }
  }

  /** Closes publications: the next use opens them again by name. */
  forget(): void {
    this.#versions.closeFiles();
    this.#once.clear();
  }
}
