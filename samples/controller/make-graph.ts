/**
 * `tsx make-graph.ts [capacity]`: a water tower whose pump must be controlled, as a graph for `mergemate solve`, in JSON
 * Lines on standard output. Every minute the controller leaves the pump as it is or switches it. Then the town takes as
 * much as it likes, which changes by one at most from minute to minute. The town wins if the tower overflows or runs dry.
 */
import { pathToFileURL } from 'node:url';

/** Units that the pump delivers in a minute when it runs; the town takes less. */
const INFLOW = 4;
const MOST_TAKEN = 3;
/** Minutes that the pump must run before it may be switched off, and must rest before it may be switched on. */
const RUN = 5;
const REST = 3;

export interface Tower {
  /** The water in the tower: 0 to its capacity. */
  readonly water: number;
  readonly taken: number;
  readonly pump: 'on' | 'off';
  /** Minutes until the pump may be switched. */
  readonly wait: number;
}

export function nameOf({ water, taken, pump, wait }: Tower, mover: 'controller' | 'town'): string {
  return `water ${water} taken ${taken} pump ${pump} wait ${wait} ${mover}`;
}

/** All states of a tower, sensible or not. */
function* towers(capacity: number): Generator<Tower> {
  for (let water = 0; water <= capacity; water++)
    for (let taken = 0; taken <= MOST_TAKEN; taken++)
      for (const pump of ['on', 'off'] as const)
        for (let wait = 0; wait < (pump === 'on' ? RUN : REST); wait++) yield { water, taken, pump, wait };
}

/** The controller's turn: the minute passes for the pump. */
function* settings(tower: Tower): Generator<Tower> {
  yield { ...tower, wait: Math.max(0, tower.wait - 1) };
  if (tower.wait > 0) return;
  if (tower.pump === 'on') yield { ...tower, pump: 'off', wait: REST - 1 };
  else yield { ...tower, pump: 'on', wait: RUN - 1 };
}

/** The town's turn. */
function* demands(tower: Tower): Generator<Tower> {
  for (const taken of [tower.taken - 1, tower.taken, tower.taken + 1]) {
    if (taken < 0 || taken > MOST_TAKEN) continue;
    yield { ...tower, taken, water: tower.water + (tower.pump === 'on' ? INFLOW : 0) - taken };
  }
}

export function* control(capacity: number): Generator<string> {
  const line = (node: object) => JSON.stringify(node);
  yield line({ players: ['controller', 'town'] });
  yield line({ id: 'overflow', winner: 'town' });
  yield line({ id: 'dry', winner: 'town' });
  for (const tower of towers(capacity)) {
    const set = [...settings(tower)].map((after) => nameOf(after, 'town'));
    yield line({ id: nameOf(tower, 'controller'), owner: 'controller', edges: set });
    const left = [...demands(tower)].map((after) => {
      if (after.water > capacity) return 'overflow';
      return after.water < 0 ? 'dry' : nameOf(after, 'controller');
    });
    yield line({ id: nameOf(tower, 'town'), owner: 'town', edges: left });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const line of control(Number(process.argv[2] ?? 30))) console.log(line);
