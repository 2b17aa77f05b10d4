/** Where the engine looks positions up: published tables or those of a store, and Syzygy files. Each is opened when it is first needed. */
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { errorText } from '../cli/error-text.js';
import { type Lookup, type LookupFlags, openLookup, type UnderMetric } from '../solved/open-prober.js';
import { openReadable } from '../stores.js';
import { foldersOf, type Settings } from './options.js';

/** Errors of input and environment: the engine reports them and continues. */
export const isReported = (error: unknown): error is UserError | StorageError =>
  error instanceof UserError || error instanceof StorageError;

interface Source {
  readonly open: () => Promise<Lookup>;
  opened: Promise<Lookup> | null;
  /** Its places that are left out because they cannot be opened. */
  readonly lacks: () => readonly string[];
}

/** A position that was looked up, and what kept other sources from answering. */
export interface Found extends UnderMetric {
  readonly troubles: readonly string[];
}

/** No source has the position. The message has a line for each source that failed. */
export class NotFoundError extends UserError {
  constructor(readonly troubles: readonly string[]) {
    super(troubles.join('\n'));
  }
}

export class Sources {
  private sources: readonly Source[] = [];

  /** @param flags of the command line, from which the first settings take their places. */
  constructor(
    private readonly game: Game,
    private readonly flags: LookupFlags,
  ) {}

  /** Opens everything anew, because places have changed or cached values must be dropped. */
  open(settings: Settings): void {
    const { store, metric, published, syzygy } = this.flags;
    const under = metric === undefined ? {} : { metric };
    const folders = foldersOf(settings.syzygyPath);
    const places: Omit<LookupFlags, 'cache'>[] = [];
    if (published !== undefined) places.push({ store, published, ...under });
    if (settings.store !== '') places.push({ store: settings.store, ...under });
    // Files hold one metric. If the command line names another for them, that is an error, as for `probe`.
    if (folders.length > 0) places.push({ store, syzygy: folders, ...(syzygy !== undefined && under) });
    const cache = Math.floor((settings.hash * 2 ** 20) / Math.max(1, places.length));
    this.sources = places.map((place) => this.sourceOf({ ...place, cache }));
  }

  private sourceOf(place: LookupFlags): Source {
    let lacks: readonly string[] = [];
    const open = () => {
      if (place.syzygy === undefined) return openLookup(this.game, place);
      const there: string[] = [];
      const errors: unknown[] = [];
      for (const folder of [place.syzygy].flat()) {
        try {
          openReadable(folder);
          there.push(folder);
        } catch (error) {
          errors.push(error);
        }
      }
      if (there.length === 0) throw errors[0];
      lacks = errors.map(reported);
      return openLookup(this.game, { ...place, syzygy: there });
    };
    return { open: async () => open(), opened: null, lacks: () => lacks };
  }

  /** What is wrong with the places: a line for each that cannot be opened. */
  async troubles(): Promise<string[]> {
    const lines: string[] = [];
    for (const source of this.sources) {
      await this.opened(source).catch((error) => lines.push(reported(error)));
      lines.push(...source.lacks());
    }
    return lines;
  }

  /** The position in the first source that has it. Throws NotFoundError. */
  async probe(board: unknown): Promise<Found> {
    const troubles: string[] = [];
    const missing: string[] = [];
    for (const source of this.sources) {
      try {
        const { probe } = await this.opened(source);
        const [first] = await probe(board);
        return { ...first, troubles };
      } catch (error) {
        const isMissing = error instanceof MissingTableError || error instanceof MissingFileError;
        (isMissing ? missing : troubles).push(reported(error));
      }
    }
    if (this.sources.length === 0)
      missing.push('neither Store nor SyzygyPath is set, so no position is known');
    throw new NotFoundError([...troubles, ...missing]);
  }

  private opened(source: Source): Promise<Lookup> {
    source.opened ??= source.open().catch((error) => {
      // The folder may be there the next time.
      source.opened = null;
      throw error;
    });
    return source.opened;
  }
}

/** The text of an error of input or environment; throws all others. */
function reported(error: unknown): string {
  if (!isReported(error)) throw error;
  return errorText(error);
}
