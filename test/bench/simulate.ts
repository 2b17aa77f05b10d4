/** Plays episodes of the simulator for as many operations as are asked for. */
import { type Simulated, simulate } from '../simulator/simulate.js';

const TOLD_EVERY = 50;

/** From this seed on: the seed of an episode that failed plays it again. Throws Violation. */
export async function benchSimulate(operations: number, seed: number): Promise<Simulated> {
  return simulate(seed, { operations }, ({ episodes, operations: done, faults }) => {
    if (episodes % TOLD_EVERY === 0)
      process.stderr.write(`${episodes} episodes: ${done} operations, ${faults} faults\n`);
  });
}
