/**
 * Versions of the objects that describe what is served: manifests of tables and graphs, catalogues of publications. What was opened by such an
 * object is opened again under its next version, so a table that was solved again, or put in the place of another, is served without a restart.
 *
 * An object in use is looked at again now and then, behind the requests that use it: a file by its size and time of change; an object of other
 * stores by its bytes, because their clocks tick in seconds. Costs a small request for each object in use and period. Memory: some words for each
 * object that was ever used.
 */
import { createHash } from 'node:crypto';
import type { Store } from '../../operators/storage/store.js';

interface Known {
  version: number;
  /** Null for an object that is not there, undefined before the first look. */
  identity: string | null | undefined;
  until: number;
}

export class Versions {
  readonly #known = new Map<string, Known>();

  /**
   * @param reach throws StorageError if the store cannot be reached: then an object that is not found may still be there.
   * @param freshMs time between two looks at an object in use.
   */
  constructor(
    private readonly store: Store,
    private readonly reach: () => Promise<void>,
    private readonly freshMs: number,
  ) {}

  /** The version of an object, as far as it is known: it grows when a look behind such a call finds another object of the name, or none. */
  of(name: string): number {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = { version: 0, identity: undefined, until: 0 };
      this.#known.set(name, known);
    }
    const now = performance.now();
    if (now >= known.until) {
      // While a look takes longer, no other one is begun.
      known.until = Number.POSITIVE_INFINITY;
      void this.#look(name, known);
    }
    return known.version;
  }

  /** What is opened from now on is looked for by its name: a file that is held open may have lost that to another. */
  closeFiles(): void {
    this.store.closeRead?.();
  }

  async #look(name: string, known: Known): Promise<void> {
    try {
      const identity = await this.#identityOf(name);
      // A folder that is gone looks like one without the object.
      if (identity === null && typeof known.identity === 'string') await this.reach();
      if (known.identity !== undefined && known.identity !== identity) {
        known.version++;
        this.closeFiles();
      }
      known.identity = identity;
    } catch {
      // A store that is gone has no other version. The requests that need the object report why it cannot be read.
    } finally {
      known.until = performance.now() + this.freshMs;
    }
  }

  async #identityOf(name: string): Promise<string | null> {
    if (this.store.readWhole !== undefined) {
      const bytes = await this.store.readWhole(name);
      return bytes && createHash('sha1').update(bytes).digest('base64url');
    }
    const size = await this.store.size(name);
    return size === null ? null : `${size} ${await this.store.modified(name)}`;
  }
}
