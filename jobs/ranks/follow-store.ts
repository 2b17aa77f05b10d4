/** Progress of ranks that only write to the store: the store is asked now and then. */
import { setTimeout as pause } from 'node:timers/promises';
import { workPrefix } from '../../pipeline/engine/context.js';
import { readManifest } from '../../pipeline/game/manifest.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { workObject } from '../../pipeline/game/slice-objects.js';
import { RoundManifest } from '../../pipeline/game/step-manifests.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import { slicePrefix } from '../../pipeline/tables/table-names.js';
import { type ReportedJob, solvedSlices } from './report.js';

export interface Following extends Pick<ReportedJob, 'game' | 'slices' | 'metric' | 'store'> {
  readonly strategy: Strategy;
  readonly everyMs: number;
}

/** Reports slices and rounds until the returned function is called. */
export function followStore(following: Following, listen: ProgressListener): () => void {
  const { slices, everyMs } = following;
  const ended = new AbortController();
  const begun = new Set<string>();

  async function look(): Promise<void> {
    const solved = await solvedSlices(following);
    const begin = (slice: string): void => {
      if (begun.has(slice)) return;
      begun.add(slice);
      listen({ type: 'slice', slice, number: slices.indexOf(slice) + 1, of: slices.length });
    };
    for (const slice of solved) {
      if (begun.has(`${slice} finished`)) continue;
      begin(slice);
      begun.add(`${slice} finished`);
      listen({ type: 'finished', slice });
    }
    // Ranks solve large slices one after the other.
    const first = slices.find((slice) => !solved.has(slice));
    if (first !== undefined) await rounds(first, () => begin(first));
  }

  async function rounds(slice: string, begin: () => void): Promise<void> {
    const { game, metric, strategy, store } = following;
    const work = workPrefix(slicePrefix(game.name, metric, slice), strategy);
    for (const name of await store.list(`${work}/`)) {
      const object = begun.has(name) ? null : workObject(name.slice(work.length + 1));
      if (object?.is !== 'joined' || (object.step.name !== 'round' && object.step.name !== 'last')) continue;
      const round = await readManifest(store, name, RoundManifest);
      if (round === null) continue;
      begin();
      begun.add(name);
      const won = round.won[0] + round.won[1];
      const labelled = won + round.lost[0] + round.lost[1];
      listen({ type: 'round', slice, ply: round.ply, requests: round.requests, labelled, won });
    }
  }

  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      // A store that does not answer is asked again.
      await look().catch(() => {});
      await pause(everyMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  }
  void follow();
  return () => ended.abort();
}
