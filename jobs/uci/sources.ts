/** Where the engine looks positions up: published tables or those of a store, its roots among them, and Syzygy files. Each is opened when it is first needed. */
import { StorageError, UserError } from '../../operators/core/errors.js';
import { oneOf } from '../../operators/core/once.js';
import type { Game } from '../../pipeline/game/game.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { UntabledError } from '../../pipeline/game/untabled.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { errorText } from '../cli/error-text.js';
import type { SolvedEndings } from '../solved/ending.js';
import { openEndings } from '../solved/open.js';
import type { LookupFlags } from '../solved/open-prober.js';
import type { Answer, SolvedMove } from '../solved/solved.js';
import { openReadable } from '../stores.js';
import { foldersOf, type Settings } from './options.js';

/** Errors of input and environment: the engine reports them and continues. */
export const isReported = (error: unknown): error is UserError | StorageError =>
  error instanceof UserError || error instanceof StorageError;

interface Source {
  /** Again after a failure: the folder may be there the next time. */
  readonly open: () => Promise<SolvedEndings>;
  /** Its places that are left out because they cannot be opened. */
  readonly lacks: () => readonly string[];
}

export interface FoundMove extends SolvedMove {
  readonly uci: string;
  readonly board: unknown;
}

/** A position that was looked up under the first metric that has it, and what kept other sources from answering. */
export interface Found extends Answer {
  readonly moves: readonly FoundMove[];
  /** In words. */
  readonly verdict: string;
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
    const opened = async (flags: LookupFlags) => {
      const solved = await openEndings(this.game, this.game.name, flags);
      await solved.open();
      return solved;
    };
    const open = async () => {
      if (place.syzygy === undefined) return opened(place);
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
      return opened({ ...place, syzygy: there });
    };
    return { open: oneOf(open), lacks: () => lacks };
  }

  /** What is wrong with the places: a line for each that cannot be opened. */
  async troubles(): Promise<string[]> {
    const lines: string[] = [];
    for (const source of this.sources) {
      await source.open().catch((error) => lines.push(reported(error)));
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
        const solved = await source.open();
        const position = { fen: this.game.format(board), board };
        const answers = await solved.probe(position);
        const answer = answers.find(({ metric }) => stipulations[metric].goalOf === 'either');
        if (answer === undefined) {
          missing.push('only tables of problems have the position');
          continue;
        }
        const { promotions } = answer;
        const moves = answer.moves.map((move) => ({
          ...move,
          ...(promotions !== undefined && { promotions }),
        }));
        return {
          ...answer,
          moves: moves as FoundMove[],
          verdict: solved.verdict(position, answer),
          troubles,
        };
      } catch (error) {
        (isMissing(error) ? missing : troubles).push(reported(error));
      }
    }
    if (this.sources.length === 0)
      missing.push('neither Store nor SyzygyPath is set, so no position is known');
    throw new NotFoundError([...troubles, ...new Set(missing)]);
  }
}

/** Whether a source works and does not have the position. */
function isMissing(error: unknown): boolean {
  return [MissingTableError, MissingFileError, UntabledError].some((kind) => error instanceof kind);
}

/** The text of an error of input or environment; throws all others. */
function reported(error: unknown): string {
  if (!isReported(error)) throw error;
  return errorText(error);
}
