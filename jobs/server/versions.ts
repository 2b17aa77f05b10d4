/**
 * Versions of the objects that describe what is served: manifests of tables and graphs, catalogues of publications. What was opened by such an
 * object is opened again under its next version, so a table that was solved again, or put in the place of another, is served without a restart.
 *
 * While an object is in use, its version in the store (`stateOf`: an inode and times, or an ETag) is checked now and then, without delaying
 * the requests that use it. Costs a request without content for each object in use and period. Memory: some words for each object that
 * was ever used.
 */
import { type Store, stateOf } from '../../operators/storage/store.js';

/** An object whose versions are followed. */
export interface Watched {
  /** The latest known version. A call may start a check, and the version grows if the check finds another object of the name, or none. */
  version(): number;
}

export class Versions {
  readonly #watched = new Map<string, WatchedObject>();

  /**
   * @param reach throws StorageError if the store cannot be reached: then an object that is not found may still be there.
   * @param freshMs time between two looks at an object in use.
   */
  constructor(
    readonly store: Store,
    readonly reach: () => Promise<void>,
    readonly freshMs: number,
  ) {}

  watch(name: string): Watched {
    let watched = this.#watched.get(name);
    if (watched === undefined) {
      watched = new WatchedObject(name, this);
      this.#watched.set(name, watched);
    }
    return watched;
  }

  of(name: string): number {
    return this.watch(name).version();
  }

  /** Closes files that are held open, so that they are opened again by name: another file may have taken the name. */
  closeFiles(): void {
    this.store.closeRead?.();
  }
}

class WatchedObject implements Watched {
  #version = 0;
  /** Null for an object that is not there, undefined before the first look. */
  #identity: string | null | undefined;
  #until = 0;

  constructor(
    private readonly name: string,
    private readonly versions: Versions,
  ) {}

  version(): number {
    if (performance.now() >= this.#until) {
      // Until this look has ended, no other one begins.
      this.#until = Number.POSITIVE_INFINITY;
      void this.#look();
    }
    return this.#version;
  }

  async #look(): Promise<void> {
    const { versions } = this;
    try {
      const identity = (await stateOf(versions.store, this.name))?.version ?? null;
      // A folder that is gone looks like one without the object.
      if (identity === null && typeof this.#identity === 'string') await versions.reach();
      if (this.#identity !== undefined && this.#identity !== identity) {
        this.#version++;
        versions.closeFiles();
      }
      this.#identity = identity;
    } catch {
      // A store that is gone has no other version. The requests that need the object report why it cannot be read.
    } finally {
      this.#until = performance.now() + versions.freshMs;
    }
  }
}
