/** Plays episodes, one after the other, until there were as many operations and faults as asked for. */
import { runEpisode } from './episode.js';
import { type FaultTally, KINDS, newTally } from './faults.js';
import { allScenes } from './scenes.js';

export interface Simulated {
  readonly episodes: number;
  /** Episodes in which a task was given up because something was damaged; then it was repaired. */
  readonly refused: number;
  readonly operations: number;
  readonly faults: number;
  readonly tally: FaultTally;
}

/**
 * Plays the episodes of the seeds from `seed` on, scene by scene. In a round of scenes every other one has damage,
 * and in the next round the others have. A seed always gives the same episode.
 * @throws Violation for the first wrong episode.
 */
export async function simulate(
  seed: number,
  least: { readonly operations: number; readonly faults?: number },
  report: (what: Simulated) => void = () => {},
): Promise<Simulated> {
  const scenes = await allScenes();
  const expected = new Map<string, readonly string[]>();
  const tally = newTally();
  let sum = { episodes: 0, refused: 0, operations: 0, faults: 0, tally };
  const isEnough = () => sum.operations >= least.operations && sum.faults >= (least.faults ?? 0);
  for (let next = seed; !isEnough(); next++) {
    const scene = scenes[next % scenes.length];
    let right = expected.get(scene.name);
    if (right === undefined) {
      right = (await runEpisode(scene, 0, [], null)).results;
      expected.set(scene.name, right);
    }
    const isDamaging = (Math.floor(next / scenes.length) + (next % scenes.length)) % 2 === 1;
    const kinds = [...scene.survives, ...(isDamaging ? scene.damages : [])];
    const episode = await runEpisode(scene, next, kinds, right);
    for (const kind of KINDS) tally[kind] += episode.tally[kind];
    sum = {
      episodes: sum.episodes + 1,
      refused: sum.refused + (episode.refused ? 1 : 0),
      operations: sum.operations + episode.operations,
      faults: KINDS.reduce((all, kind) => all + tally[kind], 0),
      tally,
    };
    report(sum);
  }
  return sum;
}
