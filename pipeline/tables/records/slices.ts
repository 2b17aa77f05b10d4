/** Slices in a store, with the objects of each. */

import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Slice, SliceCatalogue } from '../../game/game.js';
import { readManifest, readManifests } from '../../game/manifest.js';
import type { RecordShape } from '../../game/record.js';
import { type Metric, metrics } from '../../game/value.js';
import { slicePrefix } from '../table-names.js';

/** The slice that names of objects are made of. */
export interface SliceAt {
  readonly game: { readonly name: string };
  readonly metric: Metric;
  /** Canonical name. */
  readonly slice: string;
}

/** The part of a game that a listing of a store is read by. It is known of graphs too before their manifests are read. */
export type StoredGame = SliceCatalogue<Pick<Slice, 'dependencies' | 'unmoves'>>;
export type StoredGames = ReadonlyMap<string, StoredGame>;

/** All objects of a slice under one metric. */
export interface SliceObjects extends SliceAt {
  readonly game: StoredGame;
  /** Names without the slice's prefix, ascending; e.g. "table.json". */
  readonly names: readonly string[];
}

/** The full name of an object of a slice. */
export function objectOf({ game, metric, slice }: SliceAt, name: string): string {
  return `${slicePrefix(game.name, metric, slice)}/${name}`;
}

/**
 * Sorts a listing of a store: the objects of every slice of `games`, in the order of the names. Objects elsewhere are not
 * ours, and left out.
 */
export function slicesAmong(names: readonly string[], games: StoredGames): SliceObjects[] {
  // By the folders of slices; null: it is none.
  const found = new Map<string, (SliceObjects & { readonly names: string[] }) | null>();
  for (const name of names) {
    const [gameName, folder, slice, ...rest] = name.split('/');
    const game = games.get(gameName);
    const metric = metrics.find((each) => each === folder);
    if (game === undefined || metric === undefined || rest.length === 0) continue;
    const prefix = slicePrefix(gameName, metric, slice);
    let objects = found.get(prefix);
    if (objects === undefined) {
      objects = isSlice(game, slice) ? { game, metric, slice, names: [] } : null;
      found.set(prefix, objects);
    }
    objects?.names.push(rest.join('/'));
  }
  return [...found.values()].filter((objects) => objects !== null);
}

/** Whether a slice of the game has this canonical name. Folders and records can have any. */
export function isSlice(game: StoredGame, name: string): boolean {
  return [game, game.sided].some((named) => {
    if (named === undefined) return false;
    try {
      const { slices } = named.ending(name);
      return slices.length === 1 && slices[0] === name;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  });
}

/** Reads manifests, each once: they do not change. */
export class ManifestReader {
  private known = new Map<string, unknown>();

  constructor(private readonly store: Store) {}

  /** Those of the manifests that are there (still), in order. */
  read<T>(names: readonly string[], shape: RecordShape<T>): Promise<T[]> {
    return readManifests(names, async (name) => {
      if (this.known.has(name)) return this.known.get(name) as T;
      const manifest = await readManifest<T>(this.store, name, shape);
      if (manifest !== null) this.known.set(name, manifest);
      return manifest;
    });
  }

  /** Forgets all but these: an object that was deleted may come again. */
  keep(names: readonly string[]): void {
    const kept = new Set(names);
    this.known = new Map([...this.known].filter(([name]) => kept.has(name)));
  }
}
