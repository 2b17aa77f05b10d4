/**
 * Positions of chess that only the tables of a root have: answered as `probe --json` answers, by the same view of the store
 * (jobs/solved/rooted.ts). The view is opened again when the store has other roots or tables than before.
 */
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/stipulation.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { BlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { RootedEndings } from '../solved/rooted.js';
import type { Solved } from '../solved/solved.js';
import type { ServedCatalogue } from './catalogue/catalogue.js';
import { KeptProbers, pause } from './kept-probers.js';
import type { Versions } from './versions.js';

interface RootsOptions {
  readonly store: Store;
  readonly catalogue: Pick<ServedCatalogue, 'roots' | 'slices'>;
  /** Shared with other probers. */
  readonly cache: BlockCache;
  readonly versions: Versions;
  /** Throws if the store cannot be reached. */
  readonly reach: () => Promise<void>;
}

export class Roots {
  readonly #kept: KeptProbers<RootedEndings>;
  /** What was listed when the version was last looked at. */
  #listed: readonly Iterable<unknown>[] = [];
  #text = '';
  #version = 0;

  constructor(private readonly options: RootsOptions) {
    this.#kept = new KeptProbers(options.reach, () => options.versions.closeFiles());
  }

  /**
   * Calls `work` with the view of the store and the position. Null if no solved root has the position, or there is a table of its ending.
   * @param metric undefined: under every metric that the root is solved for.
   * @param signal of a batch or a line: other requests are let through first.
   */
  async probing<T>(
    text: string,
    metric: Metric | undefined,
    signal: AbortSignal | undefined,
    work: (solved: Solved, position: unknown) => Promise<T>,
  ): Promise<T | null> {
    const { catalogue, store, cache, versions } = this.options;
    const roots = await catalogue.roots();
    if (roots.length === 0) return null;
    if (signal !== undefined) await pause(signal);
    const open = async () =>
      new RootedEndings(
        chess as Game,
        chess.name,
        { store: store.uri, cache: 0, ...(metric !== undefined && { metric }) },
        { store, cache, versionOf: (manifest) => versions.of(manifest) },
        roots.map(({ root }) => root),
      );
    return this.#kept.use(metric ?? '', await this.#versionOf(roots), open, async (solved) => {
      const position = solved.parse(text);
      if (!(await solved.isFromRoot(position))) return null;
      return work(solved, position);
    });
  }

  /** Grows when roots or tables are added or removed, also those of endings: they answer before roots do. */
  async #versionOf(roots: readonly unknown[]): Promise<number> {
    const { catalogue } = this.options;
    const slices = await Promise.all(chess.metrics.map((metric) => catalogue.slices(chess as Game, metric)));
    const listed = [roots, ...slices];
    // Listings stay the same objects while they are fresh.
    if (listed.every((each, i) => each === this.#listed[i])) return this.#version;
    const text = JSON.stringify(listed.map((each) => [...each]));
    if (text !== this.#text) this.#version++;
    this.#listed = listed;
    this.#text = text;
    return this.#version;
  }
}
