/** Slices in a store, with the objects of each. */
import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Slice, SliceCatalogue } from '../../game/game.js';
import { readManifest, readManifests } from '../../game/manifest.js';
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
  const found = new Map<string, SliceObjects & { names: string[] }>();
  const foreign = new Set<string>();
  for (const name of names) {
    const match = /^(([^/]+)\/([^/]+)\/([^/]+))\/(.+)$/.exec(name);
    const game = match === null ? undefined : games.get(match[2]);
    if (match === null || game === undefined || foreign.has(match[1])) continue;
    const [, prefix, , metric, slice, rest] = match as unknown as string[];
    let objects = found.get(prefix);
    if (objects === undefined) {
      if (!metrics.includes(metric as Metric) || !isSlice(game, slice)) {
        foreign.add(prefix);
        continue;
      }
      objects = { game, metric: metric as Metric, slice, names: [] };
      found.set(prefix, objects);
    }
    objects.names.push(rest);
  }
  return [...found.values()];
}

/** Whether a slice of the game has this canonical name. Folders and records can have any. */
export function isSlice(game: StoredGame, name: string): boolean {
  try {
    const { slices } = game.ending(name);
    return slices.length === 1 && slices[0] === name;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/** Reads manifests, each once: they do not change. */
export interface ManifestReader {
  /** Those of the manifests that are there (still), in order. */
  read<T>(names: readonly string[], shape: Parameters<typeof readManifest<T>>[2]): Promise<T[]>;
  /** Forgets all but these: an object that was deleted may come again. */
  keep(names: readonly string[]): void;
}

export function manifestReader(store: Store): ManifestReader {
  let known = new Map<string, unknown>();
  return {
    async read<T>(names: readonly string[], shape: Parameters<typeof readManifest<T>>[2]) {
      return readManifests(names, async (name) => {
        if (known.has(name)) return known.get(name) as T;
        const manifest = await readManifest<T>(store, name, shape);
        if (manifest !== null) known.set(name, manifest);
        return manifest;
      });
    },
    keep(names) {
      const kept = new Set(names);
      known = new Map([...known].filter(([name]) => kept.has(name)));
    },
  };
}
