/** How far a slice has come that is solved in one process, or whole: by the steps that its crew has committed. */
import type { Store } from '../../operators/storage/store.js';
import { sumCounters } from '../counters-record.js';
import { ConvertManifest, EnumerateManifest, RoundsManifest } from '../manifest.js';
import { strategies } from '../phases/context.js';
import { type ManifestReader, objectOf, type SliceObjects } from './slices.js';

export interface CrewSurvey {
  /** "count" or "lookup", or the name of another solver, of which no more is known than that it has begun. */
  readonly strategy: string;
  /** The phase after the last that is committed. */
  readonly phase: 'enumerate' | 'convert' | 'edges' | 'rounds' | 'finish' | null;
  /** The last round that is committed; 0 if none is. */
  readonly round: number;
  /** Positions won or lost in the rounds that are committed. */
  readonly labelled: number;
  /** Legal positions of both sides to move; null if they are not counted yet. */
  readonly legal: number | null;
  readonly requests: number;
  /** Of the steps that are committed; null if none is. */
  readonly counters: Readonly<Record<string, number>> | null;
  /** How long ago the last step was committed, in ms; null if none is. */
  readonly quietMs: number | null;
}

const STRATEGIES: ReadonlySet<string> = new Set(strategies);
const ENUMERATE = /^enumerate\.json$/;
const CONVERT = /^convert\.json$/;
const EDGES = /^edges\.json$/;
const ROUNDS = /^rounds-\d+\.json$/;

function phaseAfter(converted: boolean, edges: boolean, rounds: boolean): CrewSurvey['phase'] {
  if (!converted) return 'convert';
  if (!edges) return 'edges';
  return rounds ? 'finish' : 'rounds';
}

/** Null if no crew has begun. */
export async function surveyCrew(
  store: Store,
  reader: ManifestReader,
  objects: SliceObjects,
  now: number,
): Promise<CrewSurvey | null> {
  const folders = objects.names.flatMap((name) => /^steps\/([^/]+)\//.exec(name)?.[1] ?? []);
  const strategy = folders.find((folder) => STRATEGIES.has(folder)) ?? folders[0];
  if (strategy === undefined) return null;
  const nothing = {
    strategy,
    round: 0,
    labelled: 0,
    legal: null,
    requests: 0,
    counters: null,
    quietMs: null,
  };
  if (!STRATEGIES.has(strategy)) return { ...nothing, phase: null };

  const folder = `steps/${strategy}/`;
  const named = (what: RegExp) =>
    objects.names
      .filter((name) => name.startsWith(folder) && what.test(name.slice(folder.length)))
      .map((name) => objectOf(objects, name));
  const [enumerated] = await reader.read(named(ENUMERATE), EnumerateManifest);
  if (enumerated === undefined) return { ...nothing, phase: 'enumerate' };
  const [converted] = await reader.read(named(CONVERT), ConvertManifest);
  const withoutEdges = objects.game.slice(objects.slice).unmoves === undefined && named(EDGES).length === 0;
  const rounds = await reader.read(named(ROUNDS), RoundsManifest);
  const both = (pair: readonly [number, number]) => pair[0] + pair[1];
  const last = rounds.at(-1);
  const at = await store.modified([ENUMERATE, CONVERT, EDGES, ROUNDS].flatMap(named).at(-1)!);
  return {
    strategy,
    phase: phaseAfter(converted !== undefined, !withoutEdges, last?.done === true),
    round: last === undefined ? 0 : last.to - 1,
    labelled: rounds.reduce((sum, { won, lost }) => sum + both(won) + both(lost), both(enumerated.lost)),
    legal: both(enumerated.legal),
    requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
    counters: sumCounters(
      [enumerated, ...(converted === undefined ? [] : [converted]), ...rounds].map((step) => step.counters),
    ),
    quietMs: at === null ? null : Math.max(0, now - at),
  };
}
