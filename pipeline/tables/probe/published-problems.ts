/**
 * Looks problems up in published tables: plies and numbers, each from a file of its own, through one cache of blocks. All else is as for
 * solved tables (table-prober.ts).
 */
import { assert, StorageError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import type { Address, Game, Side } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import { codeOfPlies, type PublishedColumn } from '../published/columns.js';
import type { Publication } from '../published/publication.js';
import { newRunCache, type RunCache } from '../published/run-cache.js';
import { drawnThroughout } from './drawn-throughout.js';
import type { OpenValues } from './open-values.js';
import type { Prober } from './prober.js';
import {
  newPublishedProber,
  type PublishedCounters,
  type PublishedProber,
  type PublishedProberOptions,
} from './published-prober.js';
import { type TableProber, tableProber } from './table-prober.js';

/** Looks positions up in published tables of problems. */
export interface PublishedProblems<Board> extends TableProber<Board> {
  readonly counters: PublishedCounters;
}

/** @param options of a publication whose metric has numbers. */
export function newPublishedProblems<Board>({
  game,
  publication,
  cacheBytes,
}: Omit<PublishedProberOptions<Board>, 'positionBytes'>): PublishedProblems<Board> {
  const { metric } = publication;
  const cache = newRunCache(cacheBytes);
  const asked = { positions: 0, known: 0 };
  const search = { lookups: 0, expanded: 0 };
  const prober = tableProber({
    game,
    metric,
    async open(slice) {
      if (!publication.has(slice) && drawnThroughout(game.slice(slice))) return null;
      return openColumns(game as Pick<Game, 'slice'>, publication, slice, cache, () => {
        search.lookups++;
      });
    },
    contradiction: (slice, what) => new StorageError(publication.where(slice), what),
    trustsMoves: false,
  });
  const value: TableProber<Board>['value'] = (board) => {
    asked.positions++;
    return prober.value(board);
  };
  return { ...prober, value, counters: { search, blocks: cache.counts, asked } };
}

/** The files of a slice, each opened when it is first read. */
function openColumns(
  game: Pick<Game, 'slice'>,
  publication: Publication,
  name: string,
  cache: RunCache,
  noteLookup: () => void,
): OpenValues {
  const { width } = game.slice(name);
  const { goalOf } = labellingOf(publication.metric);
  assert(goalOf !== null, 'problems have a goal of one side');
  const once = newOnce<string, number>();
  const file = (side: Side, column: PublishedColumn) =>
    once(`${side}/${column}`, async () => cache.add(await publication.file(name, side, column)));

  async function symbol({ side, part, key }: Address, column: PublishedColumn): Promise<number> {
    noteLookup();
    return cache.value(await file(side, column), part * width + key);
  }

  const code = async (address: Address) => codeOfPlies(await symbol(address, 'plies'), address.side, goalOf);
  return {
    valueType: 'i16',
    code,
    // Where there is no solution, the file has any number.
    number: async (address) => ((await code(address)) === 0 ? 0 : 1 + (await symbol(address, 'numbers'))),
  };
}

/** A prober of whatever the publication holds. @param options `game`: as `openPublication` takes it. */
export function publishedProber<Board>(
  options: PublishedProberOptions<Board>,
): Prober<Board> & { readonly counters: PublishedCounters } {
  const { numbering } = labellingOf(options.publication.metric);
  return numbering === null ? newPublishedProber(options) : newPublishedProblems(options);
}

export type AnyPublishedProber<Board> = PublishedProber<Board> | PublishedProblems<Board>;
